"""Tables and the figure of what units do: every unit stands once, where its verdict puts it."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from abacist.analysis import CountingUnits, StateUnits, counting_words, state_units
from abacist.corpora import Corpus, Window
from abacist.languages import language_named
from abacist.report.figures import new_figure
from abacist.report.figures.network_pictures import draw_unit_verdicts
from abacist.report.network_tables import LookedAt, networks_table, tasks_table, units_table

SHUFFLE = language_named("shuffle-3")


@cache
def words() -> Corpus:
    return counting_words(SHUFFLE, Window(2, 20), 60)


def depths() -> NDArray[np.float64]:
    return words().depths().astype(np.float64)


def looking(*columns: NDArray[Any]) -> CountingUnits:
    """Units with these states, and one gate that is half open, then more and more."""
    state = state_units("c", np.hstack(columns), words())
    return CountingUnits(words(), (state,), {"f": np.arange(len(state)) / 10})


@cache
def several() -> CountingUnits:
    """Units 1 and 3 count [ ], 2 follows the length, 4 does neither, 5 counts ( ) downwards."""
    own, lengths = depths(), words().lengths
    steps = (np.arange(len(own)) - np.repeat(words().offsets[:-1], lengths))[:, None].astype(np.float64)
    noise = np.random.default_rng(5).normal(size=(len(own), 1))
    return looking(own[:, 1:2], steps, 3 * own[:, 1:2] + 1, noise, -own[:, :1])


@cache
def exact() -> CountingUnits:
    return looking(depths())


def marks(states: dict[str, StateUnits]) -> list[tuple[int, float, int]]:
    """The marks of a figure: row, place across, unit."""
    axes = draw_unit_verdicts(new_figure().subplots(), states, SHUFFLE.counter_names)
    found = []
    for line in axes.lines:
        ((x,), (y,)) = (np.asarray(data).tolist() for data in (line.get_xdata(), line.get_ydata()))
        found.append((round(y), x, int(str(line.get_label()).removeprefix("_unit "))))
    return found


def test_every_unit_stands_once_in_the_column_of_its_verdict() -> None:
    found = marks({"one": several().states[0], "two": exact().states[0]})
    assert sorted((row, unit) for row, _, unit in found) == [
        *((0, unit) for unit in range(1, 6)), *((1, unit) for unit in range(1, 4)),
    ]  # fmt: skip
    across = {(row, unit): x for row, x, unit in found}
    assert {unit: round(across[0, unit]) for unit in (1, 3, 5)} == {1: 1, 3: 1, 5: 0}
    assert across[0, 1] < 1 < across[0, 3]  # beside each other
    assert across[0, 2] == 3
    assert across[0, 4] > 3.5
    assert [across[1, unit] for unit in (1, 2, 3)] == [0, 1, 2]


def test_a_counter_that_no_unit_counts_is_shaded() -> None:
    axes = draw_unit_verdicts(
        new_figure().subplots(), {"one": several().states[0], "two": exact().states[0]}, SHUFFLE.counter_names
    )
    (shade,) = axes.patches
    assert (shade.get_x(), shade.get_y()) == (1.5, -0.5)  # type: ignore[attr-defined]
    labels = [label.get_text() for label in axes.get_xticklabels()]
    assert labels == [*SHUFFLE.counter_names, "length", "neither"]
    assert [label.get_text() for label in axes.get_yticklabels()] == ["one", "two"]


def test_highest_correlations_stand_below_where_there_is_room() -> None:
    def texts(state: StateUnits) -> list[str]:
        axes = draw_unit_verdicts(new_figure().subplots(), {"one": state}, SHUFFLE.counter_names)
        return [text.get_text() for text in axes.texts if "." in text.get_text()]

    assert texts(exact().states[0]) == ["1.000"] * 3
    assert texts(looking(*[depths()[:, :1]] * 4).states[0]) == []


def test_the_table_of_units() -> None:
    table = units_table(several(), "one")
    verdicts = ["counts [ ]", "follows the length", "counts [ ]", "neither", "counts ( )"]
    assert [row["verdict"] for row in table.rows] == verdicts
    assert [row["unit"] for row in table.rows] == [1, 2, 3, 4, 5]
    third, fifth = table.rows[2], table.rows[4]
    figures = ("up mean", "up spread", "down mean", "drift mean", "saturation f")
    # before a word all states are taken to be zero, so the offset of unit 3 is a step of its own
    assert third["down mean"] == -3
    np.testing.assert_allclose([fifth[name] for name in figures], [-1, 0, 1, 0, 0.4], atol=1e-12)
    np.testing.assert_allclose([third["correlation [ ]"], fifth["correlation ( )"]], [1, -1])
    assert [row["nearest"] for row in table.rows][::2] == ["[ ]", "[ ]", "( )"]


def test_a_gate_of_another_size_belongs_to_no_unit() -> None:
    other = replace(exact(), saturation={"f": np.ones(2)})
    assert [row["saturation f"] for row in units_table(other, "one").rows] == [None] * 3


def test_networks_and_tasks() -> None:
    settings = {"language": "shuffle-3", "cell": "lstm", "hidden": 5}
    networks = [
        LookedAt("a", settings, 0, several()),
        LookedAt("b", settings, 1, exact()),
        LookedAt("c", settings | {"cell": "gru"}, 0, exact()),
    ]
    first, second, _ = networks_table(networks).rows
    assert [first[name] for name in ("counting", "following", "neither", "counted")] == [3, 1, 1, "2 of 3"]
    assert [second[name] for name in ("counting", "following", "neither", "counted")] == [3, 0, 0, "3 of 3"]
    np.testing.assert_allclose([second["weakest"], second["drift"]], [1, 0], atol=1e-12)
    assert first["weakest"] < 0.5
    lstm, gru = tasks_table(networks).rows
    figures = ("runs", "counting", "following", "every")
    assert [lstm[name] for name in figures] == [2, "3 in 2", "0 in 1, 1 in 1", 1]
    assert (gru["cell"], gru["runs"], gru["every"]) == ("gru", 1, 1)
    assert "at least 0.95" in networks_table(networks).note
    assert networks_table([]).note == tasks_table([]).note == ""
