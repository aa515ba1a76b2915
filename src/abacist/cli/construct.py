"""`abacist construct`: a network that counts by construction."""

from __future__ import annotations

from typing import Annotated

import typer

from abacist.analysis import constructed
from abacist.cli.networks import NewFolderOption, keep_networks
from abacist.cli.saying import say
from abacist.languages import language_asked_for
from abacist.wording import plural


def construct(
    language: Annotated[str, typer.Argument(help="dyck-1, shuffle-N, or a shuffle of these.")],
    out: NewFolderOption,
    precision: Annotated[str, typer.Option(help="float32 or float64.")] = "float32",
) -> None:
    """Make an LSTM with hand-set weights that counts, for Dyck-1 and shuffles of it.

    It has a unit for every pair of brackets, whose cell state is the pair's depth, exactly: a control
    for networks that were trained.

    Example: abacist construct shuffle-2 --out counter
    """
    chosen = language_asked_for(language)
    networks = constructed(chosen, precision)
    keep_networks(networks, {"language": chosen.name, "from": "constructed"}, out)
    units = plural(networks.layout.hidden, "hidden unit")
    say(f"lstm with {units} that counts {chosen.name}, {precision}, kept in {out}")
