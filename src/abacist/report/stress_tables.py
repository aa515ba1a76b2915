"""How far networks get on structured words: task by task, or every single network."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from abacist.analysis import ALL_FAMILIES, Stress
from abacist.errors import BadInput
from abacist.fields import check_fields, checked
from abacist.report.tables import Column, Table
from abacist.wording import plural


@dataclass(frozen=True, eq=False)
class StressedNetworks:
    """Networks of one language and shape, by name, and how far they get."""

    language: str
    cell: str
    hidden: int
    steps: str
    names: tuple[str, ...]
    stress: Stress

    def __post_init__(self) -> None:
        check_fields(self)
        if len(self.names) != len(self.stress):
            raise BadInput(f"StressedNetworks: {len(self.stress)} need as many names, got {len(self.names)}")

    @property
    def row(self) -> dict[str, Any]:
        """What all of them share."""
        return {"language": self.language, "cell": self.cell, "hidden": self.hidden, "steps": self.steps}


_SHARED = (Column("language", "language"), Column("cell", "cell"), Column("hidden", "hidden", "", 0))


@checked
def stress_table(tried: Sequence[StressedNetworks]) -> Table:
    """A row for every task: by family, the longest length up to which at least half of its runs are right."""
    rows = []
    for task in tried:
        medians = np.quantile(task.stress.longest_right, 0.5, axis=0, method="lower")
        left_out = task.stress.left_out
        figures = {
            name: int(median) if name not in left_out else None
            for name, median in zip(task.stress.families, medians, strict=True)
        }
        rows.append(task.row | {"runs": len(task.stress)} | figures)
    families = dict.fromkeys(name for task in tried for name in task.stress.families)
    rows = [row | {name: None for name in families if name not in row} for row in rows]
    shown = [name for name in families if any(row[name] is not None for row in rows)]
    columns = (*_SHARED, *_steps(tried), Column("runs", "runs", "", 0))
    return Table(
        "stress",
        "The longest words up to which at least half of the runs are right, by family",
        (*columns, *(Column(name, name, "", 0) for name in shown)),
        tuple(rows),
        _note(tried),
    )


@checked
def every_network_table(tried: Sequence[StressedNetworks]) -> Table:
    """A row for every network and family: at every length the first wrong step."""
    rows = []
    for task in tried:
        stress, longest = task.stress, task.stress.longest_right
        for run, name in enumerate(task.names):
            for number, family in enumerate(stress.families):
                if family not in stress.left_out:
                    row = task.row | {"run": name, "family": family, "right to": int(longest[run, number])}
                    rows.append(row | _first_wrong_steps(stress, run, number))
    lengths = dict.fromkeys(n for task in tried for n in task.stress.lengths)
    columns = (Column("run", "run"), *_SHARED, *_steps(tried), Column("family", "family"))
    return Table(
        "stress",
        "The first wrong step on structured words, by length",
        (*columns, Column("right to", "right to", "", 0), *(Column(str(n), str(n), "", 0) for n in lengths)),
        tuple(rows),
        _note(tried),
    )


def _first_wrong_steps(stress: Stress, run: int, family: int) -> dict[str, int | str | None]:
    """By length the first wrong step, `right` where there is none, None where there is no word."""
    known = zip(stress.lengths, stress.wrong_at[run, family].tolist(), stress.words[family], strict=True)
    return {str(length): (step or "right") if words else None for length, step, words in known}


def _steps(tried: Sequence[StressedNetworks]) -> tuple[Column, ...]:
    """A column for the steps that count, where that is not the same everywhere."""
    return (Column("steps", "steps"),) if len({task.steps for task in tried}) > 1 else ()


def _note(tried: Sequence[StressedNetworks]) -> str:
    """Which lengths were tried, what has no words, and what the families are."""
    sentences = []
    for lengths in dict.fromkeys(task.stress.lengths for task in tried):
        listed = ", ".join(f"{length:,}" for length in lengths)
        sentences.append(f"{plural(len(lengths), 'length')} tried: {listed}; 0: wrong at the first")
    for language, left_out in dict.fromkeys((task.language, task.stress.left_out) for task in tried):
        if left_out:
            sentences.append(f"{language} has no words of {', '.join(left_out)}")
    others = dict.fromkeys(
        f"{task.language} has words of {real:,} symbols instead of {asked:,}"
        for task in tried
        for own in task.stress.actual.tolist()
        for real, asked in zip(own, task.stress.lengths, strict=True)
        if real not in (0, asked)
    )
    shown = {f for task in tried for f in task.stress.families if f not in task.stress.left_out}
    meanings = [f"{name}: {ALL_FAMILIES[name].meaning}" for name in ALL_FAMILIES if name in shown]
    return ". ".join([*sentences, *others, *(["; ".join(meanings)] if meanings else [])]) + "."
