"""Jobs, which workers compute, as plain values: blocks of runs to train and judge, and runs to measure."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, ClassVar, TypeAlias

from abacist.errors import BadInput
from abacist.experiments.outcome import Run
from abacist.experiments.plan import SETS, HorizonAim, key_of_text
from abacist.fields import Checked, check_fields, short_repr
from abacist.specs import Spec
from abacist.targets import PROCESSOR, target_named

#: The kind of work whose size says little about its time: it is not foretold before some of it is measured.
SEARCHING = "searching"


@dataclass(frozen=True, eq=False)
class Job:
    """A block of runs of one spec, trained and judged as one.

    `shorter` are jobs that differ in their fewer epochs, for some of the seeds: training passes their
    networks on its way. `start` has a stored run for each seed that differs at most in its epochs: training
    continues from runs with fewer epochs, and runs with all epochs are only judged. With `keep_moments` those
    of Adam are kept with the weights. `target` is the one that computes it, for which the block was cut; no
    key and no result has its name.
    """

    spec: Spec
    seeds: tuple[int, ...]
    wanted: frozenset[tuple[str, int]]
    shorter: tuple[Job, ...] = ()
    start: tuple[Run, ...] = ()
    keep_moments: bool = False
    target: str = PROCESSOR

    def __post_init__(self) -> None:
        check_fields(self)
        target_named(self.target)  # refuses a name that is none
        if fault := next(self._faults(), None):
            raise BadInput(f"Job: {fault}")

    def _faults(self) -> Iterator[str]:
        """What is wrong with it, if anything."""
        if not self.seeds:
            yield "at least one seed is needed, got none"
        epochs, text = self.spec.epochs, self.spec.key_text_but_epochs
        for name, epoch in self.wanted:
            if name not in SETS or not 0 <= epoch <= epochs:
                yield f"sets are {', '.join(SETS)}, epochs 0 to {epochs}, got {name!r} after {epoch}"
        for other in self.shorter:
            if self.is_trained or other.is_trained or other.shorter:
                yield "only what is trained has shorter jobs, which are trained, too, and have none"
            if other.spec.key_text_but_epochs != text:
                yield "shorter jobs have the same spec but for their epochs, and no lesson"
            if other.spec.epochs >= epochs:
                yield f"shorter jobs have fewer epochs than {epochs}, got {other.spec.epochs}"
            if other.target != self.target:
                yield f"shorter jobs have the same target, {self.target}, got {other.target}"
            if not set(other.seeds) <= set(self.seeds):
                named = short_repr(self.seeds), short_repr(other.seeds)
                yield "shorter jobs have seeds among {}, got {}".format(*named)
        if self.start:
            if tuple(run.seed for run in self.start) != self.seeds:
                yield "there is a stored run to start from for every seed, or for none"
            specs = {id(run.spec): run.spec for run in self.start}.values()
            if {spec.epochs for spec in specs} != {self.done} or self.done > epochs:
                yield f"stored runs to start from have all the same epochs, at most {epochs}"
            if {spec.key_text_but_epochs for spec in specs} != {text}:
                yield "stored runs to start from have the same spec but for their epochs"
            for run in self.start:
                if not self.is_trained and not run.has_moments:
                    yield f"run {run.key} cannot be continued, its moments were not kept"

    @property
    def parts(self) -> tuple[Job, ...]:
        """The job without its shorter ones, and those, each as a job of its own spec."""
        return (replace(self, shorter=()), *self.shorter) if self.shorter else (self,)

    @property
    def keys(self) -> tuple[str, ...]:
        """The keys of all runs that come of it."""
        return tuple(self._wanted_by_key)

    @property
    def done(self) -> int:
        """How many epochs are done before it begins."""
        return self.start[0].spec.epochs if self.start else 0

    @property
    def first_epochs(self) -> int:
        """How many epochs of pretraining its runs begin with."""
        pretraining = None if self.start else self.spec.pretraining
        return 0 if pretraining is None else pretraining.epochs

    @property
    def is_trained(self) -> bool:
        """Whether its runs are trained already, and only judged."""
        return bool(self.start) and self.done == self.spec.epochs

    @property
    def kind(self) -> str:
        """The kind of work: how long it takes is foretold from jobs of the same kind."""
        if self.is_trained:
            return "judging"
        return "training" if self.spec.lesson is None else "teaching"

    @property
    def what(self) -> str:
        """What is done, in words."""
        if self.is_trained:
            return "judge"
        if self.start:
            return "continue and judge"
        return "train and judge" if self.spec.lesson is None else "teach and judge"

    @property
    def words(self) -> int:
        """How many words are drawn, labelled and judged."""
        return len(self.seeds) * sum(split.count for split in self.spec.splits)

    @property
    def size(self) -> float:
        """About how much work it is, in symbols × parameters: to begin with the longest."""
        epochs = self.spec.epochs - self.done + self.first_epochs
        words = self.spec.splits[0].count
        if self.spec.lesson is not None:  # to search for words counts as much as to train on them
            words += 0 if self.spec.lesson.feed == "nothing" else self.spec.lesson.kept
            epochs *= 2
        return float(words * (epochs + 3 * len(self.parts)) * self.spec.layout.size)

    @cached_property
    def _wanted_by_key(self) -> dict[str, frozenset[tuple[str, int]]]:
        """What is wanted of each of its runs, by key."""
        parts = [(part.spec.key_text, part) for part in self.parts]
        return {key_of_text(text, seed): part.wanted for text, part in parts for seed in part.seeds}

    def is_open(self, run: Run | None) -> bool:
        """Whether one of its runs, None where there is none, has not all that is wanted of it."""
        return run is None or not self._wanted_by_key[run.key] <= run.outcome.known()


@dataclass(frozen=True, eq=False)
class Measurement(Checked):
    """A finished run and the horizons to find; its other attributes are those of `Job`."""

    run: Run
    aims: tuple[HorizonAim, ...]

    kind: ClassVar[str] = SEARCHING

    def __reduce__(self) -> tuple[Any, ...]:
        """Another machine cannot read the store: what is sent there has its weights with it."""
        return Measurement, (self.run.whole(), self.aims)

    @property
    def spec(self) -> Spec:
        return self.run.spec

    @property
    def seeds(self) -> tuple[int, ...]:
        return (self.run.seed,)

    @property
    def keys(self) -> tuple[str, ...]:
        return (self.run.key,)

    @property
    def parts(self) -> tuple[Measurement, ...]:
        return (self,)

    @property
    def size(self) -> float:
        return work_of(self.spec, self.aims)

    @property
    def what(self) -> str:
        return "find the horizon" if len(self.aims) == 1 else f"find {len(self.aims)} horizons"

    def is_open(self, run: Run | None) -> bool:
        return run is not None and bool(run.outcome.unanswered(self.aims))


#: What a worker computes.
AnyJob: TypeAlias = Job | Measurement


def work_of(spec: Spec, aims: Iterable[HorizonAim]) -> float:
    """About how much work the horizons of a run are: nobody knows before it is done."""
    work = sum(math.sqrt(aim.search.budget) * aim.search.to for aim in aims)
    return float(13 * work * spec.layout.size)
