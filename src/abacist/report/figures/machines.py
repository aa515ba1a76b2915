"""Counter machines, drawn: a circle for every control state, an arrow for every pair of states with moves."""

from __future__ import annotations

from typing import Any

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Circle, FancyArrowPatch

from abacist.languages import CounterAutomaton, CounterMove, Language
from abacist.report.figures.house_style import COLOURS, new_figure, style

#: The distance of two states, the radius of one, and the height of a line of text.
_APART, _RADIUS, _LINE = 4.0, 0.42, 0.235

#: Counters are called n with a number below.
_BELOW = str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉")


def machine_figure(machine: CounterAutomaton, language: Language[Any]) -> Figure:
    """A figure of a counter machine over a language's symbols."""
    loops = max(sum(m.source == m.target == s for m in machine.moves) for s in range(machine.states))
    width = _APART * (machine.states - 1) + 4.6
    height = 2.4 + _LINE * loops + 0.5 * (machine.states > 1)
    with style():
        figure = new_figure(0.75 * width, 0.75 * height)
        draw_machine(figure.add_subplot(), machine, language)
    return figure


def draw_machine(axes: Axes, machine: CounterAutomaton, language: Language[Any]) -> Axes:
    """Draw a counter machine; a label says the symbol, what it tests and what it adds."""
    axes.set_axis_off()
    axes.set_aspect("equal")
    for state in range(machine.states):
        x = _APART * state
        axes.add_patch(Circle((x, 0), _RADIUS, facecolor="white", edgecolor="black", linewidth=1.1, zorder=3))
        if state in machine.accepting_states:
            axes.add_patch(Circle((x, 0), 0.84 * _RADIUS, fill=False, linewidth=0.8, zorder=4))
        axes.text(x, 0, str(state), ha="center", va="center", zorder=5)
    _arrow(axes, (-1.25, 0), (-_RADIUS, 0), 0)
    axes.text(-1.32, 0, "start", ha="right", va="center")
    grouped: dict[tuple[int, int], list[str]] = {}
    for move in machine.moves:
        grouped.setdefault((move.source, move.target), []).append(_label(move, language))
    top, bottom = _RADIUS, -_RADIUS
    for (source, target), labels in grouped.items():
        begin, end = _APART * source, _APART * target
        if source == target:
            _arrow(axes, (begin - 0.22, 0.36), (begin + 0.22, 0.36), -2.6)
            x, y, place = begin, 1.05, "bottom"
        else:
            side, place = (1, "bottom") if source < target else (-1, "top")
            _arrow(axes, (begin + 0.4 * side, 0.12 * side), (end - 0.4 * side, 0.12 * side), -0.12)
            x, y = (begin + end) / 2, 0.42 * side
        axes.text(x, y, "\n".join(labels), ha="center", va=place, ma="left", linespacing=1.35)
        top = max(top, y + _LINE * len(labels) if place == "bottom" else y)
        bottom = min(bottom, y - _LINE * len(labels) if place == "top" else y)
    pairs = zip(_names(language), language.counter_names, strict=True)
    depths = [f"{name} of {pair}" for name, pair in pairs]
    depths[0] = depths[0].replace(" of", " is the depth of", 1)
    last, text = _APART * (machine.states - 1), ", ".join(depths)
    axes.text(last / 2, bottom - 0.2, text, ha="center", va="top", fontsize="small", color=COLOURS[7])
    axes.set_xlim(-2.3, last + 2.3)
    axes.set_ylim(bottom - 0.55, top + 0.1)
    return axes


def _arrow(axes: Axes, begin: tuple[float, float], end: tuple[float, float], bend: float) -> None:
    arrow = FancyArrowPatch(
        begin, end, connectionstyle=f"arc3,rad={bend}", arrowstyle="-|>", mutation_scale=9,
        color=COLOURS[0], linewidth=1.1, shrinkA=0, shrinkB=0, zorder=2,
    )  # fmt: skip
    axes.add_patch(arrow)


def _names(language: Language[Any]) -> list[str]:
    count = len(language.counter_names)
    return ["n"] if count == 1 else [f"n{number + 1}".translate(_BELOW) for number in range(count)]


def _label(move: CounterMove, language: Language[Any]) -> str:
    """A move in a line, such as `)  if n > 0:  n − 1`."""
    names = _names(language)
    tested = zip(names, move.tests, strict=True)
    tests = [f"{n} {'= 0' if t == '0' else '> 0'}" for n, t in tested if t != "*"]
    added = [f"{n} {'+' if u > 0 else '−'} 1" for n, u in zip(names, move.updates, strict=True) if u]
    condition = f"  if {' and '.join(tests)}" if tests else ""
    return f"{language.alphabet.glyphs[move.symbol]}{condition}  →  {', '.join(added) or 'nothing'}"
