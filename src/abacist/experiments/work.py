"""The work of an experiment: blocks of runs, each trained and judged as one job.

A job is a plain value and so is its result, so any `concurrent.futures` executor will do.
"""

from __future__ import annotations

import platform
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from abacist import __version__
from abacist.engine import Block, begin
from abacist.errors import BadInput
from abacist.experiments.outcome import Outcome, Run
from abacist.experiments.plan import SETS
from abacist.experiments.word_sets import WordSets
from abacist.fields import check_fields, checked
from abacist.on_demand import on_demand
from abacist.specs import Networks, Spec, Taught
from abacist.targets import target_for

#: Imported when a spec first has a lesson: it searches with compiled code.
_teaching = on_demand("abacist.analysis.teaching")


@dataclass(frozen=True, eq=False)
class Job:
    """A block of runs of one spec. With `weights`, (run, parameter), and outcomes they are only judged."""

    spec: Spec
    seeds: tuple[int, ...]
    wanted: frozenset[tuple[str, int]]
    weights: Any = None
    outcomes: tuple[Outcome, ...] = ()

    def __post_init__(self) -> None:
        check_fields(self)
        if not self.seeds:
            raise BadInput("Job: at least one seed is needed, got none")
        for name, epoch in self.wanted:
            if name not in SETS or not 0 <= epoch <= self.spec.epochs:
                raise BadInput(
                    f"Job: sets are {', '.join(SETS)}, epochs 0 to {self.spec.epochs}, "
                    f"got {name!r} after {epoch}"
                )

    @property
    def what(self) -> str:
        """What is done, in words."""
        if self.weights is not None:
            return "judge"
        return "train and judge" if self.spec.lesson is None else "teach and judge"

    @property
    def words(self) -> int:
        """How many words are drawn, labelled and judged."""
        return len(self.seeds) * sum(split.count for split in self.spec.recipe(0).splits)

    def lacks(self, run: Run | None) -> bool:
        """Whether a run, as it is now, is still to be computed."""
        return run is None or bool(self.wanted - run.outcome.known())

    @property
    def size(self) -> float:
        """About how much work it is, in symbols × parameters: to begin with the longest."""
        epochs = 0 if self.weights is not None else self.spec.epochs
        words = self.spec.recipe(0).splits[0].count
        if self.spec.lesson is not None:  # to search for words counts as much as to train on them
            words += 0 if self.spec.lesson.feed == "nothing" else self.spec.lesson.kept
            epochs *= 2
        return float(words * (epochs + 3) * self.spec.layout.size)


@checked
def compute(job: Job, check: Callable[[float], None] | None = None) -> list[Run]:
    """Train a block of runs and judge it where it is asked for; one thread.

    `check` is told many times a second how much work has been done since, in the unit of
    `Job.size`, and may raise to end it.
    """
    words = WordSets(job.spec, job.seeds)
    if job.weights is not None:
        networks = Networks(job.spec.layout, job.weights)
        accuracy = [{name: dict(shares) for name, shares in old.accuracy.items()} for old in job.outcomes]
        words.judge(networks, job.spec.epochs, job.wanted, accuracy)
        both = zip(job.outcomes, accuracy, strict=True)
        return _runs(job, networks, [replace(old, accuracy=known) for old, known in both])
    begun, clock = time.time(), time.perf_counter()
    training = [words.of(run, "training") for run in range(len(job.seeds))]
    untrained, size = begin(job.spec, job.seeds), job.spec.layout.size
    taught: tuple[Taught | None, ...] = (None,) * len(job.seeds)
    learning: Any = Block if job.spec.lesson is None else _teaching.Teaching
    block = learning(untrained, training)
    accuracy = [{} for _ in job.seeds]
    for epoch in sorted({epoch for _, epoch in job.wanted} | {job.spec.epochs}):
        trained = block.train(epoch, lambda count, _loss: check(count * size) if check is not None else None)
        words.judge(trained.networks, epoch, job.wanted, accuracy)
    seconds = (time.perf_counter() - clock) / len(job.seeds)
    if job.spec.lesson is not None:
        taught = block.taught
    outcomes = [
        Outcome(
            accuracy=accuracy[run],
            losses=tuple(trained.losses[run, : _epochs(taught[run], job.spec.epochs)].tolist()),
            diverged=trained.diverged[run],
            begun=round(begun, 3),
            seconds=round(seconds, 4),
            versions=_versions(job.spec),
            taught=taught[run],
        )
        for run in range(len(job.seeds))
    ]
    return _runs(job, trained.networks, outcomes)


def _runs(job: Job, networks: Networks, outcomes: list[Outcome]) -> list[Run]:
    rows = zip(job.seeds, outcomes, networks.parameters, strict=True)
    return [Run(job.spec, seed, outcome, row) for seed, outcome, row in rows]


def _epochs(taught: Taught | None, epochs: int) -> int:
    """How many epochs a run was trained for: one that is proved right is taught no further."""
    return epochs if taught is None else taught.rounds[-1].epochs


def _versions(spec: Spec) -> dict[str, str]:
    own = {"abacist": __version__, "numpy": np.__version__, "python": platform.python_version()}
    return own | target_for(spec.layout).versions()
