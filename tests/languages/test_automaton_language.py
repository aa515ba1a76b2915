"""A language given by its automaton: everything else follows, and agrees with trying every string."""

from __future__ import annotations

import pickle
from itertools import product
from typing import Any

import pytest
from hypothesis import assume, given, settings

from abacist.errors import BadInput
from abacist.languages import (
    AutomatonLanguage,
    Blocks,
    CounterAutomaton,
    Dyck,
    FiniteAutomaton,
    FiniteMove,
    Language,
    PushdownAutomaton,
    StackMove,
    language_from_values,
    regular,
    shuffle,
    shuffle_k,
)
from tests.languages.random_automata import (
    Machine,
    accepted,
    any_automata,
    can_end,
    counter_automata,
    finite_automata,
    more_than,
)


def language_of(machine: Machine) -> AutomatonLanguage:
    """The language of a machine at random, if it has a word."""
    try:
        return AutomatonLanguage(machine, tuple("abc"[: machine.symbols]), "random")
    except BadInput as error:
        if "no word is in it" not in str(error):
            raise
        assert not can_end(machine, machine.initial)
        assume(False)
        raise


def counting(name: str, accepting: str, *moves: str) -> Language[Any]:
    """A language with one counter, as files have it."""
    return language_from_values(
        {"kind": "counter", "name": name, "accepting": [accepting], "moves": [*moves]}
    )


def check_against(machine: Machine, language: AutomatonLanguage, longest: int) -> None:
    """Words, counts and sets of next symbols of a language are those of its machine."""
    assert language.counts(longest) == [len(accepted(machine, length)) for length in range(longest + 1)]
    for length in range(longest + 1):
        assert list(language.words(length)) == accepted(machine, length)
        for word in product(range(machine.symbols), repeat=length):
            run, reading = machine.run(word), language.read(word)
            stays = len(run.configurations) == length + 1 and can_end(machine, run.configurations[-1])
            assert (word in language) == reading.member == machine.accepts(word)
            assert (len(reading.steps) == length) == stays
            if stays and word:
                after = [machine.move(run.configurations[-1], symbol) for symbol in range(machine.symbols)]
                possible = {s for s, there in enumerate(after) if there and can_end(machine, there)}
                ends = {machine.symbols} if machine.accepts(word) else set()
                assert reading.steps[-1].next_symbols == possible | ends


@settings(max_examples=40)
@given(any_automata())
def test_a_word_can_end_where_trying_every_string_says_so(machine: Machine) -> None:
    language, known = language_of(machine), dict[Any, Any]()
    lengths = range(6 if machine.symbols < 3 else 5)
    words = [word for length in lengths for word in accepted(machine, length)]
    ends = {(word[:place], len(word) - place) for word in words for place in range(len(word) + 1)}
    for before, state in prefixes(language, lengths[-1]):
        for remaining in range(lengths[-1] - len(before) + 1):
            found = language.can_end(state, remaining, known)
            assert found == ((before, remaining) in ends)
            assert not found or language.least_ending(state) <= remaining


def prefixes(language: Language[Any], longest: int) -> list[tuple[tuple[int, ...], Any]]:
    """What words of up to a length can begin with, and the states that they lead to."""
    found: list[tuple[tuple[int, ...], Any]] = [((), language.start)]
    for before, state in found:  # which grows
        steps = [(symbol, language.step(state, symbol)) for symbol in range(len(language.alphabet))]
        if len(before) < longest:
            found += [((*before, symbol), after) for symbol, after in steps if after is not None]
    return found


@settings(max_examples=40)
@given(any_automata())
def test_words_counts_and_next_symbols_are_those_of_the_automaton(machine: Machine) -> None:
    check_against(machine, language_of(machine), 5 if machine.symbols < 3 else 4)


@settings(max_examples=12)
@given(counter_automata(counters=2))
def test_two_counters_are_settled_or_refused(machine: CounterAutomaton) -> None:
    try:
        language = language_of(machine)
        check_against(machine, language, 3)
    except BadInput as error:
        assert "could not be told" in str(error)  # noqa: PT017


@settings(max_examples=40)
@given(any_automata())
def test_an_automaton_of_a_language_has_no_dead_ends(machine: Machine) -> None:
    language = language_of(machine)
    try:
        trimmed = language.automaton()
    except BadInput as error:
        assert "depends on more than the state" in str(error)  # noqa: PT017
        return
    for length in range(5):
        for word in product(range(machine.symbols), repeat=length):
            assert trimmed.accepts(word) == machine.accepts(word)
            assert len(trimmed.run(word).configurations) == len(language.read(word).steps) + 1


@settings(max_examples=40)
@given(any_automata())
def test_a_language_is_its_own_machine_again(machine: Machine) -> None:
    language = language_of(machine)
    again = AutomatonLanguage(language.machine, language.glyphs, language.title)
    assert again == language
    assert hash(again) == hash(language)
    assert pickle.loads(pickle.dumps(language)) == language


@settings(max_examples=40)
@given(any_automata())
def test_what_is_always_possible_is_possible_after_every_beginning(machine: Machine) -> None:
    language = language_of(machine)
    beginnings = [w for n in range(4) for w in product(range(machine.symbols), repeat=n)]
    for word in beginnings:
        reading = language.read(word)
        if word and len(reading.steps) == len(word):
            assert language.always <= reading.steps[-1].next_symbols


@pytest.mark.parametrize("named", [Dyck(1), Dyck(2), Dyck(3), Blocks(2), Blocks(3), shuffle_k(2)])
def test_languages_of_the_paper_follow_from_their_automata(named: Language[Any]) -> None:
    machine = named.automaton()
    assert isinstance(machine, CounterAutomaton | PushdownAutomaton)
    own = AutomatonLanguage(machine, named.alphabet.glyphs, named.name, named.marks_end)
    assert (own.machine, own.automaton()) == (machine, machine)
    assert (own.updates, own.counter_names) == (named.updates, named.counter_names)
    assert (own.always, own.code_weights) == (named.always, named.code_weights)
    assert own.counts(20) == named.counts(20)
    for length in range(6):
        assert list(own.words(length)) == list(named.words(length))
        for word in product(range(len(named.alphabet)), repeat=min(length, 4)):
            mine, theirs = own.read(word), named.read(word)
            assert (mine.steps, mine.left_at) == (theirs.steps, theirs.left_at)


def test_a_symbol_that_leads_to_a_dead_end_cannot_come_next() -> None:
    language = more_than()
    assert [bool(step.next_symbols & {1}) for step in language.read("aaabb").steps] == [0, 1, 1, 1, 0]
    assert language.read("ab").left_at == 1
    assert language.read("ab").reason == "b cannot come here, only a or the end"
    assert language.read("").reason == "the word ends too early: a must follow"
    assert language.counts(6) == [0, 1, 1, 2, 2, 3, 3]


def test_a_height_that_matters_is_counted_exactly() -> None:
    """aⁿbⁿ with even n, whose evenness only the way back down checks: an odd n is a dead end at once."""
    language = counting("even", "2", "0 a * 0 +", "0 b + 1 -", "1 b + 2 -", "2 b + 1 -")
    assert language.read("aab").member is False
    assert language.read("ab").left_at == 1
    assert [step.next_symbols for step in language.read("aaabb").steps] == [{0}, {0, 1}, {0}]
    assert language.counts(8) == [0, 0, 0, 0, 1, 0, 0, 0, 1]


def test_what_a_symbol_adds_may_depend_on_the_state() -> None:
    """Each word is as many a as stand before the middle c; after it, a goes down."""
    language = counting("mirror", "1", "0 a * 0 +", "0 c * 1 0", "1 a + 1 -")
    assert language.counter_names == ("a",)
    assert language.depth_path("aacaa").ravel().tolist() == [1, 2, 2, 1, 0]
    with pytest.raises(BadInput, match="mirror: what a symbol adds to the counters depends on"):
        _ = language.updates


def test_ends_are_unmarked_only_where_next_symbols_tell_them() -> None:
    assert not AutomatonLanguage(_machine(Dyck(2)), Dyck(2).alphabet.glyphs, "d", False).marks_end
    with pytest.raises(BadInput, match="do not tell where a word may end, so marks_end must be on"):
        more_than(False)
    with pytest.raises(BadInput, match="do not tell where a word may end, so marks_end must be on"):
        regular("(a|b)*a", marks_end=False)


def _machine(language: Language[Any]) -> PushdownAutomaton:
    machine = language.automaton()
    assert isinstance(machine, PushdownAutomaton)
    return machine


@settings(max_examples=40)
@given(finite_automata(symbols=2), any_automata())
def test_shuffles_of_automata_are_shuffles_of_their_words(first: FiniteAutomaton, second: Machine) -> None:
    assume(second.symbols <= 2)
    mine, theirs = language_of(first), language_of(second)
    both = shuffle(mine, theirs.renamed(tuple("xy"[: second.symbols])))
    for length in range(5):
        expected = sum(
            first.accepts([s for s in word if s < 2]) and second.accepts([s - 2 for s in word if s >= 2])
            for word in product(range(2 + second.symbols), repeat=length)
        )
        assert both.count(length) == expected == len(list(both.words(length)))


@pytest.mark.parametrize(
    ("machine", "glyphs", "why"),
    [
        (FiniteAutomaton(1, 1, (), frozenset()), ("a",), "no word is in it"),
        (FiniteAutomaton(1, 2, (FiniteMove(0, 0, 0),), frozenset({1})), ("a",), "no word is in it"),
        (FiniteAutomaton(1, 1, (), frozenset({0})), (), "of 1 symbols needs as many glyphs, got 0"),
        (PushdownAutomaton(1, 1, 1, (StackMove(0, 0, None, 0, push=0),), frozenset()), ("a",), "no word"),
    ],
)
def test_what_is_no_language_is_refused(machine: Machine, glyphs: tuple[str, ...], why: str) -> None:
    with pytest.raises(BadInput, match=why):
        AutomatonLanguage(machine, glyphs, "x")


def test_a_title_must_be_one() -> None:
    for title in ("", " ", "a || b"):
        with pytest.raises(BadInput, match="a title must be visible and without"):
            AutomatonLanguage(FiniteAutomaton(0, 1, (), frozenset({0})), (), title)


def test_counts_have_a_stated_limit() -> None:
    language = more_than()
    assert language.count(language.longest) == (language.longest + 1) // 2
    with pytest.raises(BadInput, match=r"n>m: words of at most [0-9,]+ symbols can be counted and drawn"):
        language.count(language.longest + 1)


def test_a_counter_may_be_reset() -> None:
    """Reset Dyck-1: after # all brackets before it are forgotten."""
    language = counting("reset", "0", "0 ( * 0 +", "0 ) + 0 -", "0 # * 0 =")
    for length in range(7):
        expected = 0
        for text in map("".join, product("()#", repeat=length)):
            before, _, last = text.rpartition("#")
            prefixes = all(Dyck(1).read(part).left_at in (None, len(part)) for part in before.split("#"))
            expected += prefixes and last in Dyck(1)
        assert language.count(length) == expected
    assert language.depth_path("((#(").ravel().tolist() == [1, 2, 0, 1]
    with pytest.raises(
        BadInput, match="reset: what a symbol adds to the counters depends on what came before"
    ):
        _ = language.updates
