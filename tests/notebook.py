"""The notebook of the examples: its cells, run in order in a fresh interpreter, and their outputs.

`python -m tests.notebook` runs it and stores what comes out. Plain Python does for that, so that neither
Jupyter nor its kernels are needed: a cell is executed, and its last line, if it is an expression, is shown
as Jupyter shows it.
"""

from __future__ import annotations

import ast
import base64
import io
import json
import subprocess
import sys
from contextlib import redirect_stdout
from pathlib import Path
from typing import Any

import matplotlib as mpl

from abacist.targets.target import target_named

TOUR = Path(__file__).parents[1] / "examples" / "tour.ipynb"

#: The ways in which an object shows itself, the best first, and what each gives.
_SHOWS = {"_repr_png_": "image/png", "_repr_svg_": "image/svg+xml", "_repr_html_": "text/html"}


def loaded(path: Path = TOUR) -> dict[str, Any]:
    """The notebook as plain values."""
    notebook: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return notebook


def code_cells(notebook: dict[str, Any]) -> list[dict[str, Any]]:
    return [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]


def made_with() -> dict[str, str]:
    """What the last bits of results, and the dots of pictures, may depend on."""
    return {"matplotlib": mpl.__version__, "python": sys.version.split()[0]} | target_named().versions()


def outputs(notebook: dict[str, Any]) -> list[list[dict[str, Any]]]:
    """What every code cell gives, all of them run in order in a fresh interpreter."""
    sources = ["".join(cell["source"]) for cell in code_cells(notebook)]
    done = subprocess.run(
        [sys.executable, "-W", "error", "-m", "tests.notebook", "--cells"],
        input=json.dumps(sources),
        cwd=Path(__file__).parents[1],
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        raise RuntimeError(done.stderr)
    found: list[list[dict[str, Any]]] = json.loads(done.stdout)
    return found


def _run(sources: list[str]) -> list[list[dict[str, Any]]]:
    namespace: dict[str, Any] = {"__name__": "__main__"}
    return [_run_cell(source, namespace, number) for number, source in enumerate(sources, 1)]


def _run_cell(source: str, namespace: dict[str, Any], number: int) -> list[dict[str, Any]]:
    tree = ast.parse(source)
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    value = None
    with redirect_stdout(io.StringIO()) as printed:
        exec(compile(tree, f"cell {number}", "exec"), namespace)
        if isinstance(last, ast.Expr):
            value = eval(compile(ast.Expression(last.value), f"cell {number}", "eval"), namespace)
    made: list[dict[str, Any]] = []
    if text := printed.getvalue():
        made.append({"name": "stdout", "output_type": "stream", "text": text.splitlines(keepends=True)})
    if value is not None:
        shown = {"data": _shown(value), "execution_count": number, "metadata": {}}
        made.append(shown | {"output_type": "execute_result"})
    return made


def _shown(value: Any) -> dict[str, Any]:
    """An object by the best of the ways in which it shows itself."""
    for name, kind in _SHOWS.items():
        show = getattr(value, name, None)
        if show is not None and (content := show()) is not None:
            return {kind: base64.b64encode(content).decode() if kind == "image/png" else [content]}
    return {"text/plain": [repr(value)]}


def write(path: Path = TOUR) -> None:
    """Run the notebook and store what comes out."""
    notebook = loaded(path)
    for number, (cell, made) in enumerate(zip(code_cells(notebook), outputs(notebook), strict=True), 1):
        cell["outputs"], cell["execution_count"] = made, number
    notebook["metadata"]["made_with"] = made_with()
    path.write_text(json.dumps(notebook, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


if __name__ == "__main__":
    if "--cells" in sys.argv:
        json.dump(_run(json.load(sys.stdin)), sys.stdout)
    else:
        write()
