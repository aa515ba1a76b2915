"""Every example of the paper's text and of its tables 1 and 2."""

from __future__ import annotations

import pytest

from abacist.languages import (
    PAPER_LANGUAGES,
    Blocks,
    CounterAutomaton,
    Dyck,
    PushdownAutomaton,
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


@pytest.mark.parametrize(("name", "text", "codes"), TABLES_1_AND_2)
def test_a_code_is_read_back_from_the_targets(name: str, text: str, codes: list[int]) -> None:
    """Opening brackets count 0 and closing ones 1, 2, 4, … so a row of targets gives the code."""
    targets = language_named(name).targets(language_named(name).alphabet.parse(text))
    assert targets[:, ::2].all()
    assert [sum(int(hot) << pair for pair, hot in enumerate(row[1::2])) for row in targets] == codes


@pytest.mark.parametrize(("name", "codes"), [("dyck-2", [1, 2, 1, 0]), ("shuffle-2", [1, 3, 1, 0])])
def test_one_word_of_two_languages_has_two_codings(name: str, codes: list[int]) -> None:
    language = language_named(name)
    reading = language.read(language.alphabet.parse("([])"))
    assert reading.member
    assert [step.code for step in reading.steps] == codes


def test_closing_brackets_are_powers_of_two_in_the_order_of_the_paper() -> None:
    shuffle_6 = shuffle_k(6)
    powers = {")": 1, "]": 2, "}": 4, "⟩": 8, "⌉": 16, "⌋": 32}
    for glyph, power in powers.items():
        assert shuffle_6.code(shuffle_6.alphabet.parse(glyph)) == power
    assert shuffle_6.code(shuffle_6.alphabet.parse("([{⟨⌈⌊")) == 0


def test_code_3_is_both_closing_brackets_and_all_opening_ones() -> None:
    shuffle_2 = shuffle_k(2)
    after = shuffle_2.read(shuffle_2.alphabet.parse("([")).steps[-1]
    assert after.code == 3
    assert shuffle_2.alphabet.render_set(after.next_symbols) == "( ) [ ]"


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


@pytest.mark.parametrize("k", range(1, 7))
def test_shuffle_k_needs_k_counters(k: int) -> None:
    automaton = shuffle_k(k).automaton()
    assert isinstance(automaton, CounterAutomaton)
    assert automaton.counters == k


def test_dyck_1_needs_one_counter_and_dyck_2_a_stack() -> None:
    one, two = Dyck(1).automaton(), Dyck(2).automaton()
    assert isinstance(one, CounterAutomaton)
    assert one.counters == 1
    assert isinstance(two, PushdownAutomaton)
    assert two.stack_symbols == 2


@pytest.mark.parametrize("letters", [2, 3, 4])
def test_blocks_need_one_counter_fewer_than_letters(letters: int) -> None:
    automaton = Blocks(letters).automaton()
    assert isinstance(automaton, CounterAutomaton)
    assert automaton.counters == letters - 1
