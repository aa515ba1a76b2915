"""Networks with a memory on a page: followed, drawn as a map, and trained as they are shown."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from abacist.analysis import follow
from abacist.cells import cell_named
from abacist.languages import language_named
from abacist.report.page import PageNetwork, write_page
from abacist.report.page.content import network_of_user
from abacist.specs import Networks, Spec
from tests.report.page.unpacking import content_in
from tests.report.page.visits import Visit, new_visit
from tests.requirements import need
from tests.wrong_input import is_refused

if TYPE_CHECKING:
    from playwright.sync_api import Browser

SPEC = Spec(language_named("dyck-2"), cell_named("stack_rnn_1"), 5, epochs=1)

#: The colour of the map where a number is, and that of the largest number.
_COLOUR = """([step, number]) => {
  const plot = window.charts.states, canvas = document.createElement("canvas"), own = canvas.getContext("2d");
  own.fillStyle = getComputedStyle(document.documentElement).getPropertyValue("--unit-0");
  own.fillRect(0, 0, 1, 1);
  const x = Math.round(plot.valToPos(step - 0.25, "x", true));
  const y = Math.round(plot.valToPos(number + 0.4, "value", true));
  return [plot.ctx.getImageData(x, y, 1, 1), own.getImageData(0, 0, 1, 1)].map(({ data }) => [...data]);
}"""


def _shown(spec: Spec) -> PageNetwork:
    networks = Networks.initial(spec.layout, [0])
    return network_of_user(f"{spec.cell.name}-{spec.hidden}", "mine", spec.language, networks)


def _in_order(drawn: dict[str, Any]) -> dict[str, Any]:
    return {name: np.sort(array) for name, array in drawn.items()}


def test_a_cell_with_a_memory_is_trained_as_it_is_shown_and_others_on_every_language(tmp_path: Path) -> None:
    other = replace(SPEC, cell=cell_named("irnn"), hidden=2)
    content = content_in(tmp_path, [_shown(SPEC), _shown(other)])
    assert [cell["name"] for cell in content["cells"]] == ["irnn", "stack_rnn_1"]
    assert content["units"] == [1, 2, 3, 4, 5, 6, 8]
    assert [name for name in content["trained"] if name.startswith("stack")] == ["stack_rnn_1 4 5 4"]
    assert len(content["trained"]) == 1 + 3 * 6


def test_a_cell_that_a_page_cannot_begin_is_shown_and_not_trained(tmp_path: Path) -> None:
    own = replace(cell_named("rnn"), name="own", initial=_in_order)
    network = _shown(replace(SPEC, cell=own))
    assert content_in(tmp_path, [network])["cells"] == []
    sentence = is_refused(lambda: write_page([network], tmp_path / "other.html", cells=(own,)))
    assert sentence == (
        "Cell own: begins with weights that depend on each other, and a page draws each on its own"
    )


@pytest.fixture
def visit(running: Browser, tmp_path: Path) -> Iterator[Visit]:
    path = tmp_path / "page.html"
    write_page([_shown(SPEC)], path)
    visit = new_visit(running, 1280, reduced_motion="reduce")
    visit.open(path)
    yield visit
    visit.check(path)


@pytest.mark.thorough
@need("browser")
def test_a_memory_is_a_map_and_its_numbers_are_the_engine_s(visit: Visit) -> None:
    word = "([()])(("
    visit.page.click("#clear")
    visit.type(word)
    reading = follow(Networks.initial(SPEC.layout, [0]), 0, SPEC.language, word)
    _, values = visit.values(SPEC.language)
    np.testing.assert_allclose(values["h"], reading.values("h"), rtol=0, atol=1e-6)
    stack = np.abs(reading.values("stack"))
    seen = [int(np.flatnonzero(row > stack.max() / 100)[-1]) + 1 for row in stack]
    assert values["stack"].tolist() == [[count] for count in seen]
    visit.page.select_option("#values", "stack")
    step, number = np.unravel_index(int(stack.argmax()), stack.shape)
    drawn, wanted = visit.page.evaluate(_COLOUR, [int(step) + 1, int(number)])
    assert drawn == wanted


@pytest.mark.thorough
@need("browser")
def test_it_is_trained_where_it_is_shown(visit: Visit) -> None:
    cells = "() => [...document.getElementById('train-cell').options].map((own) => own.value)"
    assert SPEC.cell.name not in visit.page.evaluate(cells)
    visit.page.select_option("#train-language", SPEC.language.name)
    visit.page.select_option("#train-cell", SPEC.cell.name)
    assert visit.value("train-units") == str(SPEC.hidden)
    visit.page.select_option("#train-count", "1")
    visit.page.fill("#train-epochs", "1")
    visit.page.click("#train-start")
    visit.page.wait_for_selector("#training[aria-busy=true]")
    visit.page.wait_for_selector("#training[aria-busy=false]")
    losses = [own["runs"][0]["loss"] for own in visit.told("learning")]
    assert 0 < losses[-1] < losses[0]
