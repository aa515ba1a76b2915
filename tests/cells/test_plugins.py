"""Plugins: files with cells of one's own, and one sentence for each thing that can be wrong with one."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from abacist.cells import Layout, cells_in, cells_of
from abacist.engine.reference import forward
from abacist.specs import Networks
from tests.cells.toys import minimal
from tests.wrong_input import is_refused

#: The same formula as `minimal` in the toys, with a function of its own.
MINIMAL = '''"""A cell of mine."""
from abacist.algebra import sigmoid, tanh
from abacist.cells import CELLS, cell

lstm = CELLS["lstm"]  # not mine


def between(old, new, share):
    return old + share * (new - old)


@cell(gates="f n")
def minimal(w, x, h):
    f = sigmoid(w.f(x, h))
    return between(h, tanh(w.n(x, f * h)), f)


if __name__ == "__main__":
    raise SystemExit("this is not imported")
'''


def file_of(folder: Path, text: str, name: str = "mine.py") -> Path:
    path = folder / name
    path.write_text(text)
    return path


def test_a_cell_of_a_file_computes_what_its_formula_says(tmp_path: Path) -> None:
    (own,) = cells_in(file_of(tmp_path, f"{MINIMAL}\nagain = minimal\n"))
    assert (own.name, own.parameters, own.states) == (minimal.name, minimal.parameters, minimal.states)
    networks = (Networks.initial(Layout(cell, 2, 3, 2), [4], "float64") for cell in (own, minimal))
    outputs = [forward(network, 0, [0, 0, 1, 0, 1, 1])[1] for network in networks]
    np.testing.assert_array_equal(outputs[0], outputs[1])


def test_several_files_and_one_of_them_twice(tmp_path: Path) -> None:
    first = file_of(tmp_path, MINIMAL)
    second = file_of(
        tmp_path, MINIMAL.replace("def minimal", "def other").replace("= minimal", "= 1"), "b.py"
    )
    (tmp_path / "folder").mkdir()
    same = tmp_path / "folder" / ".." / "mine.py"
    assert [cell.name for cell in cells_of([first, second, same, first])] == ["minimal", "other"]
    assert cells_of([]) == []
    copy = file_of(tmp_path, MINIMAL, "copy.py")
    assert is_refused(lambda: cells_of([first, copy])) == (
        f"{copy}: a cell named minimal is in {first}, too; give one another name"
    )


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("x = 1", "defines neither a cell nor a language; a formula becomes a cell by @cell"),
        ("", "defines neither a cell nor a language; a formula becomes a cell by @cell"),
        ("from abacist.cells import CELLS\nlstm = CELLS['lstm']", "defines neither a cell nor a language"),
        (
            MINIMAL.replace("def minimal", "def lstm"),
            "a cell named lstm comes with Abacist; give yours another",
        ),
        (f"{MINIMAL}\nfirst = minimal\n{MINIMAL}", "two cells are named minimal; give one another name"),
        ("x = (", "cannot be executed, SyntaxError: "),
        ("\x00", "cannot be executed, "),
        (
            "\n\nimport nowhere_to_be_found",
            "cannot be executed in line 3, ModuleNotFoundError: No module named",
        ),
        (
            "def f():\n  raise ValueError('two\\nlines')\nf()",
            "cannot be executed in line 2, ValueError: two lines",
        ),
        ("import sys\nsys.exit(0)", "cannot be executed in line 2, SystemExit: 0"),
        ("open('nowhere')", "cannot be executed in line 1, FileNotFoundError: "),
        (
            "from abacist.cells import cell\ncell('a', parameters=3)",
            "in line 2, BadInput: cell: give either gates",
        ),
    ],
)
def test_what_is_wrong_with_a_file_is_said_in_one_sentence(tmp_path: Path, text: str, sentence: str) -> None:
    path = file_of(tmp_path, text)
    said = is_refused(lambda: cells_in(path))
    assert said.startswith(f"{path}: ")
    assert sentence in said


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    for path, reason in ((tmp_path / "no.py", "no such file or directory"), (tmp_path, "is a directory")):
        assert is_refused(lambda path=path: cells_in(path)) == f"{path}: cannot be read, {reason}"  # type: ignore[misc]
