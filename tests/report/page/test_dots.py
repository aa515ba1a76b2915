"""The results on the page: dots over the paper's figures, filtered, each of which opens its network."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from abacist.cells import cell_named
from abacist.experiments.paper_table import STATISTICS, TABLE_3, UNITS
from abacist.experiments.plan import PAPER_SETS
from abacist.languages import language_named
from abacist.report.page import PageNetwork, networks_for_page, write_page
from abacist.specs import Spec
from tests.experiments.cases import small, view, with_shares
from tests.report.page.visits import Visit
from tests.requirements import need

pytestmark = [pytest.mark.thorough, need("browser")]

SHARES = (0.25, 0.5, 0.9984)
PAPERS = tuple(
    Spec(language_named(language), cell_named(cell), UNITS[language])
    for language, cell in (("dyck-1", "lstm"), ("dyck-1", "rnn"), ("shuffle-2", "lstm"))
)

#: Nobody judged it on the other sets.
HALF_KNOWN = small(hidden=5)


@pytest.fixture(scope="module")
def networks() -> list[PageNetwork]:
    runs = [run for spec in PAPERS for run in with_shares(spec, SHARES, PAPER_SETS)]
    found, left_out = networks_for_page(view([*runs, *with_shares(HALF_KNOWN, (0.75,), ("long",))]))
    assert left_out == []
    return found


@pytest.fixture(scope="module")
def page_file(networks: list[PageNetwork], tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("results") / "page.html"
    write_page(networks, path, cells=())
    return path


def dots(visit: Visit) -> dict[str, float]:
    """Where the dots are, in percent, by the keys of their networks."""
    found = visit.page.locator("#rows .dot").evaluate_all(
        "all => all.map((dot) => [dot.dataset.key, Number(dot.style.getPropertyValue('--share'))])"
    )
    return dict(found)


def kinds(visit: Visit) -> list[str]:
    return visit.page.locator("#rows h3").all_inner_texts()


def test_every_run_is_a_dot_at_its_share(visit: Visit, networks: list[PageNetwork]) -> None:
    for name in PAPER_SETS:
        visit.page.select_option("#results-set", name)
        expected = {}
        for own in networks:
            share = None if own.run is None else own.run.accuracy(name)
            if share is not None:
                expected[own.key] = pytest.approx(100 * share)
        assert dots(visit) == expected
        assert len(expected) == (10 if name == "long" else 9)
        assert not re.search("Infinity|NaN|undefined|null", visit.text("rows"))


def test_dots_lie_where_their_shares_are(visit: Visit, networks: list[PageNetwork]) -> None:
    places: list[dict[str, Any]] = visit.page.locator("#rows .dot").evaluate_all(
        """all => all.map((dot) => { const own = dot.getBoundingClientRect();
            const strip = dot.closest(".strip").getBoundingClientRect();
            return { key: dot.dataset.key, share: (own.left + own.width / 2 - strip.left) / strip.width,
                     inside: own.top >= strip.top - 12 && own.bottom <= strip.bottom + 12 }; })"""
    )
    expected = dots(visit)
    for place in places:
        assert 100 * place["share"] == pytest.approx(expected[place["key"]], abs=1)
        assert place["inside"]


def test_the_paper_s_figures_lie_behind_them(visit: Visit) -> None:
    visit.page.select_option("#results-language", "dyck-1")
    visit.page.select_option("#results-cell", "rnn")
    for name in PAPER_SETS:
        visit.page.select_option("#results-set", name)
        row = visit.page.locator("#rows .kind").first
        drawn = row.locator(".range, .middle").evaluate_all(
            """all => all.flatMap((one) => ["--from", "--to", "--share"]
                .map((part) => one.style.getPropertyValue(part)).filter(Boolean).map(Number))"""
        )
        assert drawn == [TABLE_3["dyck-1", "rnn"][name].of(which) for which in STATISTICS]
    visit.page.select_option("#results-set", "long")
    assert visit.page.locator("#rows .range").count() == 1  # none for what the paper does not have
    assert len(kinds(visit)) == 2


def test_filters_leave_what_fits(visit: Visit) -> None:
    everything = kinds(visit)
    assert len(everything) == 4
    languages = visit.page.locator("#results-language option").evaluate_all(
        "all => all.map((own) => own.value)"
    )
    assert languages == ["", "dyck-1", "shuffle-2"]
    visit.page.select_option("#results-language", "shuffle-2")
    assert [kind for kind in everything if kind in kinds(visit)] == kinds(visit)
    assert len(dots(visit)) == 3
    visit.page.select_option("#results-cell", "rnn")
    assert kinds(visit) == []
    assert visit.text("rows") != ""
    visit.page.select_option("#results-language", "")
    assert len(kinds(visit)) == 2
    visit.page.select_option("#results-cell", "")
    assert kinds(visit) == everything


def test_a_dot_opens_its_network(visit: Visit, networks: list[PageNetwork]) -> None:
    assert visit.page.locator("#rows .dot[aria-pressed=true]").count() == 1
    for own in (networks[1], networks[5]):
        visit.page.click(f"#rows .dot[data-key='{own.key}']")
        assert visit.value("run") == own.key
        assert visit.page.locator("#group option:checked").inner_text() == own.group
        pressed = visit.page.locator("#rows .dot[aria-pressed=true]")
        assert pressed.evaluate_all("all => all.map((dot) => dot.dataset.key)") == [own.key]
        assert visit.page.evaluate(
            "document.getElementById('type').getBoundingClientRect().top < innerHeight"
        )


def test_arrows_go_from_dot_to_dot(visit: Visit, networks: list[PageNetwork]) -> None:
    visit.page.fill("#word", "(())")
    first = visit.page.locator("#rows .kind").first.locator(".dot")
    stops = visit.page.locator("#rows .dot[tabindex='0']")
    assert stops.count() == len(kinds(visit))
    first.first.focus()
    seen = []
    for key in ("ArrowRight", "ArrowDown", "ArrowRight", "ArrowLeft"):
        visit.page.keyboard.press(key)
        seen.append(visit.page.evaluate("document.activeElement.dataset.key"))
        assert stops.count() == len(kinds(visit))
    keys = first.evaluate_all("all => all.map((dot) => dot.dataset.key)")
    assert seen == [keys[1], keys[2], keys[0], keys[2]]
    assert (visit.value("word"), visit.at, visit.value("run")) == ("(())", 4, networks[0].key)
    visit.page.keyboard.press("Enter")
    assert visit.value("run") == keys[2]
