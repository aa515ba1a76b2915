"""Typing: keys, buttons and the field; beginnings, mistakes, and symbols that the language does not have."""

from __future__ import annotations

from collections.abc import Callable

from abacist.languages import language_named
from abacist.report.page import PageNetwork
from tests.report.page.visits import Visit
from tests.requirements import need

pytestmark = need("browser")


def word(visit: Visit) -> str:
    """The word that is looked at: the field, the tiles and the slider agree on it."""
    text = visit.value("word")
    assert "".join(glyph for glyph, _ in visit.tiles) == text
    assert visit.page.locator("#step").get_attribute("max") == str(len(text))
    return text


def of_language(networks: list[PageNetwork], name: str) -> PageNetwork:
    return next(own for own in networks if own.language.name == name)


def test_a_visitor_sees_a_word_at_once(visit: Visit) -> None:
    assert word(visit) in language_named("dyck-1")
    assert visit.at == len(word(visit))
    assert visit.text("verdict") != ""
    assert len(visit.step.scores) == 2


def test_keys_are_typed_wherever_nothing_else_wants_them(visit: Visit) -> None:
    visit.page.click("#clear")
    assert (word(visit), visit.at) == ("", 0)
    assert visit.page.locator("#outputs tr").count() == 0
    visit.type("(()")
    assert (word(visit), visit.at) == ("(()", 3)
    assert visit.step.allowed == [True, True]
    visit.type(")x))")
    assert (word(visit), visit.at) == ("(())))", 6)
    visit.page.keyboard.press("Backspace")
    visit.page.keyboard.press("Control+9")
    assert word(visit) == "(()))"
    assert [look for _, look in visit.tiles][-1] >= {"outside", "here"}
    shown = visit.step
    assert shown.allowed is None
    assert not any(shown.wrong)


def test_buttons_type_too(visit: Visit, networks: list[PageNetwork]) -> None:
    visit.go(network=of_language(networks, "shuffle-2").key)
    buttons = visit.page.locator("#glyphs button")
    assert buttons.all_inner_texts() == ["(", ")", "[", "]"]
    for place in (2, 0, 3, 1):
        buttons.nth(place).click()
    assert word(visit) == "[(])"
    visit.page.click("#backspace")
    assert word(visit) == "[(]"
    visit.type("]")  # the button that was pressed has the focus, and wants no brackets
    assert word(visit) == "[(]]"


def test_the_field_takes_what_is_typed_and_pasted_into_it(visit: Visit) -> None:
    visit.page.fill("#word", "(())")
    assert (word(visit), visit.at, visit.text("word-about")) == ("(())", 4, "")
    visit.page.press("#word", "Backspace")
    visit.page.press("#word", "(")
    assert word(visit) == "(()("
    visit.page.fill("#word", "(a) [b]\n🙂(")
    assert word(visit) == "()("
    assert visit.text("word-about") != ""
    visit.page.press("#word", ")")
    assert (word(visit), visit.text("word-about")) == ("()()", "")


def test_keys_that_a_field_wants_are_its_own(visit: Visit) -> None:
    visit.page.fill("#word", "(())")
    visit.page.press("#train-seed", "(")
    visit.page.press("#train-seed", "Backspace")
    visit.page.press("#results-cell", "(")
    assert word(visit) == "(())"
    visit.page.press("#word", "End")
    visit.page.press("#word", "ArrowLeft")  # the caret moves, the step does not
    assert visit.at == 4
    visit.page.keyboard.type("(")
    assert word(visit) == "(()()"


def test_words_end_at_a_thousand_symbols(visit: Visit) -> None:
    visit.page.fill("#word", "()" * 600)
    assert visit.value("word") == "()" * 500
    assert visit.at == 1000
    assert visit.text("word-about") != ""
    assert 100 < len(visit.tiles) < 1000
    assert "here" in visit.tiles[-1][1]
    visit.type("(")
    assert visit.value("word") == "()" * 500
    visit.page.locator("#step").fill("3")
    assert [place for place, (_, look) in enumerate(visit.tiles) if "here" in look] == [2]


def test_random_words_are_words(visit: Visit, networks: list[PageNetwork]) -> None:
    for name in ("dyck-1", "shuffle-2", "dyck-2", "anbn"):
        visit.go(network=of_language(networks, name).key)
        drawn = set()
        for _ in range(8):
            visit.page.click("#random")
            assert visit.value("word") in language_named(name)
            drawn.add(visit.value("word"))
        assert len(drawn) > 1


def test_another_language_begins_with_no_word_and_the_same_one_keeps_it(
    open_page: Callable[..., Visit], networks: list[PageNetwork]
) -> None:
    visit = open_page()
    good = networks[0]
    bad = next(own for own in networks if own.language == good.language and own.group != good.group)
    visit.go(network=good.key, word="(()", at=2)
    visit.page.select_option("#group", label=bad.group)
    assert (word(visit), visit.at) == ("(()", 2)
    visit.page.select_option("#group", label=of_language(networks, "dyck-2").group)
    assert (word(visit), visit.at) == ("", 0)
    assert visit.page.locator("#glyphs button").all_inner_texts() == ["(", ")", "[", "]"]


def test_curves_are_those_asked_for_or_the_cell_state_of_the_network(
    visit: Visit, networks: list[PageNetwork]
) -> None:
    lstm, rnn = (next(o for o in networks if o.networks.layout.cell.name == name) for name in ("lstm", "rnn"))
    for asked, expected in (("", ("c", "h", "c")), ("y", ("y", "y", "y")), ("f", ("f", "h", "f"))):
        visit.go(network=lstm.key)
        if asked:
            visit.page.select_option("#values", asked)
        for own, shown in zip((lstm, rnn, lstm), expected, strict=True):
            visit.go(network=own.key)
            assert visit.value("values") == shown
