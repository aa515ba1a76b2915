"""Comparisons as people read them: a table, sentences for a paper, and a figure of differences."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from math import isfinite
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from abacist.errors import BadInput, UnknownName
from abacist.experiments import SETS
from abacist.experiments.comparison import EQUAL, INCONCLUSIVE, LARGER, SMALLER, Comparison, Difference
from abacist.experiments.paired import FEWEST, Range
from abacist.fields import checked
from abacist.registry import DIGITS
from abacist.report.figures.house_style import COLOURS, TEXT_WIDTH, new_figure, set_rows, style
from abacist.report.figures.own.arrangement import in_words
from abacist.report.tables import Column, PValue, Table, headed, known_number, latex
from abacist.wording import plural, unknown

#: What a measure that is no set of words is called in a sentence.
_CALLED = {
    "horizon": "shortest wrong word",
    "certified": "proved right on every word",
    "epochs": "epochs until the short set is accepted",
}

#: The digits of a formula, behind the name of a cell of one's own.
_CHECKSUM = re.compile(f"#[0-9a-f]{{{DIGITS}}}")

#: What programs read of verdicts.
_VERDICTS = {LARGER: "first larger", SMALLER: "second larger"}

#: Inches of a row of the figure, and of what stands around the rows of a panel.
_ROW, _AROUND = 0.24, 0.75


@checked
def comparison_table(comparison: Comparison) -> Table:
    """A row for every difference: its interval, how often the first was larger, p-values and verdict."""
    level = f"{100 * comparison.level:g} %"
    settings = dict.fromkeys(name for one in comparison.differences for name in one.setting)
    shown = {"first": "first", "second": "second", "median": "difference", "interval": level}
    shares = {"share": "P(first larger)", "share interval": f"P, {level}"}
    columns = (
        *(Column(f"{name} shown", name) for name in settings),
        *(Column(f"{key} shown", shown[key]) for key in ("first", "second")),
        *headed("measure"),
        *headed("seeds", digits=0),
        *(Column(f"{key} shown", shown[key]) for key in ("median", "interval")),
        *headed("wins", "losses", "ties", "undecided", digits=0),
        *(Column(f"{key} shown", heading) for key, heading in shares.items()),
        Column("p shown", "p", digits=3),
        Column("p holm shown", "p (Holm)", digits=3),
        Column("verdict shown", "verdict"),
    )
    names = _names(comparison)
    rows = tuple(difference_data(one) | _shown(one, names) for one in comparison.differences)
    same = [_named(n, v) for n, v in comparison.same.items() if n in ("language", "hidden") and v]
    title = f"Comparison by {comparison.by}" + f": {', '.join(same)}" * bool(same)
    data = tuple(key for key in (rows[0] if rows else ()) if not key.endswith(" shown"))
    return Table(
        "comparison", title, columns, rows, " ".join((_method(comparison), *comparison.notes)), data=data
    )


def _method(comparison: Comparison) -> str:
    return (
        "Differences are first − second, medians over the seeds that both have; "
        "intervals are for single rows. "
        "P-values are of permutations; Holm's are adjusted for "
        f"{plural(comparison.family, 'difference')}, and decide."
    )


@checked
def difference_data(one: Difference) -> dict[str, Any]:
    """What programs read of a difference: numbers, names as `frame` has them, None for what has no end."""
    test = one.test
    share_low, share_high = test.probability
    return {
        **one.setting,
        "first": one.first,
        "second": one.second,
        "measure": one.measure,
        "unit": one.unit,
        "seeds": test.pairs,
        "difference": one.known_difference,
        **_ends("difference", test.difference),
        **_ends("interval", test.interval),
        "probability": share_low if share_low == share_high else None,
        **_ends("probability", test.probability),
        **_ends("probability_interval", test.probability_interval),
        "wins": test.wins,
        "losses": test.losses,
        "ties": test.ties,
        "undecided": test.undecided,
        "p_value": test.p_value,
        "p_holm": one.adjusted,
        "verdict": _VERDICTS.get(one.verdict, one.verdict),
        "more_seeds": one.more_seeds,
    }


def _ends(name: str, both: Range) -> dict[str, float | None]:
    return {f"{name}_low": known_number(both[0]), f"{name}_high": known_number(both[1])}


def _names(comparison: Comparison) -> dict[Any, str]:
    """What the compared values are called; two versions of a cell also by digits of their formulas."""
    values = dict.fromkeys(value for one in comparison.differences for value in (one.first, one.second))
    names = {value: _named(comparison.by, value) for value in values}
    counts = Counter(names.values())
    digits = {value: f" {match[0][:5]}" for value in values if (match := _CHECKSUM.search(str(value)))}
    return {v: name + (digits.get(v, "") if counts[name] > 1 else "") for v, name in names.items()}


def _shown(one: Difference, names: Mapping[Any, str]) -> dict[str, Any]:
    """What people read of a difference: names and numbers as in sentences."""
    test = one.test
    texts = {name: _titled(name, value) for name, value in one.setting.items()} | {
        "first": names[one.first],
        "second": names[one.second],
        "median": _median(one),
        "interval": _interval(one),
        "share": " to ".join(f"{end:.2f}" for end in dict.fromkeys(test.probability)),
        "share interval": "{:.2f} to {:.2f}".format(*test.probability_interval),
        "p": PValue(test.p_value),
        "p holm": PValue(one.adjusted),
        "verdict": _verdict(one, names),
    }
    return {f"{name} shown": text for name, text in texts.items()}


def _titled(setting: str, value: Any) -> Any:
    """A value under its own heading: cells and languages as in sentences, numbers by themselves."""
    return _named(setting, value) if setting in ("cell", "language") and value is not None else value


@checked
def chosen(comparison: Comparison, values: Mapping[str, Any]) -> Comparison:
    """The differences with some values, texts also by their labels; p-values stay adjusted for all."""
    rows = [difference_data(one) for one in comparison.differences]
    for name in values:
        if name not in rows[0]:
            raise UnknownName(unknown("column", name, rows[0]))

    def fits(row: Mapping[str, Any], name: str, value: Any) -> bool:
        setting = comparison.by if name in ("first", "second") else name
        texts = (str(row[name]), _CHECKSUM.sub("", str(row[name])), str(_titled(setting, row[name])))
        return bool(row[name] == value) or str(value).casefold() in map(str.casefold, texts)

    kept = tuple(
        one
        for one, row in zip(comparison.differences, rows, strict=True)
        if all(fits(row, name, value) for name, value in values.items())
    )
    if not kept:
        asked = ", ".join(f"{name}={value!r}" for name, value in values.items())
        raise BadInput(f"where: no difference has {asked}")
    return replace(comparison, differences=kept)


def sentences(comparison: Comparison) -> Iterator[str]:
    """A sentence for every difference, as a paper has it; then what a reader must know."""
    names = _names(comparison)
    for one in comparison.differences:
        p_value = str(PValue(one.adjusted))
        yield (
            f"{_label(one, names, comparison.same)}: {_median(one)} {one.unit}, "
            f"{100 * comparison.level:g} % {_interval(one)}, {plural(one.test.pairs, 'seed')}, "
            f"p {p_value if p_value.startswith('<') else f'= {p_value}'} (Holm): "
            f"{_verdict(one, names)}.{_how_many_more(one)}"
        )
    yield from comparison.notes


def _label(one: Difference, names: Mapping[Any, str], same: Mapping[str, Any]) -> str:
    """What is compared: `RNN − LSTM, 3 units, Dyck-1, long set`."""
    settings = {name: same.get(name) for name in ("hidden", "language")} | dict(one.setting)
    words = [_named(name, value) for name, value in settings.items() if value is not None]
    measure = f"{one.measure} set" if one.measure in SETS else _CALLED.get(one.measure, one.measure)
    return ", ".join((f"{names[one.first]} − {names[one.second]}", *words, measure))


def _verdict(one: Difference, names: Mapping[Any, str]) -> str:
    """The verdict in words, with the name of what is larger."""
    if one.verdict in (EQUAL, INCONCLUSIVE):
        return "equal for every seed" if one.verdict == EQUAL else INCONCLUSIVE
    return f"{names[one.first if one.verdict == LARGER else one.second]} larger"


def _named(setting: str, value: Any) -> str:
    """A value of a setting in words; a cell of one's own without the checksum of its formula."""
    return "—" if value is None else _CHECKSUM.sub("", in_words(setting, value))


def _how_many_more(one: Difference) -> str:
    """How many more seeds would decide it."""
    if one.verdict != INCONCLUSIVE:
        return ""
    few = one.test.wins + one.test.losses < FEWEST
    if one.more_seeds is None and few:
        return ""
    share = "4 of 5 simulated experiments."
    if one.more_seeds is None:
        return f" Resampling these seeds: even {one.most_seeds} more would decide it in fewer than {share}"
    return f" Resampling these seeds: about {one.more_seeds} more would decide it in {share}"


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
            _draw(axes, rows, _names(comparison))
            level = f"{100 * comparison.level:g} % interval"
            axes.set_xlabel(f"first − second, {unit}: median difference and {level}")
    return figure


def _draw(axes: Axes, rows: list[Difference], names: Mapping[Any, str]) -> None:
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
    set_rows(axes, [_label(one, names, {}) for one in rows])


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
        return {key: [row.get(key) for row in self.table.rows] for key in self.table.all_keys}

    def where(self, **values: Any) -> Compared:
        """The differences with some values of the frame's columns: `where(measure="long", first="ran")`.

        P-values stay adjusted for all differences.
        """
        return Compared(chosen(self.comparison, values))

    def __repr__(self) -> str:
        return f"<Compared by {self.comparison.by}: {plural(len(self.comparison.differences), 'difference')}>"

    def __str__(self) -> str:
        return "\n".join(sentences(self.comparison))

    def _repr_html_(self) -> str:
        return self.table._repr_html_()
