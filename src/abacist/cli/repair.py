"""`abacist repair`: remove damaged runs from a store."""

from __future__ import annotations

from pathlib import Path

from abacist.cli.options import StoreOption
from abacist.cli.saying import say
from abacist.cli.stores import open_store
from abacist.wording import escape_controls, plural


def repair(results: StoreOption = Path("results")) -> None:
    """Remove the damaged runs from a store.

    Prints what it removed; the next run recomputes it. Runs that are whole stay as they are.

    Example: abacist repair --results results
    """
    with open_store(results, writing=True) as store:
        removed = store.repair()
        left = len(store)
    for sentence in removed:
        print(escape_controls(f"removed: {sentence}"))
    found = plural(len(removed), "damaged run") if removed else "nothing damaged"
    say(f"{found} in {store.path}, {plural(left, 'run')} left")
