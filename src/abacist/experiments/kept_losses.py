"""The losses of a run as a store keeps them: read when they are asked for."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any, Protocol, overload

from abacist.untrusted import read_json

#: What a list of numbers is written with; whether it is one is found out when it is read.
_NUMBERS = re.compile(r"[-+.0-9eE, INafinty]*")


class Finder(Protocol):
    """Finds again by a run's key what is long and hardly ever needed."""

    def __call__(self, key: str) -> Any:
        """The weights, and the moments where they were kept."""

    def losses(self, key: str) -> Sequence[float]:
        """The losses, (epoch,)."""


class KeptLosses(Sequence[float]):
    """Losses of epochs, equal to a tuple of the same: most of a store's text, and hardly ever looked at.

    With a finder and the key of their run not even the text is kept, only the last of them: tables show it.

    >>> losses = KeptLosses("0.5, 0.25")
    >>> losses[-1], len(losses), losses == (0.5, 0.25)
    (0.25, 2, True)
    """

    __slots__ = ("_finder", "_last", "_length", "_text")

    def __init__(self, text: str, finder: Finder | None = None, key: str = "") -> None:
        self._length = text.count(",") + 1 if text else 0
        self._last = float(text.rpartition(",")[2]) if text else None
        self._finder, self._text = finder, text if finder is None else key

    @staticmethod
    def fits(text: str) -> bool:
        """Whether a text may be the inside of a list of numbers."""
        return _NUMBERS.fullmatch(text) is not None

    def _read(self) -> tuple[float, ...]:
        if self._finder is not None:
            return tuple(self._finder.losses(self._text))
        return tuple(read_json(f"[{self._text}]", lax=True))

    def __len__(self) -> int:
        return self._length

    @overload
    def __getitem__(self, place: int) -> float: ...
    @overload
    def __getitem__(self, place: slice) -> tuple[float, ...]: ...
    def __getitem__(self, place: Any) -> Any:
        return self._last if place == -1 and self._length else self._read()[place]

    def __iter__(self) -> Iterator[float]:
        return iter(self._read())

    def __eq__(self, other: object) -> bool:
        return tuple(other) == self._read() if isinstance(other, KeptLosses | tuple) else NotImplemented

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return repr(self._read())
