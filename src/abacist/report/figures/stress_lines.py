"""The share of networks that are still right on structured words, by length."""

from __future__ import annotations

from collections.abc import Sequence

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from abacist.errors import BadInput
from abacist.report.figures.house_style import (
    COLOURS,
    MARKERS,
    ROUNDS,
    TEXT_WIDTH,
    new_figure,
    style,
    title_of,
)
from abacist.report.stress_tables import StressedNetworks
from abacist.wording import plural

#: Panels side by side.
_COLUMNS = 3


def draw_stress(axes: Axes, task: StressedNetworks) -> Axes:
    """A line for every family that has words: the share of networks right up to each length."""
    stress = task.stress
    shares = 100 * stress.still_right.mean(axis=0)
    for number, name in enumerate(stress.families):
        known = stress.words[number] > 0
        if known.any():
            axes.plot(
                stress.actual[number][known], shares[number][known],
                color=COLOURS[number % len(COLOURS)], linestyle=ROUNDS[number // len(COLOURS) % len(ROUNDS)],
                marker=MARKERS[number % len(MARKERS)], label=name, clip_on=False,
            )  # fmt: skip
    axes.set_xscale("log")
    axes.set_ylim(-3, 103)
    axes.set_yticks(range(0, 101, 25))
    last = "" if task.steps == "all" else ", last step"
    units = plural(task.hidden, "unit")
    axes.set_title(
        f"{title_of(task.language)}, {title_of(task.cell)}, {units}{last}: {plural(len(stress), 'run')}",
        fontsize=7,
    )
    return axes


@style()
def stress_figure(tried: Sequence[StressedNetworks]) -> Figure:
    """A panel for every task."""
    if not tried:
        raise BadInput("stress_figure: at least one task is needed, got none")
    columns = min(_COLUMNS, len(tried))
    rows = -(-len(tried) // columns)
    figure = new_figure(TEXT_WIDTH if columns > 1 else 0.6 * TEXT_WIDTH, 0.9 + 1.7 * rows)
    grid = figure.subplots(rows, columns, sharex=True, sharey=True, squeeze=False)
    for place, axes in enumerate(grid.flat):
        if place < len(tried):
            draw_stress(axes, tried[place])
        else:
            axes.set_visible(False)
        if place + columns >= len(tried):
            axes.set_xlabel("length")
            axes.tick_params(labelbottom=True)
    for axes in grid[:, 0]:
        axes.set_ylabel("runs still right, %")
    handles = {
        name: line for axes in grid.flat for line, name in zip(*axes.get_legend_handles_labels(), strict=True)
    }
    figure.legend(
        list(handles.values()), list(handles), loc="outside upper center", ncols=4 if columns > 1 else 3,
        handlelength=3,
    )  # fmt: skip
    return figure
