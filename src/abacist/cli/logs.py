"""Lines about long work, for logs: what is begun, every finished block, and what came of it all."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from io import RawIOBase
from pathlib import Path

from abacist.cli.dry_run import estimate, left_out
from abacist.cli.interrupt import check
from abacist.cli.screen import say, stamped
from abacist.cli.stores import seeds_named, setting_named, settings_of
from abacist.experiments import AnyJob, Results, Run, RunProgress, Task
from abacist.files import refusal
from abacist.progress import Progress, busy, on_show
from abacist.wording import duration, several, visible


@contextmanager
def lines_about(
    tasks: Sequence[Task], store: Path, jobs: int, log: Path | None, *, quiet: bool, verbose: bool
) -> Iterator[Lines]:
    """The progress of some work: bars on a terminal, else lines; `verbose` both, `quiet` neither."""
    bars = not quiet and sys.stderr.isatty()
    with ExitStack() as stack:
        try:
            file = None if log is None else stack.enter_context(log.open("ab", buffering=0))
        except OSError as error:
            raise refusal(log or store, "cannot be written", error) from None
        on_screen = verbose or not (quiet or bars)
        lines = Lines(tasks, store, jobs, file, on_screen, _experiment_bars(stack) if bars else None)
        yield stack.enter_context(on_show(lines)) if bars else lines


def _experiment_bars(stack: ExitStack) -> Callable[[RunProgress], None]:
    """What shows the runs of each experiment."""
    parts: dict[str, Progress] = {}

    def watch(progress: RunProgress) -> None:
        check()
        for name, (done, total) in progress.experiments.items():
            if name not in parts:
                parts[name] = stack.enter_context(busy(name))
            parts[name](done / max(total, 1), f"{done:,} of {several(total, 'run')}")

    return watch


class Lines(RunProgress):
    """Writes lines, each with the time, into a log and on standard error, into either or into none."""

    def __init__(
        self,
        tasks: Sequence[Task],
        store: Path,
        jobs: int,
        log: RawIOBase | None,
        on_screen: bool,
        watch: Callable[[RunProgress], None] | None,
    ) -> None:
        super().__init__(watch, "all work")
        self._settings = settings_of(task.spec for task in tasks if log is not None or on_screen)
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
        banner = f"{several(runs, 'run')} in {several(len(jobs), 'block')} to compute, about {about}"
        if banner != self._banner:  # it may only have waited for other processes
            self._banner = banner
            self._line(f"{banner}; kept in {self._store} block by block")

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

    def ended(self, failed: int = 0) -> None:
        """All is done but for blocks that failed: say what came of it."""
        if not self._finished_jobs and not failed:  # what is printed says it: only a log needs the line
            self._line(f"nothing to compute: {self._store} has all of it", for_logs=True)
            return
        diverged = f"{len(self._diverged):,} diverged" if self._diverged else "none diverged"
        self._line(
            f"{several(len(self._runs), 'run')} computed in {self._spent}, {diverged}"
            + (f", {several(failed, 'block')} failed" if failed else "")
            + f"; kept in {self._store}"
        )

    def stopped(self, kept: str) -> None:
        """It was interrupted, and a sentence says what is kept: the screen has it anyway."""
        self._line(f"stopped after {self._spent}: {kept}", for_logs=True)

    @property
    def _spent(self) -> str:
        return duration(time.monotonic() - self.begun)

    def _line(self, text: str, *, for_logs: bool = False) -> None:
        """A line more; a full disk costs the log, never the work."""
        line = stamped(text)
        if self._log is not None:
            with suppress(OSError):
                self._log.write(f"{visible(line)}\n".encode(errors="backslashreplace"))
        if self._on_screen and not for_logs:
            say(line)
