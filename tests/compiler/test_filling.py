"""What is taken for zero is zero, and is not worked on: by the reference, and by how far loops go.

Random memories are differentiated by statements, which go no further than they must, and by the whole graph.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from abacist.algebra import (
    cumulative_sum,
    joined,
    minimum,
    part,
    popped,
    pushed,
    relu,
    repeat,
    rotated_up,
    segment_sum,
    sigmoid,
    sum_before,
    sum_behind,
    tanh,
    unit,
)
from abacist.cells import CELLS, MEMORIES, ZOO, Cell, Layout, State, cell
from abacist.compiler import forward_statements, plan_judging, plan_tracing, plan_training
from abacist.compiler.statements import UnitLoop
from abacist.engine.reference import forward
from tests.cells.looking import LOOKING
from tests.compiler.interpreter import derived_gradient
from tests.engine.cases import any_words, each, layout_of, random_networks
from tests.targets import plain


@cell(gates="n", states={"m": State("m", per_unit=0, fixed=12)})
def jumping(w: Any, x: Any, h: Any, m: Any) -> Any:
    """One unit at first, but twice as far and more with every step: no growth holds."""
    n = w.n(x, h)
    return tanh(n + unit(m, 0)), pushed(m, unit(n, 0)) + repeat(part(m, 6, 0), 12, 2)


def filled_units(layout: Layout, step: int) -> int | None:
    """How many units of the last state are worked on in a step, None if it is all of them."""
    filling = plan_training(layout).filling
    bound = filling.of((plan_training(layout).graph.after[-1],))
    return None if bound is None else min(layout.state_sizes[-1], bound.start + bound.growth * step)


@pytest.mark.parametrize(
    ("name", "row"), [("stack_rnn", 5), ("stack_rnn_no_op", 5), ("stack_lstm", 5), ("stack_lstm_1", 1)]
)
def test_a_stack_is_filled_row_by_row(name: str, row: int) -> None:
    layout = layout_of(MEMORIES[name], 3, "dyck-2")
    found = [filled_units(layout, step) for step in (0, 1, 50, 103, 104, 1000)]
    assert found == [row, 2 * row, 51 * row, 104 * row, 104 * row, 104 * row]


def test_a_rotation_reaches_the_end_at_once() -> None:
    layout = layout_of(MEMORIES["baby_ntm"], 3, "dyck-2")
    assert filled_units(layout, 0) is None
    assert filled_units(layout_of(jumping, 3), 0) is None


@pytest.mark.parametrize("cell", [*CELLS.values(), *ZOO.values()], ids=lambda cell: cell.name)
def test_cells_without_memories_are_worked_on_whole(cell: Cell) -> None:
    layout = layout_of(cell, 3)
    for plan in (plan_training(layout), plan_judging(layout), plan_tracing(layout)):
        assert not plan.filling.needed


@pytest.mark.parametrize("cell", [*MEMORIES.values(), *LOOKING.values(), jumping], ids=lambda cell: cell.name)
def test_units_beyond_are_zero_on_every_word(cell: Cell) -> None:
    networks = random_networks(layout_of(cell, 2), 1, seed=1, scale=3.0)
    layout = networks.layout
    ((word, _, _),) = each(any_words("dyck-1", [14], seed=2))
    states, _ = forward(networks, 0, word)
    plan = plan_training(layout)
    for name, symbol in zip(cell.state_names, plan.graph.after, strict=True):
        bound = plan.filling.of((symbol,))
        for step, row in enumerate(states[name]):
            if bound is not None:
                assert (row[max(bound.start + bound.growth * step, 0) :] == 0).all()


def test_loops_of_the_first_steps_are_short() -> None:
    layout = layout_of(MEMORIES["stack_rnn"], 8, "dyck-2")
    loops = [own for own in forward_statements(plan_training(layout)) if isinstance(own, UnitLoop)]
    worked_on = 0
    for loop in loops:
        last = loop.size if loop.filled is None else min(loop.size, loop.filled.start)
        worked_on += max(last - loop.first, 0)
    assert worked_on < 100


#: What a step of a random memory m may do to a vector of its size, given a single unit of the network's.
MOVES: dict[str, Callable[[Any, Any], Any]] = {
    "push one": pushed,
    "push two": lambda v, n: pushed(v, joined(n, n * n)),
    "pop": lambda v, _: popped(v, 1),
    "shift by three": lambda v, _: part(v, 12, -3),
    "weigh": lambda v, n: n * v,
    "those before": lambda v, _: 0.1 * sum_before(v),
    "those behind": lambda v, _: 0.1 * sum_behind(v),
    "no more than": lambda v, n: minimum(v, relu(n - 0.1 * cumulative_sum(v))),
    "halve": lambda v, _: 0.5 * v,
    "as rows": lambda v, n: repeat(segment_sum(v, 4, 3), 12, 3) * n,
    "as columns": lambda v, n: repeat(segment_sum(v, 3, 1), 12, 1) * n,
    "only some": lambda v, _: part(part(v, 7, 2), 12, -1),
    "bend": lambda v, _: tanh(v),
    "rotate": lambda v, _: rotated_up(v, 3),
}

moves = st.lists(st.sampled_from(sorted(MOVES)), max_size=3)
memories = given(st.lists(moves, min_size=1, max_size=2), moves, st.integers(1, 9))


def is_differentiated_right(written: list[list[str]], read: list[str], seed: int) -> None:
    """A memory of twelve units, to which one is written, is moved, and is read in some way."""

    def memory(w: Any, x: Any, h: Any, m: Any) -> Any:
        n = sigmoid(unit(w.n(x, h), 0))
        after = 0.5 * part(n, 12, 0)
        for names in written:
            after = after + moved(names, m, n)
        seen = moved(read, after, n)
        return tanh(w.n(x, h) + segment_sum(seen * seen, 1, 1) - unit(seen, 5)), after

    def moved(names: list[str], v: Any, n: Any) -> Any:
        for name in names:
            v = MOVES[name](v, n)
        return v

    made = cell(gates="n", states={"m": State("m", per_unit=0, fixed=12)})(memory)
    networks = random_networks(layout_of(made, 2), 1, seed=seed, scale=2.0)
    ((word, targets, counted),) = each(any_words("dyck-1", [15], seed=seed))
    derived = derived_gradient(networks, 0, word, targets, counted)
    found = plain.gradient(networks, word, targets, counted)
    np.testing.assert_allclose(found, derived, rtol=1e-8, atol=1e-12)
    scores = plain.scores(networks, word, sums=False)
    np.testing.assert_allclose(scores, forward(networks, 0, word)[1], rtol=1e-9, atol=1e-12)


test_random_memories_are_differentiated_right = settings(max_examples=6)(memories(is_differentiated_right))
test_many_random_memories_are_differentiated_right = pytest.mark.thorough(
    settings(max_examples=200)(memories(is_differentiated_right))
)


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ([["halve", "push one", "weigh"]], ["bend", "weigh", "pop"]),
        ([["no more than", "push one"], ["weigh", "pop"]], ["bend", "as rows"]),
        ([["push two"], ["those behind"]], ["as columns", "only some"]),
    ],
)
def test_memories_whose_sums_end_early(written: list[list[str]], read: list[str]) -> None:
    is_differentiated_right(written, read, 5)
