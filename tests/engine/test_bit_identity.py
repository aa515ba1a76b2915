"""A run's result depends on the spec and its own seed alone, to the last bit."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from abacist.cells import CELLS
from abacist.engine import Trained, train
from abacist.specs import Networks, Spec
from tests.engine.cases import small


def spec_of(cell: str, precision: str) -> Spec:
    return small(CELLS[cell], precision=precision)


@cache
def alone(cell: str, precision: str, seed: int) -> Trained:
    return train(spec_of(cell, precision), [seed])


def same(trained: Trained, run: int, other: Trained, other_run: int = 0) -> bool:
    """Whether two runs agree in every bit that a run leaves behind."""
    pairs = [
        (trained.networks.parameters, other.networks.parameters),
        (trained.losses, other.losses),
        (trained.moments[0], other.moments[0]),
        (trained.moments[1], other.moments[1]),
    ]
    equal = all(a[run].tobytes() == b[other_run].tobytes() for a, b in pairs)
    return equal and (trained.diverged[run], trained.updates) == (other.diverged[other_run], other.updates)


@settings(max_examples=15)
@given(
    st.sampled_from([("lstm", "float32"), ("gru", "float64")]),
    st.lists(st.integers(0, 30), min_size=1, max_size=30, unique=True),
)
def test_in_any_lane_beside_any_other_runs(kind: tuple[str, str], seeds: Sequence[int]) -> None:
    trained = train(spec_of(*kind), seeds)
    assert trained.seeds == tuple(seeds)
    for run, seed in enumerate(seeds):
        assert same(trained, run, alone(*kind, seed)), f"seed {seed} in place {run}"


@pytest.mark.parametrize("cell", CELLS)
def test_in_every_one_of_forty_places(cell: str) -> None:
    others = range(100, 139)
    first, last = (train(spec_of(cell, "float32"), seeds) for seeds in ([7, *others], [*others, 7]))
    assert same(first, 0, alone(cell, "float32", 7))
    assert same(last, 39, alone(cell, "float32", 7))
    assert same(first, 20, alone(cell, "float32", 119))
    assert all(same(first, place + 1, last, place) for place in range(39))


@pytest.mark.parametrize("precision", ["float32", "float64"])
@pytest.mark.parametrize("done", [0, 1, 2, 3])
def test_interrupted_and_continued(done: int, precision: str) -> None:
    spec, seeds = replace(spec_of("lstm", precision), batch=3), [5, 6, 7]
    whole = train(spec, seeds)
    part = train(replace(spec, epochs=done), seeds)
    assert part.epochs == done
    continued = train(spec, seeds, start=part)
    assert continued.epochs == 3
    assert all(same(continued, run, whole, run) for run in range(3))


def test_other_seeds_give_other_results() -> None:
    results = [alone("lstm", "float32", seed) for seed in range(6)]
    assert len({result.networks.parameters.tobytes() for result in results}) == 6
    assert len({result.losses.tobytes() for result in results}) == 6


def test_the_seed_chooses_the_words_and_not_only_the_weights() -> None:
    spec = spec_of("lstm", "float32")
    start = Networks(spec.layout, np.repeat(alone("lstm", "float32", 0).networks.parameters, 2, axis=0))
    trained = train(spec, [0, 1], start=start)
    assert not same(trained, 0, trained, 1)
    assert same(trained, 0, train(spec, [0], start=Networks(spec.layout, start.parameters[:1])))
