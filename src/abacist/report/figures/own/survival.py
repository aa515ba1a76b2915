"""Survival: the share of runs that reach at least so much, in accuracy or in length."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from numpy.typing import NDArray

from abacist.analysis import Horizon
from abacist.experiments import Results, Run, percents
from abacist.report.figures.house_style import style
from abacist.report.figures.own.accuracy_pictures import NOT_JUDGED
from abacist.report.figures.own.arrangement import Arrangement, Look, shown_sets
from abacist.report.figures.own.quantile_lines import add_legend, length_axis, panels, percent_axis
from abacist.report.figures.picture import Picture
from abacist.report.figures.runs_for_figures import MissingRuns, command
from abacist.report.own_runs import OwnRuns
from abacist.wording import several

#: Why there is no figure of horizons.
NO_HORIZON = "no run has a horizon; `horizon = { to = 200 }` in the file of an experiment asks for them"

#: Steps of a curve beyond which not all of them are marked.
_MOST_MARKERS = 10


def share_at_least(reached: Sequence[float], at: NDArray[np.float64]) -> NDArray[np.float64]:
    """The share in percent of runs that reached at least so much, for every amount, (amount)."""
    ordered = np.sort(np.asarray(reached, np.float64))
    return 100 * (len(ordered) - np.searchsorted(ordered, at, side="left")) / len(ordered)


def draw_survival(
    axes: Axes, reached: Sequence[float], first: float, last: float, look: Look, *, thin: bool = False
) -> Axes:
    """A curve from `first` to `last` that falls where a run reached no further; a thin one has no marks."""
    colour, marker, kind = look
    inside = sorted({first, last, *(value for value in reached if first < value < last)})
    at = np.array(inside, np.float64)
    axes.step(
        at, share_at_least(reached, at), where="pre", color=colour, linestyle=kind, clip_on=False,
        marker="" if thin else marker, markevery=1 + (len(at) - 1) // _MOST_MARKERS,
        markersize=4, linewidth=0.7 if thin else 1.4, label="_thin share" if thin else "_share",
    )  # fmt: skip
    return axes


def survival_picture(results: Results, own: OwnRuns) -> Picture:
    """The share of runs with at least so much accuracy, on every set."""
    name, sets = "own-survival", shown_sets(own)
    if not sets or len(own.runs) < 2:
        why = NOT_JUDGED if not sets else "one run has no share"
        raise MissingRuns(f"{name}: {why}")
    arranged = Arrangement.of(own)
    return Picture(
        name,
        "How many runs reach which accuracy",
        "The share of runs whose accuracy is at least that on the axis below: the further a line stays up to "
        f"the right, the more runs of its kind learn the task. {several(len(own.runs), 'run')}."
        f"{arranged.said()}",
        command(results, name),
        style()(lambda: _accuracy_figure(arranged, sets)),
    )


def _accuracy_figure(arranged: Arrangement, sets: Sequence[str]) -> Figure:
    figure, grid = panels(len(arranged.rows), len(sets))
    for at, row in enumerate(arranged.rows):
        for axes, judged_on in zip(grid[at], sets, strict=True):
            for line in arranged.lines:
                found = percents(arranged.all_runs(row, line), judged_on)
                if len(found):
                    draw_survival(axes, found.tolist(), 0, 100, arranged.looks()[line])
            axes.set_title(arranged.title(row, f"{judged_on} set"))
            axes.set_xticks(range(0, 101, 25))
            percent_axis(axes)
            if at == len(arranged.rows) - 1:
                axes.set_xlabel("accuracy at least, %")
        grid[at, 0].set_ylabel("runs, %")
    add_legend(figure, arranged)
    return figure


def horizons_of(runs: Sequence[Run]) -> list[Horizon]:
    """The known horizons of networks as they are."""
    return [horizon for run in runs if (horizon := run.outcome.horizon()) is not None]


def said_of_outside(own: OwnRuns) -> str:
    """What a caption says where there are models from outside, of which nothing is proved."""
    if not any(run.spec.outside for run in own.runs):
        return ""
    return " Of models from outside nothing is proved: there, every word up to that length was tried."


def proved_picture(results: Results, own: OwnRuns) -> Picture:
    """The share of networks that are proved right, and of those not known to be wrong, up to every length."""
    name, known = "own-proved", horizons_of(own.runs)
    if not known:
        raise MissingRuns(f"{name}: {NO_HORIZON}")
    arranged = Arrangement.of(own)
    return Picture(
        name,
        "How many networks are right on every word up to a length",
        "Lines with marks: the share of networks that are proved right on every word of up to so many "
        "symbols. Thin lines, never below: the share of which no wrong word of at most so many symbols is "
        "known. Of the networks between the two, shaded, it is not known. "
        f"{several(len(known), 'network')}.{said_of_outside(own)}{arranged.said()}",
        command(results, name),
        style()(lambda: _proved_figure(arranged)),
    )


def _fill_between(
    axes: Axes, proved: Sequence[float], right: Sequence[float], last: float, colour: str
) -> None:
    """Shade the networks that are neither proved right nor known to be wrong."""
    at = np.array(sorted({1.0, last, *(v for v in (*proved, *right) if 1 < v < last)}))
    low, high = share_at_least(proved, at), share_at_least(right, at)
    axes.fill_between(at, low, high, step="pre", color=colour, alpha=0.15, linewidth=0)


def _proved_figure(arranged: Arrangement) -> Figure:
    figure, grid = panels(1, len(arranged.rows), height=2.4, legend=0.6)
    looked = max(max(h.looked, h.proved, 2) for h in horizons_of(arranged.own.runs))
    for axes, row in zip(grid[0], arranged.rows, strict=True):
        for line in arranged.lines:
            found = horizons_of(arranged.all_runs(row, line))
            look = arranged.looks()[line]
            if found:
                proved = [float(h.proved) for h in found]
                draw_survival(axes, proved, 1, looked, look)
                right = [np.inf if h.wrong is None else len(h.wrong) - 1.0 for h in found]
                draw_survival(axes, right, 1, looked, look, thin=True)
                _fill_between(axes, proved, right, looked, look[0])
        length_axis(axes, looked, len(arranged.rows))
        axes.set_title(arranged.title(row))
        percent_axis(axes)
    grid[0, 0].set_ylabel("networks, %")
    proof = Line2D([], [], color="black", marker=".", markersize=7)
    add_legend(
        figure,
        arranged,
        {"proved right": proof, "not known wrong": Line2D([], [], color="black", linewidth=0.7)},
    )
    return figure
