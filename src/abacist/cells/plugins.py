"""Plugins: Python files with cells of the user's own."""

from __future__ import annotations

from pathlib import Path
from runpy import run_path

from abacist.cells.definition import Cell
from abacist.cells.names import CELLS
from abacist.errors import BadFile, BadInput
from abacist.fields import checked
from abacist.files import reason


@checked
def cells_in(path: Path) -> list[Cell]:
    """The cells that a Python file defines; it is executed, as if it were imported."""
    try:
        names = run_path(str(path), run_name=path.stem)
    except OSError as error:
        raise BadFile(f"{path}: cannot be read, {reason(error)}") from None
    except Exception as error:
        raise BadInput(f"{path}: cannot be executed, {type(error).__name__}: {error}") from None
    found = [value for value in names.values() if isinstance(value, Cell) and value not in CELLS.values()]
    for cell in found:
        if cell.name in CELLS:
            raise BadInput(f"{path}: a cell named {cell.name} comes with Abacist; give yours another name")
    if not found:
        raise BadInput(f"{path}: defines no cell; a formula becomes one by @cell")
    return list(dict.fromkeys(found))
