"""`abacist repair`: remove from a store what is damaged, and forget what is missing."""

from __future__ import annotations

from pathlib import Path

from abacist.cli.options import StoreOption
from abacist.cli.saying import say
from abacist.cli.stores import open_store
from abacist.wording import several, visible


def repair(results: StoreOption = Path("results")) -> None:
    """Remove the damaged runs from a store and forget the missing ones.

    Prints what it removed; the next run recomputes it. Runs that are whole stay as they are.

    Example: abacist repair --results results
    """
    with open_store(results, writing=True) as store:
        repaired = store.repair()
        left = len(store)
    for sentence in repaired.removed:
        print(visible(f"removed: {sentence}"))
    if repaired.forgotten:
        print(f"forgotten: {several(repaired.forgotten, 'run')} that had been written, and had gone")
    found = several(len(repaired.removed), "damaged run") if repaired.removed else "nothing damaged"
    say(f"{found} in {store.path}, {several(left, 'run')} left")
