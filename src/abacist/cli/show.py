"""`abacist show`: everything about one run, and whether it comes out the same once more."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from abacist.cli.options import StoreOption
from abacist.cli.run_view import record_of, show_run
from abacist.cli.saying import say, warn
from abacist.cli.screen import show_json
from abacist.cli.status import working
from abacist.cli.stores import open_store
from abacist.errors import BadFile, BadInput, UnknownName
from abacist.experiments import SETS, Job, Run, compute, run_as_toml
from abacist.experiments.joining import differences, on_what
from abacist.targets import target_named
from abacist.wording import plural


def show(
    key: Annotated[str, typer.Argument(metavar="KEY", help="The beginning of the run's key.")],
    results: StoreOption = Path("results"),
    toml: Annotated[
        bool, typer.Option("--toml", help="Print only its settings, as a file for `abacist run`.")
    ] = False,
    json: Annotated[bool, typer.Option("--json", help="Print JSON, with every loss.")] = False,
    repeat: Annotated[
        bool, typer.Option("--repeat", help="Train it again, and compare it bit for bit with what is kept.")
    ] = False,
    program: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help="Print a program of its network (train, judge, trace, step, boxes): statements, LLVM IR.",
        ),
    ] = None,
) -> None:
    """Show everything about a run, also as a file that runs it again, or train it again and compare.

    Its settings, accuracies, losses, horizons and lessons, how long it took and what it was computed with.
    With --repeat, nothing in the store is changed, and the exit status is 1 where something is not the same.

    Example: abacist show 5de4f703 --toml > again.toml
    """
    if toml + json + repeat + (program is not None) > 1:
        raise BadInput("choose one of --toml, --json, --repeat and --program")
    run = _found(key, results)
    if repeat:
        _repeat(run)
    elif program is not None:
        for line in target_named().listing(run.spec, program):
            print(line)
    elif toml:
        print(run_as_toml(run), end="")
    elif json:
        show_json(record_of(run))
    else:
        show_run(run)


def _found(beginning: str, results: Path) -> Run:
    """The run whose key begins so; only it is read."""
    with open_store(results) as store:
        keys = store.keys(beginning) if beginning else []
        run = store.get(keys[0]) if len(keys) == 1 else None
    if not keys:
        raise UnknownName(f"no run in {results} has a key that begins with {beginning!r}; see `abacist runs`")
    if len(keys) > 1:
        some = ", ".join(key[:8] for key in keys[:5]) + (" …" if len(keys) > 5 else "")
        raise UnknownName(f"{len(keys)} runs in {results} have keys that begin with {beginning!r}: {some}")
    if run is None:
        raise BadFile(f"{results}: run {keys[0]} is damaged; `abacist repair` removes it")
    return run


def _repeat(run: Run) -> None:
    wanted = frozenset((name, epoch) for name, epoch in run.outcome.known() if name in SETS)
    job = Job(run.spec, (run.seed,), wanted)
    with working("training it again") as progress:
        (again,) = compute(job, progress)
    if differ := differences(run, again):
        where = on_what((run.outcome, again.outcome))
        print(f"run {run.key}: trained again, its {' and '.join(differ)} are not the same{where}")
        _warn_of_versions(run, again)
        raise typer.Exit(1)
    print(f"run {run.key}: trained again, it is the same, bit for bit")
    say(
        f"compared: {plural(run.weights.size, 'weight')}, losses of {plural(run.spec.epochs, 'epoch')}, "
        f"{plural(len(wanted), 'share')} of accepted words"
    )


def _warn_of_versions(run: Run, again: Run) -> None:
    """Name what it was computed with that is different now."""
    then, now = run.outcome.versions, again.outcome.versions
    for name in dict.fromkeys((*then, *now)):
        if then.get(name) != now.get(name):
            warn(f"{name} was {then.get(name, 'not written down')}, and is {now.get(name, 'unknown')} now")
