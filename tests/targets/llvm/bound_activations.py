"""Sigmoid and tanh as bounds have them where they are taken of a state: with a product in the exponent."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from abacist.targets.functions import LOG2_E
from abacist.targets.llvm.bounds import sigmoid_bound, tanh_bound
from abacist.targets.llvm.vectors import Vectors


def _exponent(v: Vectors, x: Any, rate: float) -> Any:
    return v.builder.fmul(x, v.constant(rate))


def sigmoid(v: Vectors, x: Any) -> Any:
    return sigmoid_bound(v, _exponent(v, x, -LOG2_E))


def tanh(v: Vectors, x: Any) -> Any:
    return moved_tanh(v, x, v.constant(-1.0))


def moved_tanh(v: Vectors, x: Any, added: Any) -> Any:
    """2 / (1 + e⁻²ˣ), and what is added: a shift outwards, less 1."""
    return tanh_bound(v, _exponent(v, x, -2 * LOG2_E), added)


def without_avx512(function: Callable[..., Any]) -> Callable[..., Any]:
    """A function as processors have it that cannot multiply by every power of two."""

    def emit(v: Vectors, *operands: Any) -> Any:
        return function(Vectors(v.builder, v.precision, v.count // v.lanes, ""), *operands)

    return emit
