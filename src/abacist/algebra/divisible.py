"""What may stand on either side of a / in a formula: the operation does the rest."""

from __future__ import annotations

from typing import Any

from abacist.algebra.operations import divide


class Divisible:
    """Values whose quotients are read like every other operation."""

    def __truediv__(self, other: Any) -> Any:
        return divide(self, other)

    def __rtruediv__(self, other: Any) -> Any:
        return divide(other, self)
