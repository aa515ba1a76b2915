"""The compiler's plans: what is computed when, and how gradients are grouped into rows and columns."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from abacist.algebra import Symbol, in_order
from abacist.cells import CELLS, Cell, Layout
from abacist.compiler.adjoint import bands, differentiate
from abacist.compiler.graph import step_graph
from abacist.compiler.places import input_tables
from abacist.compiler.scheduling import Schedule, by_level, schedule
from tests.cells.toys import TOYS, UNBOUNDED
from tests.engine.cases import cells, gates_of, layout_of

every = pytest.mark.parametrize(
    "cell", [*cells, *TOYS.values(), *UNBOUNDED.values()], ids=lambda cell: cell.name
)
layouts = st.builds(
    Layout,
    st.sampled_from([*cells, *TOYS.values(), *UNBOUNDED.values()]),
    st.integers(1, 5),
    st.integers(1, 9),
    st.integers(1, 5),
)


def obeys(plan: Schedule, roots: list[Symbol], given_before: set[Symbol]) -> None:
    """Every needed symbol is computed once, after all its arguments and in a loop of its own size."""
    there = {s for s in in_order(roots) if not s.arguments} | given_before
    gathered: dict[Symbol, set[int]] = {}
    order = [(loop.stage, loop.size) for loop in plan.loops]
    assert order == sorted(set(order))
    for loop in plan.loops:
        complete = set(there)  # a product needs a whole vector, from before this loop
        for symbol in loop.symbols:
            assert symbol not in there, f"{symbol.operation} is computed twice"
            assert symbol.size == loop.size
            needed = complete if symbol.operation == "linear" else there
            assert set(symbol.arguments) <= needed, f"{symbol.operation} comes before its arguments"
            there.add(symbol)
        for symbol, term in loop.gathers:
            assert symbol.arguments[term] in there
            assert symbol.arguments[term].size == loop.size
            assert term not in gathered.setdefault(symbol, set())
            gathered[symbol].add(term)
        there |= {s for s, terms in gathered.items() if len(terms) == len(s.arguments)}
    assert set(roots) <= there
    computed = [s for loop in plan.loops for s in loop.symbols]
    assert len(computed) == len(set(computed))
    assert set(computed) <= set(in_order(roots)) - given_before


@given(layouts)
def test_forwards_each_symbol_is_computed_once_and_in_time(layout: Layout) -> None:
    graph = step_graph(layout)
    roots = [*graph.after, graph.loss]
    obeys(schedule(roots), roots, set())


@given(layouts)
def test_in_a_level_nothing_waits_for_more_than_one_activation(layout: Layout) -> None:
    graph = step_graph(layout)
    for loop in schedule((*graph.after, graph.loss)).loops:
        levels = by_level(loop.symbols)
        assert [s for level in levels for s in level] == list(loop.symbols)
        seen: set[Symbol] = set()
        for level in levels:
            active = {s for s in level if s.operation in ("sigmoid", "tanh")}
            assert not any(active & set(in_order(s.arguments)) for s in active)
            for symbol in level:
                assert not (set(loop.symbols) - seen) & set(symbol.arguments)
                seen.add(symbol)


@given(layouts)
def test_what_is_looked_up_is_the_whole_sum(layout: Layout) -> None:
    """Every product with the input is in one table; no table's sum is part of another's."""
    graph = step_graph(layout)
    tables = input_tables(graph.after)
    summed = {a for s in in_order(graph.after) if s.operation == "add" for a in s.arguments}
    products = [s for s in summed if s.operation == "linear" and s.arguments[0] is graph.x]
    assert sorted(t.matrix.first_row for t in tables.values()) == sorted(s.detail.first_row for s in products)
    taken = [range(t.row, t.row + t.matrix.rows) for t in tables.values()]
    assert sorted(row for rows in taken for row in rows) == list(range(sum(map(len, taken))))
    for symbol in tables:
        parts = list(symbol.arguments)
        while parts:
            part = parts.pop()
            assert part not in tables
            parts += part.arguments if part.operation == "add" else ()


@given(layouts)
def test_backwards_too_given_what_was_computed_forwards(layout: Layout) -> None:
    graph = step_graph(layout)
    adjoint = differentiate(graph)
    known = set(in_order((*graph.after, graph.loss)))
    roots = [*adjoint.before, *(g.rows for g in adjoint.gradients)]
    obeys(schedule(roots, known), roots, known)


@every
def test_arguments_come_before_their_users(cell: Cell) -> None:
    graph = step_graph(layout_of(cell, 3))
    ordered = in_order((*graph.after, graph.loss))
    places = {symbol: place for place, symbol in enumerate(ordered)}
    assert len(places) == len(ordered)
    assert all(places[a] < places[s] for s in ordered for a in s.arguments)


@every
def test_every_parameter_has_a_place_in_the_gradient(cell: Cell) -> None:
    layout = layout_of(cell, 3, "anbn")
    graph = step_graph(layout)
    used = {s.detail for s in in_order((*graph.after, graph.loss)) if s.operation == "parameter"}
    found = [(g.tensor, g.first_row) for g in differentiate(graph).gradients if g.columns is None]
    assert sorted(found) == sorted(used)
    assert sum(band.size for band in bands(differentiate(graph).gradients)) == sum(
        rows.size for rows in {g.rows for g in differentiate(graph).gradients}
    )


def test_the_gates_of_an_lstm_are_one_band_and_those_of_a_gru_two() -> None:
    sizes = {
        name: sorted(band.size for band in bands(differentiate(step_graph(layout_of(c, 3))).gradients))
        for name, c in CELLS.items()
    }
    assert sizes == {"rnn": [2, 3], "rnn_relu": [2, 3], "lstm": [2, 12], "gru": [2, 3, 3, 6]}


@every
def test_names_are_those_of_the_formula(cell: Cell) -> None:
    graph = step_graph(layout_of(cell, 2))
    named = set(graph.names.values())
    assert {*cell.state_names, "y"} <= named or cell is TOYS["delayed"]  # it computes nothing for d
    if cell.name in ("gru", "lstm"):
        assert set(gates_of(cell)) <= named


def test_a_product_of_a_product_takes_a_further_stage() -> None:
    stages = {
        name: max(loop.stage for loop in schedule(step_graph(layout_of(toy, 2)).after).loops)
        for name, toy in TOYS.items()
    }
    assert stages == {
        "minimal": 1, "paired": 0, "delayed": 0, "deep": 2, "forgetful": 1, "affine": 0,
        "delay_line": 0, "shaped": 1,
    }  # fmt: skip
