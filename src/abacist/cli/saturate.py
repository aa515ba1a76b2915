"""`abacist saturate`: networks whose gates decide more sharply."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import numpy as np
import typer

from abacist.analysis import saturated
from abacist.cells.sharpening import check_gates
from abacist.cli.networks import NetworkArgument, NewFolderOption, keep_networks, networks_named
from abacist.cli.options import StoreOption, check_factor
from abacist.cli.saying import say
from abacist.specs import Networks
from abacist.wording import plural


def saturate(
    network: NetworkArgument,
    by: Annotated[float, typer.Option(help="What the inputs of all gates are multiplied by.")],
    out: NewFolderOption,
    run: Annotated[
        int | None, typer.Option(help="Only this network of a folder, counted from 0.", show_default="all")
    ] = None,
    results: StoreOption = Path("results"),
) -> None:
    """Make networks with sharper gates: the inputs of all gates multiplied by a number.

    Weights and biases of the gates are multiplied; the output layer stays as it is.

    Example: abacist saturate dyck-1-lstm --run 0 --by 4 --out sharper
    """
    check_factor("--by", by)
    found = networks_named(network, results, run)
    check_gates(found[0].networks.layout.cell)
    rows = np.concatenate([one.networks.parameters for one in found])
    sharper = saturated(Networks(found[0].networks.layout, rows), by)
    origin = found[0].title if len(found) == 1 else found[0].place
    record = {
        "language": found[0].language,
        "from": f"{origin}, saturated by {by:g}",
        "spec": {"steps": found[0].steps},
    }
    keep_networks(sharper, record, out)
    gates = "the gates they had" if by == 1 else f"gates {by:g} times as sharp"
    say(f"{plural(len(sharper), 'network')} with {gates}, kept in {out}")
