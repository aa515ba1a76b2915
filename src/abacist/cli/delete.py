"""`abacist delete`: runs that nobody needs any more, taken out of a store."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from abacist.cli.conditions import WhereOption, chosen
from abacist.cli.options import StoreOption
from abacist.cli.saying import say
from abacist.cli.screen import busy
from abacist.cli.stores import open_results
from abacist.errors import BadInput
from abacist.experiments import delete as delete_runs
from abacist.wording import escape_controls, plural


def delete(
    where: WhereOption = None,
    results: StoreOption = Path("results"),
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Only print the keys of the runs that would be deleted.")
    ] = False,
    yes: Annotated[bool, typer.Option("--yes", help="Delete without asking.")] = False,
) -> None:
    """Delete the runs of a store that fit some conditions.

    Asks before it does. `abacist vacuum` gives their room back. Prints the keys of what was deleted.

    Example: abacist delete --where 'long<50' --where cell=rnn --dry-run
    """
    if not where:
        raise BadInput("say which runs to delete with --where, such as --where cell=rnn")
    with busy("reading the store"):
        found = open_results(results)
        keys = [run.key for run, _ in chosen(found.runs, where)]
    if not keys:
        raise BadInput("no runs to delete: the store has none that fit")
    which = f"{len(keys):,} of {plural(len(found.runs), 'run')} in {found.path}"
    if dry_run:
        print("\n".join(keys))
        say(f"would delete {which}")
        return
    if not yes:
        _ask(which)
    with busy("deleting"):
        deleted = delete_runs(results, keys)
    print("\n".join(keys))
    say(f"{plural(deleted, 'run')} deleted; `abacist vacuum --results {results}` gives their room back")


def _ask(which: str) -> None:
    if not sys.stdin.isatty():
        raise BadInput(f"would delete {which}: say --yes, since there is nobody to ask")
    print(f"Delete {escape_controls(which)}? [y/N] ", end="", file=sys.stderr, flush=True)
    if sys.stdin.readline().strip().lower() not in ("y", "yes"):
        say("nothing deleted")
        raise typer.Exit(1)
