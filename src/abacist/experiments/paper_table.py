"""The paper's own facts: its table of results as printed (`TABLE_3`), and the networks that it is about."""

from __future__ import annotations

from dataclasses import dataclass

from abacist.corpora import PAPER, CutOff
from abacist.errors import UnknownName
from abacist.experiments.plan import PAPER_SETS
from abacist.specs import Spec

STATISTICS = ("min", "max", "median")

#: Hidden units of the networks of every language.
UNITS = {task.language: task.hidden for task in PAPER.tasks}

#: The languages that counters are enough for, and the cells that are compared.
COUNTING = ("dyck-1", "shuffle-2", "shuffle-6")
CELLS = ("rnn", "gru", "lstm")

#: Runs of each network in the paper.
RUNS = PAPER.runs

#: Epochs of its networks here; the paper gives no number.
EPOCHS = Spec.epochs


@dataclass(frozen=True)
class Figures:
    """Minimum, maximum and median accuracy of the paper's runs, in percent."""

    minimum: float
    maximum: float
    median: float

    def of(self, statistic: str) -> float:
        if statistic not in STATISTICS:
            raise UnknownName(f"unknown statistic {statistic!r}; there are {', '.join(STATISTICS)}")
        return dict(zip(STATISTICS, (self.minimum, self.maximum, self.median), strict=True))[statistic]


def _row(*numbers: float) -> dict[str, Figures]:
    return {name: Figures(*numbers[3 * n : 3 * n + 3]) for n, name in enumerate(PAPER_SETS)}


#: Table 3 (tables 1 and 2 are examples of words), by language and cell.
TABLE_3: dict[tuple[str, str], dict[str, Figures]] = {
    ("dyck-1", "rnn"): _row(0.45, 76.17, 46.96, 0.28, 73.62, 41.89, 0.06, 24.44, 7.19),
    ("dyck-1", "gru"): _row(99.37, 100, 100, 99.34, 100, 100, 67.68, 95.58, 84.38),
    ("dyck-1", "lstm"): _row(100, 100, 100, 100, 100, 100, 99.98, 100, 100),
    ("shuffle-2", "rnn"): _row(33.68, 87.77, 58.16, 29.42, 86.48, 55.37, 0.54, 25.58, 2.75),
    ("shuffle-2", "gru"): _row(99.73, 100, 99.97, 99.62, 99.98, 99.93, 83.70, 95.18, 93.12),
    ("shuffle-2", "lstm"): _row(100, 100, 100, 100, 100, 100, 96.84, 99.98, 99.35),
    ("shuffle-6", "rnn"): _row(0.26, 57.39, 44.54, 0.16, 54.80, 41.38, 0, 0.64, 0.15),
    ("shuffle-6", "gru"): _row(96.32, 99.98, 99.78, 96.08, 99.98, 99.81, 51.96, 97.30, 85.14),
    ("shuffle-6", "lstm"): _row(99.68, 100, 100, 99.74, 100, 100, 82.92, 99.72, 98.14),
    ("dyck-2", "rnn"): _row(4.37, 31.67, 14.74, 2.96, 27.46, 12.21, 0, 0.46, 0.01),
    ("dyck-2", "gru"): _row(7.78, 53.34, 28.71, 5.38, 49.06, 25.08, 0, 1.56, 0.05),
    ("dyck-2", "lstm"): _row(19.76, 52.13, 35.82, 16.58, 48.24, 31.29, 0, 1.46, 0.20),
}


def printed_figures(spec: Spec) -> dict[str, Figures] | None:
    """The paper's figures by set for a spec that is one of its networks, by whatever recipe it is trained."""
    language, cell = spec.language, spec.cell
    if (language.name, cell.name) not in TABLE_3:
        return None
    source = spec.source if spec.source in (None, CutOff()) else None
    paper_spec = Spec(
        language,
        cell,
        hidden=UNITS[language.name],
        epochs=spec.epochs,
        order=spec.order,
        precision=spec.precision,
        source=source,
    )
    return TABLE_3[language.name, cell.name] if spec == paper_spec else None
