"""What becomes a line and what a row of panels where many settings vary, and the scales of numbers."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import count, pairwise
from math import log
from typing import Any

from matplotlib.axes import Axes
from matplotlib.ticker import FuncFormatter, NullLocator

from abacist.experiments.run_values import NUMBERS
from abacist.report.figures.house_style import CELL_LOOKS, COLOURS, Look, nth_look, title_of
from abacist.report.own_runs import Group, OwnRuns
from abacist.wording import listed, plural

#: Lines of one panel, and rows of panels, that a figure has space for.
MOST_LINES, MOST_ROWS = 8, 4

#: Values beyond which they are not written at an axis one by one.
_MOST_TICKS = 12


@dataclass(frozen=True, eq=False)
class Arrangement:
    """Which setting tells lines apart and which one rows, with the values that are shown.

    `note` has sentences for a caption: which runs are taken together, and what there was no space for.
    """

    of_runs: OwnRuns
    line: str | None
    lines: tuple[Any, ...]
    row: str | None
    rows: tuple[Any, ...]
    note: str

    @classmethod
    def of(cls, runs: OwnRuns, besides: Collection[str] = ()) -> Arrangement:
        """The arrangement of all that varies besides some settings, cells and languages first."""
        free = [name for name in by_weight(runs) if name not in besides]
        chosen: list[tuple[str | None, tuple[Any, ...]]] = []
        left_out = []
        for most in (MOST_LINES, MOST_ROWS):
            name = next((n for n in free if n not in NUMBERS or len(runs.values(n)) <= most), None)
            values = (None,) if name is None else runs.values(name)
            if len(values) > most:
                left_out.append(f"{name} {listed([str(value) for value in values[most:]])}")
            chosen.append((name, values[:most]))
            free = [other for other in free if other != name]
        note = f" Runs that differ only in {listed(free)} are taken together." if free else ""
        note += f" Left out for want of room: {'; '.join(left_out)}." if left_out else ""
        (line, lines), (row, rows) = chosen
        return cls(runs, line, lines, row, rows, note)

    def groups(self, row: Any, line: Any) -> Iterator[Group]:
        """The groups that belong to a line in a row.

        What a row is told apart by may say nothing of a model from outside: it stands in every row.
        """
        for group in self.of_runs.groups:
            fits = self.row is None or group.settings[self.row] in (row, None)
            if fits and (self.line is None or group.settings[self.line] == line):
                yield group


def by_weight(runs: OwnRuns) -> list[str]:
    """What varies: cells, languages, other words, then numbers, each by how much it explains."""
    first = {"cell": 0, "language": 1}
    return sorted(runs.varying, key=lambda n: (first.get(n, 3 if n in NUMBERS else 2), -runs.weights[n]))


def looks_of(name: str | None, values: Sequence[Any]) -> dict[Any, Look]:
    """How the values of a setting look; a cell without a look of its own has one that no other has."""
    looks = {value: CELL_LOOKS[value] for value in values if name == "cell" and value in CELL_LOOKS}
    worn = {look.colour for look in looks.values()} if len(values) <= len(COLOURS) else set()
    free = (look for look in map(nth_look, count()) if look.colour not in worn)
    return {value: looks[value] if value in looks else next(free) for value in values}


def in_words(name: str | None, value: Any) -> str:
    """A value of a setting as a label: LSTM, Dyck-1, 4 units, rate 0.01; empty without a setting."""
    if name is None:
        return ""
    if name in ("cell", "language"):
        return title_of(str(value))
    if name in ("hidden", "epochs"):
        return plural(value, "unit" if name == "hidden" else "epoch")
    return f"{name} {value:g}" if isinstance(value, int | float) else f"{name} {value}"


def titled(*texts: str) -> str:
    """What stands above a panel."""
    return ", ".join(filter(None, texts))


def set_scale(axes: Axes, values: Iterable[float]) -> Axes:
    """Give the horizontal axis the scale that suits values best, with these as ticks where they are few.

    It is logarithmic where they span decades or grow by factors, from the smallest but zero on.
    """
    ordered = sorted(set(values))
    positive = [value for value in ordered if value > 0]
    if len(positive) > 1 and ordered[0] >= 0:
        by_log, linear = _unevenness([log(value) for value in positive]), _unevenness(ordered)
        if by_log < linear or (len(ordered) == 2 and 10 * ordered[0] <= ordered[1]):
            scale = {"value": "symlog", "linthresh": positive[0]} if ordered[0] == 0 else {"value": "log"}
            axes.set_xscale(**scale)
    if len(ordered) <= _MOST_TICKS:
        ticks = ordered[:: 1 + len(ordered) // 9]
        axes.set_xticks(ticks, [f"{value:g}" for value in ticks])
    else:
        axes.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
    axes.xaxis.set_minor_locator(NullLocator())
    return axes


def _unevenness(places: Sequence[float]) -> float:
    """The widest gap between neighbours as a multiple of the narrowest."""
    gaps = [after - before for before, after in pairwise(places)]
    return max(gaps) / min(gaps)
