"""The machines of the theory: how they run, count and turn."""

from __future__ import annotations

import re
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from abacist.languages import (
    Blocks,
    CounterAutomaton,
    CounterMove,
    Dyck,
    PushdownAutomaton,
    StackMove,
    count_turns,
    language_named,
    shuffle_k,
)
from abacist.languages.counter_automaton import side_by_side
from tests.languages.drawing import Word, dyck_members
from tests.languages.subjects import COUNTING, DYCK, Oracle


@pytest.mark.parametrize("blocks", range(2, 7))
@pytest.mark.parametrize("n", range(1, 6))
def test_equal_blocks_take_one_turn_of_each_counter(blocks: int, n: int) -> None:
    word = tuple(letter for letter in range(blocks) for _ in range(n))
    assert Blocks(blocks).automaton().accepts(word)
    assert Blocks(blocks).automaton().turns(word) == Blocks(blocks).turns(word) == (1,) * (blocks - 1)


@pytest.mark.parametrize(("text", "turns"), [("", 0), ("((", 0), ("(())", 1), ("()()()", 5), ("(()())", 3)])
def test_dynamic_counting_turns_as_often_as_it_likes(text: str, turns: int) -> None:
    word = Dyck(1).alphabet.parse(text)
    assert Dyck(1).automaton().turns(word) == Dyck(1).turns(word) == (turns,)


@pytest.mark.parametrize("oracle", COUNTING, ids=lambda oracle: oracle.name)
def test_counters_stand_at_the_depths_and_turn_with_them(oracle: Oracle) -> None:
    language, following = language_named(oracle.name), oracle.next_glyphs()
    automaton = language.automaton()
    for word, text in oracle.texts(oracle.prefixes):
        if text in following:
            configurations = automaton.run(word).configurations
            heights = [automaton.heights(configuration) for configuration in configurations]
            assert heights == [oracle.heights(text[:end]) for end in range(len(text) + 1)]
            assert automaton.turns(word) == language.turns(word) == oracle.turns(text), text


@given(dyck_members(3))
def test_a_stack_is_as_high_as_brackets_are_open(word: Word) -> None:
    automaton = Dyck(3).automaton()
    heights = [automaton.heights(c) for c in automaton.run(word).configurations]
    assert heights == [(sum(1 - 2 * (s % 2) for s in word[:end]),) for end in range(len(word) + 1)]
    kinds = "".join("()"[symbol % 2] for symbol in word)
    assert automaton.turns(word) == (kinds.count("()") + kinds.count(")("),)


@given(st.lists(st.integers(0, 4)))
def test_turns_are_the_peaks_and_valleys_of_a_path(heights: list[int]) -> None:
    moving = [h for index, h in enumerate(heights) if index == 0 or h != heights[index - 1]]
    peaks = sum((b - a) * (c - b) < 0 for a, b, c in zip(moving, moving[1:], moving[2:], strict=False))
    assert count_turns(heights) == peaks


def test_stack_and_counters_remember_what_is_open() -> None:
    word = Dyck(2).alphabet.parse("[([")
    assert Dyck(2).automaton().run(word).configurations[-1] == (0, (1, 0, 1))
    assert shuffle_k(2).automaton().run(word).configurations[-1] == (0, (1, 2))


def test_a_zero_test_lets_a_counter_rise_from_zero_only() -> None:
    up, down = CounterMove(0, 0, "0", 0, (1,)), CounterMove(0, 1, "+", 0, (-1,))
    alternation = CounterAutomaton(2, 1, 1, (up, down), frozenset({0}))
    for length in range(9):
        for word in product(range(2), repeat=length):
            text = "".join("ab"[symbol] for symbol in word)
            assert alternation.accepts(word) == (re.fullmatch("(ab)*", text) is not None)


def test_tests_may_choose_between_moves() -> None:
    """The same symbol goes up at zero and down above: words of even length."""
    up, down = CounterMove(0, 0, "0", 0, (1,)), CounterMove(0, 0, "+", 0, (-1,))
    flip = CounterAutomaton(1, 1, 1, (up, down), frozenset({0}))
    assert [flip.accepts((0,) * length) for length in range(5)] == [True, False, True, False, True]


def test_acceptance_needs_both_the_state_and_empty_memory() -> None:
    counter = CounterAutomaton(1, 2, 1, (CounterMove(0, 0, "*", 1, (0,)),), frozenset({1}))
    assert [counter.accepting((state, (count,))) for state in (0, 1) for count in (0, 1)] == [0, 0, 1, 0]
    stack = PushdownAutomaton(1, 2, 1, (StackMove(0, 0, None, 1),), frozenset({1}))
    assert [stack.accepting((state, pile)) for state in (0, 1) for pile in ((), (0,))] == [0, 0, 1, 0]
    assert counter.accepts((0,))
    assert stack.accepts((0,))
    assert not counter.accepts(())
    assert not stack.accepts(())


def test_a_move_may_replace_the_top_of_the_stack() -> None:
    push, swap = StackMove(0, 0, None, 0, push=0), StackMove(0, 1, 0, 0, pop=True, push=1)
    take = StackMove(0, 2, 1, 0, pop=True)
    automaton = PushdownAutomaton(3, 1, 2, (push, swap, take), frozenset({0}))
    assert automaton.run((0, 0, 1)).configurations[-1] == (0, (0, 1))
    assert automaton.accepts((0, 1, 2))
    assert not automaton.accepts((0, 2))
    assert automaton.next_symbols((0, ())) == {0}
    assert automaton.next_symbols((0, (0,))) == {0, 1}
    assert automaton.next_symbols((0, (0, 1))) == {0, 2}


def test_the_automaton_of_the_empty_word_is_neutral() -> None:
    one = Dyck(1).automaton()
    assert isinstance(one, CounterAutomaton)
    nothing = side_by_side([])
    assert nothing.accepts(())
    for machine in (side_by_side([nothing, one]), side_by_side([one, nothing])):
        assert (machine.symbols, machine.states, machine.counters) == (2, 1, 1)
        for word, text in DYCK[0].texts(6):
            assert machine.accepts(word) == one.accepts(word), text
