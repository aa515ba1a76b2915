"""Computing what is missing in a store: what would run, about how long it takes, and lines on how it goes."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, nullcontext, suppress
from dataclasses import dataclass
from io import RawIOBase
from pathlib import Path
from typing import Annotated

import typer

from abacist.cli.interrupt import check
from abacist.cli.options import (
    JobsOption,
    ResultsOption,
    has_store,
    open_results,
    seeds_named,
    setting_named,
    settings_of,
)
from abacist.cli.screen import say, stamped, warn
from abacist.cli.tables import show_rows
from abacist.errors import BadFile, BadInput
from abacist.experiments import (
    AnyJob,
    BlocksFailed,
    Failure,
    Job,
    Results,
    Run,
    RunProgress,
    Shard,
    Store,
    Task,
    WorkersLost,
    check_cluster,
    jobs_for,
    open_cluster,
    run,
    run_key,
)
from abacist.fields import Choice
from abacist.files import refusal
from abacist.progress import on_show
from abacist.report.event_files import EventFiles
from abacist.specs import Spec
from abacist.specs.files import is_folder_of_networks
from abacist.specs.networks import LARGEST_WEIGHT
from abacist.targets import PROCESSOR, target_named
from abacist.wording import duration, escape_controls, plural, spans

DEVICES = ("cpu", "cuda", "auto")

#: Usual costs on one core, measured: to begin with, for every shape of network that is compiled, for
#: every word that is drawn and judged, and for a unit of work in training.
_START_SECONDS, _SECONDS_PER_SHAPE = 1.0, 2.0
_SECONDS_PER_WORD, _USUAL_SECONDS_PER_WORK = 3e-6, 7e-8


def target_of_device(name: str) -> str:
    """The target that `--device` asks for; says what `auto` chooses, and never chooses in silence."""
    if name == "cpu":
        return PROCESSOR
    from abacist.targets.cuda import driver, nvrtc

    try:
        device = f"{driver.device().name}, compiled by NVRTC {nvrtc.compiler_version()}"
    except BadInput as error:
        if name == "cuda":
            raise
        say(f"--device auto: the processor ({error})")
        return PROCESSOR
    say(f"--device {name}: {device}")
    return "cuda"


@dataclass(frozen=True)
class Work:
    """The options of the commands that fill a store, and how these do it."""

    results: ResultsOption = Path("results")
    jobs: JobsOption = None
    cluster: Annotated[
        str | None,
        "Compute on a Dask cluster: the address of its scheduler, a file with it, or local:N for N "
        "processes here.",
        "threads of this process",
    ] = None
    shard: Annotated[
        str | None, "Only part i of n, written i/n, in a store of its own, to be merged later.", "all"
    ] = None
    force: Annotated[bool, "Recompute what the store already has."] = False
    dry_run: Annotated[bool, "Only say what would run, and about how long it would take."] = False
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Suppress progress output.")] = False
    verbose: Annotated[
        bool, typer.Option("--verbose", "-v", help="A line for every finished block, on a terminal, too.")
    ] = False
    log: Annotated[Path | None, "A file that these lines are added to.", "none"] = None
    events: Annotated[
        Path | None, "A folder for TensorBoard: losses and accuracies of every run, epoch by epoch.", "none"
    ] = None
    device: str = "cpu"
    keep_moments: bool = False

    def __post_init__(self) -> None:
        if self.quiet and self.verbose:
            raise BadInput("--quiet and --verbose exclude each other")
        if self.cluster is not None and self.device != "cpu":
            raise BadInput("--device is for this machine: the workers of --cluster train on their processors")
        if self.cluster is not None and self.events is not None:
            raise BadInput("--events is for this machine: the workers of --cluster report no epochs")
        check_cluster(self.cluster)

    def on(self, tasks: Sequence[Task]) -> Results | None:
        """Compute what is missing of these tasks, or of a shard of them, and give all that the store has.

        A dry run only says what it is, and gives None. Ctrl-C keeps the blocks that are finished, and says
        so; so does the end of a cluster. Blocks that fail are named.
        """
        target, tasks = target_of_device(self.device), self._share(tasks)
        if self.shard is not None and not tasks:
            say(f"shard {self.shard} has no runs: the plan is too small for so many shards")
        if self.dry_run:
            stored = open_results(self.results) if has_store(self.results) else None
            todo = jobs_for(tasks, stored, force=self.force, target=target)
            say_what_would_run(tasks, todo, stored, self.jobs)
            return None
        with (
            Store(self.results) as store,
            nullcontext() if self.cluster is None else open_cluster(self.cluster, warn) as workers,
            self._lines(tasks, store) as progress,
        ):
            results = run(
                tasks,
                store,
                jobs=self.jobs,
                force=self.force,
                keep_moments=self.keep_moments,
                executor=workers,
                progress=progress,
                warn=warn,
                target=target,
            )
        _say_what_diverged(tasks, results)
        return results

    def on_one(self, name: str, spec: Spec, runs: int, seed: int) -> tuple[Task, list[Run]] | None:
        """The runs of one spec, those that are missing computed; None after a dry run, or for no runs."""
        if is_folder_of_networks(self.results):
            raise BadFile(
                f"{self.results}: is already a folder of networks; choose another folder for the results"
            )
        spec.recipe(seed)  # refuses the impossible before anything is made
        tasks = [Task(name, spec, tuple(range(seed, seed + runs)))]
        results = self.on(tasks)
        if results is None or not (tasks := self._share(tasks)):
            return None
        return tasks[0], results.complete(tasks[0])

    def _share(self, tasks: Sequence[Task]) -> list[Task]:
        """The tasks of the shard, by default all."""
        return list(tasks) if self.shard is None else Shard.parse(self.shard).of(tasks)

    @contextmanager
    def _lines(self, tasks: Sequence[Task], store: Store) -> Iterator[Lines]:
        """The progress of the work: a bar on a terminal, else lines; `verbose` both, `quiet` neither.

        How the work ended is said once there is no bar any more.
        """
        bar = not self.quiet and sys.stderr.isatty()
        try:
            file = nullcontext() if self.log is None else self.log.open("ab", buffering=0)
        except OSError as error:
            raise refusal(self.log or store.path, "cannot be written", error) from None
        with file as stream:
            on_screen = self.verbose or not (self.quiet or bar)
            events = None if self.events is None else EventFiles(self.events)
            lines = Lines(tasks, store, self.jobs or os.cpu_count() or 1, stream, on_screen, events)
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


@dataclass(frozen=True)
class DeviceWork(Work):
    """The same, on a device."""

    device: Annotated[
        str,
        "Where to train and judge: cpu; cuda, an NVIDIA device; or auto, the device if there is one.",
        Choice(DEVICES),
    ] = "cpu"
    keep_moments: Annotated[bool, "Keep Adam's moments, too: more epochs later go on from there."] = False


def _say_what_diverged(tasks: Sequence[Task], results: Results) -> None:
    """Name the runs that diverged, a line for every spec."""
    for spec, setting in settings_of(task.spec for task in tasks).items():
        seeds = {seed for task in tasks if task.spec == spec for seed in task.seeds}
        runs = (run for run in results.by_spec.get(spec, ()) if run.seed in seeds)
        if diverged := [run.seed for run in runs if run.outcome.diverged is not None]:
            say(
                f"{setting_named(setting)}: {len(diverged)} of {plural(len(seeds), 'run')} diverged "
                f"(a weight is not finite or beyond {LARGEST_WEIGHT:,.0f}), {seeds_named(diverged)}"
            )


def say_what_would_run(
    tasks: Sequence[Task], todo: Sequence[AnyJob], results: Results | None, jobs: int | None
) -> None:
    """List the blocks of runs that are missing, and estimate the time."""
    settings, rows = settings_of(task.spec for task in tasks), []
    for job in todo:
        for part in job.parts:  # one with fewer epochs costs hardly more than judging it
            on_the_way = part.spec.epochs < job.spec.epochs
            what = f"judge on the way to {job.spec.epochs:,} epochs" if on_the_way else part.what
            rows.append(settings[part.spec] | {"seeds": spans(part.seeds), "what": what})
    if rows:
        show_rows(list(rows[0]), [list(row.values()) for row in rows], left=("language", "cell", "what"))
    compiling, running = estimate(todo, results, jobs or os.cpu_count() or 1)
    work = f"{plural(sum(job.runs for job in todo), 'run')} in {plural(len(todo), 'block')} would run"
    work += f", about {compiling + running:,.0f} s"
    if compiling:
        work += f"; about {compiling:,.0f} s of that is compiling, unless it has been done before"
    work += left_out(tasks, todo)
    say(work if todo else "nothing would run: the store has all of it", output=True)
    print(f"in the store: {plural(0 if results is None else len(results.runs), 'run')}")


def left_out(tasks: Sequence[Task], todo: Sequence[AnyJob]) -> str:
    """What `estimate` has not in its time, to stand behind it: searches, whose time nobody can foretell."""
    aimed = {run_key(task.spec, seed) for task in tasks if task.horizons for seed in task.seeds}
    searched = len(aimed and aimed.intersection(key for job in todo for key in job.keys))
    taught = sum(len(job.seeds) for job in todo if job.kind == "teaching")
    what = [f"the teaching of {plural(taught, 'run')} beyond their training"] if taught else []
    what += [f"the horizons of {plural(searched, 'run')}"] if searched else []
    return f"; not in that time: {' and '.join(what)}" if what else ""


def estimate(todo: Sequence[AnyJob], results: Results | None, jobs: int) -> tuple[float, float]:
    """About how many seconds blocks take: compiling their programs, and everything else but searches.

    Shapes of networks that the store has are taken to be compiled; compiling is not shared out.
    """
    compiled = {(spec.layout, spec.precision) for spec in _at_hand(results)}
    shapes = {(job.spec.layout, job.spec.precision) for job in todo} - compiled
    trained = [job for job in todo if isinstance(job, Job)]
    speeds = {target: _seconds_per_work(results, target) for target in {job.target for job in trained}}
    blocks = [job.size * speeds[job.target] + job.words * _SECONDS_PER_WORD for job in trained]
    shared = max(sum(blocks) / jobs, max(blocks, default=0.0))
    return len(shapes) * _SECONDS_PER_SHAPE, (_START_SECONDS if todo else 0.0) + shared


def _at_hand(results: Results | None) -> dict[Spec, tuple[Run, ...]]:
    """The runs of a store by spec, but for those whose cells' formulas are elsewhere."""
    by_spec = {} if results is None else results.by_spec
    return {spec: runs for spec, runs in by_spec.items() if spec.cell.absence is None}


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


class Lines(RunProgress):
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
