"""The file: it has all programs that it names, the same bytes for the same networks, and a limit."""

from __future__ import annotations

import json
import re
import subprocess
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from abacist.algebra import OPERATIONS, Cost, Operation, tanh
from abacist.cells import CELLS, cell
from abacist.languages import Dyck
from abacist.report.page import PageNetwork, write_page
from abacist.report.page.content import UNITS_TO_TRAIN
from abacist.report.page.writing import LARGEST, fits
from abacist.specs import Networks
from tests.cells.toys import minimal, shaped
from tests.report.page.unpacking import shown, spec_of, unpacked
from tests.requirements import need
from tests.wrong_input import is_refused

ALL = (*CELLS.values(), minimal, shaped)


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A page with networks of several kinds, and two cells that do not come with Abacist."""
    path = tmp_path_factory.mktemp("page") / "page.html"
    specs = [spec_of(), spec_of("shuffle-7", "gru", 20), spec_of("anbn", "rnn_relu", 2, training=5, test=5)]
    written = write_page([shown(spec) for spec in specs], path, cells=ALL)
    assert (written.networks, written.size) == (3, path.stat().st_size)
    return path


def named_programs(content: Any) -> set[str]:
    """The programs of the networks, and of all that the form can ask for."""
    shapes = {
        (len(language["tables"]["glyphs"]), language["tables"]["outputs"])
        for language in content["languages"].values()
        if language["words"] is not None
    }
    form = {
        f"{cell['name']} {inputs} {units} {outputs}"
        for cell in content["cells"]
        for inputs, outputs in shapes
        for units in content["units"]
    }
    return {network["program"] for network in content["networks"]} | form


def test_every_program_that_is_named_is_there_and_no_other(page: Path) -> None:
    known = unpacked(page)
    content = known["content"]
    assert [cell["name"] for cell in content["cells"]] == [own.name for own in ALL]
    assert content["units"] == list(UNITS_TO_TRAIN)
    (listed,) = re.findall(r"^const PROGRAMS = (.*);$", known["engine"], re.MULTILINE)
    programs = json.loads(listed)
    assert set(re.findall(r'^"(.*?)": ".*",$', known["worker"], re.MULTILINE)) == set(content["trained"])
    assert set(programs) == named_programs(content)
    # 20 units and the letters of anbn have one each.
    assert len(programs) == 2 + 6 * len(UNITS_TO_TRAIN) * len({2, 4, 12, 14})


_TRAINING = """
const { readFileSync } = require("node:fs");
const { engine, worker, content } = JSON.parse(readFileSync(0, "utf-8"));
const names = "{ PROGRAMS, TRAINING, Language, Trainer, initialWeights, drawWords, takeOrders }";
const page = new Function(`${engine}\\n${worker}\\nreturn ${names};`)();
const { tables, words } = content.languages["dyck-1"], language = new page.Language(tables);
const drawn = language.label(page.drawWords(words, 0).training);
const losses = {};
for (const { name } of content.cells) {
  const program = page.PROGRAMS[`${name} 2 3 2`], weights = page.initialWeights(program, 0);
  const trainer = new page.Trainer(program, page.TRAINING[program.name], [weights], [drawn]);
  losses[name] = [trainer.advance(300).losses[0] / 300, trainer.advance(300).losses[0] / 300];
}
console.log(JSON.stringify({ programs: Object.keys(page.PROGRAMS), losses }));
"""


def test_every_cell_can_be_trained_from_what_the_page_comes_with(page: Path, tmp_path: Path) -> None:
    need("node")
    (tmp_path / "train.cjs").write_text(_TRAINING)
    known = unpacked(page)
    done = subprocess.run(
        ["node", "train.cjs"],
        cwd=tmp_path,
        input=json.dumps(known),
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    told = json.loads(done.stdout)
    assert set(told["programs"]) == named_programs(known["content"])
    assert list(told["losses"]) == [own.name for own in ALL]
    for before, after in told["losses"].values():
        assert 0 < after < before


def test_the_file_asks_nobody_for_anything(page: Path) -> None:
    text = page.read_text()
    assert "default-src 'none'" in text
    assert not re.search(r'\b(src|href)="(?!#|data:)', text)
    assert not re.search(r"\b(fetch|XMLHttpRequest|importScripts|sendBeacon)\b|@import url|url\(", text)
    licences = r"<details>.*?</details>|/\*!.*?\*/"
    assert not re.search(r"\bhttps?:", re.sub(licences, "", text, flags=re.DOTALL))


@pytest.mark.thorough
def test_the_same_networks_give_the_same_bytes(page: Path, tmp_path: Path) -> None:
    networks = [shown(spec_of("dyck-2", "gru", 4), seed) for seed in range(3)]
    for name in ("one", "other"):
        write_page(networks, tmp_path / name)
    one = (tmp_path / "one").read_bytes()
    assert one == (tmp_path / "other").read_bytes()
    write_page(networks[::-1], tmp_path / "turned")
    assert one != (tmp_path / "turned").read_bytes()  # the first is shown first


@pytest.mark.thorough
def test_a_page_is_smaller_than_a_megabyte_or_not_written(tmp_path: Path) -> None:
    path, layout = tmp_path / "page.html", spec_of(hidden=64).layout
    weights = np.random.default_rng(0).normal(size=(5, layout.size))
    networks = [
        PageNetwork(str(n), "large", str(n), spec_of().language, Networks(layout, weights[n : n + 1]))
        for n in range(5)
    ]
    fitting = [fits(networks[:n], tuple(CELLS.values())) for n in range(1, 6)]
    most = fitting.index(False)
    assert fitting == [True] * most + [False] * (5 - most)
    assert most > 0
    sentence = is_refused(lambda: write_page(networks[: most + 1], path))
    assert re.search(
        f"a page of {most + 1} networks would have 1,[0-9,]+ bytes, more than 1,000,000", sentence
    )
    assert not path.exists()
    assert write_page(networks[:most], path).size == path.stat().st_size <= LARGEST


def test_cells_of_the_same_name_are_refused(tmp_path: Path) -> None:
    own = replace(minimal, name="lstm")

    def write() -> object:
        return write_page([shown(spec_of())], tmp_path / "page.html", cells=(*CELLS.values(), own))

    assert is_refused(write) == "cells on a page need different names, got lstm twice"
    assert list(tmp_path.iterdir()) == []


def test_an_operation_that_webassembly_does_not_know(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    cube = Operation("cube", 1, lambda x: x**3, lambda d, y, x: (d * (3 * (x * x)),), Cost(2))
    monkeypatch.setitem(OPERATIONS, "cube", cube)

    @cell(gates="h")
    def cubic(w: Any, x: Any, h: Any) -> Any:
        return tanh(cube(w.h(x, h)))

    sentence = is_refused(lambda: write_page([shown(spec_of())], tmp_path / "page.html", cells=(cubic,)))
    assert sentence == "Cell cubic: the WebAssembly target cannot compute cube"


def test_networks_that_cannot_stand_on_one_page(tmp_path: Path) -> None:
    one, other = shown(spec_of(), 0), shown(spec_of(), 1)
    strange = replace(other, language=Dyck(1, glyphs=("<", ">")), run=None)
    wrong: list[tuple[Callable[[], Any], str]] = [
        (list, "at least one network, got none"),
        (lambda: [one, replace(other, key=one.key)], f"different keys, got {one.key} twice"),
        (lambda: [one, strange], "dyck-1: languages on a page need different names"),
        (
            lambda: [replace(one, networks=Networks(spec_of().layout, np.zeros((2, 92))))],
            "one network, got 2",
        ),
        (lambda: [shown(spec_of("dyck-2", steps="last"))], "judges every step"),
        (lambda: [shown(spec_of("shuffle-41"))], "at most 40 counters, got 41"),
        (lambda: [replace(one, language=spec_of("dyck-2").language)], "dyck-2: has 4 symbols"),
        (lambda: ["lstm"], "must be a PageNetwork"),
    ]
    for make, sentence in wrong:
        assert sentence in is_refused(lambda make=make: write_page(make(), tmp_path / "page.html"))  # type: ignore[misc]
    assert list(tmp_path.iterdir()) == []
