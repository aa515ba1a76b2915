"""What becomes a line and what a row of panels where many settings vary, and the scales of numbers."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import cycle, pairwise
from math import log
from typing import Any

from matplotlib.axes import Axes
from matplotlib.ticker import FuncFormatter, NullLocator

from abacist.experiments.run_values import NUMBERS
from abacist.report.figures.house_style import CELL_LOOKS, COLOURS, MARKERS, ROUNDS, Look, title_of
from abacist.report.own_runs import Group, OwnRuns
from abacist.report.own_table import listed
from abacist.wording import plural

#: Lines of one panel, and rows of panels, that a figure has space for.
MOST_LINES, MOST_ROWS = 8, 4

#: Where the widest gap between neighbours is so many times the narrowest, a scale does not suit values.
_UNEVEN = 6

#: Values that are written at an axis, and those that can stand evenly, whatever they are.
_MOST_TICKS, _MOST_EVEN = 8, 12


@dataclass(frozen=True, eq=False)
class Arrangement:
    """Which setting tells lines apart and which one rows, with the values that are shown.

    `together` are further settings that vary; runs that differ only in these are taken together. `cut` says
    what there was no space for.
    """

    of_runs: OwnRuns
    line: str | None
    lines: tuple[Any, ...]
    row: str | None
    rows: tuple[Any, ...]
    together: tuple[str, ...]
    cut: tuple[str, ...]

    @classmethod
    def of(cls, runs: OwnRuns, besides: Collection[str] = ()) -> Arrangement:
        """The arrangement of all that varies besides some settings, cells and languages first."""
        free = [name for name in by_weight(runs) if name not in besides]
        line = next((n for n in free if n not in NUMBERS or len(runs.values(n)) <= MOST_LINES), None)
        rest = [name for name in free if name != line]
        row = next((n for n in rest if n not in NUMBERS or len(runs.values(n)) <= MOST_ROWS), None)
        cut, shown = [], []
        for name, most in ((line, MOST_LINES), (row, MOST_ROWS)):
            values = (None,) if name is None else runs.values(name)
            if len(values) > most:
                cut.append(f"{name} {listed([str(value) for value in values[most:]])}")
            shown.append(values[:most])
        return cls(runs, line, shown[0], row, shown[1], tuple(n for n in rest if n != row), tuple(cut))

    def groups(self, row: Any, line: Any) -> Iterator[Group]:
        """The groups that belong to a line in a row.

        What a row is told apart by may say nothing of a model from outside: it stands in every row.
        """
        for group in self.of_runs.groups:
            fits = self.row is None or group.settings[self.row] in (row, None)
            if fits and (self.line is None or group.settings[self.line] == line):
                yield group

    @cached_property
    def looks(self) -> dict[Any, Look]:
        """How each line looks: cells as everywhere."""
        return looks_of(self.line, self.lines)

    def label(self, line: Any) -> str:
        return plural(len(self.of_runs.runs), "run") if self.line is None else in_words(self.line, line)

    def title(self, row: Any, *further: str) -> str:
        """What stands above a panel."""
        return ", ".join((*([] if self.row is None else [in_words(self.row, row)]), *further))

    def said(self) -> str:
        """Sentences for a caption: what is taken together, and what is left out."""
        sentences = []
        if self.together:
            sentences.append(f" Runs that differ only in {listed(self.together)} are taken together.")
        if self.cut:
            sentences.append(f" Left out for want of room: {'; '.join(self.cut)}.")
        return "".join(sentences)


def by_weight(runs: OwnRuns) -> list[str]:
    """What varies: cells, languages, other words, then numbers, each by how much it explains."""
    first = {"cell": 0, "language": 1}
    return sorted(runs.varying, key=lambda n: (first.get(n, 3 if n in NUMBERS else 2), -runs.weights[n]))


def looks_of(name: str | None, values: Sequence[Any]) -> dict[Any, Look]:
    """How the values of a setting look; a cell without a look of its own has one that no other has."""
    known = {value: CELL_LOOKS[value] for value in values if name == "cell" and value in CELL_LOOKS}
    taken = {(colour, marker) for colour, marker, _ in known.values()}
    worn = {colour for colour, _ in taken} if len(values) <= len(COLOURS) else set()
    pairs = zip(cycle(COLOURS), cycle(MARKERS), strict=False)
    free = (pair for pair in pairs if pair not in taken and pair[0] not in worn)
    return {
        value: known[value] if value in known else Look(*next(free), ROUNDS[number % len(ROUNDS)])
        for number, value in enumerate(values)
    }


def in_words(name: str, value: Any) -> str:
    """A value of a setting as a label: LSTM, Dyck-1, 4 units, rate 0.01."""
    if name in ("cell", "language"):
        return title_of(str(value))
    if name in ("hidden", "epochs"):
        return plural(value, "unit" if name == "hidden" else "epoch")
    return f"{name} {value:g}" if isinstance(value, int | float) else f"{name} {value}"


@dataclass(frozen=True)
class Scale:
    """Where values stand along an axis, from the smallest to the largest: by size, by logarithm or evenly."""

    values: tuple[float, ...]
    kind: str

    @classmethod
    def of(cls, values: Iterable[float]) -> Scale:
        """By logarithm where values span decades or grow by factors; evenly where no scale suits them."""
        known = tuple(sorted(set(values)))
        if len(known) < 2:
            return cls(known, "linear")
        linear = _unevenness(known)
        by_log = _unevenness([log(value) for value in known]) if known[0] > 0 else float("inf")
        if len(known) == 2:
            return cls(known, "log" if known[0] > 0 and known[1] / known[0] >= 10 else "linear")
        if min(linear, by_log) > _UNEVEN and len(known) <= _MOST_EVEN:
            return cls(known, "even")
        return cls(known, "log" if by_log < linear else "linear")

    def place(self, value: float) -> float:
        """Where a value stands."""
        return float(self.values.index(value)) if self.kind == "even" else float(value)

    def set_on(self, axes: Axes) -> None:
        """Give an axis of places this scale, with the values themselves as ticks where they are few."""
        if self.kind == "log":
            axes.set_xscale("log")
        if len(self.values) <= _MOST_EVEN:
            ticks = self.values[:: 1 + (len(self.values) - 1) // _MOST_TICKS]
            axes.set_xticks([self.place(value) for value in ticks], [f"{value:g}" for value in ticks])
        else:
            axes.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
        axes.xaxis.set_minor_locator(NullLocator())


def _unevenness(places: Sequence[float]) -> float:
    gaps = [after - before for before, after in pairwise(places)]
    return max(gaps) / min(gaps)
