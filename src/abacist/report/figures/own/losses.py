"""Losses as training goes on: the median of all runs of a line, and the middle half of them."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator
from numpy.typing import NDArray

from abacist.experiments import Results, Run
from abacist.report.figures.house_style import style
from abacist.report.figures.own.arrangement import Arrangement, Look
from abacist.report.figures.own.quantile_lines import BAND, add_legend, panels
from abacist.report.figures.picture import Picture
from abacist.report.figures.runs_for_figures import MissingRuns, command
from abacist.report.own_runs import OwnRuns
from abacist.wording import several

#: Epochs beyond which a line has no marker at each.
_MOST_MARKERS = 12


def loss_quartiles(runs: Iterable[Run]) -> NDArray[np.float64]:
    """The quartiles of the losses of every epoch, (quartile, epoch), where any is finite."""
    losses = [run.outcome.losses for run in runs]
    longest = max(map(len, losses), default=0)
    whole = np.full((len(losses), longest), np.nan)
    for number, own in enumerate(losses):
        whole[number, : len(own)] = own
    whole[~np.isfinite(whole)] = np.nan
    there = np.isfinite(whole).any(axis=0)
    found = np.full((len(BAND), longest), np.nan)
    if there.any():
        found[:, there] = np.nanquantile(whole[:, there], BAND, axis=0)
    return found


def draw_losses(axes: Axes, quartiles: NDArray[np.float64], look: Look) -> Axes:
    """The median loss of every epoch, from the first, with the middle half of the runs as a band."""
    colour, marker, kind = look
    low, middle, high = quartiles
    epochs = np.arange(1, len(middle) + 1)
    axes.fill_between(epochs, low, high, color=colour, alpha=0.15, linewidth=0)
    axes.plot(
        epochs, middle, color=colour, linestyle=kind, marker=marker, label="_median", clip_on=False,
        markevery=1 + (len(epochs) - 1) // _MOST_MARKERS,
    )  # fmt: skip
    return axes


def losses_picture(results: Results, own: OwnRuns) -> Picture:
    """The losses of all runs by epoch, a panel for every row of the arrangement."""
    name = "own-losses"
    own = own.trained
    arranged = Arrangement.of(own)
    if not any(np.isfinite(run.outcome.losses).sum() > 1 for run in own.runs if run.outcome.losses):
        raise MissingRuns(f"{name}: no run has finite losses of at least two epochs")
    lost = sum(run.outcome.diverged is not None for run in own.runs)
    diverged = f" {several(lost, 'run')} diverged; a loss that is not finite is left out." if lost else ""
    return Picture(
        name,
        "Loss by epoch",
        "The mean loss of each epoch on a logarithmic scale: the line is the median of the runs, its band "
        f"spans the middle half of them. {several(len(own.runs), 'run')}.{diverged}{arranged.said()}",
        command(results, name),
        style()(lambda: _figure(arranged)),
    )


def _figure(arranged: Arrangement) -> Figure:
    figure, grid = panels(1, len(arranged.rows), height=2.3)
    for axes, row in zip(grid[0], arranged.rows, strict=True):
        for line in arranged.lines:
            found = loss_quartiles(arranged.all_runs(row, line))
            if np.isfinite(found).any():
                draw_losses(axes, found, arranged.looks()[line])
        axes.set_yscale("log")
        axes.xaxis.set_major_locator(MaxNLocator(6, integer=True))
        axes.set_xlabel("epochs")
        axes.set_title(arranged.title(row))
    grid[0, 0].set_ylabel("loss")
    add_legend(figure, arranged)
    return figure
