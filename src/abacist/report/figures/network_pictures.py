"""Figures of any networks: one along a word, what the units of many do, how many are right on long words."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from abacist.analysis import (
    COUNTS,
    FOLLOWS,
    Matching,
    StateUnits,
    TraceReading,
    counting_units,
    counting_words,
    follow,
    match_units,
)
from abacist.errors import BadInput
from abacist.experiments import Results, Run
from abacist.fields import check_fields
from abacist.languages import Language
from abacist.report.figures.along_words import counters_figure, trace_figure
from abacist.report.figures.house_style import (
    TEXT_WIDTH,
    legend_above,
    new_figure,
    nth_look,
    panels,
    set_percents,
    style,
    title_of,
)
from abacist.report.figures.paper_pictures import richest_word
from abacist.report.figures.picture import Content, Picture, captioned, runs_of_task
from abacist.report.network_tables import StressedNetworks
from abacist.specs import Networks
from abacist.wording import plural

#: Words over which units are matched to pairs, and of which the one with the greatest depths is followed.
_WORDS = 200

#: What belongs to a verdict on a unit: colour and marker.
_COUNTS, _FOLLOWS, _NEITHER = ("#0072B2", "o"), ("#D55E00", "s"), ("#767676", "D")

#: How far apart the marks of units of one verdict stand, if there is space, and the least for their figures;
#: how wide the column of units that do neither is, which may be all of a network's.
_APART, _LEAST, _WIDE = 0.44, 0.3, 2.0


@dataclass(frozen=True, eq=False)
class OwnNetwork:
    """One network to be drawn: `name` is for its files, `place` for the command that draws it again."""

    name: str
    title: str
    place: str
    networks: Networks
    run: int
    language: Language[Any]
    steps: str = "all"

    def __post_init__(self) -> None:
        check_fields(self)
        self.networks.check_language(self.language)
        self.networks.checked_run(self.run)

    def reading(self) -> TraceReading:
        """It on the word in which all pairs go deepest."""
        return self._on(richest_word(counting_words(self.language, count=_WORDS)))

    def matching(self) -> Matching:
        """Which of its units counts what, by its last state of units: for an LSTM, what it remembers."""
        words = counting_words(self.language, count=_WORDS)
        return match_units((self._on(word) for word in words), self.remembers)

    @property
    def remembers(self) -> str:
        return self.networks.layout.cell.plain_states[-1]

    def _on(self, word: Any) -> TraceReading:
        return follow(self.networks, self.run, self.language, word, steps=self.steps)


def _states_picture(network: OwnNetwork) -> Content:
    states, language = network.networks.layout.cell.state_names, network.language
    return captioned(
        "states" if language.counter_names else "states-without-counters",
        lambda: trace_figure(network.reading(), states, network.title),
        network=network.title,
        language=language.name,
        words=_WORDS,
    )


def _units_picture(network: OwnNetwork) -> Content:
    def make() -> Figure:
        matching, name = network.matching(), network.remembers
        return counters_figure(network.reading(), matching, name, title=network.title, scaled=True)

    return captioned("units", make, network=network.title, language=network.language.name, words=_WORDS)


#: The figures of a network, by the end of their names.
NETWORK_PICTURES: dict[str, Callable[[OwnNetwork], Content]] = {
    "states": _states_picture,
    "units": _units_picture,
}


def network_picture(network: OwnNetwork, kind: str) -> Picture:
    """One of these figures."""
    title, caption, make = NETWORK_PICTURES[kind](network)
    command = f"abacist figures {shlex.quote(network.place)} --only {kind}"
    return Picture(f"{network.name}-{kind}", title, caption, command, style()(make))


def unit_verdicts_picture(results: Results) -> Content:
    runs = runs_of_task(results, "table-3", "shuffle-6", "lstm")[:10]
    return captioned("counters", lambda: _unit_verdicts(runs), counts=COUNTS, follows=FOLLOWS)


def _unit_verdicts(runs: Sequence[Run]) -> Figure:
    language = runs[0].spec.language
    words, states = counting_words(language), {}
    for run in runs:
        share = run.accuracy("long")
        name = f"seed {run.seed}" + ("" if share is None else f", {100 * share:.1f} %")
        states[name] = counting_units(run.networks, 0, words, states=("c",)).state("c")
    figure = new_figure(TEXT_WIDTH, 0.4 + 0.36 * len(states))
    draw_unit_verdicts(figure.subplots(), states, language.counter_names)
    return figure


def draw_unit_verdicts(axes: Axes, states: Mapping[str, StateUnits], counters: Sequence[str]) -> Axes:
    """A row for every network, a column for every counter, one for the length and one for neither.

    A mark is a unit, with its number; it stands where it belongs, with its highest absolute correlation
    below it if there is space. A counter that no unit counts is shaded.
    """
    follows = float(len(counters))
    neither, end = follows + 0.5 + _WIDE / 2, follows + 0.5 + _WIDE
    for row, state in enumerate(states.values()):
        places: dict[float, list[int]] = {}
        for unit, verdict in enumerate(state.verdicts()):
            column = follows if verdict.follows_length else neither
            places.setdefault(column if verdict.counter is None else verdict.counter, []).append(unit)
        for column, units in places.items():
            look = {follows: _FOLLOWS, neither: _NEITHER}.get(column, _COUNTS)
            apart = min(_APART, 0.9 * (_WIDE if column == neither else 1) / len(units))
            for place, unit in enumerate(units):
                x = column + apart * (place - (len(units) - 1) / 2)
                highest = max(*np.abs(state.matching.correlations[unit]), abs(state.with_length[unit]))
                _mark(axes, x, row, str(unit + 1), f"{highest:.3f}" if apart >= _LEAST else "", look)
        for counter in range(len(counters)):
            if counter not in places:
                shade = Rectangle((counter - 0.5, row - 0.5), 1, 1, color="#e6e6e6", linewidth=0, zorder=0)
                axes.add_patch(shade)
    axes.set_xticks([*range(len(counters)), follows, neither], [*counters, "length", "neither"])
    axes.set_yticks(range(len(states)), list(states))
    axes.set_xlim(-0.5, end)
    axes.set_ylim(len(states) - 0.5, -0.5)
    axes.tick_params(length=0, labeltop=True, labelbottom=False)
    axes.grid(visible=False)
    axes.hlines([row + 0.5 for row in range(len(states) - 1)], -0.5, end, "#dddddd", linewidth=0.5)
    axes.vlines([follows - 0.5, follows + 0.5], -0.5, len(states) - 0.5, "#767676", linewidth=0.7)
    for spine in axes.spines.values():
        spine.set_visible(False)
    return axes


def _mark(axes: Axes, x: float, row: int, number: str, highest: str, look: tuple[str, str]) -> None:
    colour, marker = look
    axes.plot([x], [row - 0.12], marker, color=colour, markersize=9.5, label=f"_unit {number}")
    axes.text(x, row - 0.11, number, color="white", ha="center", va="center", fontsize=6.5)
    axes.text(x, row + 0.34, highest, color=colour, ha="center", va="center", fontsize=6)


def draw_stress(axes: Axes, task: StressedNetworks) -> Axes:
    """A line for every family that has words: the share of networks right up to each length."""
    stress = task.stress
    shares = 100 * stress.still_right.mean(axis=0)
    for number, name in enumerate(stress.families):
        exists = stress.words[number] > 0
        if exists.any():
            across, up = stress.actual[number][exists], shares[number][exists]
            nth_look(number).plot(axes, across, up, label=name, clip_on=False)
    axes.set_xscale("log")
    set_percents(axes)
    last = "" if task.steps == "all" else ", last step"
    units, runs = plural(task.hidden, "unit"), plural(len(stress), "run")
    axes.set_title(f"{title_of(task.language)}, {title_of(task.cell)}, {units}{last}: {runs}", fontsize=7)
    return axes


@style()
def stress_figure(tried: Sequence[StressedNetworks]) -> Figure:
    """The share of networks that are still right on structured words, by length: a panel for every task."""
    if not tried:
        raise BadInput("stress_figure: at least one task is needed, got none")
    columns = min(3, len(tried))
    width = TEXT_WIDTH if columns > 1 else 0.6 * TEXT_WIDTH
    labels = ("length", "runs still right, %")
    contents = [("", task) for task in tried]
    figure = panels(contents, draw_stress, columns, 0.9, 1.7, labels, width=width, sharex=True)
    lines: dict[str, Artist] = {}
    for axes in figure.axes:
        lines |= {name: line for line, name in zip(*axes.get_legend_handles_labels(), strict=True)}
    legend_above(figure, list(lines.values()), list(lines), 4 if columns > 1 else 3, handlelength=3)
    return figure
