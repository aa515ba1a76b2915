"""Regular expressions against Python's own, and regular languages as sets."""

from __future__ import annotations

import re
from itertools import product

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from abacist.errors import BadInput
from abacist.languages import AutomatonLanguage, Dyck, FiniteAutomaton, intersection, regular, union
from tests.languages.random_automata import finite_automata

GLYPHS = ("a", "b", "c")

_LEAVES = st.sampled_from(["a", "b", "c", "[ab]", "[bc]", ".", "()"])


def _larger(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    return st.one_of(
        st.tuples(inner, inner).map(lambda pair: f"{pair[0]}{pair[1]}"),
        st.tuples(inner, inner).map(lambda pair: f"({pair[0]}|{pair[1]})"),
        st.tuples(inner, st.sampled_from("*+?")).map(lambda pair: f"({pair[0]}){pair[1]}"),
    )


EXPRESSIONS = st.recursive(_LEAVES, _larger, max_leaves=7)


def _texts(longest: int) -> list[str]:
    return ["".join(text) for length in range(longest + 1) for text in product(GLYPHS, repeat=length)]


@settings(max_examples=150)
@given(EXPRESSIONS)
def test_expressions_mean_what_they_mean_to_python(expression: str) -> None:
    language = regular(expression, glyphs=GLYPHS)
    for text in _texts(4):
        assert (text in language) == (re.fullmatch(expression, text) is not None)


@settings(max_examples=60)
@given(EXPRESSIONS, EXPRESSIONS)
def test_union_and_intersection_are_those_of_sets(first: str, second: str) -> None:
    mine, theirs = regular(first, glyphs=GLYPHS), regular(second, glyphs=GLYPHS)
    either = union(mine, theirs)
    try:
        both = intersection(mine, theirs)
    except BadInput:
        both = None
    for text in _texts(4):
        assert (text in either) == (text in mine or text in theirs)
        assert (both is not None and text in both) == (text in mine and text in theirs)


@settings(max_examples=60)
@given(finite_automata(symbols=2), finite_automata(symbols=2))
def test_equal_languages_have_equal_automata(first: FiniteAutomaton, second: FiniteAutomaton) -> None:
    """Two automata of at most four states that differ at all differ on a word of at most seven symbols."""
    assume(first.accepting_states and second.accepting_states)
    try:
        mine, theirs = (AutomatonLanguage(m, ("a", "b"), "x") for m in (first, second))
    except BadInput:
        assume(False)
    words = (word for length in range(8) for word in product(range(2), repeat=length))
    assert (mine == theirs) == all(first.accepts(word) == second.accepts(word) for word in words)
    assert mine.machine.states <= first.states


def test_glyphs_may_be_quoted_and_spaces_are_ignored() -> None:
    language = regular("( 'up' 'down' )*")
    assert language.alphabet.glyphs == ("down", "up")
    assert "up down up down" in language
    assert "up up" not in language
    assert regular("aε|ε").counts(2) == [1, 1, 0]
    assert "{-}" in regular("'{' - '}'")
    assert "{}" in regular("{}", glyphs=("{", "}"))


@pytest.mark.parametrize(
    ("expression", "why"),
    [
        ("(a", "ends before a bracket is closed"),
        ("a)", r"\) at character 2 is not expected there"),
        ("*a", r"\* at character 1 is not expected there"),
        ("[a|b]", r"\| at character 3 is not expected there"),
        ("a|d", r"d at character 3 is not in the alphabet \(a b\)"),
        ("'ab", "the quote at character 1 has no end"),
        ("[]", "no word is in it"),
        ("a+?", r"\? at character 3 is not expected after another"),
        (
            "a{2}",
            r"\{ at character 2 means nothing here; write repetitions out, such as aaa for a\{3\}; '\{' in",
        ),
        (
            r"\d",
            r"\\ at character 1 means nothing here; write the glyphs themselves, such as \[01\]; '\\' in",
        ),
        ("^a", r"\^ at character 1 means nothing here; expressions are of whole words"),
        (
            "a$",
            r"\$ at character 2 means nothing here; expressions are of whole words; '\$' in quotes is",
        ),
        ("[a-c]", r"- at character 3 means nothing here; write all glyphs of a class, such as \[abc\]"),
    ],
)
def test_bad_expressions_are_refused(expression: str, why: str) -> None:
    with pytest.raises(BadInput, match=why):
        regular(expression, glyphs=("a", "b"))


def test_only_regular_languages_over_the_same_glyphs_are_united() -> None:
    with pytest.raises(BadInput, match=r"union: both languages need the same glyphs, got a and b"):
        union(regular("a"), regular("b"))
    counters = AutomatonLanguage(Dyck(1).automaton(), ("a", "b"), "d")  # type: ignore[arg-type]
    with pytest.raises(BadInput, match="union: only regular languages have one here, and d is not"):
        union(regular("ab"), counters)
