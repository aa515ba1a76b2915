"""`abacist table`: the table of an experiment."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from abacist.cli.options import FormOption, ResultsOption, RunsOption
from abacist.cli.screen import busy
from abacist.cli.stores import open_results
from abacist.cli.tables import check_form, show
from abacist.experiments import check_claims, experiment_named, load_experiment
from abacist.report import claims_table, table_of


def table(
    experiment: Annotated[str, typer.Argument(help="Its name, a TOML file, or claims.")] = "table-3",
    results: ResultsOption = Path("results"),
    form: FormOption = "text",
    runs: RunsOption = None,
) -> None:
    """Show the table of an experiment, the paper's figures beside ours.

    Example: abacist table table-3 --format tex
    """
    check_form(form, "a table is shown")
    if experiment.endswith(".toml"):
        asked = load_experiment(Path(experiment), runs=runs)
    elif experiment != "claims":
        asked = experiment_named(experiment, runs=runs)
    with busy("making the table"):
        found = open_results(results)
        claims = experiment == "claims"
        made = claims_table(check_claims(found)) if claims else table_of(asked, found)
    show(made, form)
