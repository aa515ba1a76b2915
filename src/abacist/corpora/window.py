"""A window of lengths, such as 2:50."""

from __future__ import annotations

from dataclasses import dataclass

from abacist.errors import BadField, BadInput
from abacist.fields import expect, normalise_fields

_LONGEST = 1_000_000


@dataclass(frozen=True)
class Window:
    """The lengths from `low` to `high`, both included."""

    low: int
    high: int

    def __post_init__(self) -> None:
        normalise_fields(self)
        if not 1 <= self.low <= self.high <= _LONGEST:
            rule = f"must satisfy 1 <= low <= high <= {_LONGEST:,}"
            raise BadField("Window", "lengths", rule, f"{self.low}:{self.high}")

    @classmethod
    def parse(cls, text: str) -> Window:
        """Read `2:50`, or `8` for a single length.

        >>> Window.parse("2:50")
        Window(low=2, high=50)
        """
        expect("lengths", text, str)
        low, _, high = text.partition(":")
        try:
            return cls(int(low), int(high or low))
        except ValueError as error:
            if isinstance(error, BadInput):
                raise
            raise BadField("", "lengths", "must be LOW:HIGH, such as 2:50", repr(text)) from None

    def __contains__(self, inner: int | Window) -> bool:
        low, high = (inner, inner) if isinstance(inner, int) else (inner.low, inner.high)
        return self.low <= low and high <= self.high

    def __str__(self) -> str:
        return f"{self.low}:{self.high}"

    @property
    def lengths(self) -> range:
        return range(self.low, self.high + 1)

    def overlaps(self, other: Window) -> bool:
        return self.low <= other.high and other.low <= self.high
