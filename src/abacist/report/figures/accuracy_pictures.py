"""Figures of accuracies: every run against the paper's, by epoch, and far past the training window."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import product

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Patch

from abacist.analysis import DEEPENING, Curve, accuracy_by_depth, accuracy_by_length, draw_by_length
from abacist.corpora import draw
from abacist.experiments import PAPER_SETS, TABLE_3, Results, Run, experiment_named, percents
from abacist.experiments.distributions import distributions
from abacist.experiments.paper_table import CELLS
from abacist.report.figures.house_style import (
    CELL_LOOKS,
    TEXT_WIDTH,
    Look,
    draw_band,
    legend_above,
    new_figure,
    panels,
    set_logarithmic,
    set_percents,
    title_of,
)
from abacist.report.figures.picture import Content, captioned, runs_of_experiment, runs_of_task, task_of
from abacist.specs import Networks
from abacist.wording import plural

#: By language and cell, the runs to draw.
RunsByNetwork = Mapping[tuple[str, str], Sequence[Run]]

#: Bands of a distribution: what is left out at either end, and how strongly the rest is painted.
_BANDS = {0.0: 0.10, 0.05: 0.13, 0.25: 0.22}

#: Networks of each cell and words of each length that are judged far past the training window.
_NETWORKS, _WORDS = 10, 200

#: Depths that are written at the axis.
_DEPTHS = (5, 10, 20, 50, 100, 200)


def runs_picture(results: Results) -> Content:
    runs = runs_of_experiment(results, "table-3")
    return captioned("table-3-runs", lambda: runs_figure(runs), runs=_how_many(runs, "table-3"))


def epochs_picture(results: Results) -> Content:
    runs = runs_of_experiment(results, "epochs")
    return captioned("epochs", lambda: epochs_figure(runs), runs=_how_many(runs, "epochs"))


def _how_many(runs: RunsByNetwork, experiment: str) -> str:
    there = sum(map(len, runs.values()))
    wanted = sum(len(task.seeds) for task in experiment_named(experiment).tasks)
    missing = f", {wanted - there} fewer than the experiment asks for" if there < wanted else ""
    return f"{plural(there, 'run')}{missing}"


def draw_runs(axes: Axes, runs: RunsByNetwork, language: str, name: str) -> Axes:
    """A point for the accuracy of every run on a set, by model; the paper's figures to their left.

    Behind them are bands that all, nine of ten and half of the runs of their distribution are in, where it
    is known, and its median.
    """
    cells = [cell for task, cell in runs if task == language]
    for place, cell in enumerate(cells):
        points = percents(runs[language, cell], name)
        colour, marker, _ = CELL_LOOKS[cell]
        distribution = distributions().of(task_of("table-3", language, cell).spec)
        if distribution is not None:
            across, of_set = (place - 0.4, place + 0.4), distribution.of(name)
            for outside, strength in _BANDS.items():
                low, high = of_set.quantile(outside), of_set.quantile(1 - outside)
                axes.fill_between(across, low, high, color=colour, alpha=strength, linewidth=0, label="_band")
            middle = [of_set.quantile(0.5)] * 2
            axes.plot(across, middle, color=colour, linewidth=1.0, alpha=0.7, label="_middle")
        beside = np.linspace(0, 1, len(points)) if len(points) > 1 else np.full(len(points), 0.5)
        axes.plot(
            place - 0.1 + 0.4 * beside, points, marker, color=colour, markersize=4, markeredgewidth=0.4,
            markeredgecolor="white", label=cell, clip_on=False,
        )  # fmt: skip
        if not len(points):
            axes.text(place + 0.1, 50, "no runs", ha="center", va="center", rotation=90, color="#767676")
        if (language, cell) in TABLE_3:
            paper = TABLE_3[language, cell][name]
            x = place - 0.28
            axes.plot([x, x], [paper.minimum, paper.maximum], "-_", color="black", linewidth=1.1,
                      markersize=6, label="_paper", clip_on=False)  # fmt: skip
            axes.plot([x], [paper.median], "D", color="white", markeredgecolor="black",
                      markersize=4, label="_paper median", clip_on=False)  # fmt: skip
    axes.set_xticks(range(len(cells)), [title_of(cell) for cell in cells])
    axes.tick_params(axis="x", length=0)
    axes.grid(visible=False, axis="x")
    axes.set_xlim(-0.5, len(cells) - 0.5)
    set_percents(axes)
    return axes


def draw_epochs(axes: Axes, runs: RunsByNetwork, language: str, name: str) -> Axes:
    """The median accuracy on a set by epoch, with the span of all runs; the paper's median as a thin line."""
    ticks: set[int] = set()
    for (task, cell), of_cell in runs.items():
        if task != language:
            continue
        look = CELL_LOOKS[cell]
        epochs = sorted({epoch for run in of_cell for epoch in run.outcome.accuracy.get(name, ())})
        if epochs:
            by_epoch = (percents(of_cell, name, epoch) for epoch in epochs)
            spans = ((shares.min(), np.median(shares), shares.max()) for shares in by_epoch)
            draw_band(axes, epochs, spans, look, label=cell)
            ticks |= set(epochs)
        if (language, cell) in TABLE_3:
            median, label = TABLE_3[language, cell][name].median, f"_paper {cell}"
            axes.axhline(median, color=look.colour, linestyle=look.line, linewidth=0.8, zorder=1, label=label)
    set_logarithmic(axes.xaxis, sorted(ticks))
    axes.minorticks_off()
    set_percents(axes)
    return axes


def _small_multiples(
    runs: RunsByNetwork, draw: Callable[[Axes, RunsByNetwork, str, str], Axes], legend: float, label: str
) -> Figure:
    """A figure with a row for every task and a column for every set, and `legend` inches above."""
    places = product(dict.fromkeys(language for language, _ in runs), PAPER_SETS)
    contents = [(f"{title_of(language)}, {name} set", (language, name)) for language, name in places]
    labels = (label, "accuracy, %")
    return panels(
        contents, lambda axes, place: draw(axes, runs, *place), len(PAPER_SETS), legend, 1.75, labels
    )


def runs_figure(runs: RunsByNetwork) -> Figure:
    """Every run as a point, by task and set."""
    figure = _small_multiples(runs, draw_runs, 0.7, "")
    paper = Look("black", "D", "-").entry(markerfacecolor="white", markersize=4)
    cells = dict.fromkeys(cell for _, cell in runs)
    points = [CELL_LOOKS[cell].entry(linestyle="") for cell in cells]
    labels = ["the paper: minimum, median, maximum", *(f"our runs, {title_of(c)}" for c in cells)]
    bands = [Patch(color="#767676", alpha=strength, linewidth=0) for strength in (0.10, 0.22, 0.40)]
    texts = [*labels, "10,000 runs: all", "nine in ten", "half"]
    legend_above(figure, [paper, *points, *bands], texts, len(labels), columnspacing=1.2)
    return figure


def epochs_figure(runs: RunsByNetwork) -> Figure:
    """Accuracy by epoch, by task and set."""
    figure = _small_multiples(runs, draw_epochs, 0.8, "epochs")
    entries, texts = [], []
    for cell in dict.fromkeys(cell for _, cell in runs):
        look = CELL_LOOKS[cell]
        entries += [look.entry(), look.entry(marker="None", linewidth=0.8)]
        texts += [f"{title_of(cell)}, our median and span", f"{title_of(cell)}, the paper's median"]
    legend_above(figure, entries, texts, 3, columnspacing=1.4, handlelength=2.6)
    return figure


def curves_picture(results: Results) -> Content:
    runs = {cell: runs_of_task(results, "table-3", "dyck-1", cell)[:_NETWORKS] for cell in CELLS}
    return captioned("dyck-1-lengths", lambda: _curves(runs), words=_WORDS)


def _curves(runs: Mapping[str, Sequence[Run]]) -> Figure:
    spec = runs["lstm"][0].spec
    longest, language = spec.short.high, spec.language
    deepest = int(draw(spec.recipe(0))["training"].maximum_depths().max())
    tenth = max(1, longest // 10)
    spread = [*range(2 * tenth, longest, 2 * tenth), *range(longest, 10 * longest + 1, 5 * tenth)]
    lengths = sorted({n + n % 2 for n in spread})  # brackets come in pairs
    edges = [*range(1, 2 * deepest, max(1, deepest // 5)), *range(2 * deepest, 11 * deepest + 1, deepest)]
    drawn = draw_by_length(language, lengths, _WORDS, seed=1)
    deep = draw_by_length(language, lengths, _WORDS // 4, seed=1, sources=DEEPENING)
    networks = {
        cell: Networks(of_cell[0].spec.layout, np.stack([run.weights for run in of_cell]))
        for cell, of_cell in runs.items()
    }
    by_length = {cell: accuracy_by_length(of_cell, drawn) for cell, of_cell in networks.items()}
    by_depth = {cell: accuracy_by_depth(of_cell, deep, edges) for cell, of_cell in networks.items()}
    return curves_figure(by_length, by_depth, longest, deepest)


def draw_curves(axes: Axes, curves: Mapping[str, Curve], what: str, trained_to: int) -> Axes:
    """The median share of accepted words for every cell, with the span of all its networks.

    What lies in the training window, up to `trained_to`, is shaded.
    """
    axes.axvspan(0, trained_to, color="#eeeeee", linewidth=0, label="_training window", zorder=0)
    for cell, curve in curves.items():
        shares = 100 * curve.shares
        spans = zip(shares.min(axis=0), np.median(shares, axis=0), shares.max(axis=0), strict=True)
        label = f"{title_of(cell)}, {plural(len(shares), 'run')}"
        draw_band(axes, curve.at, spans, CELL_LOOKS[cell], label=label)
    axes.set_xlim(left=0)
    axes.set_ylim(-3, 103)
    axes.set_xlabel(what)
    axes.set_ylabel("accepted words, %")
    return axes


def curves_figure(
    by_length: Mapping[str, Curve], by_depth: Mapping[str, Curve], longest: int, deepest: int
) -> Figure:
    """By length and by depth side by side; `longest` and `deepest` are those of training."""
    figure = new_figure(TEXT_WIDTH, 3.1)
    left, right = figure.subplots(1, 2, sharey=True)
    draw_curves(left, by_length, "length", longest)
    draw_curves(right, by_depth, "maximum depth", deepest)
    right.set_ylabel("")
    right.set_xscale("log")
    right.set_xlim(left=0.8 * min(curve.at.min() for curve in by_depth.values()))
    set_logarithmic(right.xaxis, _DEPTHS)
    for axes, what, most in ((left, "lengths", longest), (right, "depths", deepest)):
        axes.set_title(f"shaded: {what} of training words, to {most}", color="#555555", fontsize=7.5)
    lines, texts = left.get_legend_handles_labels()
    legend_above(figure, lines, texts, 3, handlelength=3)
    return figure
