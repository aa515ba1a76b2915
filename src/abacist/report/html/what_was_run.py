"""What was run: the experiments, settings, seeds, versions and times of the runs in a store."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import count
from typing import Any

from abacist.corpora import Source, Window
from abacist.experiments import Experiment, Results, Run, catalogue, experiment_named
from abacist.experiments.run_values import differing, readable
from abacist.fields import records
from abacist.report.tables import Column, Table
from abacist.specs import Spec
from abacist.wording import plural, spans

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
    rows = (
        {
            Column("name", "experiment"): part.name,
            Column("title", "title"): part.experiment.title,
            Column("runs", "runs"): f"{part.found:,} of {part.wanted:,}",
            Column("seeds", "seeds"): spans(seed for task in part.experiment.tasks for seed in task.seeds),
            Column("command", "command that runs it"): commands[part.name],
        }
        for part in every
    )
    return Table.of("experiments", "Experiments", rows, "Run r draws its words and weights from seed r.")


def settings(results: Results, order: Sequence[Spec]) -> tuple[Table, list[tuple[str, str]]]:
    """A row for every spec, in the order given, and the settings that are the same in all of them."""
    blocks = results.by_spec
    specs = [*(spec for spec in dict.fromkeys(order) if spec in blocks), *blocks]
    values = {spec: _in_words(spec) for spec in dict.fromkeys(specs)}
    names = list(next(iter(values.values()), {}))
    swept = differing(values.values())
    differ = [name for name in names if name in _ALWAYS or name in swept]
    headings = {field.name: field.heading for field in records(Spec).values()}
    any_diverged = any(run.outcome.diverged is not None for run in results.runs)
    rows = []
    for spec, texts in values.items():
        block = blocks[spec]
        diverged = sum(run.outcome.diverged is not None for run in block)
        row: dict[Column, Any] = {Column(name, headings[name]): texts[name] for name in differ}
        row |= {Column("runs", "runs"): str(len(block))}
        row |= {Column("seeds", "seeds"): spans(run.seed for run in block)}
        row |= {Column("diverged", "diverged"): str(diverged)} if any_diverged else {}
        rows.append(row | {Column("seconds", "seconds", "", 1): sum(run.outcome.seconds for run in block)})
    same = [(headings[n], next(iter(values.values()))[n]) for n in names if n not in differ]
    return Table.of("settings", "Runs by their settings", rows), same


def _in_words(spec: Spec) -> dict[str, str]:
    """The settings of a spec as texts, what it leaves to the paper filled in."""
    recipe, texts = spec.recipe(0), {}
    for field in records(Spec).values():
        value = getattr(spec, field.name)
        value = field.filled(recipe) if value is None and field.filled else value
        if field.trains and spec.outside:
            texts[field.name] = "—"
        elif isinstance(value, Window | Source):
            texts[field.name] = str(value).replace(":", "–") if isinstance(value, Window) else str(value)
        elif type(value) is int:
            texts[field.name] = f"{value:,}"
        else:
            texts[field.name] = "none" if value is None else str(readable(value))
    if spec.source is None:
        texts["source"] = texts["source"].replace("the grammar with", "the paper’s grammar,")
    return texts


def versions_table(runs: Iterable[Run]) -> Table:
    """The versions of all that the runs were made with."""
    counts = Counter(item for run in runs for item in run.outcome.versions.items())
    rows = []
    for (name, version), made in sorted(counts.items()):
        if name == "features":  # of a processor: their number, and a name that only they have
            digest = hashlib.sha256(version.encode()).hexdigest()[:8]
            version = f"{plural(len(version.split()), 'feature')}, {digest}"
        columns = (
            Column("name", "software"),
            Column("version", "version"),
            Column("runs", "runs made with it"),
        )
        rows.append(dict(zip(columns, (name, version, f"{made:,}"), strict=True)))
    return Table.of("versions", "Versions", rows)


def when(runs: Sequence[Run]) -> tuple[str, str] | None:
    """When the first run was begun and the last one, in universal time; None without runs."""
    begun = [float(run.outcome.begun) for run in runs]
    if not begun:
        return None
    first, last = (datetime.fromtimestamp(moment, UTC) for moment in (min(begun), max(begun)))
    return f"{first:%Y-%m-%d %H:%M} UTC", f"{last:%Y-%m-%d %H:%M} UTC"
