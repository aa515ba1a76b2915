"""`abacist delete`, `merge`, `repair` and `vacuum`: keeping house in stores; and `bench`: how fast it is."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from abacist.bench import DEVICE_PARTS, FURTHER_PARTS, PARTS, machine
from abacist.cli.options import StoreOption, WhereOption, check_has_store, chosen, open_results, picked
from abacist.cli.parameters import Argument
from abacist.cli.screen import say, warn, working
from abacist.cli.tables import show_rows
from abacist.errors import BadInput
from abacist.experiments import Store
from abacist.experiments import delete as delete_runs
from abacist.experiments import merge as merge_stores
from abacist.experiments import vacuum as vacuum_store
from abacist.fields import Choice
from abacist.files import write_whole
from abacist.targets import DEVICES, target_named, target_of_device
from abacist.wording import escape_controls, json_text, plural


def delete(
    where: WhereOption = None,
    results: StoreOption = Path("results"),
    dry_run: Annotated[bool, "Only print the keys of the runs that would be deleted."] = False,
    yes: Annotated[bool, "Delete without asking."] = False,
) -> None:
    """Delete the runs of a store that fit some conditions.

    Asks first. `abacist vacuum` frees their disk space. Prints the keys of what was deleted.

    Example: abacist delete --where 'long<50' --where cell=rnn --dry-run
    """
    if not where:
        raise BadInput("say which runs to delete with --where, such as --where cell=rnn")
    with working("reading the store"):
        store = open_results(results)
        keys = [run.key for run, _ in chosen(store.runs, where)]
    if not keys:
        raise BadInput("no runs to delete: the store has none that fit")
    which = f"{len(keys):,} of {plural(len(store.runs), 'run')} in {store.path}"
    if dry_run:
        print("\n".join(keys))
        say(f"would delete {which}")
        return
    if not yes:
        _ask(which)
    with working("deleting"):
        deleted = delete_runs(results, keys)
    print("\n".join(keys))
    say(f"{plural(deleted, 'run')} deleted; `abacist vacuum --results {results}` frees their disk space")


def _ask(which: str) -> None:
    if not sys.stdin.isatty():
        raise BadInput(f"would delete {which}: standard input is not a terminal, so pass --yes")
    print(f"Delete {escape_controls(which)}? [y/N] ", end="", file=sys.stderr, flush=True)
    if sys.stdin.readline().strip().lower() not in ("y", "yes"):
        say("nothing deleted")
        raise typer.Exit(1)


def merge(
    into: Annotated[Path, Argument("The folder with the store to fill.", metavar="INTO")],
    sources: Annotated[list[Path], Argument("Folders with stores to read.", metavar="FROM")],
) -> None:
    """Bring the runs of other stores into one; the same run must be the same, bit for bit.

    What only one of them knows of a run, such as its horizon or its accuracy on a further set, is joined. If
    a run differs, it is named and nothing is changed. INTO is created if needed; the others stay as they are.

    Example: abacist merge results machine-1 machine-2
    """
    for folder in sources:
        check_has_store(folder, ", so there is nothing to merge")
    with working("merging") as progress:
        result = merge_stores(into, sources, progress=progress)
    for folder in result.filling:
        warn(f"{folder}: another process is still filling it; merge again when it has ended")
    print(
        f"{plural(result.new, 'new run')}, {result.joined:,} joined with what was known, "
        f"{result.same:,} already there"
    )
    say(f"merged into {into}")


def repair(results: StoreOption = Path("results")) -> None:
    """Remove the damaged runs from a store.

    Prints what it removed; the next run recomputes it. Runs that are whole stay as they are.

    Example: abacist repair --results results
    """
    check_has_store(results)
    with Store(results) as store:
        removed, left = store.repair(), len(store)
    for sentence in removed:
        print(escape_controls(f"removed: {sentence}"))
    damaged = plural(len(removed), "damaged run") if removed else "nothing damaged"
    say(f"{damaged} in {store.path}, {plural(left, 'run')} left")


def vacuum(results: StoreOption = Path("results")) -> None:
    """Free the disk space that deleted runs leave in a store's file.

    The runs stay as they are. It needs as much space again while it works.

    Example: abacist vacuum --results results
    """
    check_has_store(results)
    with working("freeing disk space") as progress:
        before, after = vacuum_store(results, progress=progress)
    print(f"{before:,} bytes before, {after:,} after")
    say(f"{max(before - after, 0):,} bytes freed")


def bench(
    parts: Annotated[
        list[str] | None,
        Argument("What to measure: engine, horizons, reproduce, clusters, zoo.", usual="everything but zoo"),
    ] = None,
    out: Annotated[Path | None, "Write the figures to a JSON file."] = None,
    device: Annotated[str, "cpu, or cuda: what an NVIDIA device does.", Choice(DEVICES)] = "cpu",
) -> None:
    """Measure speed against plain baselines in the same run.

    Example: abacist bench engine
    """
    target = target_of_device(device, say)
    usual = DEVICE_PARTS if target == "cuda" else PARTS
    benchmarks = usual if target == "cuda" else {**PARTS, **FURTHER_PARTS}
    where = target_named(target).versions()["processor"] if target == "cuda" else machine()
    names = picked(parts or [*usual], benchmarks, "benchmark")
    rows = [row for name in names for row in benchmarks[name]()]
    headings = ["what", "ours", "baseline", "ratio", "at least", "verdict"]
    cells = [[r.what, r.ours, r.baseline, r.shown_ratio, r.shown_limit, r.verdict] for r in rows]
    show_rows(headings, cells, title=f"abacist bench, {where}", left=("what", "verdict"))
    if out is not None:
        figures = {"machine": where, "rows": [vars(row) for row in rows]}
        write_whole(out, (json_text(figures, indent=2) + "\n").encode())
        say(f"written to {out}")
