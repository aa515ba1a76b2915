"""Breaking a network: what is shown is a word, and Python finds the network wrong where the page does."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from abacist.analysis import TraceReading, follow, saturated
from abacist.corpora import pack_texts
from abacist.engine import first_mistakes
from abacist.report.page import PageNetwork
from tests.report.page.shown_networks import AIMS, GOOD
from tests.report.page.visits import Visit, in_single
from tests.requirements import need

pytestmark = [pytest.mark.thorough, need("browser")]

#: The nth word of each kind, written down again.
FAMILIES: dict[str, Callable[[int], str]] = {
    "alternation": lambda n: "()" * n,
    "nesting": lambda n: "(" * n + ")" * n,
    "saw": lambda n: ("(" * 8 + ")" * 8) * n,
    "crossing": lambda n: "([)]" * n,
}


def pressed(visit: Visit, name: str) -> str:
    """Press a button; how what it finds is marked."""
    visit.page.click(f"#break-{name}")
    visit.page.wait_for_selector("#broken.holds, #broken.fails, #broken.open")
    look = visit.page.get_attribute("#broken", "class") or ""
    return look.removeprefix("verdict-line").strip()


def python_says(own: PageNetwork, text: str, factor: float = 1) -> TraceReading:
    networks = in_single(own.networks)
    return follow(networks if factor == 1 else saturated(networks, factor), 0, own.language, text)


def first_wrong(own: PageNetwork, text: str, factor: float = 1) -> int | None:
    """The first step, from 1, that is wrong."""
    wrong = np.flatnonzero(python_says(own, text, factor).wrong)
    return int(wrong[0]) + 1 if wrong.size else None


def any_wrong(own: PageNetwork, texts: list[str]) -> bool:
    """Whether the network gets any of some words wrong."""
    words = pack_texts(own.language, [own.language.alphabet.parse(text) for text in texts])
    return bool((first_mistakes(in_single(own.networks), 0, words) >= 0).any())


def check_word(visit: Visit, own: PageNetwork, factor: float = 1) -> str:
    """The word that is shown, which is in the language and goes wrong first where the page stands."""
    word = visit.value("word")
    assert word in own.language
    assert visit.at == first_wrong(own, word, factor)
    assert visit.step.verdict == "fails"
    return word


def families(visit: Visit) -> list[str]:
    """The kinds of words that are offered."""
    buttons = visit.page.locator("#families button").evaluate_all("all => all.map((one) => one.id)")
    assert buttons[0] == "break-search"
    return [name.removeprefix("break-") for name in buttons[1:]]


def test_every_kind_of_words_breaks_a_network_with_its_shortest(
    visit: Visit, networks: list[PageNetwork]
) -> None:
    broken = 0
    for own in networks:
        visit.go(network=own.key)
        for name in families(visit):
            make = FAMILIES[name] if own.language.name != "anbn" else lambda n: "a" * n + "b" * n
            if pressed(visit, name) == "fails":
                word = check_word(visit, own)
                size = len(make(2)) - len(make(1))
                assert word == make(len(word) // size)
                assert not any_wrong(own, [make(n) for n in range(1, len(word) // size)])
                broken += 1
            else:
                sizes = (1, 2, 30, 1000 // (len(make(2)) - len(make(1))))
                assert not any_wrong(own, [make(n) for n in sizes])
    assert broken > 10


def test_kinds_are_those_that_have_words_of_the_language(visit: Visit, networks: list[PageNetwork]) -> None:
    found = {}
    for own in networks:
        visit.go(network=own.key)
        found[own.language.name] = set(families(visit))
    assert found["dyck-1"] == found["dyck-2"] == {"alternation", "nesting", "saw"}
    assert found["shuffle-2"] == set(FAMILIES)
    assert found["anbn"] == {"nesting"}


def test_a_network_that_counts_exactly_holds(visit: Visit) -> None:
    for key in ("built-dyck-1", "built-shuffle-2"):
        visit.go(network=key, word="(()")
        for name in families(visit):
            assert pressed(visit, name) == "holds"
            word = visit.value("word")  # what is said to hold is what is shown
            assert 900 < len(word) <= 1000
            assert f"{len(word):,} symbols" in visit.text("broken")
            assert visit.verdict == "holds"
        assert pressed(visit, "search") == "holds"
        assert "every word is proved right" in visit.text("broken")
    visit.page.select_option("#group", index=0)
    assert visit.text("broken") == ""


@pytest.mark.parametrize("factor", [aim.factor for aim in AIMS])
def test_the_word_that_the_store_knows_is_shown(
    visit: Visit, networks: list[PageNetwork], factor: float
) -> None:
    bad = [own for own in networks if own.run is not None and own.run.outcome.horizons]
    assert len(bad) == 2
    for own in bad:
        assert own.run is not None
        horizon = own.run.outcome.horizon(factor)
        assert horizon is not None
        assert horizon.wrong is not None
        visit.go(network=own.key, factor=factor)
        current = visit.page.locator("#horizons [aria-current]").inner_text()
        assert f"wrong on a word of {len(horizon.wrong)} symbols" in current
        assert pressed(visit, "search") == "fails"
        word = check_word(visit, own, factor)
        assert own.language.alphabet.parse(word) == horizon.wrong.word


def test_sharper_gates_are_those_of_python(visit: Visit, networks: list[PageNetwork]) -> None:
    own = networks[0]
    word = "(()(()))()(("
    visit.go(network=own.key, word=word)
    for place, factor in ((1, 4), (2, 16), (0, 1)):
        visit.page.locator("#factor").fill(str(place))
        reading = python_says(own, word, factor)
        _, values = visit.values(own.language)
        for name, drawn in values.items():
            np.testing.assert_allclose(drawn, reading.values(name), rtol=1e-6, atol=1e-6)
        wrong = visit.page.locator("#broken.fails").count() > 0
        assert wrong == bool(reading.wrong.any())


def test_sharper_gates_count_further(visit: Visit, networks: list[PageNetwork]) -> None:
    """With one counter: a network that fails on a word is right on it, and what breaks it is longer."""
    own = next(one for one in networks if one.run is not None and one.run.spec == GOOD)
    visit.go(network=own.key)
    assert pressed(visit, "alternation") == "fails"
    short = check_word(visit, own)
    visit.page.locator("#factor").fill("2")
    assert visit.value("word") == short
    assert first_wrong(own, short, 16) is None
    assert visit.page.locator("#tape .wrong").count() == 0
    assert visit.page.locator("#broken.holds").count() == 1
    if pressed(visit, "alternation") == "fails":
        assert len(check_word(visit, own, 16)) > len(short)


def test_another_network_begins_with_gates_as_they_are(visit: Visit, networks: list[PageNetwork]) -> None:
    own = next(one for one in networks if one.run is not None and one.run.spec == GOOD)
    visit.go(network=own.key)
    visit.page.locator("#factor").fill("2")
    other = next(one for one in networks if one.group != own.group)
    visit.page.select_option("#group", label=other.group)
    assert visit.value("factor") == "0"


def test_there_is_no_slider_where_there_are_no_gates(visit: Visit, networks: list[PageNetwork]) -> None:
    for own in networks:
        visit.go(network=own.key)
        gated = own.networks.layout.cell.name != "rnn"
        assert visit.page.is_visible("#factor") == gated
        assert visit.page.is_visible("#no-gates") != gated
        assert visit.page.locator("#horizons li").count() == (3 if gated else 1)


def test_whoever_goes_elsewhere_stays_there(
    open_page: Callable[..., Visit], networks: list[PageNetwork]
) -> None:
    """The page runs along a word to where it fails, unless the visitor does something else."""
    visit = open_page(reduced_motion="no-preference")
    visit.go(network=networks[0].key)
    pressed(visit, "alternation")
    visit.page.locator("#step").fill("3")
    visit.frames(20)
    assert visit.at == 3
    pressed(visit, "alternation")
    visit.type("(")
    length = len(visit.value("word"))
    visit.frames(20)
    assert visit.at == length
    pressed(visit, "alternation")
    end = first_wrong(networks[0], visit.value("word"))
    visit.wait("end => document.getElementById('step').value === String(end)", end)
    visit.frames(5)
    assert visit.at == end
