"""An arrangement: what becomes a line and what a row of panels where many settings vary."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from itertools import cycle
from typing import Any

from abacist.experiments import PAPER_SETS, Run
from abacist.experiments.run_values import NUMBERS
from abacist.report.figures.house_style import CELL_LOOKS, COLOURS, MARKERS, ROUNDS, title_of
from abacist.report.own_runs import OwnRuns
from abacist.report.own_table import listed
from abacist.wording import plural

#: Lines of one panel, and rows of panels, that a figure has room for.
MOST_LINES, MOST_ROWS = 8, 4

#: How a line looks: its colour, its marker, its kind.
Look = tuple[str, str, Any]


@dataclass(frozen=True, eq=False)
class Arrangement:
    """Which setting tells lines apart and which one rows, with the values that are shown.

    `together` are further settings that vary; runs that differ only in these are taken together. `cut` says
    what there was no room for.
    """

    own: OwnRuns
    line: str | None
    lines: tuple[Any, ...]
    row: str | None
    rows: tuple[Any, ...]
    together: tuple[str, ...]
    cut: tuple[str, ...]

    @classmethod
    def of(cls, own: OwnRuns, besides: Collection[str] = ()) -> Arrangement:
        """The arrangement of all that varies besides some settings, cells and languages first."""
        free = [name for name in by_weight(own) if name not in besides]
        line = next((n for n in free if n not in NUMBERS or len(own.values(n)) <= MOST_LINES), None)
        rest = [name for name in free if name != line]
        row = next((n for n in rest if n not in NUMBERS or len(own.values(n)) <= MOST_ROWS), None)
        cut, shown = [], []
        for name, most in ((line, MOST_LINES), (row, MOST_ROWS)):
            values = (None,) if name is None else own.values(name)
            if len(values) > most:
                cut.append(f"{name} {listed([str(value) for value in values[most:]])}")
            shown.append(values[:most])
        return cls(own, line, shown[0], row, shown[1], tuple(n for n in rest if n != row), tuple(cut))

    def runs(self, row: Any, line: Any) -> Iterator[tuple[dict[str, Any], Sequence[Run]]]:
        """The settings and runs of the groups that belong to a line in a row.

        What a row is told apart by may say nothing of a model from outside: it stands in every row.
        """
        for group in self.own.groups:
            own = group.settings
            fits = self.row is None or own[self.row] in (row, None)
            if fits and (self.line is None or own[self.line] == line):
                yield dict(own), group.runs

    def all_runs(self, row: Any, line: Any) -> list[Run]:
        """The runs of a line in a row."""
        return [run for _, runs in self.runs(row, line) for run in runs]

    def looks(self) -> dict[Any, Look]:
        """How each line looks: cells as everywhere."""
        return looks_of(self.line, self.lines)

    def label(self, line: Any) -> str:
        return plural(len(self.own.runs), "run") if self.line is None else in_words(self.line, line)

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


def by_weight(own: OwnRuns) -> list[str]:
    """What varies: cells, languages, other words, then numbers, each by how much it explains."""
    first = {"cell": 0, "language": 1}
    return sorted(own.varying, key=lambda n: (first.get(n, 3 if n in NUMBERS else 2), -own.weights[n]))


def looks_of(name: str | None, values: Sequence[Any]) -> dict[Any, Look]:
    """How the values of a setting look; a cell without a look of its own has one that no other has."""
    known = {value: CELL_LOOKS[value] for value in values if name == "cell" and value in CELL_LOOKS}
    taken = {(colour, marker) for colour, marker, _ in known.values()}
    worn = {colour for colour, _ in taken} if len(values) <= len(COLOURS) else set()
    pairs = zip(cycle(COLOURS), cycle(MARKERS), strict=False)
    free = (pair for pair in pairs if pair not in taken and pair[0] not in worn)
    looks = {}
    for number, value in enumerate(values):
        colour, marker = next(free) if value not in known else ("", "")
        looks[value] = known.get(value, (colour, marker, ROUNDS[number % len(ROUNDS)]))
    return looks


def in_words(name: str, value: Any) -> str:
    """A value of a setting as a label: LSTM, Dyck-1, 4 units, rate 0.01."""
    if name in ("cell", "language"):
        return title_of(str(value))
    if name == "hidden":
        return plural(value, "unit")
    if name == "epochs":
        return plural(value, "epoch")
    return f"{name} {value:g}" if isinstance(value, int | float) else f"{name} {value}"


def shown_sets(own: OwnRuns) -> tuple[str, ...]:
    """The sets that have panels: the paper's, or else the first of those that there are."""
    papers = tuple(name for name in PAPER_SETS if name in own.judged_on)
    return papers or own.judged_on[: len(PAPER_SETS)]
