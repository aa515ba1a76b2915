"""Memories are drawn row by row, beside the brackets that are open, and stay out of tables for people."""

from __future__ import annotations

import numpy as np
import pytest

from abacist.analysis import TraceReading, follow
from abacist.cells import MEMORIES, Layout, Memory
from abacist.errors import BadInput
from abacist.languages import language_named
from abacist.report.figures import new_figure, trace_figure
from abacist.report.figures.along_words import draw_memory, draw_stack, draw_values, memories_figure, rows_of
from abacist.specs import Networks

WORD = "([[](()[])])"


def reading(cell: str, text: str = WORD) -> TraceReading:
    dyck = language_named("dyck-2")
    layout = Layout(MEMORIES[cell], len(dyck.alphabet), 4, dyck.outputs)
    return follow(Networks.initial(layout, [3]), 0, dyck, text)


@pytest.mark.parametrize(
    ("cell", "widths"),
    [
        ("stack_rnn", {"stack": 5}),
        pytest.param("stack_rnn_1", {"stack": 1}, marks=pytest.mark.thorough),
        pytest.param("neural_stack", {"rows": 5, "strengths": 1}, marks=pytest.mark.thorough),
        pytest.param("nnpda", {"rows": 4, "strengths": 1}, marks=pytest.mark.thorough),
        pytest.param("russ", {"stack": 4}, marks=pytest.mark.thorough),
        pytest.param("ntm", {"reading": 1, "writing": 1, "memory": 5}, marks=pytest.mark.thorough),
    ],
)
def test_a_trace_knows_its_memories(cell: str, widths: dict[str, int]) -> None:
    assert reading(cell).trace.widths == widths
    assert not set(widths) & set(MEMORIES[cell].plain_states)


def test_the_map_shows_the_rows_from_the_top() -> None:
    own = reading("stack_rnn")
    axes = draw_memory(new_figure().subplots(), own, "stack")
    (image,) = axes.images
    rows = rows_of(own, "stack")
    whole = own.values("stack").reshape(len(WORD), 104, 5)
    np.testing.assert_array_equal(rows, whole[:, : rows.shape[1]])
    np.testing.assert_array_equal(image.get_array(), rows.reshape(len(WORD), -1).T)
    assert np.abs(whole[:, rows.shape[1] : 12]).max() <= 0.1 * np.abs(whole).max()


def test_open_brackets_stand_above_each_other() -> None:
    axes = draw_stack(new_figure().subplots(), reading("stack_rnn"))
    last = {(x, y): text.get_text() for text in axes.texts for x, y in [text.get_position()]}
    assert [last.get((6, depth)) for depth in (1, 2, 3, 4)] == ["(", "(", "[", "("]
    assert [last.get((8, depth)) for depth in (1, 2, 3, 4)] == ["[", "(", "[", "("]
    assert (12, 1) not in last


def test_a_state_that_is_a_memory_is_a_map_in_every_figure_of_states() -> None:
    own = reading("neural_stack")
    assert draw_values(new_figure().subplots(), own, "rows").images
    assert not draw_values(new_figure().subplots(), own, "h").images
    drawn = [bool(axes.images) for axes in trace_figure(own, ("h", "rows", "strengths")).axes]
    assert drawn[:4] == [False, False, True, True]
    assert len(memories_figure([("one", own, "rows")]).axes) == 2


def test_tables_in_notebooks_leave_memories_out() -> None:
    shown = reading("stack_rnn").trace._repr_html_()
    assert "stack" not in shown
    assert "h 4" in shown


@pytest.mark.parametrize(("fixed", "rows", "per_unit"), [(10, 0, 0), (10, 3, 0), (10, 5, 1)])
def test_a_memory_s_rows_are_equally_long(fixed: int, rows: int, per_unit: int) -> None:
    with pytest.raises(BadInput, match="Memory m: all its rows must be equally long"):
        Memory("m", per_unit=per_unit, fixed=fixed, rows=rows)
