"""What an optimiser is: one update of the weights as a formula."""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from abacist.errors import BadInput
from abacist.fields import check_fields

#: The arrays of moments that a program has.
MOMENTS = ("first", "second")

#: Larger powers are the C library's; smaller ones are products.
_LARGEST_PRODUCT = 0x10000


def power(base: float, exponents: Any) -> Any:
    """base to the power of whole numbers, by squaring.

    >>> power(0.5, np.array([1, 3]))
    array([0.5  , 0.125])
    """
    whole = np.asarray(exponents, np.int64)
    result, square = np.ones(whole.shape), float(base)
    for bit in range(int(whole.max(initial=0)).bit_length()):
        np.multiply(result, square, out=result, where=(whole >> bit & 1).astype(bool))
        square *= square
    if (large := whole > _LARGEST_PRODUCT).any():
        result[large] = [math.pow(base, float(own)) for own in whole[large]]
    return result


@dataclass(frozen=True, eq=False)
class Optimiser:
    """How weights follow their gradients.

    `numbers(s)` are shared by all weights: they are made of the settings and of `s.updates`, the numbers of
    some updates, counted from 1. `step(n, w, g, …)` takes these, a weight, its gradient and its moments, at
    most two, which are zero at first, and returns the new weight and the new moments. It is a formula, as a
    cell is one. `settings` are the fields of a spec that it reads.
    """

    name: str
    settings: tuple[str, ...]
    numbers: Callable[[Any], dict[str, Any]]
    step: Callable[..., Any]

    def __post_init__(self) -> None:
        check_fields(self)
        if len(self.moments) > len(MOMENTS):
            got = ", ".join(self.moments)
            raise BadInput(f"Optimiser {self.name}: there is room for {len(MOMENTS)} moments, got {got}")

    @property
    def moments(self) -> tuple[str, ...]:
        """The names of its moments in its formula."""
        return tuple(inspect.signature(self.step).parameters)[3:]

    def advance(self, numbers: Any, weight: Any, gradient: Any, moments: tuple[Any, ...]) -> tuple[Any, ...]:
        """The new weight, and the new moments behind it."""
        after = self.step(numbers, weight, gradient, *moments)
        return after if isinstance(after, tuple) else (after,)
