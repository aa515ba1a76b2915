"""Figures show what they say: lines are the values, dashes the depths, apostrophes the wrong steps."""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import pairwise
from typing import Any

import matplotlib as mpl
import numpy as np
import pytest
from matplotlib.axes import Axes

from abacist.analysis import Curve, TraceReading, match_units
from abacist.corpora import Split, Window, draw, paper_recipe
from abacist.experiments import PAPER_SETS, TABLE_3
from abacist.languages import language_named
from abacist.report.figures import draw_depths, draw_lengths, new_figure, style, trace_figure
from abacist.report.figures.accuracy_pictures import draw_curves, draw_epochs, draw_runs
from abacist.report.figures.along_words import (
    counters_figure,
    draw_counter,
    draw_values,
    show_word,
    shown_steps,
)
from abacist.report.figures.picture import figure_bytes
from tests.analysis.cases import read
from tests.experiments.cases import made_up, small

SHUFFLE_6 = "⌊⌈⟨{[()]}⟩⌉⌋([)]⟨⌈⟩⌉"


def labels(axes: Axes) -> list[str]:
    return [label.get_text() for label in axes.get_xticklabels()]


def one() -> Axes:
    return new_figure().subplots()


def line(axes: Axes, label: str) -> Any:
    (found,) = [own for own in axes.lines if own.get_label() == label]
    return found


def reading_with_mistakes(text: str = "([])[()]") -> TraceReading:
    reading = read("dyck-2", text)
    assert reading.wrong.any()
    return reading


@pytest.mark.parametrize("name", ["c", "h", "i", "y"])
def test_the_lines_are_the_traced_values(name: str) -> None:
    reading = reading_with_mistakes()
    axes = one()
    assert draw_values(axes, reading, name) is axes
    for unit, label in enumerate(reading.value_names(name)):
        np.testing.assert_array_equal(line(axes, label).get_xdata(), range(1, len(reading) + 1))
        np.testing.assert_array_equal(line(axes, label).get_ydata(), reading.values(name)[:, unit])


def test_no_two_lines_look_the_same() -> None:
    axes = draw_values(one(), read("shuffle-6", SHUFFLE_6, hidden=8), "y")
    own = [line for line in axes.lines if not str(line.get_label()).startswith("_")]
    looks = {(line.get_color(), line.get_marker(), str(line.get_linestyle())) for line in own}
    assert len(looks) == len(own) == 12


def test_outputs_are_dashed_off_where_they_are_predicted() -> None:
    (half,) = [own for own in draw_values(one(), reading_with_mistakes(), "y").lines if own.is_dashed()]
    assert set(np.asarray(half.get_ydata())) == {0.5}


def test_apostrophes_at_exactly_the_wrong_steps() -> None:
    reading = reading_with_mistakes()
    axes = draw_values(one(), reading)
    assert [label.endswith("'") for label in labels(axes)] == reading.wrong.tolist()
    assert "".join(labels(axes)).replace("'", "") == "([])[()]"


def test_the_depths_are_dashed_and_the_states_solid() -> None:
    reading = read("shuffle-6", SHUFFLE_6, hidden=8)
    for counter, pair in enumerate(reading.language.counter_names):
        axes = one()
        assert draw_counter(axes, reading, 7 - counter, counter) is axes
        depth, state = line(axes, f"depth of {pair}"), line(axes, "cell state c")
        np.testing.assert_array_equal(depth.get_ydata(), reading.depths[:, counter])
        np.testing.assert_array_equal(state.get_ydata(), reading.values("c")[:, 7 - counter])
        assert depth.is_dashed()
        assert not state.is_dashed()


@pytest.mark.parametrize("length", [1, 99, 100, 101, 300, 4000])
def test_symbols_are_thinned_beyond_a_hundred(length: int) -> None:
    axes, wrong = one(), np.arange(length) % 3 == 1
    assert show_word(axes, ["⟨"] * length, wrong) is axes
    shown = shown_steps(length)
    mark = "an apostrophe" if length <= 100 else "a stroke at the foot"
    assert axes.get_xlabel() == (f"{mark} marks a wrong step" if wrong.any() else "")
    assert axes.get_xticks().tolist() == shown
    assert [label.split("\n")[0] for label in labels(axes)] == ["⟨'" if wrong[s - 1] else "⟨" for s in shown]
    if length <= 100:
        assert shown == list(range(1, length + 1))
        assert not axes.lines
    else:
        assert len(shown) <= 20
        assert [label.split("\n")[1] for label in labels(axes)] == [str(step) for step in shown]
        assert line(axes, "_wrong steps").get_xdata().tolist() == (np.flatnonzero(wrong) + 1).tolist()
        assert (shown[1] - shown[0]) % 2 == 1


def test_no_label_of_a_full_axis_touches_the_next() -> None:
    glyphs = list("⌊⟨{[" * 12 + "]}⟩⌋" * 12 + "⌈⌉()")
    with style():
        figure = new_figure(7.2, 2)
        axes = show_word(figure.subplots(), glyphs, np.ones(100, bool))
        figure.draw_without_rendering()
        boxes = [label.get_window_extent() for label in axes.get_xticklabels()]
    assert all(a.x1 <= b.x0 + 0.5 for a, b in pairwise(boxes))


@pytest.mark.parametrize("form", ["svg", "pdf", pytest.param("png", marks=pytest.mark.thorough)])
def test_every_bracket_is_in_the_font_and_files_are_the_same_every_time(form: str) -> None:
    def drawn() -> bytes:
        with style():
            figure = counters_figure(read("shuffle-6", SHUFFLE_6, hidden=8), matching)
        return figure_bytes(figure, form)  # a missing glyph warns, and warnings are errors

    matching = match_units([read("shuffle-6", SHUFFLE_6, hidden=8)])
    assert drawn() == drawn()


@pytest.mark.parametrize("form", ["svg", "pdf", "png"])
def test_no_file_says_when_or_by_what_it_was_written(form: str) -> None:
    data = figure_bytes(new_figure(), form)
    assert not re.search(rb"dc:date|CreationDate|dc:creator|Producer|Software|matplotlib v", data)


def test_the_style_leaves_nothing_behind() -> None:
    before = dict(mpl.rcParams)
    with style():
        assert mpl.rcParams["font.family"] == ["DejaVu Sans"]
    assert dict(mpl.rcParams) == before


@pytest.mark.parametrize(
    ("function", "measure"), [(draw_lengths, "lengths"), (draw_depths, "maximum_depths")]
)
def test_the_shares_of_words(function: Any, measure: str) -> None:
    splits = (("training", (2, 12), 40), ("short", (2, 12), 20), ("long", (52, 100), 1))
    own = tuple(Split(name, Window(*window), count) for name, window, count in splits)
    corpora = draw(replace(paper_recipe(language_named("dyck-2")), splits=own))
    axes = one()
    assert function(axes, corpora) is axes
    for corpus, drawn in zip(corpora, axes.lines, strict=True):
        values = getattr(corpus, measure)
        data = np.asarray(values() if callable(values) else values)
        shares = dict(zip(drawn.get_xdata(), drawn.get_ydata(), strict=True))
        assert shares == {v: pytest.approx(100 * np.mean(data == v)) for v in np.unique(data)}
        size = "1 word" if corpus.split.name == "long" else f"{len(corpus)} words"
        assert drawn.get_label() == f"{corpus.split.name} set, {size}"


def test_points_are_the_runs_and_bars_the_papers() -> None:
    shares = np.random.default_rng(0).random((3, 3, 4))
    cells = ("rnn", "gru", "lstm")
    runs = {
        ("dyck-2", cell): [
            made_up(small(), seed, {name: {"3": shares[c, n, seed]} for n, name in enumerate(PAPER_SETS)})
            for seed in range(4)
        ]
        for c, cell in enumerate(cells)
    }
    for n, name in enumerate(PAPER_SETS):
        axes = one()
        assert draw_runs(axes, runs, "dyck-2", name) is axes
        bars = [own for own in axes.lines if own.get_label() == "_paper"]
        medians = [own for own in axes.lines if own.get_label() == "_paper median"]
        for c, cell in enumerate(cells):
            np.testing.assert_allclose(line(axes, cell).get_ydata(), 100 * shares[c, n])
            assert len(set(line(axes, cell).get_xdata())) == 4  # no run hides another
            paper = TABLE_3["dyck-2", cell][name]
            assert np.asarray(bars[c].get_ydata()).tolist() == [paper.minimum, paper.maximum]
            assert np.asarray(medians[c].get_ydata()).tolist() == [paper.median]
        assert labels(axes) == ["RNN", "GRU", "LSTM"]


def test_runs_that_are_missing_are_shown_as_missing() -> None:
    axes = draw_runs(one(), {("dyck-1", "rnn"): [], ("dyck-1", "gru"): []}, "dyck-1", "long")
    assert [text.get_text() for text in axes.texts] == ["no runs", "no runs"]


def test_medians_by_epoch_and_the_papers_lines() -> None:
    shares = np.random.default_rng(1).random((5, 2))
    runs = [made_up(small(), s, {"short": {"1": shares[s, 0], "3": shares[s, 1]}}) for s in range(5)]
    axes = one()
    assert draw_epochs(axes, {("dyck-1", "gru"): runs, ("dyck-1", "lstm"): []}, "dyck-1", "short") is axes
    median = line(axes, "gru")
    assert median.get_xdata().tolist() == [1, 3]
    np.testing.assert_allclose(median.get_ydata(), 100 * np.median(shares, axis=0))
    for cell in ("gru", "lstm"):
        assert set(line(axes, f"_paper {cell}").get_ydata()) == {TABLE_3["dyck-1", cell]["short"].median}
    band = np.asarray(axes.collections[0].get_paths()[0].vertices)
    assert (band[:, 1].min(), band[:, 1].max()) == pytest.approx((100 * shares.min(), 100 * shares.max()))


def test_curves_are_medians_over_the_training_window() -> None:
    shares = np.random.default_rng(2).random((5, 3))
    curve = Curve(np.array([2.0, 50, 500]), np.array([9, 9, 9]), shares)
    axes = one()
    assert draw_curves(axes, {"lstm": curve}, "length", 50) is axes
    drawn = line(axes, "LSTM, 5 runs")
    assert drawn.get_xdata().tolist() == [2, 50, 500]
    np.testing.assert_allclose(drawn.get_ydata(), 100 * np.median(shares, axis=0))
    alone = draw_curves(one(), {"lstm": Curve(curve.at, curve.words, shares[:1])}, "length", 50)
    assert line(alone, "LSTM, 1 run")
    (band,) = axes.collections
    edges = {tuple(point) for point in np.asarray(band.get_paths()[0].vertices).round(9)}
    for at, own in zip(curve.at, 100 * shares.T, strict=True):
        assert {(at, own.min().round(9)), (at, own.max().round(9))} <= edges
    (shade,) = axes.patches
    assert (shade.get_x(), shade.get_x() + shade.get_width()) == (0, 50)  # type: ignore[attr-defined]


@pytest.mark.parametrize("text", ["([])[()]", "([", "([)]]", "))(("])
def test_a_trace_shows_the_depths_above_the_values_up_to_where_the_language_is_left(text: str) -> None:
    reading = read("dyck-2", text)
    figure = trace_figure(reading, ("h", "c"), "a title")
    depth, *rows = figure.axes
    for counter, pair in enumerate(reading.language.counter_names):
        expected = reading.depths[: reading.inside, counter]
        np.testing.assert_array_equal(line(depth, pair).get_ydata(), expected)
        assert line(depth, pair).is_dashed()
    for axes, name in zip(rows, ("h", "c"), strict=True):
        np.testing.assert_array_equal(line(axes, "unit 2").get_ydata(), reading.values(name)[:, 1])
    outside = reading.inside < len(reading)
    assert all(len(axes.patches) == outside for axes in figure.axes)
    for shade in (axes.patches[0] for axes in figure.axes if outside):
        assert shade.get_x() == reading.inside + 0.5  # type: ignore[attr-defined]
    told = {text.get_text() for text in figure.texts}
    assert "a title" in told
    assert any(own.startswith(reading.membership()) for own in told) == (reading.left_at is not None)
