"""How far the bounds of intervals are moved outwards, so that no value that programs compute escapes."""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil

from abacist.algebra.rounding import ROUNDING

#: No bound, and no weight, may be larger: beyond it a float32 program could overflow within a step.
LARGEST = 1e12

#: How far what bounds take for tanh may be from it; what they take for a sigmoid keeps the programs' promise.
BOUND_TANH = {"float32": 2.8e-7, "float64": 3.9e-16}


@dataclass(frozen=True)
class Outward:
    """How far rounding can move a value, and so how far bounds move outwards.

    `relative`: of the result of one operation. `sums`: of all terms of an affine map together, of the
    sum of their magnitudes. `sigmoid` and `tanh`: absolutely; that of a sigmoid leaves room for what products
    with it are rounded by. `tiny`: where numbers underflow. `exponential`: of itself, and
    `exponent` more for every 1 in |x|. `logarithm`: of itself. `softplus`: absolutely, and by `relative`.
    """

    relative: float
    sums: float
    sigmoid: float
    tanh: float
    tiny: float
    exponential: float
    exponent: float
    logarithm: float
    softplus: float

    def total(self, terms: int) -> float:
        """Of a sum of so many terms in any order, of the sum of their magnitudes."""
        return self.relative * (terms + 4)

    def softmax(self, units: int) -> float:
        """Of a weight among so many, absolutely, with room for products."""
        return 1.25 * self.exponential + self.relative * (units + 2)


def outward_of(precision: str, terms: int) -> Outward:
    """What rounding to a precision can do, in affine maps of at most so many terms.

    Bounds are themselves computed in that precision, or in a better one: so an operation is given four
    times its own rounding, sums four times that of all their terms and some more, and an activation its
    error, that of its bound, and the rounding of the shift; a sigmoid five more, for products.
    `docs/horizon.md` counts them one by one.
    """
    promise = ROUNDING[precision]
    tanh = promise.activation["tanh"] + BOUND_TANH[precision] + promise.unit / 2
    steps = ceil(tanh / (2 * promise.unit))  # so that 1 and the shift are added, and taken away, exactly
    return Outward(
        relative=4 * promise.unit,
        sums=4 * (terms + 4) * promise.unit,
        sigmoid=2 * promise.activation["sigmoid"] + 6 * promise.unit,
        tanh=2 * steps * promise.unit,
        tiny=promise.smallest**0.75,
        exponential=2 * promise.exponential + 4 * promise.unit,
        exponent=4 * promise.unit,
        logarithm=2 * promise.logarithm + 4 * promise.unit,
        softplus=2 * promise.softplus,
    )


def decision_margin(precision: str) -> float:
    """A sum of the output layer so far from zero is decided alike by its sign and by its rounded score.

    The slope of the sigmoid is 1/4 there, so that an error of its value is four times that of the sum.
    """
    return 8 * ROUNDING[precision].activation["sigmoid"]
