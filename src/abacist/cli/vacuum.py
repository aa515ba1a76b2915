"""`abacist vacuum`: the room that deleted runs leave in a store's file, given back."""

from __future__ import annotations

from pathlib import Path

from abacist.cli.options import StoreOption
from abacist.cli.saying import say
from abacist.cli.status import working
from abacist.cli.stores import has_store
from abacist.experiments import vacuum as give_back
from abacist.files import absence


def vacuum(results: StoreOption = Path("results")) -> None:
    """Give back the room that deleted runs leave in a store's file.

    The runs stay as they are. While it works it needs as much room again.

    Example: abacist vacuum --results results
    """
    if not has_store(results):
        raise absence(results, "holds no results")
    with working("giving room back") as progress:
        before, after = give_back(results, progress=progress)
    print(f"{before:,} bytes before, {after:,} after")
    say(f"{max(before - after, 0):,} bytes given back")
