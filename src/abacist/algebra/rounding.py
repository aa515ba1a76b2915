"""What every target promises about rounding: how far its programs may be from the exact formula.

A formula means real numbers. A target computes it in float32 or float64, with sums in any order and
multiply-adds fused or not, and with its own functions. These records bound the difference for
every finite argument, so that a statement with such a margin holds for all programs. `docs/rounding.md`
says how each number was established; tests hold the targets, NumPy and PyTorch to them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import ceil, isfinite

from abacist.algebra.operations import sigmoid, tanh
from abacist.errors import BadInput
from abacist.fields import check_fields

#: The name of sigmoid(x)·tanh(y) where a program computes it with one division.
SIGMOID_TIMES_TANH = "sigmoid_times_tanh"


@dataclass(frozen=True, eq=False)
class Rounding:
    """How far a program in one precision may be from the exact formula.

    A sum, difference, product or quotient is exact·(1 + δ) + η with |δ| ≤ `unit` and |η| ≤ `smallest`; a
    fused multiply-add is rounded once. η covers products too small for a normal number, flushed or not.

    `activation` bounds |program − exact| of `sigmoid`, of `tanh` and of `sigmoid_times_tanh`, the
    product that is computed with one division, against the exact product of the exact functions.

    A program's sigmoid lies in [0, 1], is ½ at 0 and exactly 1 from `sigmoid_one` on. For x ≤ 0 it is at
    most (1 + `sigmoid_relative`)·sigmoid(max(x, −`sigmoid_clamp`)), and down to −`sigmoid_clamp` at least
    (1 − `sigmoid_relative`)·sigmoid(x). A program's tanh lies in [−1, 1], is 0 at 0, never has the other
    sign than x, and is exactly ±1 where |x| ≥ `tanh_one`. The product keeps to all of that: it is exactly
    ±1 where both factors are, exactly 0 where tanh's argument is, and never farther from 0 than the
    bound of its sigmoid, times 1 + 4·`unit`. And it is σ′·τ′, rounded at most twice, for some σ′ and τ′ in
    those ranges that are as near to sigmoid and tanh as is promised: a small factor makes a small error.

    A program's eˣ is off by at most `exponential` + 2·`unit`·|x| of itself, and where it is small by
    2·`smallest`; past 10³⁸ it may be infinite. A logarithm is off by at most `logarithm` of itself. Its
    log(1 + eˣ) is never negative, and off by at most `softplus`, and `unit` of itself.
    """

    unit: float
    smallest: float
    activation: Mapping[str, float]
    sigmoid_one: float
    sigmoid_clamp: float
    sigmoid_relative: float
    tanh_one: float
    exponential: float
    logarithm: float
    softplus: float

    def __post_init__(self) -> None:
        check_fields(self)
        numbers = {name: value for name, value in vars(self).items() if name != "activation"}
        for name, value in (numbers | dict(self.activation)).items():
            if not (isfinite(value) and value > 0):
                raise BadInput(f"Rounding: {name} must be above 0 and finite, got {value}")


#: The promise for each precision.
ROUNDING: dict[str, Rounding] = {
    "float32": Rounding(
        unit=2.0**-24,
        smallest=2.0**-126,
        activation={sigmoid.name: 1.4e-7, tanh.name: 2.2e-7, SIGMOID_TIMES_TANH: 3e-7},
        sigmoid_one=17.4,
        sigmoid_clamp=40.0,
        sigmoid_relative=3.6e-6,
        tanh_one=9.1,
        exponential=3.6e-7,
        logarithm=5.4e-7,
        softplus=7e-7,
    ),
    "float64": Rounding(
        unit=2.0**-53,
        smallest=2.0**-1022,
        activation={sigmoid.name: 2e-16, tanh.name: 3e-16, SIGMOID_TIMES_TANH: 5.2e-16},
        sigmoid_one=37.5,
        sigmoid_clamp=40.0,
        sigmoid_relative=6e-15,
        tanh_one=19.1,
        exponential=4e-16,
        logarithm=1e-15,
        softplus=1.2e-15,
    ),
}

#: No bound, and no weight, may be larger: beyond it a float32 program could overflow within a step.
LARGEST = 1e12

#: How far what bounds take for tanh may be from it; what they take for a sigmoid keeps the programs' promise.
BOUND_TANH = {"float32": 2.8e-7, "float64": 3.9e-16}


@dataclass(frozen=True)
class RoundingMargins:
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


def rounding_margins(precision: str, terms: int) -> RoundingMargins:
    """What rounding to a precision can do, in affine maps of at most so many terms.

    Bounds are themselves computed in that precision, or in a better one: so an operation is given four
    times its own rounding, sums four times that of all their terms and some more, and an activation its
    error, that of its bound, and the rounding of the shift; a sigmoid five more, for products.
    `docs/horizon.md` counts them one by one.
    """
    promise = ROUNDING[precision]
    tanh = promise.activation["tanh"] + BOUND_TANH[precision] + promise.unit / 2
    steps = ceil(tanh / (2 * promise.unit))  # so that 1 and the shift are added, and taken away, exactly
    return RoundingMargins(
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
