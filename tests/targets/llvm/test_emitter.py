"""Statements of all kinds, emitted for vectors of lanes, and carried out one by one on plain numbers."""

from __future__ import annotations

from dataclasses import replace
from itertools import product
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import abacist.compiler.statements as st
from abacist.targets.llvm import LANES
from abacist.targets.llvm.emitter import LaneEmitter
from abacist.targets.llvm.machine import NUMBERS, WHOLE
from abacist.targets.llvm.packing import aligned
from abacist.targets.llvm.vectors import integer
from tests.targets.llvm.compiled import by_hand, vectors
from tests.targets.plain import Machine

Array = NDArray[Any]

_LANES = LANES["float64"]
_SIZE = 64  # numbers of an array

#: Where the arrays of a step begin, and its number.
_BASES = {"now": 3, "t": 2}


def emitted(
    statements: list[st.Statement], arrays: dict[str, Array], *, shared: bool = False
) -> dict[str, Array]:
    """Statements compiled and carried out on arrays, (number, lane); arrays afterwards.

    Runs in odd lanes have ended. Weights are one set per lane, or `shared` by all, (number,).
    """

    def emit(build: Any, own: dict[str, Any]) -> None:
        v = vectors(build, "float64")
        emitter = LaneEmitter(v, own, shared=shared)
        emitter.given["handed"] = lambda: v.load(own["values"], v.sum_of(emitter.u))
        emitter.taken["loss"] = lambda value: v.store(own["taken"], v.sum_of(emitter.u), value)
        emitter.names |= {"now": integer(_BASES["now"]), "t": own["t"]}
        emitter.alive = v.less(v.load(own["ended"], integer(0)), v.constant(0.5))
        emitter.emit(statements)

    rooms = {name: aligned(array.shape, "float64") for name, array in arrays.items()}
    rooms |= {"ended": aligned((1, _LANES), "float64"), "taken": aligned((_SIZE, _LANES), "float64")}
    for name, array in arrays.items():
        rooms[name][:] = array
    rooms["ended"][:] = np.arange(_LANES) % 2
    function = by_hand("statements", "float64", dict.fromkeys(rooms, NUMBERS) | {"t": WHOLE}, emit)
    function(**rooms, t=_BASES["t"])
    return rooms


def carried_out(statements: list[st.Statement], arrays: dict[str, Array], lane: int) -> Machine:
    """The same on the numbers of a lane."""
    own = {name: array[:, lane].copy() if array.ndim == 2 else array.copy() for name, array in arrays.items()}
    machine = Machine(own, bases=dict(_BASES), given={"handed": own["values"]})
    machine.do(statements)
    return machine


def some_arrays(*, shared: bool = False) -> dict[str, Array]:
    rng = np.random.default_rng(6)
    return {
        "values": rng.normal(size=(_SIZE, _LANES)),
        "weights": rng.normal(size=_SIZE if shared else (_SIZE, _LANES)),
        "results": rng.normal(size=(400, _LANES)),
    }


def result(number: int, per_unit: int = 1) -> st.Place:
    return st.Place("results", offset=number, per_unit=per_unit)


def agree(statements: list[st.Statement], *, shared: bool = False, first: int = 0) -> None:
    """Where no word has ended, results are those of plain numbers; what is handed over, from `first` on."""
    arrays = some_arrays(shared=shared)
    found = emitted(statements, arrays, shared=shared)
    for lane in range(0, _LANES, 2):
        machine = carried_out(statements, arrays, lane)
        np.testing.assert_allclose(
            found["results"][:, lane], machine.arrays["results"], rtol=1e-12, atol=1e-14
        )
        taken = machine.taken.get("loss", [])
        np.testing.assert_allclose(found["taken"][first:, lane][: len(taken)], taken, rtol=1e-12)


#: A loop that is written out unit by unit, and one that is not.
sizes = pytest.mark.parametrize("size", [3, 6])
sharing = pytest.mark.parametrize("shared", [False, True])


@sizes
@sharing
def test_every_place_is_that_of_its_unit(size: int, shared: bool) -> None:
    body: list[tuple[int, st.Store]] = []
    for base, per_unit, inner, period in product((("", 0), ("now", 5)), (0, 2), (1, 2), (0, 2, 3)):
        own = st.Place("values", *base, per_unit, inner, period)
        body.append((0, st.Store(result(size * len(body)), st.Load(own))))
        body.append((1, st.Store(result(size * len(body)), st.Load(replace(own, array="weights")))))
    agree([st.UnitLoop(size, tuple(body))], shared=shared)


@sizes
@sharing
@pytest.mark.parametrize("first", [0, 1])
def test_units_compute_with_names_vectors_and_sums(size: int, shared: bool, first: int) -> None:
    row = st.Place("weights", offset=2, per_unit=5)
    plus = st.MultiplyAdd(st.Local("a"), st.Local("s", shared=True), st.Load(st.Place("values", "now", 1, 2)))
    minus = st.MultiplyAdd(st.Local("b"), st.Constant(1.5), st.Given("handed"), negative=True)
    body = (
        (0, st.Let("a", st.Dot(row, "whole", st.Load(st.Place("values", per_unit=1))))),
        (1, st.Let("b", plus)),
        (1, st.Store(result(0), minus)),
        (2, st.Store(result(20), st.Apply("sigmoid_times_tanh", (st.Local("a"), st.Local("b"))))),
        (2, st.HandOver("loss", st.Local("b"))),
    )
    statements: list[st.Statement] = [
        st.Gather("whole", st.Place("values", "now", 4), 5),
        st.Let("s", st.Total(st.Place("values", offset=1), 9, 2)),
        st.Zero("sums", 5),
        st.UnitLoop(size, body, (st.Spread("sums", row, st.Local("b")),), first),
        st.StoreAll(result(40, 0), "sums", 5),
    ]
    agree(statements, shared=shared, first=first)


@pytest.mark.parametrize("growth", [0, 1, 4])
def test_what_is_filled_is_computed_and_what_is_provable_besides_is_cleared(growth: int) -> None:
    filled, looked_at = st.Filled(2, growth), st.Filled(4, growth)
    statements: list[st.Statement] = [
        st.UnitLoop(8, ((0, st.Store(result(0), st.Load(st.Place("values", per_unit=1)))),), filled=filled),
        st.Clear(result(0), 8, filled, looked_at),
        st.UnitLoop(3, ((0, st.Store(result(20), st.Total(st.Place("values", per_unit=1), 8, 3, filled))),)),
    ]
    agree(statements)


@sizes
def test_where_a_word_has_ended_something_else_is_kept(size: int) -> None:
    store = st.Store(
        result(0), st.Load(st.Place("values", per_unit=1)), st.Load(st.Place("values", offset=30, per_unit=1))
    )
    statements: list[st.Statement] = [
        st.UnitLoop(size, ((0, store),)),
        st.Gather("whole", st.Place("values"), size),
        st.StoreAll(result(20, 0), "whole", size, st.Place("values", offset=30)),
    ]
    arrays = some_arrays()
    found = emitted(statements, arrays)["results"]
    wanted = np.where(np.arange(_LANES) % 2, arrays["values"][30 : 30 + size], arrays["values"][:size])
    np.testing.assert_array_equal(found[:size], wanted)
    np.testing.assert_array_equal(found[20 : 20 + size], wanted)
    np.testing.assert_array_equal(found[40:], arrays["results"][40:])


@pytest.mark.parametrize("precision", ["float32", "float64"])
def test_a_total_is_the_sum_of_its_terms(precision: str) -> None:
    lanes, counts = LANES[precision], np.arange(12)
    values = aligned((50 * lanes,), precision)
    values[:] = np.random.default_rng(3).integers(-50, 50, len(values))
    results = aligned((len(counts) * lanes,), precision)

    def emit(build: Any, own: dict[str, Any]) -> None:
        v = vectors(build, precision)
        emitter = LaneEmitter(v, own)
        with emitter.loop(0, own["counts"]):
            v.store(own["results"], emitter.u, emitter.total(st.Place("values", per_unit=1), emitter.u, 3))

    arguments = {"values": NUMBERS, "results": NUMBERS, "counts": WHOLE}
    by_hand("totals", precision, arguments, emit)(values=values, results=results, counts=len(counts))
    rows = values.reshape(50, lanes)
    expected = [rows[count : count + 3 * count : 3].sum(axis=0) for count in counts]
    np.testing.assert_array_equal(results.reshape(-1, lanes), expected)
