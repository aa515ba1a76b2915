"""The options and the bars that all commands about experiments share."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from abacist.wording import several

if TYPE_CHECKING:
    from abacist.experiments import Experiment, Results, State, Store
    from abacist.report import Table

ResultsOption = Annotated[Path, typer.Option("--results", "--out", help="The folder with the store.")]
JobsOption = Annotated[int | None, typer.Option(help="Blocks of runs at once.", show_default="all cores")]
RunsOption = Annotated[
    int | None, typer.Option(help="Runs of every task, instead of what the experiment says.")
]
ForceOption = Annotated[bool, typer.Option("--force", help="Work out again what is there already.")]
DryRunOption = Annotated[
    bool, typer.Option("--dry-run", help="Only say what would run, and about how long it takes.")
]


def store_to_fill(folder: Path, dry_run: bool) -> Store | None:
    """The store of a folder, made if need be; a dry run makes none."""
    from abacist.experiments import FILE_NAME

    return None if dry_run and not (folder / FILE_NAME).is_file() else open_store(folder, make=True)


def open_store(folder: Path, *, make: bool = False, writing: bool = False) -> Store:
    """The store of a folder; one sentence if there is none and none is to be made."""
    from abacist.errors import BadFile
    from abacist.experiments import FILE_NAME, Store

    if not make and not (folder / FILE_NAME).is_file():
        raise BadFile(f"{folder}: holds no results; `abacist reproduce` or `abacist run` make some")
    return Store(folder, reading=not (make or writing))


def open_results(folder: Path) -> Results:
    """All that the store of a folder has; what cannot be read there is named on standard error."""
    from contextlib import closing

    from abacist.experiments import Results

    with closing(open_store(folder)) as store:
        results = Results.of(store)
    for sentence in results.left_out:
        warn(sentence)
    return results


def warn(sentence: str) -> None:
    """Say on standard error what does not end the command."""
    typer.echo(f"abacist: {sentence}", err=True)


def check_counts(jobs: int | None, runs: int | None) -> None:
    from abacist.errors import BadInput

    for name, value in (("jobs", jobs), ("runs", runs)):
        if value is not None and value < 1:
            raise BadInput(f"{name} must be at least 1, got {value}")


def work(
    experiments: list[Experiment], store: Store | None, *, jobs: int | None, force: bool, dry_run: bool
) -> Results | None:
    """Compute what is missing, with bars, and give all there is; with `dry_run` only say what it is."""
    from abacist.experiments import Results, jobs_for, run

    tasks = [task for experiment in experiments for task in experiment.tasks]
    if dry_run:
        results = None if store is None else Results.of(store)
        for sentence in () if results is None else results.left_out:
            warn(sentence)
        _say_what_would_run(jobs_for(tasks, results, force=force), results, jobs)
        return None
    assert store is not None
    with _bars() as tell:
        return run(tasks, store, jobs=jobs, force=force, tell=tell, warn=warn)


def _say_what_would_run(todo: list[Any], results: Results | None, jobs: int | None) -> None:
    import os

    from abacist.cli.screen import show_table

    rows = [
        [
            job.spec.language.name,
            job.spec.cell.name,
            job.spec.hidden,
            job.spec.epochs,
            f"{job.seeds[0]}–{job.seeds[-1]}",
            "train and judge" if job.weights is None else "judge",
        ]
        for job in todo
    ]
    if rows:
        show_table(
            ["task", "model", "units", "epochs", "seeds", "what"], rows, left=("task", "model", "what")
        )
    seconds = sum(job.size for job in todo) * _seconds_per_work(results) / (jobs or os.cpu_count() or 1)
    runs = sum(len(job.seeds) for job in todo)
    print(f"{several(runs, 'run')} in {several(len(todo), 'block')} would run, about {seconds:,.0f} s")
    print(f"in the store: {several(0 if results is None else len(results.runs), 'run')}")


def _seconds_per_work(results: Results | None) -> float:
    """Seconds of one core for a unit of work, from the runs in the store, or else a usual value."""
    from abacist.experiments import Job

    usual, work, seconds = 7e-8, 0.0, 0.0
    for run in () if results is None else results.runs:
        size = Job(run.spec, (run.seed,), frozenset()).size
        if size > 1e7:  # little runs are mostly fixed costs, and tell nothing of large ones
            work += size / 16
            seconds += run.outcome.seconds
    return seconds / work if work else usual


@contextmanager
def _bars() -> Iterator[Any]:
    """Bars on a terminal: overall with the time left, and one for every experiment."""
    if not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    text, console = TextColumn("{task.description:<14}"), Console(stderr=True)
    with Progress(
        text, BarColumn(), MofNCompleteColumn(), TimeRemainingColumn(), console=console, transient=True
    ) as bar:
        overall = bar.add_task("all work, %", total=100)
        parts: dict[str, Any] = {}

        def tell(state: State) -> None:
            bar.update(overall, completed=int(100 * state.share))
            for name, (done, total) in state.experiments.items():
                if name not in parts:
                    parts[name] = bar.add_task(name, total=total)
                bar.update(parts[name], completed=done)

        yield tell


def show(table: Table) -> None:
    """A table on the terminal."""
    from abacist.cli.screen import show_table

    headings = [f"{c.group.removesuffix(' set')}\n{c.heading}".strip() for c in table.columns]
    words = [h for h, c in zip(headings, table.columns, strict=True) if c.digits is None]
    show_table(headings, table.cells(), title=table.title, left=words, footer=table.note or None)


def write_tables(tables: list[Table], folder: Path) -> None:
    """Every table in every form."""
    from abacist.files import write_whole
    from abacist.report import TABLE_FORMS

    for table in tables:
        for ending, form in TABLE_FORMS.items():
            write_whole(folder / f"{table.name}.{ending}", form(table).encode())
