"""`abacist distributions`: what comes of thousands of runs, and how that summary is made."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from abacist.cli.options import FormOption
from abacist.cli.saying import say
from abacist.cli.screen import busy
from abacist.cli.stores import open_results
from abacist.cli.tables import check_form, show
from abacist.errors import BadInput
from abacist.experiments import experiment_named
from abacist.experiments.distributions import Distributions, written_distributions
from abacist.experiments.distributions import distributions as known_distributions
from abacist.experiments.summarising import summarised
from abacist.files import write_whole
from abacist.report import Table
from abacist.report.distributions import agreement_table, distribution_table, horizon_distribution_table


def distributions(
    made_from: Annotated[
        Path | None,
        typer.Option("--from", help="Results of the experiment `distributions`, to be summarised anew."),
    ] = None,
    out: Annotated[Path | None, typer.Option(help="The file for that summary.")] = None,
    runs: Annotated[int | None, typer.Option(help="Runs of each network, where it has fewer.")] = None,
    horizons: Annotated[
        bool, typer.Option("--horizons", help="Show counting horizons instead of accuracies.")
    ] = False,
    against: Annotated[
        Path | None,
        typer.Option(help="Results whose runs are compared with the distributions they should come from."),
    ] = None,
    form: FormOption = "text",
) -> None:
    """Show how accuracies are distributed over ten thousand runs of each of the paper's networks.

    The summary comes with Abacist. Whoever has a device makes it anew: `abacist run distributions --device
    cuda`, `abacist run distribution-horizons --device cuda`, and then this with --from and --out.

    Example: abacist distributions --format md
    """
    check_form(form, "a table is shown")
    if made_from is None and (out is not None or runs is not None):
        raise BadInput("--out and --runs are for a summary that is made anew, with --from")
    if made_from is None:
        known = known_distributions()
    else:
        with busy("summarising"):
            known = summarised(experiment_named("distributions", runs=runs).tasks, open_results(made_from))
    if against is not None:
        show(_agreement(known, against), form)
    else:
        show((horizon_distribution_table if horizons else distribution_table)(known), form)
    if out is not None:
        text = written_distributions(known)
        write_whole(out, text.encode())
        say(f"{len(text):,} bytes written to {out}")


def _agreement(known: Distributions, results: Path) -> Table:
    with busy("comparing"):
        table = agreement_table(known, open_results(results))
    if not table.rows:
        raise BadInput(f"{results} has no runs of a network whose distribution is known")
    return table
