"""What a store lacks: the jobs that compute it, in blocks of runs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from abacist.analysis import Search
from abacist.engine import blocks_of
from abacist.experiments.job import AnyJob, Job, Measurement
from abacist.experiments.outcome import Run
from abacist.experiments.plan import HorizonAim, Task, key_of_text, run_key
from abacist.experiments.results import Results
from abacist.fields import checked
from abacist.specs import Spec
from abacist.targets import PROCESSOR


@checked
def jobs_for(
    tasks: Sequence[Task],
    results: Results | None,
    *,
    force: bool = False,
    keep_moments: bool = False,
    target: str = PROCESSOR,
) -> list[AnyJob]:
    """The blocks of runs that are missing in the results, the longest first, as large as a target's are.

    Where a run with fewer epochs is there with its moments, training goes on from it, unless by `force`.

    Horizons are looked for once a run is finished, so those of runs that are still missing come later.
    """
    stored = {} if results is None else results.by_key
    jobs: list[AnyJob] = []
    by_spec: dict[tuple[str, int], list[Job]] = {}
    continuable = _continuable(() if results is None or force else results.runs)
    for task in merged(tasks):
        untrained: list[int] = []
        unjudged: list[Run] = []
        demanded = task.wanted()
        wanted = frozenset(demanded)
        for seed in task.seeds:
            run = stored.get(key_of_text(task.spec.key_text, seed)) if stored else None
            if run is None:
                untrained.append(seed)
                continue
            known = run.outcome.known()
            lacking = demanded - known
            wanted = wanted | known  # nothing known is forgotten
            if force or any(epoch != task.spec.epochs for _, epoch in lacking):
                untrained.append(seed)
            elif lacking:
                unjudged.append(run)
            elif aims := run.outcome.unanswered(task.horizons):
                jobs.append(Measurement(run, aims))
        text = task.spec.key_text_but_epochs
        groups: dict[int, dict[int, Run | None]] = {}  # by epochs that are done, and by seed
        for seed in untrained:
            fitting = (run for run in continuable.get((text, seed), ()) if _leads_to(run, task.spec, wanted))
            start = max(fitting, key=lambda run: run.spec.epochs, default=None)
            groups.setdefault(0 if start is None else start.spec.epochs, {})[seed] = start
        for done, group in groups.items():
            starts = tuple(run.whole() for run in group.values() if run is not None)
            job = Job(task.spec, tuple(group), wanted, (), starts, keep_moments, target)
            by_spec.setdefault((text, done), []).append(job)
        for places in blocks_of(len(unjudged), task.spec, target=target):
            block = tuple(replace(unjudged[n], kept=unjudged[n].weights) for n in places)
            missing = frozenset(w for run in block for w in demanded - run.outcome.known())
            seeds = tuple(run.seed for run in block)
            jobs.append(Job(task.spec, seeds, missing, start=block, target=target))
    for alike in by_spec.values():
        jobs += _blocks(alike)
    return sorted(jobs, key=lambda job: -job.size)


def _blocks(alike: Iterable[Job]) -> list[Job]:
    """Jobs that differ in their epochs and seeds alone, in blocks.

    A seed is trained once, for the most epochs, and the rest is met on the way: never in more blocks than
    there would be otherwise.
    """
    blocks: list[Job] = []
    left = sorted(alike, key=lambda job: -job.spec.epochs)
    while left:
        longest, *left = left
        places = blocks_of(len(longest.seeds), longest.spec, target=longest.target)
        block_of = {longest.seeds[n]: block for block, numbers in enumerate(places) for n in numbers}
        shorter: list[list[Job]] = [[] for _ in places]
        rest: list[Job] = []
        for job in left:
            for block, part in _by_block(job, block_of).items():
                (rest if block is None else shorter[block]).append(part)
        for block, part in _by_block(longest, block_of).items():
            assert block is not None
            blocks.append(replace(part, shorter=tuple(shorter[block])))
        left = rest
    return blocks


def _by_block(job: Job, block_of: Mapping[int, int]) -> dict[int | None, Job]:
    """A job divided by the blocks of its seeds; None stands for seeds without one."""
    seeds: dict[int | None, list[int]] = {}
    for seed in job.seeds:
        seeds.setdefault(block_of.get(seed), []).append(seed)
    start = {run.seed: run for run in job.start}
    return {
        block: replace(job, seeds=tuple(members), start=tuple(start[seed] for seed in members if start))
        for block, members in seeds.items()
    }


def merged(tasks: Iterable[Task]) -> list[Task]:
    """Tasks with the same spec made one, so that no run is computed twice."""
    by_key: dict[str, Task] = {}
    for task in tasks:
        key = run_key(task.spec, 0)
        if key in by_key:
            other = by_key[key]
            task = replace(
                other,
                seeds=tuple(dict.fromkeys((*other.seeds, *task.seeds))),
                sets=tuple(dict.fromkeys((*other.sets, *task.sets))),
                at_epochs=tuple(sorted({*other.at_epochs, *task.at_epochs})),
                horizons=_sharpest((*other.horizons, *task.horizons)),
            )
        by_key[key] = task
    return list(by_key.values())


def _sharpest(aims: Sequence[HorizonAim]) -> tuple[HorizonAim, ...]:
    """One aim for each question, which answers all."""
    sharpest: dict[tuple[float, str], HorizonAim] = {}
    for aim in aims:
        other = sharpest.get(aim.question, aim)
        fields = ("to", "budget", "most")
        most = {name: max(getattr(other.search, name), getattr(aim.search, name)) for name in fields}
        certify = aim.certify or other.certify
        sharpest[aim.question] = replace(aim, search=Search(**most), certify=certify)
    return tuple(sharpest.values())


def _continuable(runs: Iterable[Run]) -> dict[tuple[str, int], list[Run]]:
    """The runs that training can go on from, by what their specs have in common but epochs, and by seed."""
    by_text: dict[tuple[str, int], list[Run]] = {}
    for run in runs:
        if run.has_moments and run.spec.lesson is None:
            by_text.setdefault((run.spec.key_text_but_epochs, run.seed), []).append(run)
    return by_text


def _leads_to(run: Run, spec: Spec, wanted: frozenset[tuple[str, int]]) -> bool:
    """Whether nothing is wanted of epochs that are over which nobody knows."""
    over = {(name, epoch) for name, epoch in wanted if epoch < run.spec.epochs}
    return 0 < run.spec.epochs < spec.epochs and over <= run.outcome.known()
