"""Plugins: Python files with cells of the user's own."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from runpy import run_path
from traceback import extract_tb
from typing import Any

from abacist.cells.definition import Cell
from abacist.cells.names import CELLS
from abacist.errors import BadFile, BadInput
from abacist.fields import checked
from abacist.files import reason


@checked
def cells_of(paths: Sequence[Path]) -> list[Cell]:
    """The cells that some Python files define, whose names must differ; a file named twice is one."""
    found: dict[str, tuple[Path, Cell]] = {}
    for path in {path.resolve(): path for path in paths}.values():
        for cell in cells_in(path):
            if cell.name in found:
                other = found[cell.name][0]
                raise BadInput(f"{path}: a cell named {cell.name} is in {other}, too; give one another name")
            found[cell.name] = path, cell
    return [cell for _, cell in found.values()]


@checked
def cells_in(path: Path) -> list[Cell]:
    """The cells that a Python file defines; it is executed, as if it were imported."""
    found = dict.fromkeys(value for value in _executed(path).values() if isinstance(value, Cell))
    own = [cell for cell in found if cell not in CELLS.values()]
    for number, cell in enumerate(own):
        if cell.name in CELLS:
            raise BadInput(f"{path}: a cell named {cell.name} comes with Abacist; give yours another name")
        if cell.name in (other.name for other in own[:number]):
            raise BadInput(f"{path}: two cells are named {cell.name}; give one another name")
    if not own:
        raise BadInput(f"{path}: defines no cell; a formula becomes one by @cell")
    return own


def _executed(path: Path) -> dict[str, Any]:
    """What a file calls everything in it."""
    try:
        path.read_bytes()  # what cannot be read is not the program's fault, but what it cannot read is
    except OSError as error:
        raise BadFile(f"{path}: cannot be read, {reason(error)}") from None
    try:
        return run_path(str(path), run_name=path.stem)
    except (Exception, SystemExit) as error:
        own = [frame.lineno for frame in extract_tb(error.__traceback__) if frame.filename == str(path)]
        at = f" in line {own[-1]}" if own else ""
        said = " ".join(f"{type(error).__name__}: {error}".split())
        raise BadInput(f"{path}: cannot be executed{at}, {said}") from None
