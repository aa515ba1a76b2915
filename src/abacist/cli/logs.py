"""Lines about long work, for logs: what is begun, every finished block, and what came of it all."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from functools import partial
from io import RawIOBase
from pathlib import Path
from typing import Annotated, Any

import typer

from abacist.cli.dry_run import estimate, left_out
from abacist.cli.interrupt import check
from abacist.cli.screen import say, stamped
from abacist.cli.stores import seeds_as_text, settings_of
from abacist.errors import BadInput
from abacist.experiments import AnyJob, Results, Run, RunProgress, Task
from abacist.files import refusal
from abacist.progress import Progress, busy, on_show
from abacist.specs import Spec
from abacist.wording import duration, several, visible

QuietOption = Annotated[bool, typer.Option("--quiet", "-q", help="Say nothing of how the work goes on.")]
VerboseOption = Annotated[
    bool,
    typer.Option("--verbose", "-v", help="A line for every finished block, on a terminal, too."),
]
LogOption = Annotated[
    Path | None,
    typer.Option("--log", help="A file that these lines are added to.", show_default="none"),
]


#: Takes a line.
Write = Callable[[str], None]


@dataclass(frozen=True)
class Reporting:
    """How progress is shown: by bars on a terminal, else by lines; `verbose` by both, `quiet` by neither."""

    quiet: bool = False
    verbose: bool = False
    log: Path | None = None

    def __post_init__(self) -> None:
        if self.quiet and self.verbose:
            raise BadInput("--quiet and --verbose exclude each other")

    @contextmanager
    def of(self, tasks: Sequence[Task], store: Path, jobs: int) -> Iterator[Lines]:
        """The progress of some work, which writes lines about it."""
        bars, logs = not self.quiet and sys.stderr.isatty(), list[Write]()
        screens: list[Write] = [] if self.quiet or (bars and not self.verbose) else [say]
        with ExitStack() as stack:
            if self.log is not None:
                logs = [partial(_write, stack.enter_context(_appended(self.log)))]
            lines = Lines(tasks, store, jobs, logs, screens, _experiment_bars(stack) if bars else None)
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
    """Writes lines, each with the time."""

    def __init__(
        self,
        tasks: Sequence[Task],
        store: Path,
        jobs: int,
        logs: Sequence[Write],
        screens: Sequence[Write],
        watch: Callable[[RunProgress], None] | None = None,
    ) -> None:
        super().__init__(watch, "all work")
        told = bool(logs or screens)
        self._settings: dict[Spec, dict[str, Any]] = settings_of(task.spec for task in tasks) if told else {}
        self._tasks, self._store, self._jobs = tasks, store, jobs
        self._logs, self._screens = logs, screens
        self._all_jobs = self._finished_jobs = 0
        self._runs: set[str] = set()
        self._diverged: set[str] = set()
        self._told = ""

    def begun_jobs(self, jobs: Sequence[AnyJob], results: Results) -> None:
        if not jobs:
            return
        self._all_jobs = self._finished_jobs + len(jobs)
        runs = len({key for job in jobs for key in job.keys})
        about = duration(sum(estimate(jobs, results, self._jobs))) + left_out(self._tasks, jobs, results)
        banner = f"{several(runs, 'run')} in {several(len(jobs), 'block')} to compute, about {about}"
        if banner != self._told:  # it may only have waited for other processes
            self._told = banner
            self._line(f"{banner}; kept in {self._store} block by block")

    def finished_job(self, job: AnyJob, runs: Sequence[Run]) -> None:
        self._finished_jobs += 1
        self._runs |= {run.key for run in runs}
        diverged = [run.key for run in runs if run.outcome.diverged is not None]
        self._diverged |= set(diverged)
        named = ", ".join(f"{name} {value}" for name, value in self._settings.get(job.spec, {}).items())
        seeds = f"{'seed' if len(job.seeds) == 1 else 'seeds'} {seeds_as_text(job.seeds)}"
        self._line(
            f"{100 * self.share:.0f} % done, {self.time_left} left; block {self._finished_jobs:,} of "
            f"{self._all_jobs:,}: {job.what}, {named}, {seeds}"
            + (f", {len(diverged)} diverged" if diverged else "")
        )

    def ended(self, failed: int = 0) -> None:
        """All is done but for blocks that failed: say what came of it."""
        if not self._finished_jobs and not failed:  # what is printed says it: only a log needs the line
            self._line(f"nothing to compute: {self._store} has all of it", for_logs=True)
            return
        spent = duration(time.monotonic() - self.begun)
        diverged = f"{len(self._diverged):,} diverged" if self._diverged else "none diverged"
        diverged += f", {several(failed, 'block')} failed" if failed else ""
        self._line(
            f"{several(len(self._runs), 'run')} computed in {spent}, {diverged}; kept in {self._store}"
        )

    def stopped(self, kept: str) -> None:
        """It was interrupted, and a sentence says what is kept: the screen has it anyway."""
        self._line(f"stopped after {duration(time.monotonic() - self.begun)}: {kept}", for_logs=True)

    def _line(self, text: str, *, for_logs: bool = False) -> None:
        line = stamped(text)
        for write in self._logs if for_logs else (*self._logs, *self._screens):
            write(line)


@contextmanager
def _appended(path: Path) -> Iterator[RawIOBase]:
    try:
        file = path.open("ab", buffering=0)
    except OSError as error:
        raise refusal(path, "cannot be written", error) from None
    with file:
        yield file


def _write(file: RawIOBase, line: str) -> None:
    """A line more in a log; a full disk costs the log, never the work."""
    try:
        file.write(f"{visible(line)}\n".encode(errors="backslashreplace"))
    except OSError:
        return
