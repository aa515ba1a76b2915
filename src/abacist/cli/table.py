"""`abacist table`: the table of an experiment."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from abacist.cli.options import FormOption, ResultsOption, RunsOption
from abacist.cli.screen import busy
from abacist.cli.stores import open_store
from abacist.cli.tables import check_form, show
from abacist.experiments import check_claims, experiment_named, load_experiment
from abacist.report import claims_table, table_of


def table(
    experiment: Annotated[str, typer.Argument(help="Its name, a TOML file, or claims.")] = "table-1",
    results: ResultsOption = Path("results"),
    form: FormOption = "text",
    runs: RunsOption = None,
) -> None:
    """Show the table of an experiment, the paper's figures beside ours.

    Example: abacist table table-1 --format tex
    """
    check_form(form, "a table is shown")
    if experiment.endswith(".toml"):
        asked = load_experiment(Path(experiment), runs=runs)
    elif experiment != "claims":
        asked = experiment_named(experiment, runs=runs)
    store = open_store(results)
    with busy("making the table"):
        claims = experiment == "claims"
        made = claims_table(check_claims(run for run in store)) if claims else table_of(asked, store)
    show(made, form)
