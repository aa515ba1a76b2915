"""Figures of any one network, whatever it was trained for."""

from __future__ import annotations

import shlex
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from abacist.analysis import Matching, TraceReading, counting_words, follow, match_units
from abacist.fields import check_fields
from abacist.languages import Language
from abacist.report.figures.house_style import COLOURS, DASHED, TEXT_WIDTH, new_figure, style
from abacist.report.figures.paper_pictures import richest_word
from abacist.report.figures.picture import Picture
from abacist.report.figures.states import NAMES, legend_beside
from abacist.report.figures.traces import trace_figure
from abacist.report.figures.word_axis import show_word
from abacist.specs import Networks
from abacist.wording import escape_controls

#: Words over which units are matched to pairs, and of which the one with the greatest depths is followed.
_WORDS = 200


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


def draw_fitted(axes: Axes, reading: TraceReading, unit: int, counter: int, name: str) -> Axes:
    """The state of a unit, solid, and a counter's depth, dashed, scaled to be as near to it as possible."""
    state = np.nan_to_num(np.asarray(reading.values(name)[:, unit], float))
    depth = reading.depths[:, counter].astype(float)
    spread = depth.var()
    slope = ((depth - depth.mean()) * (state - state.mean())).mean() / spread if spread else 0.0
    steps, colour = np.arange(1, len(reading) + 1), COLOURS[counter % len(COLOURS)]
    fitted = state.mean() + slope * (depth - depth.mean())
    pair = reading.language.counter_names[counter]
    axes.plot(
        steps, fitted, linestyle=DASHED, color="#555555", linewidth=1.1, label=f"depth of {pair}, scaled"
    )
    axes.plot(steps, state, color=colour, label=NAMES.get(name, name))
    return show_word(axes, reading.glyphs, reading.wrong)


@style()
def units_figure(reading: TraceReading, matching: Matching, name: str, title: str) -> Figure:
    """A row of axes for every counter: the unit that is matched to it, over its depth on the unit's scale."""
    matched = [(counter, unit) for counter, unit in enumerate(matching.units) if unit is not None]
    figure = new_figure(TEXT_WIDTH, 0.8 + 1.15 * len(matched))
    grid = figure.subplots(len(matched), 1, squeeze=False)[:, 0]
    for axes, (counter, unit) in zip(grid, matched, strict=True):
        legend_beside(draw_fitted(axes, reading, unit, counter, name))
        text = f"{matching.correlations[unit, counter]:+.3f}".replace("-", "\N{MINUS SIGN}")
        pair = reading.language.counter_names[counter]
        axes.set_title(f"unit {unit + 1} and the pair {pair}   correlation {text}")
        if axes is not grid[-1]:
            axes.tick_params(labelbottom=False)
            axes.set_xlabel("")
    figure.suptitle(escape_controls(title), x=0.01, ha="left", fontsize=9.5, parse_math=False)
    return figure


def states_picture(network: OwnNetwork) -> Picture:
    """All states of a network along a word, below the depths."""
    states = network.networks.layout.cell.state_names
    name, wrong = network.language.name, "An apostrophe marks a wrong step."
    meaning = (
        f"The depths of a word of {name}, and below them all states of {network.title}. {wrong} Of {_WORDS} "
        "words, drawn uniformly, it is the one in which all pairs go deepest."
    )
    if not network.language.counter_names:
        meaning = f"A word of {name}, and all states of {network.title}. {wrong}"
    return Picture(
        f"{network.name}-states",
        f"States of {network.title}",
        meaning,
        _command(network, "states"),
        lambda: trace_figure(network.reading(), states, network.title),
    )


def units_picture(network: OwnNetwork) -> Picture:
    """Each unit of a network over the depth of the pair that it is matched to."""

    return Picture(
        f"{network.name}-units",
        f"Which unit counts what in {network.title}",
        "Solid: the state of a unit. Dashed: the depth of the pair that the unit is matched to, by the "
        f"correlation of the two over {_WORDS} words of {network.language.name}, drawn uniformly; scaled and "
        "shifted to be as near to the state as possible, so that a unit that counts lies on it.",
        _command(network, "units"),
        lambda: units_figure(network.reading(), network.matching(), network.remembers, network.title),
    )


#: The figures of a network, by the end of their names.
NETWORK_PICTURES: dict[str, Callable[[OwnNetwork], Picture]] = {
    "states": states_picture,
    "units": units_picture,
}


def _command(network: OwnNetwork, figure: str) -> str:
    return f"abacist figures {shlex.quote(network.place)} --only {figure}"
