"""Exponential, logarithm, softplus and sums of vectors of lanes, against NumPy in float64."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from abacist.compiler.statements import Place
from abacist.targets.functions import exponential, logarithm, softplus
from abacist.targets.llvm import LANES
from abacist.targets.llvm.emitter import LaneEmitter
from abacist.targets.llvm.machine import NUMBERS, WHOLE
from abacist.targets.llvm.packing import aligned
from tests.targets.llvm.compiled import applied, by_hand, vectors

Array = NDArray[Any]

precisions = pytest.mark.parametrize("precision", ["float32", "float64"])


def _computed(numbers: Array, precision: str) -> tuple[Array, Array, Array]:
    """All three functions of numbers, in a precision."""
    powers, logs, softened = applied((exponential, logarithm, softplus), precision, numbers)
    return powers, logs, softened


@precisions
def test_they_are_numpys_over_all_magnitudes(precision: str) -> None:
    rng, kind, eps = np.random.default_rng(2), np.finfo(precision), float(np.finfo(precision).eps)
    largest = float(np.log(kind.max))
    widths = (1e-3, 1.0, 10.0, 0.98 * largest)
    x = np.concatenate([rng.uniform(-width, width, 20_000) for width in widths]).astype(precision)
    powers, _, softened = _computed(x, precision)
    exact = x.astype(np.float64)
    np.testing.assert_allclose(powers, np.exp(exact), rtol=4 * eps, atol=0)
    np.testing.assert_allclose(softened, np.logaddexp(0, exact), rtol=4 * eps, atol=2 * eps)
    usual = np.exp(exact[np.abs(exact) < 0.9 * largest])
    sizes = np.concatenate([usual, [kind.smallest_subnormal]]).astype(precision)
    _, logs, _ = _computed(sizes, precision)
    np.testing.assert_allclose(logs, np.log(sizes.astype(np.float64)), rtol=4 * eps, atol=2 * eps)


@precisions
def test_ends_and_what_is_no_number(precision: str) -> None:
    x = np.array([0.0, 1.0, np.inf, -np.inf, np.nan, 1e4, -1e4, -1.0], precision)
    powers, logs, softened = _computed(x, precision)
    assert powers[[0, 2, 3, 5, 6]].tolist() == [1.0, np.inf, 0.0, np.inf, 0.0]
    assert logs[[0, 1, 2]].tolist() == [-np.inf, 0.0, np.inf]
    assert softened[[2, 5, 6]].tolist() == [np.inf, 1e4, 0.0]
    assert np.isnan([powers[4], logs[3], logs[4], logs[7], softened[4]]).all()


@precisions
def test_a_total_is_the_sum_of_its_terms(precision: str) -> None:
    lanes, counts = LANES[precision], np.arange(12)
    values = aligned((50 * lanes,), precision)
    values[:] = np.random.default_rng(3).integers(-50, 50, len(values))
    results = aligned((len(counts) * lanes,), precision)

    def emit(build: Any, own: dict[str, Any]) -> None:
        v = vectors(build, precision)
        emitter = LaneEmitter(v, own)
        with emitter.loop(0, own["counts"]):
            v.store(own["results"], emitter.u, emitter.total(Place("values", per_unit=1), emitter.u, 3))

    arguments = {"values": NUMBERS, "results": NUMBERS, "counts": WHOLE}
    by_hand("totals", precision, arguments, emit)(values=values, results=results, counts=len(counts))
    rows = values.reshape(50, lanes)
    expected = [rows[count : count + 3 * count : 3].sum(axis=0) for count in counts]
    np.testing.assert_array_equal(results.reshape(-1, lanes), expected)
