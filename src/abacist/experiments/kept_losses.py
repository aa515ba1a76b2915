"""The losses of a run as a store keeps them: a text that is read when they are asked for."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from typing import Any, overload

#: What a list of numbers is written with; whether it is one is found out when it is read.
_NUMBERS = re.compile(r"[-+.0-9eE, INafinty]*")


class KeptLosses(Sequence[float]):
    """Losses of epochs, equal to a tuple of the same: most of a store's text, and hardly ever looked at.

    >>> losses = KeptLosses("0.5, 0.25")
    >>> losses[-1], len(losses), losses == (0.5, 0.25)
    (0.25, 2, True)
    """

    __slots__ = ("_text",)

    def __init__(self, text: str) -> None:
        self._text = text

    @staticmethod
    def fits(text: str) -> bool:
        """Whether a text may be the inside of a list of numbers."""
        return _NUMBERS.fullmatch(text) is not None

    def _read(self) -> tuple[float, ...]:
        return tuple(json.loads(f"[{self._text}]"))

    def __len__(self) -> int:
        return self._text.count(",") + 1 if self._text else 0

    @overload
    def __getitem__(self, place: int) -> float: ...
    @overload
    def __getitem__(self, place: slice) -> tuple[float, ...]: ...
    def __getitem__(self, place: Any) -> Any:
        if place == -1 and self._text:  # tables of runs show the last of each
            return json.loads(self._text.rpartition(",")[2])
        return self._read()[place]

    def __eq__(self, other: object) -> bool:
        return tuple(other) == self._read() if isinstance(other, KeptLosses | tuple) else NotImplemented

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return repr(self._read())
