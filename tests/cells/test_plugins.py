"""Plugins: files with cells and languages of one's own, and a sentence for what is wrong with one."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from abacist.cells import OWN_CELLS, Layout, cell_named, load_plugins, written_cell
from abacist.engine.reference import forward
from abacist.languages import language_named, own_languages
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


#: A language of one's own: Dyck-1 under another name, with other brackets.
ANGLES = """
from dataclasses import dataclass
from abacist.languages import Dyck, language_named

known = language_named("dyck-1")
_private = Dyck(1, ("{", "}"))


@dataclass(frozen=True)
class Angles(Dyck):
    glyphs: tuple = ("<", ">")

    @property
    def name(self):
        return "angles"


angles = Angles()
"""


@pytest.fixture(autouse=True)
def _no_names_of_other_tests() -> Iterator[None]:
    """What a test has loaded goes by its name only there."""
    load_plugins([], anew=True)
    yield
    load_plugins([], anew=True)


def file_of(folder: Path, text: str, name: str = "mine.py") -> Path:
    path = folder / name
    path.write_text(text)
    return path


def test_a_cell_of_a_file_computes_what_its_formula_says(tmp_path: Path) -> None:
    load_plugins([file_of(tmp_path, f"{MINIMAL}\nagain = minimal\n")])
    own = cell_named("minimal")
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
    load_plugins([first, second, same, first])
    assert [one.thing.name for one in OWN_CELLS.all()] == ["minimal", "other"]
    copy = file_of(tmp_path, MINIMAL, "copy.py")
    assert is_refused(lambda: load_plugins([first, copy])) == (
        f"{copy}: a cell named minimal is in {first}, too; give one another name"
    )


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("x = 1", "defines neither a cell nor a language; a formula becomes a cell by @cell"),
        ("", "defines neither a cell nor a language; a formula becomes a cell by @cell"),
        ("from abacist.cells import CELLS\nlstm = CELLS['lstm']", "defines neither a cell nor a language"),
        (
            MINIMAL.replace("def minimal", "def LSTM"),
            "a cell named LSTM comes with Abacist; give yours another name",
        ),
        (
            ANGLES.replace('"angles"', '"dyck-1"'),
            "a language named dyck-1 comes with Abacist; give yours another name",
        ),
        (
            f"{MINIMAL}\nfirst = minimal\n{MINIMAL}",
            "a cell named minimal is in it twice; give one another name",
        ),
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
        ("class Odd(BaseException): ...\nraise Odd('x')", "cannot be executed in line 2, Odd: x"),
        (
            MINIMAL.replace("f = sigmoid(w.f(x, h))", "exit(3)"),
            "cannot be executed in line 14, SystemExit: 3",
        ),
        ("open('nowhere')", "cannot be executed in line 1, FileNotFoundError: "),
        (MINIMAL.replace("w.n(", "w.m("), "Cell minimal: it has no gate 'm'; its gates are f, n ("),
        (
            "from abacist.cells import cell\ncell('a', parameters=3)",
            "in line 2, cell: parameters must be parameters, such as those of tensors, got 3",
        ),
        (
            MINIMAL.replace("(w, x, h)", "(w, x, h, c)"),
            "Cell minimal: its formula must return 2 states of these sizes (h 5, c 5), got 5",
        ),
        (
            MINIMAL.replace("f = sigmoid(w.f(x, h))", "f = float(w.f(x, h))"),
            "its formula cannot make a number of a vector, as float, range and the functions of math do",
        ),
    ],
)
def test_what_is_wrong_with_a_file_is_said_in_one_sentence(tmp_path: Path, text: str, sentence: str) -> None:
    path = file_of(tmp_path, text)
    said = is_refused(lambda: load_plugins([path]))
    assert said.startswith(f"{path}: ")
    assert sentence in said


def test_ctrl_c_while_a_file_is_executed_interrupts(tmp_path: Path) -> None:
    path = file_of(tmp_path, f"import os\nos.kill(os.getpid(), {signal.SIGINT:d})\nsum(range(1000))\n")
    with pytest.raises(KeyboardInterrupt):
        load_plugins([path])


def test_a_file_may_define_languages_with_or_without_cells(tmp_path: Path) -> None:
    only, both = file_of(tmp_path, ANGLES), file_of(tmp_path, ANGLES + MINIMAL, "both.py")
    load_plugins([only], anew=True)
    assert "<<>>" in language_named("Angles")
    assert [one.origin for one in own_languages()] == [str(only)]
    load_plugins([both], anew=True)
    assert cell_named("Minimal") == minimal
    assert [(one.thing, one.origin) for one in OWN_CELLS.all()] == [(minimal, str(both))]
    assert is_refused(lambda: load_plugins([only, both])) == (
        f"{both}: a language named angles is in {only}, too; give one another name"
    )
    load_plugins([], anew=True)
    assert is_refused(lambda: language_named("angles")).startswith("unknown language 'angles'")
    assert is_refused(lambda: cell_named("minimal")).startswith("unknown cell 'minimal'")


def test_a_file_that_was_edited_is_loaded_again(tmp_path: Path) -> None:
    path = file_of(tmp_path, MINIMAL)
    load_plugins([path], anew=True)
    edited = file_of(tmp_path, MINIMAL.replace("share * (new", "0.5 * share * (new"))
    load_plugins([edited])
    assert cell_named("minimal") != minimal
    elsewhere = file_of(tmp_path, MINIMAL, "elsewhere.py")
    assert is_refused(lambda: load_plugins([elsewhere])) == (
        f"{elsewhere}: a cell named minimal is in {path}, too; give one another name"
    )


def test_the_example_is_an_lstm_whose_input_gate_is_what_the_other_leaves() -> None:
    root = Path(__file__).parents[2]
    load_plugins([root / "examples" / "coupled.py"])
    own = cell_named("coupled")
    assert written_cell(own) in (root / "docs" / "own-cells.md").read_text()
    networks = Networks.initial(Layout(own, 2, 3, 2), [4], "float64")
    tensors = networks.tensors(0)
    parts = [
        np.split(tensors[f"rnn.{name}_l0"], 3) for name in ("weight_ih", "weight_hh", "bias_ih", "bias_hh")
    ]
    h, c = np.zeros(3), np.zeros(3)
    states = []
    for symbol in (0, 0, 1, 0, 1, 1):
        f, g, o = (wi[:, symbol] + wh @ h + bi + bh for wi, wh, bi, bh in zip(*parts, strict=True))
        f, g, o = 1 / (1 + np.exp(-f)), np.tanh(g), 1 / (1 + np.exp(-o))
        c = f * c + (1 - f) * g
        h = o * np.tanh(c)
        states.append(h)
    np.testing.assert_allclose(forward(networks, 0, [0, 0, 1, 0, 1, 1])[0]["h"], states, rtol=1e-12)


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    for path, reason in ((tmp_path / "no.py", "no such file or directory"), (tmp_path, "is a directory")):
        assert is_refused(lambda path=path: load_plugins([path])) == f"{path}: cannot be read, {reason}"  # type: ignore[misc]
