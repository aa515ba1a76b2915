"""Figures of horizons: do the networks count? From the proved length to the wrong word, and by cell."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from math import isfinite

import numpy as np
from matplotlib.axes import Axes
from matplotlib.cm import ScalarMappable
from matplotlib.colors import Colormap, LinearSegmentedColormap, Normalize
from matplotlib.figure import Figure

from abacist.analysis import Horizon
from abacist.corpora import PAPER
from abacist.experiments import KnownHorizon, Results, experiment_named, percents
from abacist.report.figures.house_style import (
    CELL_LOOKS,
    Look,
    legend_above,
    panels,
    set_logarithmic,
    set_percents,
    set_rows,
    title_of,
)
from abacist.report.figures.picture import Content, captioned, missing
from abacist.report.horizon_tables import horizons_of, quantile, wrong_at
from abacist.wording import plural

#: What is known of a network: its accuracy on the long set in percent, and its horizon.
Known = tuple[float, Horizon]

#: By cell and number of units, the networks to draw.
KnownNetworks = Mapping[tuple[str, int], Sequence[Known]]

#: Where a bar ends without a wrong word; a triangle would be taken for an LSTM's mark.
ARROW = r"$\rightarrow$"

#: Networks of equal accuracy are moved apart by up to so many percent, so that none hides another.
_APART = 2.5

#: From white through the palest blue that shows on white to the darkest: accuracy on the long set.
_ACCURACY: Colormap = LinearSegmentedColormap.from_list(
    "accuracy", ["#ffffff", "#9ecae1", "#0072B2", "#00334f"]
)

#: Thin and thick lines of a survey: the shares of the networks that lie within them.
_SPANS = ((0.05, 0.95, 0.7), (0.25, 0.75, 2.2))


def brackets_picture(results: Results) -> Content:
    networks: dict[str, dict[tuple[str, int], list[Known]]] = {}
    for spec in (task.spec for task in experiment_named("counting").tasks):
        known = [
            (100 * share, horizon)
            for run in results.by_spec.get(spec, ())
            if (share := run.accuracy("long")) is not None and (horizon := run.outcome.horizon()) is not None
        ]
        if known:
            networks.setdefault(spec.language.name, {})[spec.cell.name, spec.hidden] = known
    if not networks:
        raise missing(results, "counting", "horizons")
    count = sum(len(known) for by_cell in networks.values() for known in by_cell.values())
    low, high = window = (PAPER.long.low, PAPER.long.high)
    return captioned(
        "horizons",
        lambda: brackets_figure(networks, window),
        low=low,
        high=high,
        networks=plural(count, "network"),
    )


def draw_brackets(axes: Axes, networks: KnownNetworks) -> Axes:
    """A bar for every network: a tick where the proof ends, a mark at the wrong word, or an arrow."""
    fewest = min((units for _, units in networks), default=0)
    for (cell, units), known in networks.items():
        colour, marker, _ = CELL_LOOKS[cell]
        several_sizes = len({size for other, size in networks if other == cell}) > 1
        inside = "white" if several_sizes and units == fewest else colour
        ordered = sorted(known, key=lambda one: (one[0], one[1].proved))
        for (accuracy, horizon), aside in zip(ordered, _beside(len(known), _APART), strict=True):
            height, start, wrong = accuracy + aside, max(horizon.proved, 1), horizon.wrong
            end = _end_of(horizon)
            axes.plot([start, end], [height, height], color=colour, linewidth=1, label="_bracket")
            axes.plot([start], [height], "|", color=colour, markersize=4, label="_proved")
            axes.plot(
                [end], [height], marker=ARROW if wrong is None else marker, linestyle="", color=colour,
                markersize=6 if wrong is None else 4, markeredgewidth=0.4 if wrong is None else 0.8,
                markerfacecolor=colour if wrong is None else inside, label="_wrong", clip_on=False,
            )  # fmt: skip
    furthest = max((_end_of(horizon) for known in networks.values() for _, horizon in known), default=1)
    set_logarithmic(axes.xaxis, _ticks(max(200, furthest)))
    axes.set_xlim(1, 1.25 * max(200, furthest))
    set_percents(axes, 4)
    return axes


def _beside(count: int, most: float) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    """How far each of some networks is moved, so that none hides another."""
    return most * np.linspace(-1, 1, count) if count > 1 else np.zeros(count)


def _end_of(horizon: Horizon) -> int:
    """Where a bar ends: at the wrong word, or where it was looked for in vain."""
    return max(horizon.looked, horizon.proved, 1) if horizon.wrong is None else len(horizon.wrong)


def _ticks(most: int) -> list[int]:
    """1, 2, 5, 10 and so on."""
    return [n * 10**power for power in range(len(str(most))) for n in (1, 2, 5) if n * 10**power <= most]


def brackets_figure(networks: Mapping[str, KnownNetworks], long_set: tuple[int, int]) -> Figure:
    """Accuracy on the long set against the horizon's bracket, a panel for every language."""
    labels = ("length of words, symbols", "accuracy on the long set, %")

    def draw(axes: Axes, by_cell: KnownNetworks) -> None:
        axes.axvspan(*long_set, color="#eeeeee", linewidth=0, zorder=0)
        draw_brackets(axes, by_cell)

    contents = [(title_of(language), by_cell) for language, by_cell in networks.items()]
    figure = panels(contents, draw, 2, 0.5, 2.3, labels)
    cells = dict.fromkeys(cell for by_cell in networks.values() for cell, _ in by_cell)
    entries = [CELL_LOOKS[cell].entry(linestyle="-", linewidth=1) for cell in cells]
    entries += [Look("black", marker, "").entry(markersize=6) for marker in ("|", ARROW)]
    texts = [*(f"{title_of(cell)}, wrong at" for cell in cells), "proved to", "no wrong word found"]
    legend_above(figure, entries, texts, columnspacing=1.2)
    return figure


def saturation_picture(results: Results) -> Content:
    networks: dict[str, list[tuple[KnownHorizon, ...]]] = {}
    for task in experiment_named("counting").tasks:
        title = f"{title_of(task.spec.language.name)}, {plural(task.spec.hidden, 'unit')}"
        for run in results.by_spec.get(task.spec, ()) if len(task.horizons) > 1 else ():
            if run.outcome.horizons:
                networks.setdefault(title, []).append(run.outcome.latest_horizons)
    if not networks:
        raise missing(results, "counting", "horizons")
    return captioned("saturation", lambda: saturation_figure(networks))


def draw_saturation(axes: Axes, networks: Sequence[Sequence[KnownHorizon]]) -> Axes:
    """How far each network is proved, against what its gates' inputs are multiplied by.

    A mark is full where no wrong word is known, and open where one is.
    """
    colour, marker, _ = CELL_LOOKS["lstm"]
    lengths = _ticks(max([200, *(one.horizon.proved for known in networks for one in known)]))
    top = 2 * lengths[-1]  # above all lengths
    for known, aside in zip(networks, _beside(len(networks), 0.2), strict=True):
        ordered = sorted(known, key=lambda one: one.factor)
        across = [one.factor * 2**aside for one in ordered]
        proved = [top if one.every_word else max(one.horizon.proved, 1) for one in ordered]
        axes.plot(across, proved, color=colour, linewidth=0.6, alpha=0.5, label="_network")
        for one, x, y in zip(ordered, across, proved, strict=True):
            inside = colour if one.horizon.wrong is None else "white"
            axes.plot([x], [y], marker, color=colour, markerfacecolor=inside, markersize=4, label="_proved")
    set_logarithmic(axes.xaxis, sorted({one.factor for known in networks for one in known}), base=2)
    set_logarithmic(axes.yaxis, [*lengths, top], [*map(str, lengths), "every word"])
    axes.set_xlabel("gates' inputs multiplied by")
    return axes


def saturation_figure(networks: Mapping[str, Sequence[Sequence[KnownHorizon]]]) -> Figure:
    """How far networks are proved as their gates are sharpened, a panel for every task."""
    labels = ("", "proved to, symbols")
    figure = panels([*networks.items()], draw_saturation, len(networks), 0, 2.9, labels)
    look = CELL_LOOKS["lstm"]
    entries = [look.entry(linestyle="", markerfacecolor=inside) for inside in (look.colour, "white")]
    legend_above(figure, entries, ["no wrong word was found", "a wrong word is known"])
    return figure


@dataclass(frozen=True)
class Panel:
    """A language of a survey: how long the words were that networks were trained on, and how far was looked.

    `cells` have the lengths of their networks' wrong words in order, infinite for none, and the median
    accuracy.
    """

    trained_on: int
    looked: int
    cells: dict[str, tuple[Sequence[float], float]]


def survey_picture(results: Results) -> Content:
    languages, count = dict[str, Panel](), 0
    for task in experiment_named("zoo").tasks:
        runs = results.by_spec.get(task.spec, ())
        horizons = horizons_of(runs)
        accuracy = percents(runs, "long")
        if horizons and len(accuracy):
            panel = Panel(task.spec.short.high, max(horizon.search.to for horizon in horizons), {})
            cells = languages.setdefault(task.spec.language.name, panel).cells
            cells[task.spec.cell.name] = wrong_at(horizons), float(np.median(accuracy))
            count += len(horizons)
    if not languages:
        raise missing(results, "zoo", "horizons")
    return captioned("zoo", lambda: survey_figure(languages), networks=plural(count, "network"))


def draw_panel(axes: Axes, panel: Panel, cells: Sequence[str]) -> Axes:
    """For every cell the span of its wrong words, and their median, as dark as it is accurate."""
    never = 3.0 * panel.looked  # where networks without a wrong word stand
    axes.axvspan(1, panel.trained_on, color="#eeeeee", linewidth=0, zorder=0)
    for place, cell in enumerate(cells):
        if cell not in panel.cells:
            continue
        lengths, accuracy = panel.cells[cell]
        ends = {share: quantile(lengths, share) for share in (0.05, 0.25, 0.5, 0.75, 0.95)}
        at = {share: max(end, 1.0) if isfinite(end) else never for share, end in ends.items()}
        for low, high, width in _SPANS:
            axes.plot([at[low], at[high]], [place, place], color="#555555", linewidth=width, label="_span")
        axes.plot(
            [at[0.5]], [place], "o", markersize=5, markerfacecolor=_ACCURACY(accuracy / 100),
            markeredgecolor="black", markeredgewidth=0.6, clip_on=False, label=f"_{cell}",
        )  # fmt: skip
    numbers = [10**power for power in range(1 + int(np.log10(panel.looked / 2)))]
    set_logarithmic(axes.xaxis, [*numbers, never], [*map(str, numbers), "∞"])
    axes.set_xlim(1, 1.3 * never)
    set_rows(axes, cells)
    return axes


def survey_figure(languages: Mapping[str, Panel]) -> Figure:
    """All panels side by side."""
    cells = list(dict.fromkeys(cell for panel in languages.values() for cell in panel.cells))
    contents = [(title_of(language), panel) for language, panel in languages.items()]
    draw = partial(draw_panel, cells=cells)
    figure = panels(contents, draw, len(languages), 1.0, 0.18 * len(cells))
    figure.supxlabel("length of the shortest word found that a network gets wrong, symbols", fontsize=8.5)
    scale = ScalarMappable(Normalize(0, 100), _ACCURACY)
    bar = figure.colorbar(scale, ax=figure.axes, location="top", fraction=0.02, aspect=60, pad=0.01)
    bar.set_label("median accuracy on the long set, %")
    return figure
