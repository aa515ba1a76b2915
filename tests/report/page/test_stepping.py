"""Stepping back and forth: buttons, slider, arrow keys, tiles, and clicks on the curves."""

from __future__ import annotations

import re

import pytest

from tests.report.page.visits import Visit
from tests.requirements import need

pytestmark = [pytest.mark.thorough, need("browser")]

WORD = "(()())"


@pytest.fixture
def visit(visit: Visit) -> Visit:
    visit.page.fill("#word", WORD)
    return visit


def here(visit: Visit) -> int:
    """The step that is looked at: the slider and the tiles agree on it."""
    marked = [place + 1 for place, (_, look) in enumerate(visit.tiles) if "here" in look]
    assert marked == ([visit.at] if visit.at else [])
    return visit.at


def test_buttons_step_and_stop_at_both_ends(visit: Visit) -> None:
    visit.page.click("#forth")
    assert here(visit) == 6
    for at in (5, 4, 3, 2, 1, 0, 0):
        visit.page.click("#back")
        assert here(visit) == at
    assert visit.page.locator("#outputs tr").count() == 0
    visit.page.click("#forth")
    assert here(visit) == 1
    assert visit.value("word") == WORD


def test_arrow_keys_step_from_anywhere_and_on_the_slider(visit: Visit) -> None:
    visit.type("")
    for _ in range(2):
        visit.page.keyboard.press("ArrowLeft")
    assert here(visit) == 4
    visit.page.keyboard.press("ArrowRight")
    assert here(visit) == 5
    visit.page.press("#step", "ArrowLeft")
    visit.page.press("#step", "ArrowLeft")
    assert here(visit) == 3
    visit.page.press("#step", "Home")
    assert here(visit) == 0
    visit.page.press("#step", "End")
    assert here(visit) == 6


def test_a_tile_is_clicked(visit: Visit) -> None:
    for at in (2, 6, 1):
        visit.page.locator("#tape .tile").nth(at - 1).click()
        assert here(visit) == at


def test_the_curves_are_clicked(visit: Visit) -> None:
    area = visit.page.locator("#states .u-over")
    box = area.bounding_box()
    assert box is not None
    for at in (2, 5, 0):
        area.click(position={"x": max(1, box["width"] * at / len(WORD) - 1), "y": box["height"] / 2})
        assert here(visit) == at


def test_what_is_shown_belongs_to_the_step(visit: Visit) -> None:
    allowed = []
    for at in (6, 5, 4, 3, 2, 1):
        visit.page.locator("#step").fill(str(at))
        allowed.append(visit.step.allowed)
        assert re.findall(r"\d+", visit.text("step-verdict"))[:2] == [str(at), "6"]
    assert allowed == [[True, False], *[[True, True]] * 5]


def test_typing_goes_on_at_the_end_from_any_step(visit: Visit) -> None:
    visit.page.locator("#step").fill("2")
    visit.type("(")
    assert (visit.value("word"), here(visit)) == (WORD + "(", 7)
