"""For everyone: on a phone and on a laptop, in light and dark, by keyboard alone, with a screen reader."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.report.page.visits import Visit
from tests.requirements import NODE_MODULES, need

pytestmark = [pytest.mark.thorough, need("browser")]

#: Whatever can be reached with the Tab key, and is to be.
_REACHABLE = """() => [...document.querySelectorAll("a[href], button, input, select, summary, [tabindex]")]
  .filter((one) => one.checkVisibility() && !one.disabled && one.tabIndex >= 0)
  .map((one) => one.id || one.dataset.key || one.textContent.trim())"""

_ACTIVE = """() => { const one = document.activeElement;
  return one === document.body ? null : { name: one.id || one.dataset.key || one.textContent.trim(),
    seen: getComputedStyle(one).outlineStyle !== "none" }; }"""


def used(visit: Visit, networks: int = 1) -> None:
    """Everything happens once: a word that breaks a network and then leaves the language, a training.

    Several networks are trained to the end of an epoch, where each of them gets a dot; one is stopped before.
    """
    visit.page.click("#break-alternation")
    visit.page.wait_for_selector("#broken.fails")
    visit.type("))(")
    visit.page.locator("#tape .wrong").first.click()
    visit.page.fill("#train-epochs", "1")
    visit.page.select_option("#train-count", str(networks))
    visit.page.click("#train-start")
    visit.wait("last => window.told.some((own) => own.kind === 'learning' && own.done >= last)", networks > 1)
    if networks == 1 and visit.page.is_enabled("#train-stop"):
        visit.page.evaluate("document.getElementById('train-stop').click()")
    visit.page.wait_for_selector("#training[aria-busy=false]")


def fits(visit: Visit) -> None:
    """Nothing makes the page scroll sideways."""
    width, inner = visit.page.evaluate("[document.documentElement.scrollWidth, window.innerWidth]")
    assert width <= inner
    visit.page.evaluate("window.scrollTo(500, 0)")
    assert visit.page.evaluate("window.scrollX") == 0


def findings(visit: Visit) -> list[tuple[str, list[str]]]:
    """What axe finds that is serious or worse."""
    found: dict[str, Any] = visit.page.evaluate("() => axe.run({ resultTypes: ['violations'] })")
    assert len(found["passes"]) > 10
    return [
        (own["id"], [node["html"] for node in own["nodes"]])
        for own in found["violations"]
        if own["impact"] in ("serious", "critical")
    ]


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [360, 1280])
def test_axe_finds_nothing_serious_and_the_page_fits(
    open_page: Callable[..., Visit], width: int, scheme: str
) -> None:
    need("axe")
    visit = open_page(width=width, color_scheme=scheme)
    visit.page.add_script_tag(path=NODE_MODULES / "axe-core" / "axe.min.js")
    fits(visit)
    if width == 360:
        assert findings(visit) == []
    used(visit, 4 if (width, scheme) == (360, "light") else 1)
    visit.page.evaluate("document.querySelector('details').open = true")
    assert findings(visit) == []
    fits(visit)


@pytest.mark.parametrize("width", [360, 1280])
def test_with_motion_and_without_the_same_is_shown_in_the_end(
    open_page: Callable[..., Visit], width: int
) -> None:
    shown = []
    for motion in ("reduce", "no-preference"):
        visit = open_page(width=width, reduced_motion=motion)
        visit.page.click("#break-alternation")
        visit.wait("() => document.querySelector('#tape .here.wrong') !== null")
        shown.append((visit.value("word"), visit.at, visit.text("broken"), visit.columns()))
        fits(visit)
    assert shown[0] == shown[1]


def test_charts_are_as_wide_as_what_they_are_in(open_page: Callable[..., Visit]) -> None:
    visit = open_page(width=1280)
    wide = visit.page.evaluate("window.charts.states.width")
    visit.page.set_viewport_size({"width": 360, "height": 800})
    visit.wait("() => window.charts.states.width <= 360")
    assert wide > 360
    fits(visit)
    assert visit.page.locator("#states canvas").bounding_box() is not None


def test_the_tab_key_reaches_everything_and_shows_where_it_is(visit: Visit) -> None:
    expected = visit.page.evaluate(_REACHABLE)
    assert len(expected) > 30
    reached = []
    for _ in range(len(expected) + 1):
        visit.page.keyboard.press("Tab")
        active = visit.page.evaluate(_ACTIVE)
        if active is None:
            break
        assert active["seen"], active["name"]
        reached.append(active["name"])
    assert reached == expected


def tab_to(visit: Visit, name: str) -> None:
    """Press Tab until something has the focus."""
    for _ in range(100):
        visit.page.keyboard.press("Tab")
        if visit.page.evaluate("document.activeElement.id") == name:
            return
    pytest.fail(f"the Tab key does not reach {name}")


def test_everything_is_done_by_keyboard_alone(visit: Visit) -> None:
    keys = visit.page.keyboard
    tab_to(visit, "run")
    before = visit.value("run")
    keys.press("ArrowDown")
    assert visit.value("run") != before
    tab_to(visit, "word")
    keys.press("Control+A")
    keys.type("(()")
    keys.press("Tab")
    keys.press("Space")  # the first button for a symbol
    assert visit.value("word") == "(()("
    tab_to(visit, "step")
    keys.press("ArrowLeft")
    assert visit.at == 3
    tab_to(visit, "values")
    keys.press("ArrowDown")
    tab_to(visit, "break-nesting")
    keys.press("Enter")
    visit.page.wait_for_selector("#broken.holds, #broken.fails")
    tab_to(visit, "factor")
    keys.press("ArrowRight")
    assert visit.value("factor") == "1"
    tab_to(visit, "train-epochs")
    keys.press("Control+A")
    keys.type("1")
    keys.press("Enter")
    visit.wait("() => window.told.some((own) => own.done)")
    visit.page.wait_for_selector("#training[aria-busy=false]")
    tab_to(visit, "train-type")
    keys.press("Space")
    assert visit.page.evaluate("document.activeElement.id") == "word"
    keys.type("(")
    assert "seed 0" in visit.page.locator("#run option:checked").inner_text()


def test_what_changes_is_told_to_those_who_do_not_see_it(visit: Visit) -> None:
    for name in ("verdict", "step-verdict", "broken", "train-status", "word-about"):
        assert visit.page.get_attribute(f"#{name}", "role") == "status"
    visit.page.fill("#word", "(()")
    before = visit.page.get_attribute("#states", "aria-label")
    visit.page.fill("#word", "(())()")
    after = visit.page.get_attribute("#states", "aria-label")
    assert before != after
    assert "6" in (after or "")
    label = visit.page.get_attribute("#factor", "aria-valuetext")
    visit.page.locator("#factor").fill("2")
    assert visit.page.get_attribute("#factor", "aria-valuetext") != label


def test_what_is_printed_has_the_picture_and_fits(visit: Visit) -> None:
    visit.page.set_viewport_size({"width": 680, "height": 1000})  # A4 within its margins
    visit.page.emulate_media(media="print")
    visit.wait("() => window.charts.states.width <= 680")
    assert not visit.page.is_visible("#glyphs")
    assert visit.page.is_visible("#states")
    assert visit.page.is_visible("#rows")
    drawn = visit.page.evaluate(
        """() => [[".tile", ""], [".bar", ""], [".strip", ""], [".strip .dot", "::before"]]
            .map(([one, part]) => getComputedStyle(document.querySelector(one), part).printColorAdjust)"""
    )
    assert set(drawn) == {"exact"}  # else browsers leave out what is drawn by its ground
    wide = visit.page.locator("p, h1, h2, table, .chart, .kind").evaluate_all(
        "all => all.filter((one) => one.getBoundingClientRect().right > 681).map((one) => one.id)"
    )
    assert wide == []
