"""Exponential, logarithm and softplus keep what is promised: by an argument, and for every float32."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from abacist.algebra import ROUNDING
from abacist.targets.llvm.bounds import OPERATIONS
from tests.algebra.exact_activations import allowed, exactly_of
from tests.targets.llvm.compiled import applied
from tests.targets.llvm.every_float32_power import BLOCKS, through
from tests.targets.llvm.rounding_argument import exponential_error, softplus_error

Array = NDArray[Any]

precisions = pytest.mark.parametrize("precision", ["float32", "float64"])
functions = pytest.mark.parametrize("function", list(BLOCKS))


def trying(function: str, precision: str) -> Array:
    """Numbers of all sizes, and near to where a power or a half is passed."""
    random, largest = np.random.default_rng(3), 0.99 * float(np.log(np.finfo(precision).max))
    spread = [random.uniform(-width, width, 600) for width in (largest, 20, 2)]
    corners = np.arange(-60, 61) / 2 * np.log(2)
    sizes = random.choice([-1, 1], 600) * 10.0 ** random.uniform(-20, 1, 600)
    x = np.concatenate([*spread, corners, sizes]).astype(precision)
    if function == "log":
        kind = np.finfo(precision)
        roots = np.sqrt(np.exp2(np.arange(-9, 10))).astype(precision)
        near = [roots, np.nextafter(roots, 9, dtype=precision), np.nextafter(roots, 0, dtype=precision)]
        small = np.array([kind.smallest_subnormal, kind.smallest_normal, kind.max], precision)
        x = np.concatenate([np.exp(x), 1 + x[np.abs(x) < 0.5], *near, small])
    return x


@precisions
def test_the_argument_gives_what_is_promised(precision: str) -> None:
    promise = ROUNDING[precision]
    assert exponential_error(precision) <= Decimal(promise.exponential)
    assert softplus_error(precision) <= Decimal(promise.softplus)
    assert promise.logarithm >= 9 * promise.unit


@precisions
@functions
def test_numbers_of_all_sizes_keep_the_promise(function: str, precision: str) -> None:
    x = trying(function, precision)
    (found,) = applied((OPERATIONS[function],), precision, x)
    for given, value in zip(x.tolist(), found.tolist(), strict=True):
        error = abs(Decimal(value) - exactly_of(function, given))
        assert error <= allowed(function, precision, given), given
    assert function == "log" or (found >= 0).all()


@functions
@pytest.mark.parametrize(("step", "least"), [(70, 0.1), pytest.param(1, 0.3, marks=pytest.mark.thorough)])
def test_blocks_of_float32_keep_the_promise(step: int, least: float, function: str) -> None:
    assert least < through(function, BLOCKS[function][::step]) <= 1
