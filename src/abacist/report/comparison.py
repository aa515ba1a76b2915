"""Comparisons as people read them: a table, sentences for a paper, and a figure of differences."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from math import isfinite
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from abacist.experiments import SETS
from abacist.experiments.comparison import EQUAL, INCONCLUSIVE, LARGER, Comparison, Difference
from abacist.experiments.paired import FEWEST, Range
from abacist.fields import checked
from abacist.labels import label_of
from abacist.report.figures.house_style import COLOURS, TEXT_WIDTH, new_figure, set_rows, style
from abacist.report.figures.own.arrangement import in_words
from abacist.report.tables import Column, PValue, Table, headed, known_number, latex
from abacist.wording import plural

#: What a measure that is no set of words is called in a sentence.
_CALLED = {
    "horizon": "shortest wrong word",
    "certified": "proved right on every word",
    "epochs": "epochs until the short set is accepted",
}

#: What programs read of a difference, beside the columns.
_FURTHER = ("difference low", "difference high", "low", "high", "unit", "P low", "P high", "more seeds")

_METHOD = (
    "Differences are first − second, medians over the seeds that both have; intervals are for single rows. "
    "P-values are of permutations; Holm's are adjusted for all rows, and decide."
)

#: Inches of a row of the figure, and of what stands around the rows of a panel.
_ROW, _AROUND = 0.24, 0.75


@checked
def comparison_table(comparison: Comparison) -> Table:
    """A row for every difference: its interval, how often the first was larger, p-values and verdict."""
    level = f"{100 * comparison.level:g} %"
    settings = dict.fromkeys(name for one in comparison.differences for name in one.setting)
    columns = (
        *headed(*settings, "first", "second", "measure"),
        *headed("seeds", digits=0),
        *headed("difference", level),
        *headed("wins", "losses", "ties", "undecided", digits=0),
        *headed("P(first larger)"),
        Column("P interval", f"P, {level}"),
        *headed("p", "p (Holm)", digits=3),
        *headed("verdict"),
    )
    rows = tuple(
        {name: _labelled(value) for name, value in one.setting.items()} | _row(one, comparison.by, level)
        for one in comparison.differences
    )
    names = [in_words(n, v) for n, v in comparison.same.items() if n in ("language", "hidden") and v]
    title = f"Comparison by {comparison.by}" + f": {', '.join(names)}" * bool(names)
    return Table("comparison", title, columns, rows, " ".join((_METHOD, *comparison.notes)), _FURTHER)


def _labelled(value: Any) -> Any:
    """A value of a setting: cells and languages go by their labels."""
    return label_of(value) if isinstance(value, str) else value


def _row(one: Difference, by: str, level: str) -> dict[str, Any]:
    test = one.test
    numbers = (*test.difference, *test.interval)
    return {
        "first": _labelled(one.first),
        "second": _labelled(one.second),
        "measure": one.measure,
        "seeds": test.pairs,
        "difference": _median(one),
        level: _interval(one),
        "wins": test.wins,
        "losses": test.losses,
        "ties": test.ties,
        "undecided": test.undecided,
        "P(first larger)": " to ".join(f"{end:.2f}" for end in dict.fromkeys(test.probability)),
        "P interval": "{:.2f} to {:.2f}".format(*test.probability_interval),
        "p": PValue(test.p_value),
        "p (Holm)": PValue(one.adjusted),
        "verdict": _verdict(one, by),
        **dict(zip(_FURTHER, map(known_number, numbers), strict=False)),
        "unit": one.unit,
        **dict(zip(("P low", "P high"), test.probability_interval, strict=True)),
        "more seeds": one.more_seeds,
    }


def sentences(comparison: Comparison) -> Iterator[str]:
    """A sentence for every difference, as a paper has it; then what a reader must know."""
    for one in comparison.differences:
        p_value = str(PValue(one.adjusted))
        yield (
            f"{_label(one, comparison.by, comparison.same)}: {_median(one)} {one.unit}, "
            f"{100 * comparison.level:g} % {_interval(one)}, {plural(one.test.pairs, 'seed')}, "
            f"p {p_value if p_value.startswith('<') else f'= {p_value}'} (Holm): "
            f"{_verdict(one, comparison.by)}.{_how_many_more(one)}"
        )
    yield from comparison.notes


def _label(one: Difference, by: str, same: Mapping[str, Any]) -> str:
    """What is compared: `RNN − LSTM, 3 units, Dyck-1, long set`."""
    settings = {name: same.get(name) for name in ("hidden", "language")} | dict(one.setting)
    words = [_named(name, value) for name, value in settings.items() if value is not None]
    measure = f"{one.measure} set" if one.measure in SETS else _CALLED.get(one.measure, one.measure)
    return ", ".join((f"{_named(by, one.first)} − {_named(by, one.second)}", *words, measure))


def _verdict(one: Difference, by: str) -> str:
    """The verdict in words, with the name of what is larger."""
    if one.verdict in (EQUAL, INCONCLUSIVE):
        return "equal for every seed" if one.verdict == EQUAL else INCONCLUSIVE
    return f"{_named(by, one.first if one.verdict == LARGER else one.second)} larger"


def _named(setting: str, value: Any) -> str:
    """A value of a setting in words; a cell of one's own without the checksum of its formula."""
    return in_words(setting, value).partition("#")[0]


def _how_many_more(one: Difference) -> str:
    """How many more seeds would decide it."""
    if one.verdict != INCONCLUSIVE:
        return ""
    if one.more_seeds is None:
        few = one.test.wins + one.test.losses < FEWEST
        return "" if few else " Twenty times as many seeds would hardly decide it."
    return f" About {plural(one.more_seeds, 'more seed')} would probably decide it."


def _median(one: Difference) -> str:
    """The median difference, or the range in which it is known to lie."""
    low, high = one.test.difference
    if low == high:
        return _number(low, one.unit)
    if isfinite(low) and isfinite(high):
        return f"{_number(low, one.unit)} to {_number(high, one.unit)}"
    if isfinite(low):
        return f"at least {_number(low, one.unit)}"
    return f"at most {_number(high, one.unit)}" if isfinite(high) else "unknown"


def _interval(one: Difference) -> str:
    return " to ".join(_number(end, one.unit) for end in one.test.interval)


def _number(value: float, unit: str) -> str:
    """A difference with its sign; points to a tenth."""
    if not isfinite(value):
        return "∞" if value > 0 else "−∞"
    digits = 1 if unit == "points" or value % 1 else 0
    rounded = round(value, digits)
    return f"{rounded:+.{digits}f}".replace("-", "−") if rounded else f"{0:.{digits}f}"


@checked
def comparison_figure(comparison: Comparison) -> Figure:
    """Median differences with their intervals: a panel for every unit, a row for every difference."""
    by_unit: dict[str, list[Difference]] = {}
    for one in comparison.differences:
        by_unit.setdefault(one.unit, []).append(one)
    heights = [_AROUND + _ROW * len(rows) for rows in by_unit.values()]
    with style():
        figure = new_figure(TEXT_WIDTH, sum(heights))
        panels = figure.subplots(len(by_unit), 1, height_ratios=heights, squeeze=False)[:, 0]
        for axes, (unit, rows) in zip(panels, by_unit.items(), strict=True):
            _draw(axes, rows, comparison.by)
            level = f"{100 * comparison.level:g} % interval"
            axes.set_xlabel(f"first − second, {unit}: median difference and {level}")
    return figure


def _draw(axes: Axes, rows: list[Difference], by: str) -> None:
    """A row for every difference; an arrow where an interval has no end. Decided ones are blue."""
    ends = [end for one in rows for end in (*one.test.interval, *one.test.difference) if isfinite(end)]
    low, high = min((0.0, *ends)), max((0.0, *ends))
    margin = 0.05 * (high - low) or 1.0
    for height, one in enumerate(rows):
        decided = one.verdict not in (EQUAL, INCONCLUSIVE)
        look: dict[str, Any] = {"color": COLOURS[0 if decided else -1], "clip_on": False}
        limits = np.clip(one.test.interval, low - margin, high + margin)
        axes.plot(limits, [height, height], linewidth=1.6, **look)
        for end, limit, marker in zip(one.test.interval, limits, "<>", strict=True):
            if not isfinite(end):
                axes.plot([limit], [height], marker, markersize=4, **look)
        axes.plot([_mark(one.test.difference)], [height], "o" if decided else "s", markersize=4, **look)
    axes.axvline(0, color="black", linewidth=0.8)
    axes.set_xlim(low - margin, high + margin)
    set_rows(axes, [_label(one, by, {}) for one in rows])


def _mark(difference: Range) -> float:
    """Where the mark of a median stands: between its ends, or at the only one that is known."""
    known = [end for end in difference if isfinite(end)]
    return sum(known) / len(known) if known else 0.0


@dataclass(frozen=True)
class Compared:
    """A comparison, as it is printed: a sentence for every difference; in a notebook a table."""

    comparison: Comparison

    @cached_property
    def table(self) -> Table:
        return comparison_table(self.comparison)

    def latex(self) -> str:
        return latex(self.table)

    def frame(self) -> dict[str, list[Any]]:
        """A row for every difference, as columns of numbers and texts, which pandas and polars take."""
        texts = {f"{100 * self.comparison.level:g} %", "P(first larger)", "P interval"}
        keys = [key for key in self.table.all_keys if key not in texts]
        columns = {key: [row.get(key) for row in self.table.rows] for key in keys}
        return columns | {"difference": [one.known_difference for one in self.comparison.differences]}

    def __repr__(self) -> str:
        return f"<Compared by {self.comparison.by}: {plural(len(self.comparison.differences), 'difference')}>"

    def __str__(self) -> str:
        return "\n".join(sentences(self.comparison))

    def _repr_html_(self) -> str:
        return self.table._repr_html_()
