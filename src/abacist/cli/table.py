"""`abacist table` and `abacist runs`: what is in the store."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from abacist.cli.results import ResultsOption, RunsOption, open_results, show


def table(
    experiment: Annotated[str, typer.Argument(help="Its name, a TOML file, or claims.")] = "table-3",
    results: ResultsOption = Path("results"),
    form: Annotated[str, typer.Option("--format", help="text, md, tex, csv or json.")] = "text",
    runs: RunsOption = None,
) -> None:
    """Show the table of an experiment, the paper's figures beside ours.

    Example: abacist table table-3 --format tex
    """
    from abacist.cli.screen import busy
    from abacist.errors import BadInput
    from abacist.experiments import check_claims, experiment_named, load_experiment
    from abacist.report import TABLE_FORMS, claims_table, table_of

    if form not in ("text", *TABLE_FORMS):
        raise BadInput(f"a table is shown as text, {', '.join(TABLE_FORMS)}, got {form!r}")
    if experiment.endswith(".toml"):
        asked = load_experiment(Path(experiment), runs=runs)
    elif experiment != "claims":
        asked = experiment_named(experiment, runs=runs)
    with busy("working the table out"):
        found = open_results(results)
        claims = experiment == "claims"
        made = claims_table(check_claims(found)) if claims else table_of(asked, found)
    if form == "text":
        show(made)
    else:
        print(TABLE_FORMS[form](made), end="")


def runs(
    results: ResultsOption = Path("results"),
    where: Annotated[
        list[str] | None,
        typer.Option("--where", metavar="FIELD=VALUE", help="Only such runs; may be given again."),
    ] = None,
    sort: Annotated[
        str | None, typer.Option(help="Sort by a column, such as long; -long from the top.")
    ] = None,
    form: Annotated[str, typer.Option("--format", help="text, md, tex, csv or json.")] = "text",
) -> None:
    """List every single run in the store.

    Example: abacist runs --where cell=lstm --where language=dyck-1 --sort long
    """
    from abacist.cli.screen import busy
    from abacist.errors import BadInput
    from abacist.report import TABLE_FORMS, without_shared_settings

    if form not in ("text", *TABLE_FORMS):
        raise BadInput(f"runs are listed as text, {', '.join(TABLE_FORMS)}, got {form!r}")
    with busy("reading the store"):
        made = chosen_runs(results, where or [], sort)
    if form == "text":
        show(without_shared_settings(made))
    else:
        print(TABLE_FORMS[form](made), end="")


def chosen_runs(results: Path, where: list[str], sort: str | None) -> Any:
    """The table of the runs that fit all conditions, sorted."""
    from dataclasses import replace

    from abacist.errors import BadInput
    from abacist.report import runs_table

    made = runs_table(open_results(results).runs)
    keys = [column.key for column in made.columns]
    rows = list(made.rows)
    for condition in where:
        field, equals, value = condition.partition("=")
        if not equals or field not in keys:
            raise BadInput(f"a condition is FIELD=VALUE with a field of {', '.join(keys)}, got {condition!r}")
        there = {str(row[field]): None for row in rows if row.get(field) not in (None, "")}
        rows = [row for row in rows if _is(row.get(field), value)]
        if not rows and len(there) <= 20:
            typer.echo(f"no run has {field} {value}; there are {', '.join(there) or 'none'}", err=True)
    if sort is not None:
        field = sort.removeprefix("-")
        if field not in keys:
            raise BadInput(f"runs are sorted by {', '.join(keys)}, got {field!r}")
        known = [row for row in rows if row.get(field) not in (None, "") and row[field] == row[field]]
        known.sort(key=lambda row: row[field], reverse=sort.startswith("-"))
        rows = known + [row for row in rows if row not in known]
    return replace(made, rows=tuple(rows))


def _is(value: Any, text: str) -> bool:
    """Whether a value is what was written: numbers as numbers."""
    try:
        return str(value) == text or (value is not None and float(value) == float(text))
    except ValueError:
        return False
