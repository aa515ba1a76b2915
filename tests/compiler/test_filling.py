"""What is taken for zero is zero, and is not worked on: by the reference, and by how far loops go."""

from __future__ import annotations

from typing import Any

import pytest

from abacist.algebra import part, pushed, spread, tanh, unit
from abacist.cells import CELLS, MEMORIES, ZOO, Cell, Layout, State, cell
from abacist.compiler import forward_statements, plan_judging, plan_tracing, plan_training
from abacist.compiler.statements import UnitLoop
from abacist.engine.reference import forward
from tests.cells.looking import LOOKING
from tests.engine.cases import any_words, each, layout_of, random_networks


@cell(gates="n", states={"m": State("m", per_unit=0, fixed=12)})
def jumping(w: Any, x: Any, h: Any, m: Any) -> Any:
    """One unit at first, but twice as far and more with every step: no growth holds."""
    n = w.n(x, h)
    return tanh(n + unit(m, 0)), pushed(m, unit(n, 0)) + spread(part(m, 6, 0), 12, 2)


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
