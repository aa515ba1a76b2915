"""The text of a module depends on its layouts alone, stands alone and is typed; some things are refused."""

from __future__ import annotations

import json
import re
import subprocess
from dataclasses import replace
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest

from abacist.algebra import OPERATIONS, Cost, Operation, tanh
from abacist.cells import CELLS, MEMORIES, ZOO, Layout, cell
from abacist.corpora import Grammar, Recipe, Split, Uniform, Window
from abacist.errors import BadInput
from abacist.languages import language_named
from abacist.targets.webassembly import (
    drawing_tables,
    language_tables,
    module_text,
    program_name,
    training_text,
    without_exports,
)
from abacist.targets.webassembly.module import RUNTIME, TRAINING_RUNTIME, letters
from abacist.targets.webassembly.programs import steps_bytes, training_bytes
from tests.cells.toys import TOYS
from tests.requirements import program

_FURTHER = (ZOO["mlstm"], MEMORIES["stack_rnn"], MEMORIES["neural_stack"])
LAYOUTS = [Layout(cell, 2, 3, 2) for cell in (*CELLS.values(), *TOYS.values(), *_FURTHER)]
NAMES = [program_name(layout) for layout in LAYOUTS]


def test_emitting_twice_gives_the_same_text() -> None:
    assert module_text(LAYOUTS) == module_text(list(LAYOUTS))
    assert training_text(LAYOUTS) == training_text(list(LAYOUTS))
    assert NAMES[2] == "lstm 2 3 2"


def test_a_module_has_the_programs_of_all_layouts() -> None:
    (programs,) = re.findall(r"^export const PROGRAMS = (.*);$", module_text(LAYOUTS), re.MULTILINE)
    assert list(json.loads(programs)) == NAMES
    (steps,) = re.findall(
        r"^export const ready = start\((\".*\"), PROGRAMS\);$", module_text(LAYOUTS), re.MULTILINE
    )
    assert steps == letters(steps_bytes(dict(zip(NAMES, LAYOUTS, strict=True))))
    codes = dict(re.findall(r'^"(.*?)": (".*"),$', training_text(LAYOUTS), re.MULTILINE))
    assert list(codes) == NAMES
    assert list(codes.values()) == [letters(training_bytes(layout)) for layout in LAYOUTS]


def test_a_module_stands_alone() -> None:
    text = module_text(LAYOUTS) + training_text(LAYOUTS)
    assert not re.search(r"\bimport\b|\brequire\b|\bfetch\b|\beval\b|https?:", text)
    assert not re.search(r"\b(window|document|process|Buffer)\b", text)
    assert not re.search("^export", without_exports(text), re.MULTILINE)


def test_the_runtime_names_no_cell() -> None:
    folder = files("abacist.targets.webassembly") / "runtime"
    assert {path.name for path in folder.iterdir()} == {*RUNTIME, *TRAINING_RUNTIME}
    for path in folder.iterdir():
        assert not re.search(r"\b(lstm|gru|rnn)\b", path.read_text(encoding="utf-8"), re.IGNORECASE)


def test_a_module_is_typed(tmp_path: Path) -> None:
    (tmp_path / "abacist.mjs").write_text(module_text(LAYOUTS) + training_text(LAYOUTS), encoding="utf-8")
    options = ["--noEmit", "--allowJs", "--checkJs", "--strict", "--noUnusedLocals", "--noUnusedParameters"]
    versions = ["--target", "es2022", "--module", "es2022", "--lib", "es2022,webworker"]
    done = subprocess.run(
        [program("tsc"), *options, *versions, "abacist.mjs"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stdout) == (0, "")


@pytest.mark.parametrize("text_of", [module_text, training_text])
def test_cells_of_one_name_do_not_fit_into_one_module(text_of: Any) -> None:
    def other(w: Any, x: Any, h: Any) -> Any:
        return tanh(w.h(x, h)) * 0.5

    twice = [Layout(CELLS["rnn"], 2, 3, 2), Layout(replace(CELLS["rnn"], step=other), 2, 3, 2)]
    with pytest.raises(BadInput, match="different names"):
        text_of(twice)


@pytest.mark.parametrize("text_of", [module_text, training_text])
def test_an_unknown_operation_is_refused(text_of: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    cube = Operation("cube", 1, lambda x: x**3, lambda d, y, x: (d * (3 * (x * x)),), Cost(2))
    monkeypatch.setitem(OPERATIONS, "cube", cube)

    @cell(gates="h")
    def cubic(w: Any, x: Any, h: Any) -> Any:
        return tanh(cube(w.h(x, h)))

    with pytest.raises(BadInput, match="cubic: the WebAssembly target cannot compute cube"):
        text_of([Layout(cubic, 2, 3, 2)])


def test_what_javascript_cannot_draw_is_refused() -> None:
    dyck_1 = language_named("dyck-1")
    most = Recipe(dyck_1, Grammar(), (Split("most", Window(2, 8), 15),))
    with pytest.raises(BadInput, match="most: JavaScript draws at most half of the words"):
        drawing_tables(most)
    long = Recipe(dyck_1, Uniform(), (Split("long", Window(1_200, 1_200), 1),))
    with pytest.raises(BadInput, match=r"at most 1,000 symbols, got 1,200"):
        drawing_tables(long)
    with pytest.raises(BadInput, match="shuffle-41: JavaScript runs at most 40 counters, got 41"):
        language_tables(language_named("shuffle-41"))
    with pytest.raises(BadInput, match="needs a stack"):
        language_tables(language_named("dyck-2 || anbn"))
