"""Jobs, which workers compute: a block of runs that are trained and judged as one, as a plain value."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Protocol

from abacist.errors import BadInput
from abacist.experiments.outcome import Outcome, Run
from abacist.experiments.plan import SETS, key_of
from abacist.fields import check_fields, short_repr
from abacist.specs import Spec
from abacist.targets import PROCESSOR, target_named


class AnyJob(Protocol):
    """What a worker computes, a `Job` or a `Measurement`: a plain value, as are the runs that come of it."""

    @property
    def spec(self) -> Spec: ...

    @property
    def seeds(self) -> tuple[int, ...]: ...

    @property
    def keys(self) -> tuple[str, ...]:
        """The keys of all runs that come of it."""

    @property
    def runs(self) -> int:
        """How many runs come of it."""

    @property
    def parts(self) -> tuple[AnyJob, ...]:
        """The same as jobs of one spec each."""

    @property
    def size(self) -> float:
        """About how much work it is, in symbols × parameters: to begin with the longest."""

    @property
    def kind(self) -> str:
        """The kind of work: how long it takes is foretold from jobs of the same kind."""

    @property
    def what(self) -> str:
        """What is done, in words."""

    @property
    def words(self) -> int:
        """How many words are drawn, labelled and judged."""

    def lacks(self, found: Callable[[str], Run | None]) -> bool:
        """Whether all of its runs, as they are now, are still to be computed."""

    def is_answered_by(self, runs: Mapping[str, Run]) -> bool:
        """Whether runs, by key, have all the results that are wanted of them."""


@dataclass(frozen=True, eq=False)
class Job:
    """A block of runs of one spec. With `weights`, (run, parameter), and outcomes they are only judged.

    `shorter` are jobs with fewer epochs and all else the same, for some of the seeds: training comes by
    their networks on its way. `start` are stored runs with fewer epochs and all else the same, one for each
    seed, from which training goes on. With `keep_moments` those of Adam are kept with the weights. `target`
    is the one that computes it, for which the block was cut; no key and no result has its name.
    """

    spec: Spec
    seeds: tuple[int, ...]
    wanted: frozenset[tuple[str, int]]
    weights: Any = None
    outcomes: tuple[Outcome, ...] = ()
    shorter: tuple[Job, ...] = ()
    start: tuple[Run, ...] = ()
    keep_moments: bool = False
    target: str = PROCESSOR

    def __post_init__(self) -> None:
        check_fields(self)
        target_named(self.target)  # refuses a name that is none
        if not self.seeds:
            raise BadInput("Job: at least one seed is needed, got none")
        for name, epoch in self.wanted:
            if name not in SETS or not 0 <= epoch <= self.spec.epochs:
                raise BadInput(
                    f"Job: sets are {', '.join(SETS)}, epochs 0 to {self.spec.epochs}, "
                    f"got {name!r} after {epoch}"
                )
        for other in self.shorter:
            self._check_shorter(other)
        if self.start:
            self._check_start()

    def _check_start(self) -> None:
        if tuple(run.seed for run in self.start) != self.seeds or self.weights is not None:
            raise BadInput("Job: what is trained starts from a stored run for every seed, or from none")
        epochs = {run.spec.epochs for run in self.start}
        if len(epochs) > 1 or min(epochs) >= self.spec.epochs:
            raise BadInput(
                f"Job: stored runs to start from have all the same epochs, fewer than {self.spec.epochs}"
            )
        for run in self.start:
            if replace(run.spec, epochs=self.spec.epochs) != self.spec or self.spec.lesson is not None:
                raise BadInput("Job: stored runs to start from have the same spec but for their epochs")
            if not run.has_moments:
                raise BadInput(f"Job: run {run.key} cannot be continued, its moments were not kept")

    def _check_shorter(self, other: Job) -> None:
        if self.weights is not None or other.weights is not None or other.shorter:
            raise BadInput(
                "Job: only what is trained has shorter jobs, which are trained, too, and have none"
            )
        if self.spec.lesson is not None or replace(other.spec, epochs=self.spec.epochs) != self.spec:
            raise BadInput("Job: shorter jobs have the same spec but for their epochs, and no lesson")
        if other.spec.epochs >= self.spec.epochs:
            raise BadInput(
                f"Job: shorter jobs have fewer epochs than {self.spec.epochs}, got {other.spec.epochs}"
            )
        if other.target != self.target:
            raise BadInput(f"Job: shorter jobs have the same target, {self.target}, got {other.target}")
        if not set(other.seeds) <= set(self.seeds):
            raise BadInput(
                f"Job: shorter jobs have seeds among {short_repr(self.seeds)}, got {short_repr(other.seeds)}"
            )

    @property
    def parts(self) -> tuple[Job, ...]:
        """The job without its shorter ones, and those, each as a job of its own."""
        return (replace(self, shorter=()), *self.shorter) if self.shorter else (self,)

    @property
    def keys(self) -> tuple[str, ...]:
        return tuple(key_of(part.spec, seed) for part in self.parts for seed in part.seeds)

    @property
    def runs(self) -> int:
        return sum(len(part.seeds) for part in self.parts)

    @property
    def kind(self) -> str:
        if self.weights is not None:
            return "judging"
        return "training" if self.spec.lesson is None else "teaching"

    @property
    def what(self) -> str:
        if self.weights is not None:
            return "judge"
        if self.start:
            return "continue and judge"
        return "train and judge" if self.spec.lesson is None else "teach and judge"

    @property
    def done(self) -> int:
        """How many epochs are done before it begins."""
        return self.start[0].spec.epochs if self.start else 0

    @property
    def words(self) -> int:
        return len(self.seeds) * sum(split.count for split in self.spec.splits)

    def lacks(self, found: Callable[[str], Run | None]) -> bool:
        return all(
            (run := found(key_of(part.spec, seed))) is None or bool(part.wanted - run.outcome.known())
            for part in self.parts
            for seed in part.seeds
        )

    def is_answered_by(self, runs: Mapping[str, Run]) -> bool:
        return all(
            part.wanted <= runs[key_of(part.spec, seed)].outcome.known()
            for part in self.parts
            for seed in part.seeds
        )

    @property
    def size(self) -> float:
        epochs = 0 if self.weights is not None else self.spec.epochs - self.done
        words = self.spec.splits[0].count
        if self.spec.lesson is not None:  # to search for words counts as much as to train on them
            words += 0 if self.spec.lesson.feed == "nothing" else self.spec.lesson.kept
            epochs *= 2
        return float(words * (epochs + 3 * len(self.parts)) * self.spec.layout.size)
