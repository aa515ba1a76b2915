"""Building the text of a program, line by line."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager


class Text:
    """Lines with indentation."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self._depth = 0

    def __call__(self, line: str = "") -> None:
        self.lines.append("    " * self._depth + line if line else "")

    @contextmanager
    def block(self, head: str) -> Iterator[None]:
        """A head such as `for u in range(3):` and what it holds."""
        self(head)
        self._depth += 1
        yield
        self._depth -= 1

    def __str__(self) -> str:
        return "\n".join(self.lines) + "\n"


def at(base: str, offset: int) -> str:
    """The text of an index: base + offset, without a useless zero."""
    return f"{base} + {offset}" if offset else base
