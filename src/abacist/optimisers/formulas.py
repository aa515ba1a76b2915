"""Optimisers: one update of a weight w by its gradient g as a formula each, as PyTorch computes them.

Adam (Kingma and Ba 2015), at update n:

m′ = β₁ m + (1 − β₁) g
v′ = β₂ v + (1 − β₂) g²
w′ = w − rate / (1 − β₁ⁿ) · m′ / (√v′ / √(1 − β₂ⁿ) + ε)

Stochastic gradient descent with momentum μ:

m′ = μ m + g
w′ = w − rate · m′

RMSprop (Hinton 2012) with momentum μ:

v′ = α v + (1 − α) g²
m′ = μ m + g / (√v′ + ε)
w′ = w − rate · m′
"""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from abacist.algebra import sqrt
from abacist.errors import BadInput
from abacist.fields import check_fields

#: The arrays of moments that a program has.
MOMENTS = ("first", "second")

#: Powers of larger exponents are the C library's; others are products.
_LARGEST_PRODUCT = 0x10000

#: Smaller powers are zero: 1 − βⁿ is 1 for them anyway.
_SMALLEST_POWER = 2.0**-64


def power(base: float, exponents: Any) -> Any:
    """A base from 0 to 1 to the power of whole numbers, by squaring; zero below 2⁻⁶⁴.

    >>> power(0.5, np.array([1, 3]))
    array([0.5  , 0.125])
    """
    exponents = np.asarray(exponents, np.int64)
    result = np.zeros(exponents.shape)
    largest = math.log(_SMALLEST_POWER) / math.log(base) if 0 < base < 1 else math.inf
    visible = exponents <= largest
    whole = exponents[visible]
    powers, square = np.ones(whole.shape), float(base)
    for bit in range(int(whole.max(initial=0)).bit_length()):
        powers[whole >> bit & 1 == 1] *= square
        square *= square
    for place in np.flatnonzero(whole > _LARGEST_PRODUCT):
        powers[place] = math.pow(base, float(whole[place]))
    result[visible] = powers
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


def _adam_numbers(s: Any) -> dict[str, Any]:
    return {
        "step": -s.rate / (1.0 - power(s.beta1, s.updates)),
        "correction": 1.0 / np.sqrt(1.0 - power(s.beta2, s.updates)),
        "b1": s.beta1,
        "b2": s.beta2,
        "r1": 1.0 - s.beta1,
        "r2": 1.0 - s.beta2,
        "e": s.epsilon,
    }


def _adam(n: Any, w: Any, g: Any, m: Any, v: Any) -> Any:
    m = n.b1 * m + n.r1 * g
    v = n.b2 * v + n.r2 * g * g
    return w + n.step * m / (sqrt(v) * n.correction + n.e), m, v


def _sgd_numbers(s: Any) -> dict[str, Any]:
    return {"step": -s.rate, "kept": s.momentum}


def _sgd(n: Any, w: Any, g: Any, m: Any) -> Any:
    m = n.kept * m + g
    return n.step * m + w, m


def _rmsprop_numbers(s: Any) -> dict[str, Any]:
    return {
        "step": -s.rate,
        "kept": s.momentum,
        "a": s.smoothing,
        "r": 1.0 - s.smoothing,
        "e": s.epsilon,
    }


def _rmsprop(n: Any, w: Any, g: Any, m: Any, v: Any) -> Any:
    v = n.a * v + n.r * g * g
    m = n.kept * m + g / (sqrt(v) + n.e)
    return n.step * m + w, m, v


#: All optimisers by name. A further one is a further formula, and a further line.
OPTIMISERS: dict[str, Optimiser] = {
    optimiser.name: optimiser
    for optimiser in (
        Optimiser("adam", ("rate", "beta1", "beta2", "epsilon"), _adam_numbers, _adam),
        Optimiser("sgd", ("rate", "momentum"), _sgd_numbers, _sgd),
        Optimiser("rmsprop", ("rate", "momentum", "smoothing", "epsilon"), _rmsprop_numbers, _rmsprop),
    )
}
