"""The text of the lanes depends on the layouts alone, stands alone and is typed; some things are refused."""

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
from abacist.cells import CELLS, Layout, cell
from abacist.errors import BadInput
from abacist.targets.javascript import module_text, program_name
from abacist.targets.webassembly import lanes_script_text, lanes_text, program_bytes
from tests.cells.toys import TOYS
from tests.requirements import program

LAYOUTS = [Layout(cell, 2, 3, 2) for cell in (*CELLS.values(), *TOYS.values())]


def test_printing_twice_gives_the_same_text() -> None:
    text = lanes_text(LAYOUTS)
    assert text == lanes_text(list(LAYOUTS))
    found = dict(re.findall(r'^"(.*?)": \{.*"code": ("[^\n]*")\},$', text, re.MULTILINE))
    assert list(found) == [program_name(layout) for layout in LAYOUTS]
    bytes_of = [json.loads(code).encode("latin-1") for code in found.values()]
    assert bytes_of == [program_bytes(layout) for layout in LAYOUTS]


def test_a_text_stands_alone() -> None:
    text = lanes_text(LAYOUTS)
    assert not re.search(r"\bimport\b|\brequire\b|\bfetch\b|\beval\b|https?:", text)
    assert not re.search(r"\b(window|document|process|Buffer)\b", text)
    assert not re.search("^export", lanes_script_text(LAYOUTS), re.MULTILINE)


def test_the_runtime_names_no_cell() -> None:
    text = (files("abacist.targets.webassembly") / "runtime" / "lanes.js").read_text(encoding="utf-8")
    assert not re.search(r"\b(lstm|gru|rnn)\b", text, re.IGNORECASE)


def test_a_text_is_typed(tmp_path: Path) -> None:
    (tmp_path / "abacist.mjs").write_text(module_text([]) + lanes_text(LAYOUTS), encoding="utf-8")
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


def test_cells_of_one_name_do_not_fit_into_one_text() -> None:
    def other(w: Any, x: Any, h: Any) -> Any:
        return tanh(w.h(x, h)) * 0.5

    twice = [Layout(CELLS["rnn"], 2, 3, 2), Layout(replace(CELLS["rnn"], step=other), 2, 3, 2)]
    with pytest.raises(BadInput, match="different names"):
        lanes_text(twice)


def test_an_operation_that_webassembly_does_not_know_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    cube = Operation("cube", 1, lambda x: x**3, lambda d, y, x: (d * (3 * (x * x)),), Cost(2))
    monkeypatch.setitem(OPERATIONS, "cube", cube)

    @cell(gates="h")
    def cubic(w: Any, x: Any, h: Any) -> Any:
        return tanh(cube(w.h(x, h)))

    with pytest.raises(BadInput, match="cubic: the WebAssembly target cannot compute cube"):
        program_bytes(Layout(cubic, 2, 3, 2))
