"""How far an experiment has come: its share, its runs by experiment, and about how long the rest takes."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence

from abacist.experiments.job import AnyJob, Job
from abacist.experiments.measuring import Measurement, work_of
from abacist.experiments.missing import merged
from abacist.experiments.outcome import Run
from abacist.experiments.pace import Pace
from abacist.experiments.plan import Task, run_key
from abacist.experiments.results import Results
from abacist.progress import Progress
from abacist.wording import duration, plural


class RunProgress(Progress):
    """The progress of `run`. `watch` is called from any thread; `experiments` are the runs done and in all.

    A subclass may override `begun_jobs` and `finished_job`, which are called by the thread that called `run`.
    """

    def __init__(
        self,
        watch: Callable[[RunProgress], None] | None = None,
        title: str = "",
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        super().__init__(None if watch is None else lambda _own: watch(self), title)
        self.experiments: dict[str, tuple[int, int]] = {}
        self._total = self._finished = 0.0
        self._in_flight: dict[int, float] = {}
        self._to_measure: set[str] = set()
        self._asked_by: dict[str, list[str]] = {}
        self._pace = Pace(clock)

    def begun_jobs(self, jobs: Sequence[AnyJob], results: Results) -> None:
        """These jobs are set out on, and the store has these results so far; maybe several times."""

    def finished_job(self, job: AnyJob, runs: Sequence[Run]) -> None:
        """A job is finished, and kept."""

    @property
    def time_left(self) -> str:
        """How long the rest of the work takes, as far as its beginning tells."""
        seconds, unforeseen = self._pace.left()
        known = None if seconds is None else f"about {duration(seconds)}"
        measuring = len(self._to_measure) if unforeseen else 0
        searches = f"the horizons of {plural(measuring, 'run')}" if measuring else None
        return " and ".join(text for text in (known, searches) if text) or "an unknown time"

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
            self._total = self._finished + sum(job.size for job in jobs) + later
            self._pace.begin(jobs, later)
            missing = {key for job in jobs for key in job.keys}
            self._asked_by = {}
            self.experiments = dict.fromkeys((task.experiment for task in tasks), (0, 0))
            for task in tasks:
                for key in _keys(task):
                    self._asked_by.setdefault(key, []).append(task.experiment)
                    self._count(task.experiment, key not in missing, 1)
            self._update()

    def _count(self, experiment: str, done: int, total: int = 0) -> None:
        before, of = self.experiments[experiment]
        self.experiments[experiment] = (min(before + done, of + total), of + total)

    def of_job(self, job: AnyJob) -> Progress:
        """The progress of a job of these."""

        def watch(own: Progress) -> None:
            with self._lock:
                self._in_flight[id(job)] = own.share * job.size
                self._pace.reached(job, own.share * job.size)
                self._update()

        return Progress(watch)

    def finish(self, job: AnyJob, runs: Sequence[Run]) -> None:
        """A job was written to the store, or given up, with no runs."""
        with self._lock:
            self._in_flight.pop(id(job), None)
            self._pace.finish(job)
            self._finished += job.size
            if isinstance(job, Measurement):
                self._to_measure.difference_update(job.keys)
            for run in runs:
                for experiment in self._asked_by.get(run.key, ()):
                    self._count(experiment, 1)
            self._update()
        if runs:
            self.finished_job(job, runs)

    def _update(self) -> None:
        work = self._finished + sum(self._in_flight.values())
        self(work / self._total if self._total else 1.0, f"{self.time_left} left")


def _keys(task: Task) -> list[str]:
    return [run_key(task.spec, seed) for seed in task.seeds]
