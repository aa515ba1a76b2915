"""What was run: the experiments, settings, seeds, versions and times of the runs in a store."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import count, groupby
from typing import Any

from abacist.experiments import Experiment, Results, Run, catalogue, experiment_named
from abacist.experiments.run_values import differing, settings_of
from abacist.fields import records
from abacist.report.tables import Column, Table, headed
from abacist.specs import Spec
from abacist.wording import plural

#: What every row of the settings names, however many of them are equal.
_ALWAYS = ("language", "cell", "hidden", "epochs", "steps")


@dataclass(frozen=True)
class Part:
    """An experiment of the catalogue and the runs of it that the store has, judged on all it asks for.

    `more` is the number of runs of every task where that is not the catalogue's.
    """

    experiment: Experiment
    found: int
    more: int | None

    @property
    def name(self) -> str:
        return self.experiment.name

    @property
    def wanted(self) -> int:
        return sum(len(task.seeds) for task in self.experiment.tasks)

    def missing(self, command: str) -> str:
        """A sentence on the runs that are missing."""
        there = f"{self.found or 'none'} of its {self.wanted:,} runs {'is' if self.found < 2 else 'are'}"
        return f"Experiment {self.name}: {there} in the store; `{command}` adds the rest."


def parts(results: Results) -> list[Part]:
    """All experiments of the catalogue, each with as many runs as the store has, its own at least."""
    every = []
    for name in catalogue():
        experiment = experiment_named(name)
        # of every task those that are complete, from seed 0 to the first that is not
        most = max(next(n for n in count() if not results.complete(t, [n])) for t in experiment.tasks)
        more = most if most > max(len(task.seeds) for task in experiment.tasks) else None
        if more is not None:
            experiment = experiment_named(name, runs=more)
        every.append(Part(experiment, sum(len(results.complete(task)) for task in experiment.tasks), more))
    return every


def experiments_table(every: Iterable[Part], commands: Mapping[str, str]) -> Table:
    """The experiments, how much of each is there, and the commands that run them, by name."""
    rows = tuple(
        {
            "name": part.name,
            "title": part.experiment.title,
            "runs": f"{part.found:,} of {part.wanted:,}",
            "seeds": spans(seed for task in part.experiment.tasks for seed in task.seeds),
            "command": commands[part.name],
        }
        for part in every
    )
    columns = (
        Column("name", "experiment"),
        *headed("title", "runs", "seeds"),
        Column("command", "command that runs it"),
    )
    return Table(
        "experiments", "Experiments", columns, rows, "Run r draws its words and weights from seed r."
    )


def spans(seeds: Iterable[int]) -> str:
    """Whole numbers as people write them.

    >>> spans([3, 0, 1, 2, 7])
    '0–3, 7'
    """
    numbered = groupby(enumerate(sorted(set(seeds))), lambda item: item[1] - item[0])
    blocks = [[seed for _, seed in block] for _, block in numbered]
    return ", ".join(f"{b[0]}–{b[-1]}" if len(b) > 1 else str(b[0]) for b in blocks)


def settings(results: Results, order: Sequence[Spec]) -> tuple[Table, list[tuple[str, Any]]]:
    """A row for every spec, in the order given, and the settings that are the same in all of them."""
    blocks = results.by_spec
    specs = dict.fromkeys((*(spec for spec in order if spec in blocks), *blocks))
    values = {spec: settings_of(spec) for spec in specs}
    swept = {*_ALWAYS, *differing(values.values())}
    columns = [Column(field.column, field.heading) for field in records(Spec).values()]
    rows = []
    for spec in specs:
        runs = [run.outcome for run in blocks[spec]]
        row = values[spec] | {"runs": len(runs), "seeds": spans(run.seed for run in blocks[spec])}
        row |= {"diverged": sum(outcome.diverged is not None for outcome in runs)}
        rows.append(row | {"seconds": sum(outcome.seconds for outcome in runs)})
    shown = (
        *(column for column in columns if column.key in swept),
        *headed("runs", "seeds", *(["diverged"] if any(row["diverged"] for row in rows) else [])),
        *headed("seconds", digits=1),
    )
    same = [(column.heading, rows[0][column.key]) for column in columns if column.key not in swept and rows]
    return Table("settings", "Runs by their settings", shown, tuple(rows)), same


def versions_table(runs: Iterable[Run]) -> Table:
    """The versions of all that the runs were made with."""
    counts = Counter(item for run in runs for item in run.outcome.versions.items())
    rows = []
    for (name, version), with_it in sorted(counts.items()):
        if name == "features":  # of a processor: their number, and a name that only they have
            digest = hashlib.sha256(version.encode()).hexdigest()[:8]
            version = f"{plural(len(version.split()), 'feature')}, {digest}"
        rows.append({"name": name, "version": version, "runs": f"{with_it:,}"})
    columns = (Column("name", "software"), *headed("version"), Column("runs", "runs made with it"))
    return Table("versions", "Versions", columns, tuple(rows))


def when(runs: Sequence[Run]) -> tuple[str, str] | None:
    """When the first run was begun and the last one, in universal time; None without runs."""
    begun = [float(run.outcome.begun) for run in runs]
    if not begun:
        return None
    first, last = (datetime.fromtimestamp(moment, UTC) for moment in (min(begun), max(begun)))
    return f"{first:%Y-%m-%d %H:%M} UTC", f"{last:%Y-%m-%d %H:%M} UTC"
