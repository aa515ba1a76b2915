"""The law that matters: no value that a program computes escapes the enclosures."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from abacist.algebra import ROUNDING
from abacist.analysis.certificates.floats import Bounds
from abacist.analysis.certificates.steps import Steps
from abacist.cells import CELLS, ZOO, Cell, Layout, cell
from abacist.specs import Networks
from tests.analysis.certificates.program_values import (
    Array,
    counting_network,
    engine_step,
    numpy_step,
    random_network,
)
from tests.cells.toys import subtracting

#: The cells of the zoo whose operations enclosures know.
#: Cells with divisions, exponentials or softplus, which forms do not know.
NO_FORMS = (
    "minlstm", "selective", "slstm", "mlstm", "selective_open", "slstm_open", "mlstm_open"
)  # fmt: skip
zoo = [pytest.param(own, marks=pytest.mark.thorough) for own in ZOO.values() if own.name not in NO_FORMS]

NETWORKS = 12  # of each cell and precision; thousands were tried when this was written


@pytest.mark.parametrize("precision", ["float32", "float64"])
@pytest.mark.parametrize("cell", [*CELLS.values(), subtracting, *zoo])
def test_no_value_escapes_its_bounds(cell: Cell, precision: str) -> None:
    rng = np.random.default_rng(7)
    for _ in range(NETWORKS):
        networks = random_network(rng, cell, precision)
        steps = Steps(networks, 0)
        lower = (rng.normal(size=(16, steps.size)) * 10.0 ** rng.uniform(-12, 3, (16, 1))).astype(precision)
        width = rng.choice([0, 1], (16, 1)) * 10.0 ** rng.uniform(-9, 1, (16, 1))
        upper = (lower + width).astype(precision)
        nothing = np.zeros((16, 1))
        for symbol in range(2):
            image = steps.image(
                np.full(16, symbol),
                Bounds.point(nothing),
                nothing,
                np.zeros((steps.size, 1)),
                Bounds(lower.astype(np.float64), upper.astype(np.float64)),
            )
            low = np.concatenate([image.offsets.lower, image.sums.lower], axis=1)
            high = np.concatenate([image.offsets.upper, image.sums.upper], axis=1)
            for share in (0, 1, rng.random(lower.shape)):
                states = np.clip((lower + share * (upper - lower)).astype(precision), lower, upper)
                reached = [engine_step(networks, symbol, states)]
                if precision == "float64":
                    with np.errstate(over="ignore"):
                        reached.append(numpy_step(networks, symbol, states))
                for values in reached:
                    known = ~np.isnan(low)
                    assert known.any()
                    assert (low <= values)[known].all()
                    assert (values <= high)[known].all()


@pytest.mark.parametrize("precision", ["float32", pytest.param("float64", marks=pytest.mark.thorough)])
@pytest.mark.parametrize("cell", [CELLS["lstm"], CELLS["rnn_relu"], subtracting])
def test_no_value_escapes_its_form(cell: Cell, precision: str) -> None:
    """States as slopes·counters + offset: offsets and how far they move are bounded, exactly."""
    rng = np.random.default_rng(11)
    drifted = 0
    for turn in range(2 * NETWORKS):
        drawn = (random_network, counting_network)[turn % 2 if cell.name in CELLS else 0]
        networks = drawn(rng, cell, precision)
        steps = Steps(networks, 0)
        slopes = rng.choice([0.0, 1.0, -1.0, 0.5, 0.7], (steps.size, 1)).astype(precision).astype(np.float64)
        depth = int(rng.choice([3, 1000, 2**23]))
        counters = rng.integers(0, depth, (24, 1))
        spread = rng.choice([0, 1e-9, 0.1])
        states = (slopes[:, 0] * counters + spread * rng.normal(size=(24, steps.size))).astype(precision)
        offsets = _offsets(states, slopes, counters)
        low, high = _hull(offsets)
        for symbol in range(2):
            updates = rng.integers(-1, 2, (1, 1))
            least, greatest = counters.min(keepdims=True), counters.max(keepdims=True)
            image = steps.image(
                np.array([symbol]),
                Bounds(least.astype(np.float64), greatest.astype(np.float64)),
                updates.astype(np.float64),
                slopes,
                Bounds(low, high),
            )
            after = engine_step(networks, symbol, states)[:, : steps.size]
            reached = _offsets(after, slopes, counters + updates)
            for number in range(steps.size):
                (low_now, high_now), (fall, rise) = (
                    map(float, b[0, number]) for b in (image.offsets, image.drift)
                )
                if np.isnan(low_now):
                    continue
                for before, now in zip(offsets, reached, strict=True):
                    assert low_now <= now[number] <= high_now
                    if np.isfinite(fall):
                        moved = now[number] - before[number]
                        assert fall <= moved <= rise
                        drifted += 1
    assert drifted > 50


@cell(gates="a b c d e f")
def many(w: Any, x: Any, h: Any) -> Any:
    """A sum of six maps, more than any cell that comes with Abacist has."""
    a, b, c, d, e, f = (gate.recurrent(h) for gate in (w.a, w.b, w.c, w.d, w.e, w.f))
    return a + b + c + d + e + f


@pytest.mark.parametrize("precision", ["float32", "float64"])
def test_a_long_sum_may_lose_all_terms_but_one(precision: str) -> None:
    """One and many numbers that are each lost when they are added to it."""
    layout, lost = Layout(many, 2, 64, 2), 0.99 * ROUNDING[precision].unit
    tensors = Networks(layout, np.zeros((1, layout.size), precision)).tensors(0)
    tensors["rnn.weight_hh_l0"][:] = lost
    tensors["rnn.weight_hh_l0"][0, 0] = 1
    steps, nothing = Steps(Networks.from_tensors(many, tensors), 0), np.zeros((1, 1))
    states = np.ones((1, 64))
    slopes, (nowhere, there) = np.zeros((64, 1)), map(Bounds.point, (nothing, states))
    offsets = steps.image(np.zeros(1, int), nowhere, nothing, slopes, there).offsets
    assert offsets.lower[0, 0] <= 1 < 1 + 6 * 63 * lost <= offsets.upper[0, 0]


def _offsets(states: Array, slopes: Array, counters: Array) -> list[list[Fraction]]:
    return [
        [
            Fraction(float(s)) - Fraction(float(slope)) * int(d[0])
            for s, slope in zip(row, slopes[:, 0], strict=True)
        ]
        for row, d in zip(states, counters, strict=True)
    ]


def _hull(offsets: list[list[Fraction]]) -> tuple[Array, Array]:
    low, high = ([pick(column) for column in zip(*offsets, strict=True)] for pick in (min, max))
    below = [float(x) if Fraction(float(x)) <= x else np.nextafter(float(x), -np.inf) for x in low]
    above = [float(x) if Fraction(float(x)) >= x else np.nextafter(float(x), np.inf) for x in high]
    return np.array([below]), np.array([above])


def test_directed_sums_are_the_nearest_on_their_side() -> None:
    rng = np.random.default_rng(3)
    a, b = (rng.normal(size=2000) * 10.0 ** rng.uniform(-20, 20, 2000) for _ in range(2))
    for x, y, low, high in zip(a, b, *(Bounds.point(a) + Bounds.point(b)), strict=True):
        exact = Fraction(x) + Fraction(y)
        assert Fraction(low) <= exact <= Fraction(high)
        assert high == low or np.nextafter(low, np.inf) == high
        assert (low == high) == (exact == Fraction(low))
