"""Figures of several axes: each shows what its title says, and the legend names what is drawn."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import product
from typing import Any

import numpy as np
import pytest
from matplotlib.axes import Axes
from matplotlib.colors import same_color
from matplotlib.figure import Figure

from abacist.analysis import Curve, match_units
from abacist.corpora import Window, draw, paper_recipe
from abacist.experiments import PAPER_SETS, Run
from abacist.languages import language_named
from abacist.report.figures import draw_depths, draw_lengths, new_figure, style
from abacist.report.figures.accuracy_pictures import (
    RunsByNetwork,
    curves_figure,
    draw_curves,
    draw_epochs,
    draw_runs,
    epochs_figure,
    runs_figure,
)
from abacist.report.figures.along_words import counters_figure, values_figure
from abacist.report.figures.house_style import CELL_LOOKS
from abacist.report.figures.paper_pictures import corpora_figure
from tests.analysis.cases import read
from tests.experiments.cases import made_up, small


def drawn(axes: Axes) -> list[tuple[str, list[float], list[float]]]:
    """The lines of axes, by their labels."""
    points = [(str(own.get_label()), own.get_xdata(), own.get_ydata()) for own in axes.lines]
    return [(label, np.asarray(x).tolist(), np.asarray(y).tolist()) for label, x, y in points]


def alone(draw_on: Callable[..., Axes], *values: Any) -> list[tuple[str, list[float], list[float]]]:
    """What a drawing function draws on axes of its own."""
    return drawn(draw_on(new_figure().subplots(), *values))


def shows_its_word(axes: Axes) -> bool:
    return bool(axes.xaxis.get_tick_params()["labelbottom"])


def entries(figure: Figure, count: int | None = None) -> list[tuple[str, Any]]:
    """The legend of a figure: texts, and the lines beside them; of so many, the rest are bands."""
    (legend,) = figure.legends
    texts = [text.get_text() for text in legend.get_texts()][:count]
    return list(zip(texts, legend.get_lines(), strict=True))


@pytest.fixture(autouse=True)
def in_style() -> Iterator[None]:
    with style():
        yield


def made_up_runs() -> RunsByNetwork:
    """RunsByNetwork of two tasks and three cells whose accuracies all differ."""
    rng = np.random.default_rng(4)

    def run(seed: int) -> Run:
        return made_up(small(), seed, {name: {"1": rng.random(), "3": rng.random()} for name in PAPER_SETS})

    return {
        (task, cell): [run(0), run(1)] for task in ("dyck-1", "dyck-2") for cell in ("rnn", "gru", "lstm")
    }


@pytest.mark.parametrize(("make", "draw_on"), [(runs_figure, draw_runs), (epochs_figure, draw_epochs)])
def test_a_row_for_every_task_and_a_column_for_every_set(
    make: Callable[[RunsByNetwork], Figure], draw_on: Callable[..., Axes]
) -> None:
    runs = made_up_runs()
    places = [(task, name) for task in ("dyck-1", "dyck-2") for name in PAPER_SETS]
    for axes, (task, name) in zip(make(runs).axes, places, strict=True):
        assert axes.get_title("left") == f"{task.capitalize()}, {name} set"
        assert drawn(axes) == alone(draw_on, runs, task, name)
        assert axes.get_ylabel() == ("accuracy, %" if name == PAPER_SETS[0] else "")


def test_the_legend_of_runs_has_the_looks_of_their_cells() -> None:
    figure = runs_figure(made_up_runs())
    (paper, bar), *ours = entries(figure, 4)
    texts = [text.get_text() for text in figure.legends[0].get_texts()]
    assert texts[4:] == ["10,000 runs: all", "nine in ten", "half"]
    assert paper == "the paper: minimum, median, maximum"
    assert bar.get_marker() == "D"
    assert [text for text, _ in ours] == ["our runs, RNN", "our runs, GRU", "our runs, LSTM"]
    for cell, (_, point) in zip(("rnn", "gru", "lstm"), ours, strict=True):
        assert same_color(point.get_color(), CELL_LOOKS[cell][0])
        assert point.get_marker() == CELL_LOOKS[cell][1]


def test_in_the_legend_of_epochs_our_lines_have_markers_and_the_paper_s_are_thin() -> None:
    shown = entries(epochs_figure(made_up_runs()))
    for number, cell in enumerate(("rnn", "gru", "lstm")):
        (ours, thick), (paper, thin) = shown[2 * number : 2 * number + 2]
        assert (ours, thick.get_marker()) == (f"{cell.upper()}, our median and span", CELL_LOOKS[cell][1])
        assert (paper, thin.get_marker()) == (f"{cell.upper()}, the paper's median", "None")
        assert thin.get_linewidth() < thick.get_linewidth()
        assert same_color(thick.get_color(), CELL_LOOKS[cell][0])
        assert same_color(thin.get_color(), CELL_LOOKS[cell][0])


def test_by_length_on_the_left_and_by_depth_on_the_right() -> None:
    rng = np.random.default_rng(3)
    curves = [Curve(np.array([1.0, 9, 90]), np.array([9, 9, 9]), rng.random((4, 3))) for _ in range(2)]
    by_length, by_depth = ({"gru": curve} for curve in curves)
    left, right = curves_figure(by_length, by_depth, 50, 12).axes
    assert drawn(left) == alone(draw_curves, by_length, "length", 50)
    assert drawn(right) == alone(draw_curves, by_depth, "maximum depth", 12)
    assert (left.get_xlabel(), right.get_xlabel()) == ("length", "maximum depth")
    assert (left.get_xscale(), right.get_xscale()) == ("linear", "log")  # most happens at its beginning
    assert 0 < right.get_xlim()[0] < 1
    for axes, what, most in ((left, "lengths", 50), (right, "depths", 12)):
        (shade,) = axes.patches
        assert (shade.get_x(), shade.get_width()) == (0, most)  # type: ignore[attr-defined]
        assert axes.get_title("left") == f"shaded: {what} of training words, to {most}"


def test_lengths_on_the_left_and_depths_on_the_right() -> None:
    corpora = draw(paper_recipe(language_named("dyck-2"), training=40, test=20, short=Window(2, 12)))
    figure = corpora_figure(corpora)
    left, right = figure.axes
    assert (drawn(left), left.get_xlabel()) == (alone(draw_lengths, corpora), "length")
    assert (drawn(right), right.get_xlabel()) == (alone(draw_depths, corpora), "maximum depth")
    assert [text for text, _ in entries(figure)] == [
        "training set, 40 words", "short set, 20 words", "long set, 20 words",
    ]  # fmt: skip


def test_every_word_stands_below_the_last_of_its_rows_and_its_title_above_the_first() -> None:
    readings = [read("dyck-2", text) for text in ("([])", "[]")]
    figure = values_figure(readings, ("h", "c", "y"), ("one", "two"))
    assert [axes.get_title("left") for axes in figure.axes] == ["one", "", "", "two", "", ""]
    assert [shows_its_word(axes) for axes in figure.axes] == [False, False, True] * 2
    names = {"h": "hidden state h", "c": "cell state c", "y": "output y"}
    assert [axes.get_ylabel() for axes in figure.axes] == [*names.values()] * 2
    for axes, (reading, name) in zip(figure.axes, product(readings, names), strict=True):
        assert drawn(axes)[0][2] == reading.values(name)[:, 0].tolist()


def test_a_row_for_every_pair_with_the_unit_matched_to_it_and_the_sign_of_their_correlation() -> None:
    reading = read("shuffle-6", "⌊⌈⟨{[()]}⟩⌉⌋([)]⟨⌈⟩⌉", hidden=8)
    matching = match_units([reading])
    figure = counters_figure(reading, matching)
    assert [shows_its_word(axes) for axes in figure.axes] == [False] * 5 + [True]
    correlations = [matching.correlation(counter) or 0 for counter in range(6)]
    assert min(correlations) < 0 < max(correlations)
    for counter, (axes, correlation) in enumerate(zip(figure.axes, correlations, strict=True)):
        unit, pair = matching.units[counter], reading.language.counter_names[counter]
        assert unit is not None
        lines = {label: y for label, _, y in drawn(axes)}
        assert lines["cell state c"] == reading.values("c")[:, unit].tolist()
        sign = "+" if correlation > 0 else "\N{MINUS SIGN}"
        title = f"unit {unit + 1} and the pair {pair}   correlation {sign}{abs(correlation):.3f}"
        assert axes.get_title("left") == title
