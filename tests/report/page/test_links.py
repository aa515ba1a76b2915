"""The link says all that is looked at, and a bad one does no harm."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from urllib.parse import urlencode

import pytest

from abacist.report.page import PageNetwork
from tests.report.page.shown_networks import UNTRAINABLE
from tests.report.page.visits import Visit
from tests.requirements import need

pytestmark = [pytest.mark.thorough, need("browser")]


def looked_at(visit: Visit) -> dict[str, Any]:
    """All that a visitor has chosen, and what comes of it."""
    names = ("group", "run", "word", "step", "factor")
    chosen = {name: visit.value(name) for name in names}
    return chosen | {"label": visit.text("factor-label"), "columns": visit.columns(), "step": visit.step}


def settled(visit: Visit, **asked: str) -> None:
    """Wait until the link says something."""
    visit.wait(
        """asked => { const link = new URLSearchParams(location.hash.slice(1));
            return Object.entries(asked).every(([name, value]) => link.get(name) === value); }""",
        asked,
    )


def test_networks_and_runs_are_chosen_from_lists(visit: Visit, networks: list[PageNetwork]) -> None:
    groups = list(dict.fromkeys(own.group for own in networks))
    assert visit.page.locator("#group option").all_inner_texts() == groups
    for group in groups:
        visit.page.select_option("#group", label=group)
        runs = [own for own in networks if own.group == group]
        assert visit.page.locator("#run option").all_inner_texts() == [own.label for own in runs]
        for own in reversed(runs):
            visit.page.select_option("#run", label=own.label)
            settled(visit, network=own.key)
            assert own.label in visit.text("network-about")


def test_every_state_is_loaded_again_from_its_link(
    open_page: Callable[..., Visit], networks: list[PageNetwork]
) -> None:
    visit = open_page()
    bad = next(own for own in networks if own.networks.layout.cell.name == "gru")
    other = next(own for own in networks if own.language.name == "shuffle-2")
    for own, word, at, factor in ((bad, "(()))(", 2, "1"), (other, "([)]", 4, "2"), (bad, "", 0, "0")):
        visit.page.select_option("#group", label=own.group)
        visit.page.fill("#word", word)
        visit.page.locator("#factor").fill(factor)
        visit.page.locator("#step").fill(str(at))
        settled(visit, network=own.key, **({"word": word} if word else {}))
        settled(visit, **({"at": str(at)} if at < len(word) else {}))
        settled(visit, **({"factor": str(4 ** int(factor))} if factor != "0" else {}))
        before = looked_at(visit)
        link = visit.page.evaluate("location.hash")
        if word:
            visit.reload()
            assert looked_at(visit) == before
            assert looked_at(open_page(link=link)) == before
    assert visit.value("group") == before["group"]


def test_following_a_link_within_the_page_is_the_same(visit: Visit, networks: list[PageNetwork]) -> None:
    own = networks[-1]
    visit.go(network=own.key, word="aab", at=1, factor=4)
    assert own.group == visit.page.locator("#group option:checked").inner_text()
    assert (visit.value("word"), visit.at) == ("aab", 1)
    for factor, notch in ((16, "2"), (5, "1"), (2.5, "1"), (1e9, "2"), (0.1, "0")):  # the nearest one
        visit.go(network=networks[0].key, word="(()", factor=factor)
        assert visit.value("factor") == notch


NONSENSE: list[dict[str, object]] = [
    {"network": "nobody"},
    {"network": "nobody", "word": "(()"},
    {"network": "toString", "word": "()"},
    {"word": "hello"},
    {"word": "(()", "at": "-1"},
    {"word": "(()", "at": "1.5"},
    {"word": "(()", "at": "NaN"},
    {"word": "(()", "at": "1e99"},
    {"word": "(()", "factor": "0"},
    {"word": "(()", "factor": "-2"},
    {"word": "(()", "factor": "1e308"},
    {"word": "(()", "factor": "Infinity"},
    {"word": "(()", "factor": "x"},
    {"word": "(" * 5000},
    {"trained": "nonsense", "word": "()"},
    {"trained": "dyck-1/lstm/3/0", "word": "()"},
    {"trained": "dyck-1/lstm/3/0/0", "word": "()"},
    {"trained": "dyck-1/lstm/3.5/0/1"},
    {"trained": "dyck-1/lstm/99/0/1"},
    {"trained": "dyck-1/lstm/3/0/1000000000"},
    {"trained": "dyck-1/lstm/3/-1/1"},
    {"trained": "dyck-1/nobody/3/0/1", "word": "()"},
    {"trained": "nobody/lstm/3/0/1"},
    {"trained": "__proto__/constructor/1/1/1"},
    {"trained": f"{UNTRAINABLE.spec.language.name}/lstm/3/0/1", "word": "ab"},
    {"<script>": "alert(1)", "word": "<b>"},
]


def working(visit: Visit) -> None:
    """Whatever was asked for, the page shows something sensible, and works."""
    assert visit.value("run") != ""
    assert visit.page.locator("#outputs tbody tr").count() == (2 if visit.at else 0)
    assert all(0 <= score <= 1 for score in visit.step.scores)
    assert visit.at == int(visit.value("step")) <= len(visit.value("word")) <= 1000
    assert visit.value("factor") in {"0", "1", "2"}
    assert visit.page.locator("#training").get_attribute("aria-busy") != "true"
    visit.type("(")
    assert visit.value("word").endswith("(")


def test_bad_links_do_no_harm(visit: Visit) -> None:
    for asked in NONSENSE:
        visit.go(**asked)
        working(visit)


@pytest.mark.parametrize("asked", [NONSENSE[n] for n in (1, 3, 5, 8, 18, -2, -1)], ids=urlencode)
def test_a_page_opens_from_a_bad_link(open_page: Callable[..., Visit], asked: dict[str, object]) -> None:
    working(open_page(link="#" + urlencode(asked)))


def test_a_hash_that_is_no_link_moves_nothing(visit: Visit) -> None:
    visit.page.fill("#word", "(()")
    visit.page.click("nav a[href='#results']")
    assert visit.value("word") == "(()"
    visit.page.go_back()
    assert visit.value("word") == "(()"


def test_the_link_is_written_less_often_than_browsers_forbid(open_page: Callable[..., Visit]) -> None:
    """Browsers count how often a page rewrites its link, and refuse it before long."""
    visit = open_page()
    visit.page.evaluate(
        """() => { window.written = 0; const own = history.replaceState.bind(history);
            history.replaceState = (...given) => { window.written++; own(...given); }; }"""
    )
    visit.page.fill("#word", "()" * 50)
    visit.page.evaluate("() => { for (let n = 0; n < 80; n++) document.getElementById('back').click(); }")
    settled(visit, at="20")
    assert visit.page.evaluate("window.written") < 20
