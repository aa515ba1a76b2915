"""The report in a real browser: it asks nobody for anything, fits a phone, and prints."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from abacist.experiments import Results
from tests.browser import browser, patient
from tests.experiments.cases import view
from tests.report.own_cases import runs_for, swept
from tests.report.report_cases import filled, stand_ins, write_with
from tests.requirements import need

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = [pytest.mark.thorough, need("browser")]


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("browser")
    with filled(folder) as store:
        write_with(stand_ins, Results.of(store), folder / "report.html")
    return folder / "report.html"


@pytest.fixture(scope="module")
def running() -> Iterator[Browser]:
    with browser() as started:
        yield started


@pytest.fixture
def opened(running: Browser, report: Path, request: pytest.FixtureRequest) -> Iterator[Page]:
    """The report, opened at a width; whatever it asks for or complains of fails the test."""
    width, scheme = request.param
    page = patient(running.new_page(viewport={"width": width, "height": 844}, color_scheme=scheme))
    asked: list[str] = []
    complaints: list[str] = []
    page.on("request", lambda sent: asked.append(sent.url))
    page.on("console", lambda message: complaints.append(message.text))
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.goto(report.as_uri(), wait_until="networkidle")
    yield page
    page.close()
    assert asked == [report.as_uri()]
    assert complaints == []


WIDTHS = [(1280, "light"), (390, "light"), (390, "dark"), (320, "light")]


@pytest.mark.parametrize("opened", WIDTHS, indirect=True)
def test_the_page_never_scrolls_sideways(opened: Page) -> None:
    width, inner = opened.evaluate("[document.documentElement.scrollWidth, window.innerWidth]")
    assert width <= inner
    opened.evaluate("window.scrollTo(500, 0)")
    assert opened.evaluate("window.scrollX") == 0


@pytest.mark.parametrize("opened", [(390, "light")], indirect=True)
def test_wide_tables_scroll_in_their_own_box_on_a_phone(opened: Page) -> None:
    """And the task and the model stay in sight."""
    box = opened.locator(".box:has(#rows-table-3)")
    assert box.evaluate("box => box.scrollWidth > box.clientWidth")
    box.evaluate("box => { box.scrollLeft = 200 }")
    assert box.evaluate("box => box.scrollLeft") > 0
    heading = opened.locator("#rows-table-3 tbody th.of-cell").first
    assert heading.evaluate("cell => cell.getBoundingClientRect().left") >= 0


@pytest.mark.parametrize("opened", WIDTHS[1:3], indirect=True)
def test_tables_and_drawings_are_really_drawn(opened: Page) -> None:
    assert opened.locator("tbody tr").evaluate_all("rows => rows.every(row => row.offsetHeight > 8)")
    sizes = opened.locator(".plate svg, .plate img").evaluate_all(
        "all => all.map(one => one.getBoundingClientRect()).map(box => [box.width, box.height])"
    )
    assert len(sizes) == 3
    assert all(width > 300 and height > 100 for width, height in sizes)
    drawn = opened.locator(".plate svg use").evaluate_all("all => all.map(one => one.getBBox().width)")
    assert len(drawn) > 20
    assert max(drawn) > 0


@pytest.mark.parametrize("opened", [(1280, "light"), (1280, "dark")], indirect=True)
def test_the_ground_follows_the_reader_s_choice_and_figures_stay_on_a_light_plate(
    opened: Page, request: pytest.FixtureRequest
) -> None:
    scheme = request.node.callspec.params["opened"][1]
    ground = opened.evaluate("getComputedStyle(document.documentElement).backgroundColor")
    levels = [int(part) for part in ground.removeprefix("rgb(").removesuffix(")").split(",")]
    assert (sum(levels) > 600) == (scheme == "light")
    if scheme == "dark":
        plate = opened.locator(".plate").first.evaluate("plate => getComputedStyle(plate).backgroundColor")
        assert plate == "rgb(255, 255, 255)"


@pytest.mark.parametrize("opened", [(1280, "dark")], indirect=True)
def test_it_prints_on_several_pages_and_nothing_is_cut_off(opened: Page) -> None:
    data = opened.pdf(format="A4", prefer_css_page_size=True)
    assert data.startswith(b"%PDF")
    assert data.count(b"/Type /Page\n") > 3
    opened.set_viewport_size({"width": 680, "height": 1000})  # A4 within its margins
    opened.emulate_media(media="print")
    wide = opened.locator("table, figure, p").evaluate_all(
        "all => all.filter(one => one.getBoundingClientRect().right > 680).map(one => one.id)"
    )
    assert wide == []
    ground = opened.evaluate("getComputedStyle(document.documentElement).backgroundColor")
    assert ground == "rgb(255, 255, 255)"


@pytest.mark.parametrize("opened", [(680, "light")], indirect=True)
def test_claims_are_printed_as_wide_as_the_paper_however_wide_their_figures_are(opened: Page) -> None:
    opened.locator(".claim td").evaluate_all(
        "all => all.forEach((one) => { one.textContent += ' run'.repeat(60); })"
    )
    opened.emulate_media(media="print")
    claims = opened.locator(".claim").evaluate_all(
        """all => all.map((one) => [one.querySelector(".statement").clientWidth, one.clientWidth])"""
    )
    assert len(claims) > 5
    assert all(statement > 0.9 * whole > 500 for statement, whole in claims)


@pytest.mark.parametrize("opened", [(1280, "light")], indirect=True)
def test_its_policy_blocks_scripts_and_leaves_its_styles_alone(
    running: Browser, report: Path, opened: Page
) -> None:
    lines = opened.locator(".plate svg [style*='stroke: #']").evaluate_all(
        "all => all.map((one) => [one.style.stroke, getComputedStyle(one).stroke])"
    )
    assert len(lines) > 20
    assert all(declared == computed for declared, computed in lines)
    hostile = report.with_name("hostile.html")
    hostile.write_text(
        report.read_text().replace(
            "<h1>", "<script>window.scripted = true</script><img src=x onerror='scripted = true'><h1>"
        )
    )
    page = running.new_page()
    page.goto(hostile.as_uri())
    assert page.evaluate("window.scripted") is None
    page.close()


@pytest.mark.parametrize("width", [1280, 390, 320])
def test_a_report_on_a_sweep_of_one_s_own_fits_too(running: Browser, tmp_path: Path, width: int) -> None:
    results = view(runs_for(swept(cell=["gru", "lstm"], hidden=[1, 2], rate=[0.01, 0.1]), horizons=True))
    write_with(stand_ins, results, tmp_path / "report.html")
    page = patient(running.new_page(viewport={"width": width, "height": 844}))
    page.goto((tmp_path / "report.html").as_uri())
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    box = page.locator(".box:has(#rows-own)")
    assert box.evaluate("box => box.getBoundingClientRect().right") <= width
    page.close()
