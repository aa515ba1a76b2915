"""How far an experiment has come: its share, its runs by experiment, and about how long the rest takes."""

from __future__ import annotations

import sys
import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from abacist.experiments.job import SEARCHING, AnyJob, Job, Measurement, work_of
from abacist.experiments.missing import merged
from abacist.experiments.outcome import Epoch, Run
from abacist.experiments.plan import Task, run_key
from abacist.experiments.results import Results
from abacist.progress import Progress
from abacist.wording import duration, plural


@dataclass
class _Begun:
    """A block in flight: since when, and how much of it has been done."""

    since: float
    done: float = 0.0


class Pace:
    """Seconds that blocks take for a unit of `Job.size`, each in one worker: training and searching differ.

    Blocks count from the first time that they tell of themselves, those in flight as far as they have come.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock, self._workers, self._blocks, self._finished = clock, 1, 0, 0.0
        self._begun: dict[AnyJob, _Begun] = {}
        self._todo, self._seconds, self._sizes = (defaultdict[str, float](float) for _ in range(3))

    def begin(self, jobs: Iterable[AnyJob], searches: float) -> None:
        """These blocks are all that is left, and after them searches of a size."""
        self._todo, self._blocks = defaultdict(float, {SEARCHING: searches}), 0
        for job in jobs:
            self._todo[job.kind] += job.size
            self._blocks += 1

    def reached(self, job: AnyJob, work: float) -> None:
        """So much of a block's work has been done."""
        if job not in self._begun:
            self._begun[job] = _Begun(self._clock())
        self._begun[job].done = min(work, job.size)
        self._workers = max(self._workers, len(self._begun))

    def finish(self, job: AnyJob) -> None:
        """A block is done, or given up."""
        self._todo[job.kind] = max(self._todo[job.kind] - job.size, 0.0)
        self._blocks -= 1
        self._finished += job.size
        if (begun := self._begun.pop(job, None)) is not None:
            self._seconds[job.kind] += self._clock() - begun.since
            self._sizes[job.kind] += job.size

    @property
    def share(self) -> float:
        """The share of all work that is done, over all rounds."""
        done = self._finished + sum(begun.done for begun in self._begun.values())
        total = self._finished + sum(self._todo.values())
        return done / total if total else 1.0

    def left(self) -> tuple[float | None, bool]:
        """About how many seconds the rest takes; and whether searches come on top, since none is measured.

        None where nothing else has been measured.
        """
        todo, seconds, sizes, now = self._todo.copy(), self._seconds.copy(), self._sizes.copy(), self._clock()
        for job, begun in self._begun.items():
            seconds[job.kind] += now - begun.since
            sizes[job.kind] += begun.done
            todo[job.kind] = max(todo[job.kind] - begun.done, 0.0)
        speeds = {kind: seconds[kind] / size for kind, size in sizes.items() if size}
        unforeseen = todo[SEARCHING] > 0 and SEARCHING not in speeds
        if unforeseen:
            del todo[SEARCHING]
        usual = max((speed for kind, speed in speeds.items() if kind != SEARCHING), default=None)
        total = 0.0
        for kind, size in todo.items():
            speed = speeds.get(kind, usual)
            if size and speed is None:
                return None, unforeseen
            total += size * (speed or 0.0)
        later = todo[SEARCHING] > 0
        return total / (self._workers if later else max(min(self._workers, self._blocks), 1)), unforeseen


class RunProgress(Progress):
    """The progress of `run`. `watch` and `callback` are called from any thread.

    `callback` is given every `Epoch` that threads of this process train, one at a time. What it raises ends
    the work, and is raised by `run`.

    A subclass may override `begun_jobs` and `finished_job`, which are called by the thread that called `run`.
    """

    def __init__(
        self,
        watch: Callable[[RunProgress], None] | None = None,
        title: str = "",
        clock: Callable[[], float] = time.monotonic,
        callback: Callable[[Epoch], None] | None = None,
    ) -> None:
        super().__init__(None if watch is None else lambda _progress: watch(self), title, callback)
        self.fault: BaseException | None = None  # what the callback raised
        self._to_measure: set[str] = set()
        self._missing: dict[str, set[str]] = {}  # keys, by experiment
        self._totals: dict[str, int] = {}  # in all
        self._pace = Pace(clock)

    def begun_jobs(self, jobs: Sequence[AnyJob], results: Results) -> None:
        """These jobs are set out on, and the store has these results so far; maybe several times."""

    def finished_job(self, job: AnyJob, runs: Sequence[Run]) -> None:
        """A job is finished, and kept."""

    @property
    def experiments(self) -> dict[str, tuple[int, int]]:
        """The runs done and in all, by experiment."""
        return {name: (runs - len(self._missing[name]), runs) for name, runs in self._totals.items()}

    @property
    def time_left(self) -> str:
        """How long the rest of the work takes, as far as its beginning tells."""
        seconds, unforeseen = self._pace.left()
        foretold = None if seconds is None else f"about {duration(seconds)}"
        measuring = len(self._to_measure) if unforeseen else 0
        searches = f"the horizons of {plural(measuring, 'run')}" if measuring else None
        return " and ".join(text for text in (foretold, searches) if text) or "an unknown time"

    def begin(self, jobs: Sequence[AnyJob], tasks: Sequence[Task]) -> None:
        """Set out on some jobs; the horizons of their runs are looked for after them."""
        trained = {key for job in jobs if isinstance(job, Job) for key in job.keys}
        later = 0.0
        with self._lock:
            self._to_measure = {key for job in jobs if isinstance(job, Measurement) for key in job.keys}
            for task in merged(tasks):
                if task.horizons:
                    keys = trained.intersection(_keys(task))
                    later += work_of(task.spec, task.horizons) * len(keys)
                    self._to_measure |= keys
            self._pace.begin(jobs, later)
            asked_for: dict[str, set[str]] = {}
            for task in tasks:
                asked_for.setdefault(task.experiment, set()).update(_keys(task))
            missing = {key for job in jobs for key in job.keys}
            self._missing = {name: keys & missing for name, keys in asked_for.items()}
            self._totals = {name: len(keys) for name, keys in asked_for.items()}
            self._update()

    def of_job(self, job: AnyJob) -> Progress:
        """The progress of a job of these."""

        def watch(job_progress: Progress) -> None:
            with self._lock:
                self._pace.reached(job, job_progress.share * job.size)
                self._update()

        return Progress(watch, callback=self.report)

    def report(self, result: Any) -> None:
        with self._lock:
            if self.fault is None:  # else the work is about to end
                try:
                    super().report(result)
                except BaseException as error:
                    self.fault = error
                    raise

    def finish(self, job: AnyJob, runs: Sequence[Run]) -> None:
        """A job was written to the store, or given up, with no runs."""
        with self._lock:
            self._pace.finish(job)
            if isinstance(job, Measurement):
                self._to_measure.difference_update(job.keys)
            for missing in self._missing.values():
                missing.difference_update(run.key for run in runs)
            self._update()
        if runs:
            self.finished_job(job, runs)

    def _update(self) -> None:
        self(self._pace.share, f"{self.time_left} left")


def _keys(task: Task) -> list[str]:
    return [run_key(task.spec, seed) for seed in task.seeds]


@contextmanager
def progress_line(title: str, wanted: bool, callback: Any) -> Iterator[RunProgress]:
    """Progress on standard error: a line that changes and goes away at the end; in a file the title alone."""
    shown, changes = [""], sys.stderr.isatty() or "ipykernel" in sys.modules  # a notebook is no terminal
    callbacks = () if callback is None else (callback,) if callable(callback) else tuple(callback)

    def show(progress: RunProgress) -> None:
        text = f"{title} … {progress.share:.0%}, {progress.text}" if changes else title
        if text != shown[0]:
            shown[0] = text
            line = f"\r{text:<80}" if changes else f"{text}\n"
            print(line, end="", file=sys.stderr, flush=True)

    def call(epoch: Epoch) -> None:
        for one in callbacks:
            one(epoch)

    try:
        yield RunProgress(show if wanted else None, callback=call if callbacks else None)
    finally:
        if shown[0] and changes:
            print(f"\r{'':<80}\r", end="", file=sys.stderr, flush=True)
