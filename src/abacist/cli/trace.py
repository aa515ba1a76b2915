"""`abacist trace`: what a network does on a word, drawn and as a table."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import numpy as np
import typer

from abacist.analysis import TraceReading, follow
from abacist.cli.networks import LanguageOption, NetworkArgument, RunOption, networks_named
from abacist.cli.options import StoreOption
from abacist.cli.saying import say
from abacist.cli.tables import show
from abacist.errors import BadInput
from abacist.report import Column, Table, as_json, comma_separated
from abacist.report.figures import FIGURE_FORMS, style, values_figure, write_figure
from abacist.wording import visible


def trace(
    network: NetworkArgument,
    word: Annotated[str, typer.Argument(help="A word; white space is ignored, < > stand for ⟨ ⟩.")],
    results: StoreOption = Path("results"),
    run: RunOption = None,
    language: LanguageOption = None,
    values: Annotated[
        str | None,
        typer.Option(help="Values to show, such as c,h.", show_default="all, states in figures"),
    ] = None,
    out: Annotated[Path | None, typer.Option(help="Draw a figure: .svg, .pdf or .png.")] = None,
    csv: Annotated[bool, typer.Option("--csv", help="Print CSV instead of a table.")] = False,
    json: Annotated[bool, typer.Option("--json", help="Print JSON instead of a table.")] = False,
) -> None:
    """Follow a word through a network: states, gates, outputs, what is predicted and what is correct.

    Keys are those that `abacist runs` lists. An apostrophe marks a wrong step.

    Example: abacist trace 3f9c21aa "(()())" --values c,h --out trace.svg
    """
    if csv and json:
        raise BadInput("a trace is printed as CSV or as JSON, not as both")
    if out is not None and out.suffix.removeprefix(".") not in FIGURE_FORMS:
        raise BadInput(f"{out}: a figure is written as {', '.join(f'.{form}' for form in FIGURE_FORMS)}")
    found = networks_named(network, results, run)[0]
    reading = follow(found.networks, 0, found.language_or(language), word, steps=found.steps)
    names = list(reading.trace.values) if values is None else [v.strip() for v in values.split(",")]
    table = trace_table(reading, names, found.title)
    if out is not None:
        drawn = list(found.networks.layout.cell.state_names) if values is None else names
        with style():
            figure = values_figure([reading], drawn)
            figure.suptitle(visible(found.title), x=0.01, ha="left", parse_math=False)
        write_figure(figure, out)
    if csv or json:
        print((as_json if json else comma_separated)(table), end="")
    else:
        show(table)
    if out is not None:
        say(f"drawn in {out}")


def trace_table(reading: TraceReading, names: list[str], title: str) -> Table:
    """A row for every step: the symbol, what is predicted and right, and the values."""
    alphabet = reading.language.alphabet
    values = [
        Column(f"{name} {part.removeprefix('unit ')}", part.removeprefix("unit "), name, 4)
        for name in names
        for part in reading.value_names(name)
    ]
    numbers = np.concatenate([reading.values(name) for name in names], axis=1).astype(float)
    rows = []
    for time, glyph in enumerate(reading.glyphs):
        row: dict[str, Any] = {
            "step": time + 1,
            "symbol": glyph,
            "predicted": alphabet.render_set(np.flatnonzero(reading.predicted[time]).tolist()),
            "right": alphabet.render_set(np.flatnonzero(reading.targets[time]).tolist()),
            "wrong": "'" if reading.wrong[time] else "",
        }
        finite = [float(v) if np.isfinite(v) else None for v in numbers[time]]
        rows.append(row | dict(zip((column.key for column in values), finite, strict=True)))
    heads = ("step", "symbol", "predicted", "right", "wrong")
    wrong = int(reading.wrong.sum())
    note = f"{wrong} of {int(reading.counted.sum())} judged steps are wrong"
    return Table("trace", title, (*(Column(h, h) for h in heads), *values), tuple(rows), note)
