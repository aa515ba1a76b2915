"""The tables and the figure of stress say what was found, and what could not be tried."""

from __future__ import annotations

import numpy as np
import pytest

from abacist.analysis import Stress
from abacist.errors import BadInput
from abacist.report.figures import stress_figure
from abacist.report.figures.picture import figure_bytes
from abacist.report.network_tables import StressedNetworks, every_network_table, stress_table

LENGTHS = (100, 1_000)


def tried(*wrong_at: list[list[int]], steps: str = "all") -> StressedNetworks:
    """Networks with these first wrong steps, (network, family, length); the family c has no words."""
    found = np.array(wrong_at)
    words, actual = np.array([[1, 1], [0, 4], [0, 0]]), np.array([[99, 1_000], [0, 1_000], [0, 0]])
    names = tuple(f"run{n}" for n in range(len(found)))
    return StressedNetworks(
        "dyck-1", "lstm", 3, steps, names, Stress(LENGTHS, ("a", "b", "c"), words, actual, found)
    )


TRIED = tried(
    [[0, 0], [0, 0], [0, 0]],
    [[0, 5], [0, 7], [0, 0]],
    [[0, 5], [0, 0], [0, 0]],
    [[3, 5], [0, 9], [0, 0]],
)


def test_a_task_s_row_is_what_half_of_its_runs_reach() -> None:
    table = stress_table([TRIED])
    (row,) = table.rows
    assert (row["runs"], row["a"], row["b"], row["c"]) == (4, 99, 0, None)
    assert [column.key for column in table.columns] == ["language", "cell", "hidden", "runs", "a", "b"]
    assert table.note == (
        "2 lengths tried: 100, 1,000; 0: wrong at the first. dyck-1 has no words of c. "
        "dyck-1 has words of 99 symbols instead of 100."
    )


def test_steps_are_shown_where_they_differ() -> None:
    table = stress_table([TRIED, tried([[0, 0]] * 3, steps="last")])
    assert [row["steps"] for row in table.rows] == ["all", "last"]
    assert "steps" in [column.key for column in table.columns]


def test_every_network_and_family_has_its_row() -> None:
    rows = every_network_table([TRIED]).rows
    assert len(rows) == 4 * 2
    found = {(row["run"], row["family"]): (row["100"], row["1000"], row["right to"]) for row in rows}
    assert found["run0", "a"] == ("right", "right", 1_000)
    assert found["run0", "b"] == (None, "right", 1_000)
    assert found["run1", "b"] == (None, 7, 0)
    assert found["run3", "a"] == (3, 5, 0)


def test_the_figure_has_a_panel_for_every_task_and_a_line_for_every_family() -> None:
    figure = stress_figure([TRIED, TRIED, TRIED, TRIED])
    panels = [axes for axes in figure.axes if axes.get_visible()]
    assert len(panels) == 4
    for axes in panels:
        lines = {str(line.get_label()): line for line in axes.get_lines()}
        assert lines.keys() == {"a", "b"}
        assert np.asarray(lines["a"].get_xdata()).tolist() == [99, 1_000]
        assert np.asarray(lines["a"].get_ydata()).tolist() == [75, 25]
        assert np.asarray(lines["b"].get_ydata()).tolist() == [50]
    assert figure_bytes(figure, "svg") == figure_bytes(stress_figure([TRIED] * 4), "svg")


def test_bad_values_are_refused() -> None:
    with pytest.raises(BadInput, match="4 need as many names, got 1"):
        StressedNetworks("dyck-1", "lstm", 3, "all", ("one",), TRIED.stress)
    with pytest.raises(BadInput, match="at least one task"):
        stress_figure([])
