"""Building the text of a program, line by line."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager


class Text:
    """Lines with indentation, in Python's way or in another; `end` closes a block, where one is needed."""

    def __init__(self, depth: int = 0, indent: str = "    ", end: str | None = None) -> None:
        self.lines: list[str] = []
        self._depth, self._indent, self._end = depth, indent, end

    def __call__(self, line: str) -> None:
        self.lines.append(self._indent * self._depth + line)

    @contextmanager
    def block(self, head: str, end: str | None = None) -> Iterator[None]:
        """A head such as `for u in range(3):`, what it holds, and its end, by default the usual one."""
        self(head)
        self._depth += 1
        yield
        self._depth -= 1
        if (closing := end or self._end) is not None:
            self(closing)

    def __str__(self) -> str:
        return "\n".join(self.lines) + "\n"
