"""What work is said to be: what would run, about how long it takes, and lines on how it goes, for logs."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, nullcontext, suppress
from io import RawIOBase
from pathlib import Path
from statistics import fmean

from abacist.cli.interrupt import check
from abacist.cli.screen import say, stamped, warn
from abacist.cli.stores import seeds_as_text, seeds_named, setting_named, settings_of
from abacist.cli.tables import show_rows
from abacist.experiments import (
    AnyJob,
    BlocksFailed,
    Failure,
    Job,
    Measurement,
    Results,
    Run,
    RunProgress,
    Store,
    Task,
    WorkersLost,
    run_key,
)
from abacist.files import refusal
from abacist.progress import Progress, busy, on_show
from abacist.specs import Spec
from abacist.targets import target_named
from abacist.wording import duration, escape_controls, plural

#: Usual costs on one core, measured: to begin with, for every shape of network that is compiled, for
#: every word that is drawn and judged, and for a unit of work in training.
_START_SECONDS, _SECONDS_PER_SHAPE = 1.0, 2.0
_SECONDS_PER_WORD, _USUAL_SECONDS_PER_WORK = 3e-6, 7e-8


def say_what_would_run(
    tasks: Sequence[Task], todo: Sequence[AnyJob], results: Results | None, jobs: int | None
) -> None:
    """List the blocks of runs that are missing, and estimate the time."""
    settings, rows = settings_of(task.spec for task in tasks), []
    for job in todo:
        for part in job.parts:  # one with fewer epochs costs hardly more than judging it
            on_the_way = part.spec.epochs < job.spec.epochs
            what = f"judge on the way to {job.spec.epochs:,} epochs" if on_the_way else part.what
            rows.append(settings[part.spec] | {"seeds": seeds_as_text(part.seeds), "what": what})
    if rows:
        show_rows(list(rows[0]), [list(row.values()) for row in rows], left=("language", "cell", "what"))
    compiling, running = estimate(todo, results, jobs or os.cpu_count() or 1)
    work = f"{plural(sum(job.runs for job in todo), 'run')} in {plural(len(todo), 'block')} would run"
    work += f", about {compiling + running:,.0f} s"
    if compiling:
        work += f"; about {compiling:,.0f} s of that is compiling, unless it has been done before"
    work += left_out(tasks, todo, results)
    say(work if todo else "nothing would run: the store has all of it", output=True)
    print(f"in the store: {plural(0 if results is None else len(results.runs), 'run')}")


def left_out(tasks: Sequence[Task], todo: Sequence[AnyJob], results: Results | None) -> str:
    """What `estimate` has not in its time, to stand behind it: what nobody can foretell, since the store has
    none of its kind; and horizons of runs that are still to be trained or judged."""
    searched = {run_key(task.spec, seed) for task in tasks if task.horizons for seed in task.seeds}
    if searched:
        searched &= {key for job in todo if isinstance(job, Job) for key in job.keys}
    taught = 0
    for job in todo:
        if isinstance(job, Measurement):
            searched |= {*job.keys} if _search_seconds(job, results) is None else set()
        elif job.kind == "teaching" and not _alike(job, results):
            taught += len(job.seeds)
    what = [f"the teaching of {plural(taught, 'run')} beyond their training"] if taught else []
    what += [f"the horizons of {plural(len(searched), 'run')}"] if searched else []
    return f"; not in that time: {' and '.join(what)}" if what else ""


def estimate(todo: Sequence[AnyJob], results: Results | None, jobs: int) -> tuple[float, float]:
    """About how many seconds blocks take: compiling their programs, and everything else.

    Shapes of networks that the store has are taken to be compiled; compiling is not shared out.
    """
    compiled = {(spec.layout, spec.precision) for spec in _at_hand(results)}
    shapes = {(job.spec.layout, job.spec.precision) for job in todo} - compiled
    targets = {job.target for job in todo if isinstance(job, Job)}
    speeds = {target: _seconds_per_work(results, target) for target in targets}
    blocks = [_seconds(job, results, speeds) for job in todo]
    shared = max(sum(blocks) / jobs, max(blocks, default=0.0))
    return len(shapes) * _SECONDS_PER_SHAPE, (_START_SECONDS if todo else 0.0) + shared


def _at_hand(results: Results | None) -> dict[Spec, tuple[Run, ...]]:
    """The runs of a store by spec, but for those whose cells' formulas are elsewhere."""
    by_spec = {} if results is None else results.by_spec
    return {spec: runs for spec, runs in by_spec.items() if spec.cell.absence is None}


def _alike(job: AnyJob, results: Results | None) -> tuple[Run, ...]:
    """The runs of a store with the spec of a block."""
    return () if results is None else results.by_spec.get(job.spec, ())


def _seconds(job: AnyJob, results: Results | None, speeds: Mapping[str, float]) -> float:
    """About how many seconds a block takes; of one that is taught as none before, its training, and of
    horizons that are like none before, nothing."""
    if isinstance(job, Measurement):
        return _search_seconds(job, results) or 0.0
    assert isinstance(job, Job)
    if job.kind == "teaching" and (alike := _alike(job, results)):
        return len(job.seeds) * fmean(run.outcome.seconds for run in alike)
    return job.size * speeds[job.target] + job.words * _SECONDS_PER_WORD


def _search_seconds(job: Measurement, results: Results | None) -> float | None:
    """About how many seconds the horizons of a run take, by those of its kind in the store; None without."""
    horizons = [horizon for run in _alike(job, results) for horizon in run.outcome.horizons]
    times = [[one.horizon.seconds for one in horizons if one.answers(aim)] for aim in job.aims]
    return sum(map(fmean, times)) if all(times) else None


def _seconds_per_work(results: Results | None, target: str) -> float:
    """A target's seconds for a unit of work, from the runs in the store, or else a usual value."""
    work = seconds = 0.0
    for spec, runs in _at_hand(results).items():
        size = Job(spec, (0,), frozenset()).size
        # small runs are mostly fixed costs, those that are taught mostly searches: neither says anything
        if size > 1e7 and spec.lesson is None:
            work += size / target_named(target).block(spec) * len(runs)
            seconds += sum(run.outcome.seconds for run in runs)
    return seconds / work if work else _USUAL_SECONDS_PER_WORK


@contextmanager
def lines_about(
    tasks: Sequence[Task], store: Store, jobs: int, log: Path | None, *, quiet: bool, verbose: bool
) -> Iterator[Lines]:
    """The progress of some work: bars on a terminal, else lines; `verbose` both, `quiet` neither.

    How the work ended is said once there are no bars any more.
    """
    bars = not quiet and sys.stderr.isatty()
    try:
        file = nullcontext() if log is None else log.open("ab", buffering=0)
    except OSError as error:
        raise refusal(log or store.path, "cannot be written", error) from None
    with file as stream:
        shown = ExitStack()
        on_screen = verbose or not (quiet or bars)
        lines = Lines(tasks, store, jobs, stream, on_screen, _experiment_bars(shown) if bars else None)
        try:
            with shown:
                yield shown.enter_context(on_show(lines)) if bars else lines
        except (KeyboardInterrupt, WorkersLost):
            lines.stopped()
            raise
        except BlocksFailed as error:
            lines.ended(error.failed)
            raise
        lines.ended()


def _experiment_bars(stack: ExitStack) -> Callable[[RunProgress], None]:
    """What shows the runs of each experiment."""
    parts: dict[str, Progress] = {}

    def watch(progress: RunProgress) -> None:
        check()
        for name, (done, total) in progress.experiments.items():
            if name not in parts:
                parts[name] = stack.enter_context(busy(name))
            parts[name](done / max(total, 1), f"{done:,} of {plural(total, 'run')}")

    return watch


class Lines(RunProgress):
    """Writes lines, each with the time, into a log and on standard error, into either or into none."""

    def __init__(
        self,
        tasks: Sequence[Task],
        store: Store,
        jobs: int,
        log: RawIOBase | None,
        on_screen: bool,
        watch: Callable[[RunProgress], None] | None,
    ) -> None:
        super().__init__(watch, "all work")
        self._settings = settings_of(task.spec for task in tasks)
        self._tasks, self._store, self._jobs = tasks, store, jobs
        self._log, self._on_screen = log, on_screen
        self._all_jobs = self._finished_jobs = 0
        self._runs: set[str] = set()
        self._diverged: set[str] = set()
        self._banner = ""

    def begun_jobs(self, jobs: Sequence[AnyJob], results: Results) -> None:
        if not jobs:
            return
        self._all_jobs = self._finished_jobs + len(jobs)
        runs = len({key for job in jobs for key in job.keys})
        about = duration(sum(estimate(jobs, results, self._jobs))) + left_out(self._tasks, jobs, results)
        banner = f"{plural(runs, 'run')} in {plural(len(jobs), 'block')} to compute, about {about}"
        if banner != self._banner:  # it may only have waited for other processes
            self._banner = banner
            self._line(f"{banner}; kept in {self._store.path} block by block")

    def finished_job(self, job: AnyJob, runs: Sequence[Run]) -> None:
        self._finished_jobs += 1
        diverged = {run.key for run in runs if run.outcome.diverged is not None}
        self._runs |= {run.key for run in runs}
        self._diverged |= diverged
        self._line(
            f"{100 * self.share:.0f} % done, {self.time_left} left; block {self._finished_jobs:,} of "
            f"{self._all_jobs:,}: {job.what}, {setting_named(self._settings.get(job.spec, {}))}, "
            f"{seeds_named(job.seeds)}" + (f", {len(diverged)} diverged" if diverged else "")
        )

    def ended(self, failed: Sequence[Failure] = ()) -> None:
        """All is done but for blocks that failed twice: say what came of it, and of each of these."""
        if not self._finished_jobs and not failed:  # what is printed says it: only a log needs the line
            self._line(f"nothing to compute: {self._store.path} has all of it", for_logs=True)
            return
        diverged = f"{len(self._diverged):,} diverged" if self._diverged else "none diverged"
        self._line(
            f"{plural(len(self._runs), 'run')} computed in {self._spent}, {diverged}"
            + (f", {plural(len(failed), 'block')} failed" if failed else "")
            + f"; kept in {self._store.path}"
        )
        for failure in failed:
            for part in failure.job.parts:
                what = f"{setting_named(self._settings[part.spec])}, {seeds_named(part.seeds)}"
                warn(f"{what}: failed twice, {failure.error}")

    def stopped(self) -> None:
        """It was interrupted: say what is kept."""
        keys = {run_key(task.spec, seed) for task in self._tasks for seed in task.seeds}
        kept = len(keys & Results.of(self._store).by_key.keys())
        which = f"{kept:,} of {plural(len(keys), 'run')} kept in {self._store.path}"
        sentence = f"{which}; the same command continues from there"
        self._line(f"stopped after {self._spent}: {sentence}", for_logs=True)
        say(sentence)

    @property
    def _spent(self) -> str:
        return duration(time.monotonic() - self.begun)

    def _line(self, text: str, *, for_logs: bool = False) -> None:
        """A line more; a full disk costs the log, never the work."""
        line = stamped(text)
        if self._log is not None:
            with suppress(OSError):
                self._log.write(f"{escape_controls(line)}\n".encode(errors="backslashreplace"))
        if self._on_screen and not for_logs:
            say(line)
