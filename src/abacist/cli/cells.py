"""`abacist cells`: which cells there are, and where they come from."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from abacist.cells import KNOWN, Cell, Gates, Layout, own_cells, written_cell
from abacist.cli.screen import show_json
from abacist.cli.tables import show_table
from abacist.wording import escape_controls

#: The smallest networks that count brackets, of whose parameters the list tells the number.
_INPUTS, _HIDDEN = 2, 1


def cells(
    json: Annotated[bool, typer.Option("--json", help="Print JSON instead of a table.")] = False,
) -> None:
    """List the cells, each with its states and gates, and where it comes from.

    A cell of yours is written with the first digits of its content: another formula has others.

    Example: abacist cells --plugin mine.py
    """
    rows = [_row(cell, "Abacist") for cell in KNOWN.values()]
    rows += [_row(one.thing, one.origin) for one in own_cells()]
    if json:
        show_json(rows)
        return
    texts = [
        [" ".join(v) if isinstance(v, list) else escape_controls(str(v)) for v in row.values()]
        for row in rows
    ]
    left = ("cell", "written", "states", "gates", "from")
    show_table(list(rows[0]), texts, left=left, footer="Parameters: of a network with one unit on dyck-1.")


def _row(cell: Cell, origin: str) -> dict[str, Any]:
    gates = cell.parameters.names if isinstance(cell.parameters, Gates) else ()
    return {
        "cell": cell.name,
        "written": written_cell(cell),
        "states": list(cell.state_names),
        "gates": list(gates),
        "parameters": Layout(cell, _INPUTS, _HIDDEN, _INPUTS).size,
        "from": origin,
    }
