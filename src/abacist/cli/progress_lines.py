"""The progress lines of commands that fill a store: on standard error, and in the file of `--log`."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, nullcontext, suppress
from io import RawIOBase
from pathlib import Path

from abacist.cli.estimates import estimate, left_out
from abacist.cli.interrupt import check
from abacist.cli.options import seeds_named, setting_named, settings_of
from abacist.cli.screen import say, stamped, warn
from abacist.experiments import (
    AnyJob,
    BlocksFailed,
    Failure,
    Results,
    Run,
    RunProgress,
    Store,
    Task,
    WorkersLost,
    run_key,
)
from abacist.files import refusal
from abacist.progress import on_show
from abacist.report.event_files import EventFiles
from abacist.wording import duration, escape_controls, plural


@contextmanager
def progress_lines(
    tasks: Sequence[Task],
    store: Store,
    *,
    jobs: int | None,
    log: Path | None,
    events: Path | None,
    quiet: bool,
    verbose: bool,
) -> Iterator[RunProgress]:
    """The progress of the work: a bar on a terminal, else lines; `verbose` both, `quiet` neither.

    Lines go into the file `log`, too, and what TensorBoard reads into the folder `events`. How the work ended
    is said once there is no bar any more.
    """
    bar = not quiet and sys.stderr.isatty()
    try:
        file = nullcontext() if log is None else log.open("ab", buffering=0)
    except OSError as error:
        raise refusal(log or store.path, "cannot be written", error) from None
    with file as stream:
        on_screen, callback = verbose or not (quiet or bar), None if events is None else EventFiles(events)
        lines = _Lines(tasks, store, jobs or os.cpu_count() or 1, stream, on_screen, callback)
        try:
            with on_show(lines) if bar else nullcontext():
                yield lines
        except (KeyboardInterrupt, WorkersLost):
            lines.stopped()
            raise
        except BlocksFailed as error:
            lines.ended(error.failed)
            raise
        lines.ended()


class _Lines(RunProgress):
    """Writes lines, each with the time, into a log and on standard error, into either or into none."""

    def __init__(
        self,
        tasks: Sequence[Task],
        store: Store,
        jobs: int,
        log: RawIOBase | None,
        on_screen: bool,
        events: EventFiles | None,
    ) -> None:
        super().__init__(lambda _progress: check(), "all work", callback=events)
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
        about = duration(sum(estimate(jobs, results, self._jobs))) + left_out(self._tasks, jobs)
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
