"""What a cell may say, what it is told when it says something else, and how it travels."""

from __future__ import annotations

import copy
import pickle
from dataclasses import replace
from functools import partial
from typing import Any

import pytest

from abacist.algebra import tanh
from abacist.cells import CELLS, KNOWN, Cell, Gates, Layout, Memory, State, cell, cell_named
from abacist.cells import names as cell_names
from abacist.errors import BadInput
from abacist.languages import language_named
from abacist.specs import Spec
from tests.cells.toys import TOYS, shaped
from tests.wrong_input import is_refused


def w_half(value: Any) -> Any:
    return 0.5 * value


def made(formula: Any, name: str = "wrong") -> Cell:
    return Cell(name, Gates(("n",)), (State("h"),), formula)


def test_gates_and_states_have_names_that_can_be_told_apart() -> None:
    with pytest.raises(BadInput, match="names must be given and differ, got n n"):
        Gates(("n", "n"))
    with pytest.raises(BadInput, match="names must be given and differ, got none"):
        Gates(())
    with pytest.raises(BadInput, match="y is the name of the outputs"):
        State("y")
    with pytest.raises(BadInput, match="at least one number"):
        State("m", per_unit=0)
    with pytest.raises(BadInput, match="h must be its first state, got m"):
        Cell("late", Gates(("n",)), (State("m"), State("h")), lambda w, x, m, h: (m, h))
    with pytest.raises(BadInput, match="cell: gates must be text, a list or tuple"):
        cell(gates=3)  # type: ignore[arg-type]
    with pytest.raises(BadInput, match="either gates or parameters"):
        cell()
    with pytest.raises(BadInput, match="no state 'k'"):
        cell("n", states={"k": State("k")})(lambda w, x, h: h)


def test_wrong_parts_are_refused_in_a_sentence() -> None:
    wrong: Any = "h"
    formula, lstm = CELLS["rnn"].step, CELLS["lstm"]
    for call in (
        lambda: Layout(wrong, 2, 3, 2),
        lambda: Layout(lstm, wrong, 3, 2),
        lambda: Layout(lstm, 2.5, 3, 2),  # type: ignore[arg-type]
        lambda: State(3),  # type: ignore[arg-type]
        lambda: State("h", wrong),
        lambda: Cell("mine", Gates(("h",)), (wrong,), formula),
        lambda: Cell("mine", wrong, (State("h"),), formula),
        lambda: Gates(wrong),
        lambda: cell("h")(wrong),
        lambda: cell(parameters=wrong)(formula),
        lambda: cell("h", states={"h": wrong})(formula),
    ):
        is_refused(call)
    names: list[Any] = [3, None, "", "lsmt"]
    for name in names:
        is_refused(partial(cell_named, name))


def test_a_cell_of_ones_own_is_not_taken_for_another_of_its_name() -> None:
    """A store knows built-in cells by name, so a cell that only has one's name must be told apart."""
    own = made(lambda w, x, h: 0.5 * w.n(x, h), "lstm")
    for mine in (*TOYS.values(), own):
        assert Spec(language_named("dyck-1"), mine).as_dict()["cell"] not in CELLS


def test_cells_are_equal_where_their_formulas_compute_the_same() -> None:
    """However they are written; their contents are in run keys."""
    cells = [made(lambda w, x, h: 0.5 * w.n(x, h)), made(lambda v, y, k: w_half(v.n(y, k)))]
    assert cells[0] == cells[1]
    others = [
        made(lambda w, x, h: 0.25 * w.n(x, h)),
        made(lambda w, x, h: 0.5 * w.n(x, h), "other"),
        Cell("wrong", Gates(("m",)), (State("h"),), lambda w, x, h: 0.5 * w.m(x, h)),
        "wrong",
        *KNOWN.values(),
        *TOYS.values(),
    ]
    assert cells[0] not in others
    assert len({*cells, *others}) == 1 + len(others)
    every = [one for one in (*cells, *others) if isinstance(one, Cell)]
    keys = {Spec(language_named("dyck-1"), one).key_text for one in every}
    assert len(keys) == len(others) - 1  # the names of gates are not in them


def local_rnn() -> Cell:
    @cell(gates="h")
    def rnn(w: Any, x: Any, h: Any) -> Any:
        return tanh(0.0 - w.h(x, h))

    return rnn


@pytest.mark.parametrize("name", KNOWN)
def test_a_cell_travels_as_itself(name: str) -> None:
    own = KNOWN[name]
    assert copy.copy(own) is own
    assert copy.deepcopy(own) is own
    assert pickle.loads(pickle.dumps(own)) is own


def test_a_cell_of_ones_own_is_not_sent_without_cloudpickle(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cell_names, "find_spec", lambda _: None)
    for own in (TOYS["shaped"], local_rnn(), replace(CELLS["rnn"], step=local_rnn().step)):
        assert copy.deepcopy(own) is own
        with pytest.raises(BadInput, match=f"{own.name}: only cloudpickle can send it to other processes"):
            pickle.dumps(own)


def test_a_state_may_have_numbers_for_each_input() -> None:
    stack = State("stack", per_unit=2, fixed=5, per_input=3)
    assert stack.size(hidden=4, inputs=10) == 43
    above = stack.above(State("h", per_unit=1, fixed=7))
    assert above.size(hidden=4, inputs=10) == stack.size(hidden=4, inputs=4 + 7)
    assert State("m", fixed=2).above(stack) == State("m", fixed=2)
    with pytest.raises(BadInput, match=r"State m: it must have .* got 0 per unit, -1 per input and 3 more"):
        State("m", per_unit=0, fixed=3, per_input=-1)


def test_what_run_keys_say_of_a_state_stays() -> None:
    assert State("m", 2, 3, per_input=1).key_text == "State(name='m', per_unit=2, fixed=3)"
    assert Memory("m", 2, 4, rows=2).key_text == "Memory(name='m', per_unit=2, fixed=4, rows=2)"


def test_a_layout_follows_what_the_cell_says() -> None:
    layout = Layout(shaped, 2, 3, 4)
    assert layout.state_sizes == (3, 6)
    assert layout.state_starts == (0, 3)
    shapes = {"up": (6, 2), "down": (3, 6), "shift": (3,), "output.weight": (4, 3), "output.bias": (4,)}
    assert layout.shapes == shapes
    assert list(layout.starts.values()) == [0, 12, 30, 33, 45]
    assert layout.size == 49
