"""What is promised about rounding holds for NumPy, which is the reference, and for PyTorch.

The target's own functions are held to it in tests/targets/llvm/test_rounding.py.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from decimal import Decimal
from typing import Any

import numpy as np
import pytest
from numba import njit
from numpy.typing import NDArray

from abacist.algebra import OPERATIONS, ROUNDING
from abacist.algebra.rounding import BOUND_TANH, Rounding
from abacist.errors import BadInput
from tests.algebra.exact_activations import allowed, exactly, exactly_of
from tests.requirements import need

Array = NDArray[Any]

precisions = pytest.mark.parametrize("precision", ["float32", "float64"])


def _sample(precision: str) -> Array:
    random = np.random.default_rng(13)
    spread = [random.uniform(-width, width, 1_500) for width in (50, 20, 6, 1)]
    sizes = random.choice([-1, 1], 1_500) * 10.0 ** random.uniform(-30, 3, 1_500)
    return np.concatenate((*spread, sizes, [0.0])).astype(precision)


def _in_numpy(function: str, x: Array) -> Array:
    return OPERATIONS[function].arrays(x)


def _in_pytorch(function: str, x: Array) -> Array:
    import torch

    given = torch.from_numpy(x)
    if function == "softplus":
        return np.asarray(torch.logaddexp(torch.zeros_like(given), given).numpy())
    return np.asarray(getattr(torch, function)(given).numpy())


#: NumPy in float64 is the reference.
libraries = pytest.mark.parametrize(
    ("compute", "precision"),
    [
        (_in_numpy, "float64"),
        pytest.param(_in_pytorch, "float32", marks=need("torch")),
        pytest.param(_in_pytorch, "float64", marks=need("torch")),
    ],
)


@libraries
def test_libraries_keep_the_promise(compute: Callable[[str, Array], Array], precision: str) -> None:
    """Against 50 digits, and where they must be exact."""
    promise, x = ROUNDING[precision], _sample(precision)
    for function in ("sigmoid", "tanh"):
        limit, relative = Decimal(promise.activation[function]), Decimal(promise.sigmoid_relative)
        for given, found in zip(x.tolist(), compute(function, x).tolist(), strict=True):
            error = abs(Decimal(found) - exactly(function, given))
            assert error <= limit
            if function == "sigmoid" and -promise.sigmoid_clamp <= given <= 0:
                assert error <= relative * exactly(function, given)
    right = np.linspace(0, 1000, 100_001).astype(precision)
    assert (compute("sigmoid", promise.sigmoid_one + right) == 1).all()
    assert (compute("tanh", promise.tanh_one + right) == 1).all()
    assert (compute("tanh", -promise.tanh_one - right) == -1).all()
    far = exactly("sigmoid", -promise.sigmoid_clamp) * Decimal(1 + promise.sigmoid_relative)
    assert (compute("sigmoid", -promise.sigmoid_clamp - right) <= float(far)).all()
    assert compute("sigmoid", np.zeros(1, precision)) == 0.5
    assert compute("tanh", np.zeros(1, precision)) == 0


def test_what_bounds_are_made_of_is_as_near_in_numpy() -> None:
    """With a product in the exponent, and for tanh before 1 is taken away."""
    x, rate = _sample("float64"), -1 / np.log(2)
    falling, twice = OPERATIONS["sigmoid_bound"].arrays, OPERATIONS["tanh_bound"].arrays
    limits = ROUNDING["float64"].activation["sigmoid"], BOUND_TANH["float64"]
    values = falling(rate * x), twice(2 * rate * x, 0.0)
    for function, found, limit in zip(("sigmoid", "tanh"), values, limits, strict=True):
        one = int(function == "tanh")
        for given, value in zip(x.tolist(), found.tolist(), strict=True):
            assert abs(Decimal(value) - one - exactly(function, given)) <= Decimal(limit), given


@libraries
def test_libraries_keep_the_promise_of_powers(compute: Callable[[str, Array], Array], precision: str) -> None:
    """Exponential, logarithm and softplus, against 50 digits."""
    x = _sample(precision)[::3]
    for function in ("exp", "log", "softplus"):
        own = np.exp(x[np.abs(x) < 80]) if function == "log" else x[np.abs(x) < 80]
        for given, found in zip(own.tolist(), compute(function, own).tolist(), strict=True):
            error = abs(Decimal(found) - exactly_of(function, given))
            assert error <= allowed(function, precision, given), (function, given)
            assert function == "log" or found >= 0


@need("torch")
def test_pytorch_keeps_the_promise_for_millions_of_float32() -> None:
    """Every 499th of all finite ones, against NumPy in float64."""
    for sign in (0, 2**31):
        x = (np.arange(0, 0x7F800000, 499, dtype=np.uint32) + np.uint32(sign)).view(np.float32)
        for function in ("sigmoid", "tanh"):
            exact = OPERATIONS[function].arrays(x.astype(np.float64))
            found = _in_pytorch(function, x)
            assert np.abs(found - exact).max() <= ROUNDING["float32"].activation[function]
            assert found.max() <= 1
            assert found.min() >= (0 if function == "sigmoid" else -1)


@precisions
def test_the_units_are_those_of_the_numbers(precision: str) -> None:
    kind, promise = np.finfo(precision), ROUNDING[precision]
    assert promise.unit == kind.epsneg == kind.eps / 2
    assert promise.smallest == kind.smallest_normal


def _product(x: Any, y: Any) -> Any:
    return x * y


@precisions
def test_products_too_small_for_a_normal_number_are_not_flushed(precision: str) -> None:
    """Neither here nor on other threads, so that what is lost is far below `smallest`."""
    kind, promise, product = np.dtype(precision).type, ROUNDING[precision], njit(_product)
    arguments = kind(promise.smallest * 2**10), kind(2.0**-20)
    with ThreadPoolExecutor(1) as thread:
        found = [product(*arguments), thread.submit(product, *arguments).result()]
    assert [float(value) for value in found] == [promise.smallest * 2**-10] * 2


def test_what_cannot_be_a_bound_is_refused() -> None:
    promise: Rounding = ROUNDING["float32"]
    with pytest.raises(BadInput, match=r"^Rounding: unit must be above 0 and finite, got -1\.0$"):
        replace(promise, unit=-1.0)
    with pytest.raises(BadInput, match=r"^Rounding: tanh must be above 0 and finite, got nan$"):
        replace(promise, activation={**promise.activation, "tanh": float("nan")})
    with pytest.raises(BadInput, match=r"^Rounding: tanh_one must be a number, got 'nine'$"):
        replace(promise, tanh_one="nine")  # type: ignore[arg-type]
