"""Calls of programs: they keep no arrays, and take none that is not as they read it."""

from __future__ import annotations

import gc
import sys
import weakref
from typing import Any

import numpy as np
import pytest

from abacist.cells import cell_named
from abacist.engine import first_mistakes, trace, train
from abacist.errors import BadInput
from abacist.targets import TrainingState, target_named
from abacist.targets.llvm import launching
from abacist.targets.llvm.machine import NUMBERS, Function
from abacist.targets.llvm.vectors import integer
from tests.compiler.interval_reading import step_states
from tests.engine.cases import any_words, in_precision, layout_of, random_networks, small
from tests.targets.llvm.compiled import by_hand, vectors


def references(arrays: list[Any]) -> list[int]:
    return [sys.getrefcount(array) for array in arrays]


@pytest.mark.parametrize("name", ["lstm", pytest.param("stack_rnn_1", marks=pytest.mark.thorough)])
def test_programs_keep_no_arrays(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each array has as many references after a call as before it."""
    more: list[int] = []
    called = Function.__call__

    def call(own: Function, **values: Any) -> int:
        arrays = [value for value in values.values() if isinstance(value, np.ndarray)]
        before = references(arrays)
        result = called(own, **values)
        more.extend(np.subtract(references(arrays), before).tolist())
        return result

    monkeypatch.setattr(Function, "__call__", call)
    monkeypatch.setattr("os.cpu_count", lambda: 1)  # other threads would have references of their own
    train(small(cell_named(name), 3, epochs=2), range(2))
    networks = in_precision(random_networks(layout_of(cell_named(name), 3, "dyck-2"), 2, seed=1), "float32")
    first_mistakes(networks, 0, any_words("dyck-2", [0, 5, 8, 20], seed=2))
    trace(networks, 0, (0, 2, 3, 1))
    assert len(more) > 20
    assert set(more) == {0}


def test_a_stepper_keeps_no_rows_and_mistakes_none_for_others() -> None:
    """It remembers where arrays lie: new ones, perhaps in the place of old ones, are looked at again."""
    networks = in_precision(random_networks(layout_of(cell_named("lstm"), 2), 1, seed=3), "float32")
    stepper = target_named("llvm").stepping(networks, 0, False)
    rng = np.random.default_rng(5)
    for _ in range(200):
        count = int(rng.integers(1, 100))
        before, after = stepper.rows(count, stepper.width), stepper.rows(count, stepper.results)
        before[:, :count] = rng.normal(size=(stepper.width, count))
        stepper(1, before, after, count)
        wanted = step_states(networks, 1, before[:, :count].T[None])[0]
        np.testing.assert_allclose(after[:, :count].T, wanted, atol=1e-5)
        watched = [weakref.ref(own) for own in (before, after)]
        del before, after
        gc.collect(0)
        assert [own() for own in watched] == [None, None]


@pytest.mark.parametrize("boxes", [False, True])
@pytest.mark.parametrize(("name", "hidden"), [("gru", 1), ("rnn", 2)])
def test_states_are_stepped_in_groups_and_nothing_beyond_the_last(
    name: str, hidden: int, boxes: bool
) -> None:
    """Two groups of boxes of a single unit alternate; a last one may have no partner."""
    networks = in_precision(random_networks(layout_of(cell_named(name), hidden), 1, seed=3), "float32")
    stepper, lanes = target_named("llvm").stepping(networks, 0, boxes), 32
    before, after = stepper.rows(5 * lanes, stepper.width), stepper.rows(5 * lanes, stepper.results)
    before[:] = np.random.default_rng(1).uniform(-1, 1, before.shape)
    alone, room = np.zeros_like(after), stepper.rows(1, stepper.results)
    for place in range(0, 5 * lanes, lanes):
        few = stepper.rows(1, stepper.width)
        few[:, :lanes] = before[:, place : place + lanes]
        stepper(1, few, room, lanes)
        alone[:, place : place + lanes] = room[:, :lanes]
    assert len(np.unique(alone[0])) > 4 * lanes
    for count in (1, lanes - 1, lanes, lanes + 1, 2 * lanes, 3 * lanes, 4 * lanes - 5, 5 * lanes):
        after[:] = 7.0
        stepper(1, before, after, count)
        whole = -(-count // lanes) * lanes
        np.testing.assert_array_equal(after[:, :whole], alone[:, :whole])
        assert (after[:, whole:] == 7).all()


def test_a_program_lives_as_long_as_somebody_may_call_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """Also when others have taken its place among those that are remembered: its code would be gone."""
    functions: list[weakref.ref[Function]] = []

    def forgotten(*options: Any) -> Function:
        function: Function = launching._compiled.__wrapped__(*options)
        functions.append(weakref.ref(function))
        return function

    monkeypatch.setattr(launching, "compiled", forgotten)
    cell = cell_named("rnn")
    networks = in_precision(random_networks(layout_of(cell, 2), 1, seed=3), "float32")
    target, spec, words = target_named("llvm"), small(cell, 2), any_words("dyck-1", [4, 6], seed=1)
    weights = networks.parameters
    state = TrainingState(weights, weights, weights, 0)
    callers: list[Any] = [
        target.stepping(networks, 0, False),
        target.stepping(networks, 0, True),
        target.judging(networks, words)(0),
        target.training(spec, state, [words], [np.arange(2)]),
    ]
    gc.collect()
    assert len(functions) == len(callers)
    assert all(function() is not None for function in functions)
    callers.clear()
    gc.collect()
    assert all(function() is None for function in functions)


def test_states_must_lie_in_rows_of_the_stepper() -> None:
    networks = in_precision(random_networks(layout_of(cell_named("rnn"), 2), 1, seed=3), "float32")
    stepper = target_named("llvm").stepping(networks, 0, False)
    good = stepper.rows(3, stepper.width), stepper.rows(3, stepper.results)
    other = target_named("llvm").stepping(in_precision(networks, "float64"), 0, False)
    lanes = good[0].shape[1]
    for wrong in (
        other.rows(3, stepper.width),
        np.zeros((stepper.width, lanes + 1), np.float32),
        np.asfortranarray(np.zeros((stepper.width, lanes), np.float32)),
        stepper.rows(3, stepper.width).reshape(-1)[1:][:lanes].reshape(1, -1),
    ):
        with pytest.raises(BadInput, match=r"states must lie in arrays made by its rows\(\)"):
            stepper(0, wrong, good[1], 3)
    stepper(0, *good, 3)


def test_a_program_takes_whole_arrays_of_its_precision() -> None:
    def emit(build: Any, own: dict[str, Any]) -> None:
        v = vectors(build, "float32")
        v.store(own["values"], integer(0), v.constant(1.0))

    function = by_hand("ones", "float32", {"values": NUMBERS}, emit)
    for wrong in (np.zeros(32), np.zeros(32, np.int32), np.zeros(32, np.float32)[::2]):
        with pytest.raises(TypeError, match="a program takes whole arrays of float32"):
            function(values=wrong)
