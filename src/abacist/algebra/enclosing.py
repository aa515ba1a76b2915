"""What all kinds of intervals have in common: quotients, a shape, and that arrays leave the work to them."""

from __future__ import annotations

from typing import Any

from abacist.algebra.operations import divide


class Enclosing:
    """A value between two bounds, the `lower` and the `upper`."""

    lower: Any

    #: NumPy's arrays leave the work to intervals.
    __array_ufunc__ = None

    @property
    def shape(self) -> tuple[int, ...]:
        """How many units it has, and axes before them, as arrays have them."""
        return tuple(self.lower.shape)

    def __truediv__(self, other: Any) -> Any:
        return divide(self, other)

    def __rtruediv__(self, other: Any) -> Any:
        return divide(other, self)
