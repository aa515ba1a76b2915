"""`abacist train`: train networks, judge them, show the paper's figures, keep them."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from abacist.cli.source import (
    LONG,
    SHORT,
    TEST,
    ByCountOption,
    GrammarOption,
    LanguageArgument,
    LengthsOption,
    LongOption,
    TestOption,
    TrainingOption,
    UniformOption,
)
from abacist.wording import several

if TYPE_CHECKING:
    from abacist.engine import Accuracies, Progress, Trained
    from abacist.specs import Spec


def train(
    language: LanguageArgument,
    cell: Annotated[str, typer.Argument(help="rnn, gru, lstm or rnn_relu.")],
    hidden: Annotated[int, typer.Option(help="Hidden units.")] = 3,
    runs: Annotated[int, typer.Option(help="How many networks; run r has seed SEED + r.")] = 10,
    epochs: Annotated[int, typer.Option(help="Passes over the training set.")] = 20,
    seed: Annotated[int, typer.Option(help="The first run's seed: of its words and its weights.")] = 0,
    batch: Annotated[int, typer.Option(help="Words an update; the loss is their mean.")] = 1,
    rate: Annotated[float, typer.Option(help="Adam's learning rate.")] = 0.001,
    precision: Annotated[str, typer.Option(help="float32 or float64.")] = "float32",
    steps: Annotated[str, typer.Option(help="Which steps count: all, or last (the last bracket).")] = "all",
    training: TrainingOption = None,
    test: TestOption = TEST,
    lengths: LengthsOption = SHORT,
    long: LongOption = LONG,
    grammar: GrammarOption = None,
    uniform: UniformOption = False,
    by_count: ByCountOption = False,
    threads: Annotated[int | None, typer.Option(help="Threads.", show_default="all cores")] = None,
    out: Annotated[Path | None, typer.Option(help="Keep the networks in a folder.")] = None,
    json: Annotated[bool, typer.Option("--json", help="Print JSON, with every single run.")] = False,
) -> None:
    """Train networks and judge them on their training, short and long sets.

    Prints minimum, maximum and median accuracy as the paper's table does.

    Example: abacist train dyck-1 lstm --hidden 3 --runs 10 --epochs 20 --seed 0 --out dyck-1-lstm
    """
    from abacist.cells import cell_named
    from abacist.cli.screen import show_json
    from abacist.corpora import Window, source_asked_for
    from abacist.engine import judge
    from abacist.engine import train as train_networks
    from abacist.errors import BadFile, BadInput
    from abacist.languages import language_named
    from abacist.specs import Spec
    from abacist.specs.files import Folder

    if runs > 100_000:
        raise BadInput(f"runs must be at most 100,000, got {runs:,}")
    for name, value in (("runs", runs), ("threads", threads)):
        if value is not None and value < 1:
            raise BadInput(f"{name} must be at least 1, got {value}")
    if out is not None and out.exists() and (not out.is_dir() or any(out.iterdir())):
        raise BadFile(f"{out}: is there already and not empty; name another folder")
    chosen = language_named(language)
    spec = Spec(
        chosen,
        cell_named(cell),
        hidden=hidden,
        epochs=epochs,
        batch=batch,
        rate=rate,
        precision=precision,
        steps=steps,
        source=source_asked_for(chosen, grammar=grammar, uniform=uniform, by_count=by_count),
        training=training,
        test=test,
        short=Window.parse(lengths),
        long=Window.parse(long),
    )
    seeds = range(seed, seed + runs)
    spec.recipe(seed)  # refuses the impossible before anything is made
    with _bar(spec) as tell:
        trained = train_networks(spec, seeds, threads=threads, progress=tell)
        accuracies = judge(spec, seeds, trained.networks, threads=threads)
    record = _record(spec, trained, accuracies)
    if out is not None:
        Folder(trained.networks, record).save(out)
    if json:
        show_json(record)
    else:
        _show(spec, trained, accuracies)
    if out is not None:
        typer.echo(f"kept in {out}", err=True)


def _record(spec: Spec, trained: Trained, accuracies: Accuracies) -> dict[str, Any]:
    return {
        "language": spec.language.name,
        "spec": spec.as_dict(),
        "seeds": list(trained.seeds),
        "accuracy": {name: accuracies.of(name).tolist() for name in accuracies.splits},
        "losses": trained.losses.tolist(),
        "diverged": list(trained.diverged),
    }


def _show(spec: Spec, trained: Trained, accuracies: Accuracies) -> None:
    import numpy as np

    from abacist.cli.screen import show_table

    first, last = trained.seeds[0], trained.seeds[-1]
    seeds = f"seeds {first} to {last}" if last > first else f"seed {first}"
    title = (
        f"{spec.language.name}, {spec.cell.name} with {several(spec.hidden, 'hidden unit')}, "
        f"{several(len(trained.seeds), 'run')}, {several(spec.epochs, 'epoch')}, "
        f"{seeds}"
    )
    rows = []
    for name in accuracies.splits:
        shares = 100 * accuracies.of(name)
        rows.append([name, *(f"{f(shares):.2f}" for f in (np.min, np.max, np.median))])
    show_table(["set", "min", "max", "median"], rows, title=title, left=("set",))
    for seed, epoch in zip(trained.seeds, trained.diverged, strict=True):
        if epoch is not None:
            typer.echo(f"the run with seed {seed} diverged: weights not finite after epoch {epoch}", err=True)


class _bar:  # noqa: N801 (used like a function)
    """A progress bar with epochs, words, loss and time left; nothing where there is no terminal."""

    def __init__(self, spec: Spec) -> None:
        self._spec = spec

    def __enter__(self) -> Any:
        import sys

        self._progress: Any = None
        if not sys.stderr.isatty():
            return None
        from rich.console import Console
        from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

        self._progress = Progress(
            TextColumn("epoch {task.fields[epoch]} of {task.fields[epochs]}"),
            BarColumn(),
            TextColumn("{task.completed:,.0f} words, loss {task.fields[loss]:.2e}"),
            TimeRemainingColumn(),
            console=Console(stderr=True),
            transient=True,
        )
        self._progress.start()
        task = self._progress.add_task("", total=None, epoch=0, epochs=self._spec.epochs, loss=float("nan"))

        def tell(now: Progress) -> None:
            share = now.done / max(now.total, 1)  # type: ignore[attr-defined]
            epoch = min(int(share * self._spec.epochs) + 1, self._spec.epochs)
            self._progress.update(task, completed=now.done, total=now.total, epoch=epoch, loss=now.loss)  # type: ignore[attr-defined]

        return tell

    def __exit__(self, *_: object) -> None:
        if self._progress is not None:
            self._progress.stop()
