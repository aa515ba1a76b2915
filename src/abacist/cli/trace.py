"""`abacist trace`: what a network does on a word, drawn and as a table."""

from __future__ import annotations

from typing import Annotated, Any

import numpy as np
import typer

from abacist.analysis import TraceReading, follow
from abacist.cli.networks import OneNetwork
from abacist.cli.options import FigureOption, JsonOption, draw, separated
from abacist.cli.tables import show_table
from abacist.errors import BadInput
from abacist.report import Column, Table, as_json, comma_separated
from abacist.report.figures import trace_figure
from abacist.report.tables import headed, known_number

#: The columns that every part of a wide table has: the step and its symbol.
IN_EVERY_PART = 2


def trace(
    choice: OneNetwork,
    word: Annotated[
        str, typer.Argument(help="Any string of symbols; white space is ignored, < > stand for ⟨ ⟩.")
    ],
    values: Annotated[
        list[str] | None,
        "Values to show, such as c,h.",
        "states, but for memories, and outputs; all in CSV and JSON",
    ] = None,
    gates: Annotated[bool, "Show the gates, too."] = False,
    out: FigureOption = None,
    csv: Annotated[bool, "Print CSV instead of a table."] = False,
    json: JsonOption = False,
) -> None:
    """Follow a word through a network: states, gates, outputs, what is predicted and what is correct.

    Keys are those that `abacist runs` lists. An apostrophe marks a wrong step. Beginnings of words and
    strings outside the language are followed, too: nothing is correct or wrong once the language is left.
    A figure shows the depths above the values.

    Example: abacist trace 3f9c21aa "(()())" --values c,h --out trace.svg
    """
    if csv and json:
        raise BadInput("a trace is printed as CSV or as JSON, not as both")
    if values and gates:
        raise BadInput("--gates adds the gates to what is shown by default, so give it or --values")
    network, language = choice.load()
    reading = follow(network.networks, 0, language, word, steps=network.steps)
    states = list(network.networks.layout.cell.state_names)
    every = [*states, "y", *(name for name in reading.trace.values if name not in (*states, "y"))]
    plain = [name for name in (every if gates else [*states, "y"]) if name not in reading.trace.widths]
    named = separated(values)
    shown = named or (every if csv or json else plain)
    table = trace_table(reading, shown, network.title)
    if csv or json:
        print((as_json if json else comma_separated)(table), end="")
    else:
        show_table(table, kept=IN_EVERY_PART)
    if out is not None:
        draw(trace_figure(reading, named or (every if gates else states), network.title), out)


def trace_table(reading: TraceReading, names: list[str], title: str) -> Table:
    """A row for every step: the symbol, what is predicted and right, the depths and the values.

    What is right, and the depths, are missing once the language is left.
    """
    depths = headed(*reading.language.counter_names, of="depth", group="depth", digits=0)
    values = [
        Column(f"{name} {part.removeprefix('unit ')}", part.removeprefix("unit "), name, 3)
        for name in names
        for part in reading.value_names(name)
    ]
    numbers = np.concatenate([reading.values(name) for name in names], axis=1).astype(float)
    rows = []
    for time, glyph in enumerate(reading.glyphs):
        row: dict[str, Any] = {
            "step": time + 1,
            "symbol": glyph,
            "predicted": reading.predicted_set(time),
            "right": reading.right_set(time),
            "wrong": "'" if reading.wrong[time] else "",
        }
        if time < reading.inside:
            counts = reading.depths[time].tolist()
            row |= {column.key: depth for column, depth in zip(depths, counts, strict=True)}
        finite = map(known_number, numbers[time])
        rows.append(row | {column.key: value for column, value in zip(values, finite, strict=True)})
    columns = (*headed("step", "symbol", "predicted", "right", "wrong"), *depths, *values)
    wrong = f"{int(reading.wrong.sum())} of {int(reading.counted.sum())} judged steps are wrong"
    note = wrong if reading.left_at is None else f"{wrong}; {reading.membership()}"
    return Table("trace", title, columns, tuple(rows), note)
