"""The work of an experiment: blocks of runs, each trained and judged as one job.

A job is a plain value and so is its result, so any `concurrent.futures` executor will do.
"""

from __future__ import annotations

import platform
import time
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from abacist import __version__
from abacist.engine import Block, Trained, begin
from abacist.experiments.continuing import trained_so_far
from abacist.experiments.job import Job
from abacist.experiments.outcome import Outcome, Run
from abacist.experiments.word_sets import WordSets
from abacist.fields import checked
from abacist.on_demand import on_demand
from abacist.progress import Progress
from abacist.specs import Networks, Taught
from abacist.targets import target_for

#: Imported when a spec first has a lesson: it searches with compiled code.
_teaching = on_demand("abacist.analysis.teaching")

#: The accuracies of one run: by set, by epoch.
_Shares = dict[str, dict[int, float]]


@checked
def compute(job: Job, progress: Progress | None = None) -> list[Run]:
    """Train a block of runs and judge it where it is asked for; one thread.

    What has fewer epochs than the rest is finished on the way, bit for bit as if it had been trained alone.
    """
    with target_for(job.spec.layout, job.target).admit_block():
        return _computed(job, progress or Progress())


def _computed(job: Job, progress: Progress) -> list[Run]:
    begun, clock = time.time(), time.perf_counter()
    words = WordSets(job.spec, job.seeds)
    trained = {"training"} if job.weights is None else set[str]()
    for name in sorted({name for part in job.parts for name, _ in part.wanted} | trained):
        words.draw(name, progress)
    with target_for(job.spec.layout, job.target).exclusive():
        progress()
        if job.weights is not None:
            return _judged(job, words)
        return _trained(job, words, progress, begun, clock)


def _trained(job: Job, words: WordSets, progress: Progress, begun: float, clock: float) -> list[Run]:
    """A block whose words are drawn, trained and judged; it was begun at a time, and at that of a clock."""
    start = trained_so_far(job.start) if job.start and _computed_alike(job) else None
    untrained = begin(job.spec, job.seeds, start)
    learning: Any = Block if job.spec.lesson is None else _teaching.Teaching
    block = learning(untrained, words.all_of("training"), target=job.target)
    wanted = _wanted(job)
    accuracy = [_known(run) for run in job.start] if start else [{} for _ in job.seeds]
    earlier = [run.outcome.seconds for run in job.start] if start else [0.0 for _ in job.seeds]
    runs: list[Run] = []
    before = untrained.epochs
    for epoch in _stops(job, untrained.epochs):
        weight = (epoch - before) / max(job.spec.epochs - untrained.epochs, 1)
        trained, before = block.train(epoch, progress.part(weight)), epoch
        words.judge(trained.networks, epoch, wanted, accuracy, target=job.target)
        seconds = (time.perf_counter() - clock) / len(job.seeds)
        for part in (part for part in job.parts if part.spec.epochs == epoch):
            taught = (None,) * len(job.seeds) if job.spec.lesson is None else block.taught
            times = [round(seconds + already, 4) for already in earlier]
            runs += _finished(part, trained, accuracy, taught, round(begun, 3), times)
    return runs


def _wanted(job: Job) -> list[set[tuple[str, int]]]:
    """What is to be known of the networks of each run: (set, epoch)."""
    wanted: dict[int, set[tuple[str, int]]] = {seed: set() for seed in job.seeds}
    for part in job.parts:
        for seed in part.seeds:
            wanted[seed] |= part.wanted
    return list(wanted.values())


def _stops(job: Job, done: int) -> list[int]:
    """The epochs after which there is something to do; those before the ones that are done are over."""
    judged = {epoch for part in job.parts for _, epoch in part.wanted if epoch >= done}
    return sorted(judged | {part.spec.epochs for part in job.parts})


def _computed_alike(job: Job) -> bool:
    """Whether the runs to start from were computed by the same software, on the same kind of processor:
    else what comes of them might not be what training from the beginning gives."""
    versions = _versions(job)
    return all(run.outcome.versions == versions for run in job.start)


def _known(run: Run) -> _Shares:
    return {name: dict(shares) for name, shares in run.outcome.accuracy.items()}


def _judged(job: Job, words: WordSets) -> list[Run]:
    """Runs that are trained already, judged on more sets."""
    networks = Networks(job.spec.layout, job.weights)
    accuracy = [{name: dict(shares) for name, shares in old.accuracy.items()} for old in job.outcomes]
    wanted = [job.wanted] * len(job.seeds)
    words.judge(networks, job.spec.epochs, wanted, accuracy, target=job.target)
    rows = zip(job.seeds, job.outcomes, accuracy, networks.parameters, strict=True)
    return [Run(job.spec, seed, replace(old, accuracy=known), row) for seed, old, known, row in rows]


def _finished(
    part: Job,
    trained: Trained,
    accuracy: Sequence[_Shares],
    taught: Sequence[Taught | None],
    begun: float,
    seconds: Sequence[float],
) -> list[Run]:
    """The runs of one spec, whose epochs are done; the rest is of all runs of the block."""
    versions, runs = _versions(part), []
    rows = {seed: row for row, seed in enumerate(trained.seeds)}
    for row in (rows[seed] for seed in part.seeds):
        outcome = Outcome(
            accuracy=_only(part.wanted, accuracy[row]),
            losses=tuple(trained.losses[row, : _epochs(taught[row], part.spec.epochs)].tolist()),
            diverged=trained.diverged[row],
            begun=begun,
            seconds=seconds[row],
            versions=versions,
            taught=taught[row],
        )
        arrays = (trained.networks.parameters[row], *(moment[row] for moment in trained.moments))
        kept = np.concatenate(arrays) if part.keep_moments and taught[row] is None else arrays[0]
        runs.append(Run(part.spec, trained.seeds[row], outcome, kept))
    return runs


def _only(wanted: frozenset[tuple[str, int]], known: _Shares) -> _Shares:
    """Of the accuracies of a run those that are wanted."""
    shares: _Shares = {}
    for name, epoch in sorted(wanted):
        shares.setdefault(name, {})[epoch] = known[name][epoch]
    return shares


def _epochs(taught: Taught | None, epochs: int) -> int:
    """How many epochs a run was trained for: one that is proved right is taught no further."""
    return epochs if taught is None else taught.rounds[-1].epochs


def _versions(job: Job) -> dict[str, str]:
    own = {"abacist": __version__, "numpy": np.__version__, "python": platform.python_version()}
    return own | target_for(job.spec.layout, job.target).versions()
