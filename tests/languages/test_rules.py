"""What breaks a rule is refused at birth: the thing, the rule, the value."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from abacist.errors import BadInput
from abacist.languages import (
    Blocks,
    CounterAutomaton,
    CounterMove,
    Dyck,
    PushdownAutomaton,
    StackMove,
    shuffle_k,
)


def counter_automaton(*moves: CounterMove) -> CounterAutomaton:
    return CounterAutomaton(2, 2, 2, moves, frozenset({0}))


def pushdown_automaton(*moves: StackMove) -> PushdownAutomaton:
    return PushdownAutomaton(2, 2, 2, moves, frozenset({0}))


@pytest.mark.parametrize(
    ("move", "rule"),
    [
        (CounterMove(2, 0, "**", 0, (0, 0)), "states must be below 2"),
        (CounterMove(0, 0, "**", 2, (0, 0)), "states must be below 2"),
        (CounterMove(-1, 0, "**", 0, (0, 0)), "states must be below 2"),
        (CounterMove(0, 2, "**", 0, (0, 0)), "symbols must be below 2"),
        (CounterMove(0, -1, "**", 0, (0, 0)), "symbols must be below 2"),
        (CounterMove(0, 0, "*", 0, (0, 0)), "a move must name 2 counters"),
        (CounterMove(0, 0, "**", 0, (0, 0, 0)), "a move must name 2 counters"),
        (CounterMove(0, 0, "*-", 0, (0, 0)), "tests are 0, + or *, updates -1, 0 or 1"),
        (CounterMove(0, 0, "*+", 0, (0, 2)), "tests are 0, + or *, updates -1, 0 or 1"),
        (CounterMove(0, 0, "++", 0, (0, -2)), "tests are 0, + or *, updates -1, 0 or 1"),
        (CounterMove(0, 0, "*+", 0, (-1, 0)), "only a counter whose test is + may go down"),
        (CounterMove(0, 0, "+0", 0, (0, -1)), "only a counter whose test is + may go down"),
        (StackMove(2, 0, None, 0), "states must be below 2"),
        (StackMove(0, 0, None, 2), "states must be below 2"),
        (StackMove(0, 2, None, 0), "symbols must be below 2"),
        (StackMove(0, -1, None, 0), "symbols must be below 2"),
        (StackMove(0, 0, 2, 0), "stack symbols must be below 2"),
        (StackMove(0, 0, None, 0, push=2), "stack symbols must be below 2"),
        (StackMove(0, 0, None, 0, push=-1), "stack symbols must be below 2"),
        (StackMove(0, 0, None, 0, pop=True), "a move that pops must say what"),
    ],
)
def test_a_move_that_breaks_a_rule_is_refused(move: CounterMove | StackMove, rule: str) -> None:
    with pytest.raises(BadInput) as error:
        pushdown_automaton(move) if isinstance(move, StackMove) else counter_automaton(move)
    kind = "Pushdown" if isinstance(move, StackMove) else "Counter"
    assert str(error.value) == f"{kind}Automaton: {rule}, got {move}"


@given(st.text("0+*", min_size=2, max_size=2), st.text("0+*", min_size=2, max_size=2))
def test_two_counter_moves_are_refused_exactly_if_some_counters_fit_both(one: str, two: str) -> None:
    first, second = CounterMove(0, 0, one, 0, (0, 0)), CounterMove(0, 0, two, 1, (1, 1))
    meet = any(first.fits(counters) and second.fits(counters) for counters in product(range(2), repeat=2))
    assert first.overlaps(second) == second.overlaps(first) == meet
    if not meet:
        assert counter_automaton(first, second).moves == (first, second)
        return
    with pytest.raises(BadInput) as error:
        counter_automaton(first, second)
    assert (
        str(error.value)
        == f"CounterAutomaton: moves must be deterministic, one for each situation, got {second}"
    )


@pytest.mark.parametrize("tests", ["".join(tests) for tests in product("0+*", repeat=2)])
def test_a_move_fits_the_counters_that_pass_its_tests(tests: str) -> None:
    passes = {"0": {0}, "+": {1, 2, 9}, "*": {0, 1, 2, 9}}
    for counters in product((0, 1, 2, 9), repeat=2):
        expected = all(value in passes[test] for test, value in zip(tests, counters, strict=True))
        assert CounterMove(0, 0, tests, 0, (0, 0)).fits(counters) == expected


@pytest.mark.parametrize("one", [None, 0, 1])
@pytest.mark.parametrize("two", [None, 0, 1])
def test_two_stack_moves_are_refused_exactly_if_some_top_fits_both(one: int | None, two: int | None) -> None:
    first, second = StackMove(0, 0, one, 0), StackMove(0, 0, two, 1)
    if None not in (one, two) and one != two:
        assert pushdown_automaton(first, second).moves == (first, second)
        return
    with pytest.raises(BadInput) as error:
        pushdown_automaton(first, second)
    assert (
        str(error.value)
        == f"PushdownAutomaton: moves must be deterministic, one for each situation, got {second}"
    )


def test_moves_from_another_state_or_on_another_symbol_do_not_compete() -> None:
    places = [(state, symbol) for state in range(2) for symbol in range(2)]
    counters = counter_automaton(*(CounterMove(s, a, "**", 0, (0, 0)) for s, a in places))
    stack = pushdown_automaton(*(StackMove(s, a, None, 0) for s, a in places))
    assert len(counters.moves) == len(stack.moves) == len(places)


@pytest.mark.parametrize("state", [2, -1])
def test_accepting_states_are_states(state: int) -> None:
    with pytest.raises(BadInput, match=r"^CounterAutomaton: "):
        CounterAutomaton(2, 2, 2, (), frozenset({state}))
    with pytest.raises(BadInput, match=r"^PushdownAutomaton: "):
        PushdownAutomaton(2, 2, 2, (), frozenset({state}))


@pytest.mark.parametrize(
    ("build", "message"),
    [
        pytest.param(build, message, id=message.partition(",")[0])
        for build, message in [
            (lambda: Dyck(0), "Dyck: pairs must be at least 1, got 0"),
            (lambda: Dyck(2, ("(", ")")), "Dyck: 2 pairs need 4 glyphs, got 2"),
            (lambda: Blocks(1), "Blocks: blocks must be between 2 and 26, got 1"),
            (lambda: Blocks(27), "Blocks: blocks must be between 2 and 26, got 27"),
            (lambda: Blocks(2, ("a", "b", "c")), "Blocks: 2 blocks need as many glyphs, got 3"),
            (lambda: shuffle_k(0), "Shuffle-k: k must be at least 1, got 0"),
        ]
    ],
)
def test_a_language_that_breaks_a_rule_is_refused(build: Callable[[], object], message: str) -> None:
    with pytest.raises(BadInput) as error:
        build()
    assert str(error.value) == message


@pytest.mark.parametrize("language", [Dyck(1), Blocks(2)], ids=lambda language: language.name)
@pytest.mark.parametrize("glyphs", ["aa", "a⊣", "a "])
def test_a_language_over_impossible_glyphs_is_refused(language: Dyck | Blocks, glyphs: str) -> None:
    """At birth, not when the alphabet is first asked for."""
    with pytest.raises(BadInput):
        language.renamed(glyphs)
