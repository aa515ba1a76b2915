"""Every example of the paper's text and of its tables 1 and 2."""

from __future__ import annotations

import pytest

from abacist.languages import (
    PAPER_LANGUAGES,
    Dyck,
    language_named,
    shuffle_k,
    shuffle_words,
)
from tests.languages.oracles import balanced, separately_balanced

TABLES_1_AND_2 = [
    ("dyck-1", "(())()()", [1, 1, 1, 0, 1, 0, 1, 0]),
    ("dyck-2", "([()])[([])][]", [1, 2, 1, 2, 1, 0, 2, 1, 2, 1, 2, 0, 2, 0]),
    ("shuffle-2", "([())][([]])", [1, 3, 3, 3, 2, 0, 2, 3, 3, 3, 1, 0]),
    ("shuffle-6", "[{()}]⟨⌈⌉⟩", [2, 6, 7, 6, 2, 0, 8, 24, 8, 0]),
]


@pytest.mark.parametrize(("name", "text", "codes"), TABLES_1_AND_2)
def test_the_tables_give_these_codes(name: str, text: str, codes: list[int]) -> None:
    language = language_named(name)
    word = language.alphabet.parse(text)
    assert word in language
    assert [step.code for step in language.read(word).steps] == codes


@pytest.mark.parametrize(("name", "codes"), [("dyck-2", [1, 2, 1, 0]), ("shuffle-2", [1, 3, 1, 0])])
def test_one_word_of_two_languages_has_two_codings(name: str, codes: list[int]) -> None:
    language = language_named(name)
    reading = language.read(language.alphabet.parse("([])"))
    assert reading.member
    assert [step.code for step in reading.steps] == codes


@pytest.mark.parametrize(
    ("text", "in_dyck", "in_shuffle"), [("([)]", False, True), ("(][)", False, False), ("([])", True, True)]
)
def test_crossed_brackets_are_in_shuffle_2_only(text: str, in_dyck: bool, in_shuffle: bool) -> None:
    word = Dyck(2).alphabet.parse(text)
    assert (word in Dyck(2)) == balanced(text, ["()", "[]"]) == in_dyck
    assert (word in shuffle_k(2)) == separately_balanced(text, ["()", "[]"]) == in_shuffle


def test_dyck_2_is_a_proper_subset_of_shuffle_2() -> None:
    for length in range(9):
        nested, crossed = set(Dyck(2).words(length)), set(shuffle_k(2).words(length))
        assert nested <= crossed
        assert (nested < crossed) == (length >= 4 and length % 2 == 0)


def test_ab_and_cd_shuffle_in_six_ways() -> None:
    words = shuffle_words((0, 1), (2, 3))
    texts = {"".join("abcd"[symbol] for symbol in word) for word in words}
    assert texts == {"abcd", "acbd", "acdb", "cabd", "cadb", "cdab"}


def test_the_four_tasks() -> None:
    assert set(PAPER_LANGUAGES) == {"dyck-1", "dyck-2", "shuffle-2", "shuffle-6"}
    assert shuffle_k(6).alphabet.glyphs == tuple("()[]{}⟨⟩⌈⌉⌊⌋")


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("dyck-1", "DCA1"),
        ("dyck-2", "DPA"),
        *((f"shuffle-{k}", f"DCA{k}") for k in range(1, 7)),
        ("anbn", "DCA1"),
        ("anbncn", "DCA2"),
        ("anbncndn", "DCA3"),
    ],
)
def test_the_automaton_that_a_language_needs(name: str, kind: str) -> None:
    """One counter for each pair of brackets that cross, a stack for those that do not."""
    assert language_named(name).automaton().kind == kind
