"""A small input costs little: what is built in time, and what is refused in a sentence before it is built.

The sizes are such that an algorithm of quadratic cost would take minutes.
"""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from abacist.cells import cell_named, cell_written
from abacist.errors import BadInput, UnknownName
from abacist.experiments.own_languages import own_languages
from abacist.languages import (
    AutomatonLanguage,
    FiniteAutomaton,
    FiniteMove,
    counter_automaton,
    language_from_values,
    language_named,
    live_counters,
    live_machine,
    live_stack,
    regular,
    regular_expressions,
)
from abacist.languages.finite_automaton import smallest
from abacist.languages.live_counters import LiveCounters


@st.composite
def automata(draw: st.DrawFn) -> FiniteAutomaton:
    states, symbols = draw(st.integers(1, 7)), draw(st.integers(1, 3))
    targets = draw(
        st.lists(st.integers(-1, states - 1), min_size=states * symbols, max_size=states * symbols)
    )
    moves = [FiniteMove(i // symbols, i % symbols, target) for i, target in enumerate(targets) if target >= 0]
    accepting = draw(st.frozensets(st.integers(0, states - 1)))
    return FiniteAutomaton(symbols, states, tuple(moves), accepting)


@given(automata())
def test_the_smallest_automaton_tells_all_its_states_apart(automaton: FiniteAutomaton) -> None:
    """It accepts the same words, and no two of its states accept the same rests: so no smaller one does."""
    small = smallest(automaton)
    words = [word for length in range(6) for word in product(range(automaton.symbols), repeat=length)]
    assert [small.accepts(word) for word in words] == [automaton.accepts(word) for word in words]
    apart = {(a, b) for a in range(small.states) for b in range(small.states) if a != b}
    alike = {(a, b) for a, b in apart if (a in small.accepting_states) == (b in small.accepting_states)}
    for _ in range(small.states):
        alike = {
            (a, b) for a, b in alike if all(_lead_alike(small, a, b, s, alike) for s in range(small.symbols))
        }
    assert not alike
    assert smallest(small) == small


def _lead_alike(machine: FiniteAutomaton, a: int, b: int, symbol: int, alike: set[tuple[int, int]]) -> bool:
    to = machine.targets.get((a, symbol)), machine.targets.get((b, symbol))
    return to[0] == to[1] or to in alike


def test_a_long_expression_takes_linear_time() -> None:
    assert regular("a" * 5_000, title="long").machine.states == 5_001
    assert regular("|".join("a" * 5_000), title="wide").machine.states == 2
    assert regular("(" * 4_000 + "a" + ")" * 4_000, title="deep").counts(2) == [0, 1, 0]


@pytest.mark.thorough
def test_a_large_automaton_takes_linear_time() -> None:
    many = 20_000
    chain = [f"s{i} a s{i + 1}" for i in range(many)]
    assert language_from_values({"accepting": [f"s{many}"], "moves": chain}).counts(3) == [0, 0, 0, 0]
    counted = [f"s{i} a * s{i + 1} +" for i in range(5_000)] + ["s5000 b + s5000 -"]
    values = {"kind": "counter", "accepting": ["s5000"], "moves": counted}
    assert "a" * 5_000 + "b" * 5_000 in language_from_values(values)


def _moves(kind: str, many: int) -> dict[str, Any]:
    return {"kind": kind, "accepting": ["s"], "moves": [f"s a{i} s" for i in range(many)]}


_RING: dict[str, Any] = {
    "kind": "pushdown",
    "accepting": ["s0"],
    "moves": [f"s{i} a * s{(i + 1) % 97} push A" for i in range(97)]
    + [f"s{i} b A s{7 * i % 97} pop" for i in range(97)],
}
_COUNTED: dict[str, Any] = _RING | {
    "kind": "counter",
    "moves": [f"s{i} a * s{(i + 1) % 97} +" for i in range(97)]
    + [f"s{i} b + s{7 * i % 97} -" for i in range(97)],
}
_TWO_COUNTED: dict[str, Any] = _COUNTED | {
    "counters": 2,
    "moves": [
        move
        for i in range(97)
        for move in (
            f"s{i} a ** s{(i + 1) % 97} +0",
            f"s{i} b +* s{7 * i % 97} -0",
            f"s{i} c ** s{(i + 3) % 97} 0+",
            f"s{i} d *+ s{5 * i % 97} 0-",
        )
    ],
}
_MANY_TESTS: dict[str, Any] = {
    "kind": "counter",
    "counters": 7,
    "accepting": ["S"],
    "moves": [f"S a {''.join(tests)} S {'+' * 7}" for tests in product("0+", repeat=7)],
}


@pytest.mark.parametrize(
    ("values", "said"),
    [
        ({"regex": "a|" * 50_000}, "may have at most 10,000 characters, got 100,000$"),
        ({"regex": "(a|b)*a" + "(a|b)" * 20}, "needs more than 10,000 states$"),
        ({"regex": ".", "glyphs": [f"g{i}" for i in range(2_001)]}, "at most 2,000 glyphs, got 2,001$"),
        (_moves("finite", 100_001), "may have at most 100,000 moves, got 100,001$"),
        (_moves("finite", 3_000), "may have at most 2,000 glyphs, got 3,000$"),
        (
            {"accepting": ["s0"], "moves": [f"s{i} a t{i}" for i in range(30_000)]},
            "may have at most 50,000 states, got 60,000$",
        ),
        (
            {"kind": "pushdown", "accepting": ["s"], "moves": [f"s a * s push A{i}" for i in range(1_001)]},
            "may have at most 1,000 stack symbols, got 1,001$",
        ),
        (
            {"kind": "counter", "counters": 10**9, "accepting": ["s"], "moves": []},
            "^language 'own': may have at most 16 counters, got 1,000,000,000$",
        ),
    ],
    ids=lambda value: repr(value)[:40],
)
def test_what_would_cost_too_much_is_refused(values: dict[str, Any], said: str) -> None:
    _refused(values, said)


def _refused(values: dict[str, Any], said: str) -> None:
    with pytest.raises(BadInput, match=said) as error:
        language_from_values(values)
    assert len(str(error.value)) < 250
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(
    ("values", "owner"),
    [
        ({"regex": "a?" * 200}, "regular expression 'a"),
        ({"regex": "(" * 50 + "a|" * 300 + "a" + ")*" * 50}, "regular expression '"),
        ({"regex": "(a|b)*a" + "(a|b)" * 10}, "regular expression '"),
        ({"regex": ".*" * 50, "glyphs": [f"g{i}" for i in range(900)]}, "regular expression '"),
        (_RING, "PushdownAutomaton"),
        (_COUNTED, "CounterAutomaton"),
        (_TWO_COUNTED, "CounterAutomaton"),
        (_MANY_TESTS, "CounterAutomaton"),
    ],
    ids=lambda value: repr(value)[:40],
)
def test_the_steps_of_building_an_automaton_are_counted(
    values: dict[str, Any], owner: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With room for a few thousand steps; there is room for millions."""
    language_from_values(values | {"name": "fits"})
    for module in (counter_automaton, live_counters, live_stack):
        monkeypatch.setattr(module, "MACHINE_STEPS", 5_000)
    monkeypatch.setattr(regular_expressions, "EXPRESSION_STEPS", 10_000)
    _refused(values, rf"{owner}.*: takes more than (5,000|10,000) steps to build$")


@pytest.mark.parametrize("name", ["dyck-1", "nothing"])
def test_a_suffix_may_be_repeated(name: str) -> None:
    try:
        assert language_named(name + "+end" * 2_000) == language_named("dyck-1+end")
    except UnknownName:
        assert name == "nothing"


def test_names_of_cells_are_short() -> None:
    for read in (cell_named, cell_written):
        for name in ("lstm" + "_x2" * 2_000, "lstm#0123456789ab" + "_x2" * 2_000, "lstm_x" + "9" * 5_000):
            with pytest.raises(BadInput, match=r"^cell 'lstm.*: may have at most 200 characters, got "):
                read(name)


def test_parts_of_parts_do_not_multiply() -> None:
    """Thirty tables of two parts each would be a thousand million languages."""
    tables = {f"a{i}": {"kind": "shuffle", "parts": [f"a{i + 1}", f"a{i + 1}"]} for i in range(30)}
    with pytest.raises(BadInput, match=r"^languages\.'a0': may have at most 1,000 parts, got 1,00"):
        own_languages(tables | {"a30": {"regex": "a"}})
    chain = {f"a{i}": {"kind": "shuffle", "parts": [f"a{i + 1}", "dyck-1"]} for i in range(2_000)}
    with pytest.raises(BadInput, match=r"may have at most 64 levels of nesting, got 65$"):
        own_languages(chain | {"a2000": {"regex": "a"}})


def test_many_counters_have_short_tables(monkeypatch: pytest.MonkeyPatch) -> None:
    """The configurations of many counters grow so fast that finding them all took half a minute."""
    signs = ["".join("+" if i == own else "*" for i in range(5)) for own in range(5)]
    rest = ["".join("+" if i == own else "0" for i in range(5)) for own in range(5)]
    moves = [f"S a{i} ***** S {rest[i]}" for i in range(5)]
    moves += [f"S b{i} {signs[i]} S {rest[i].replace('+', '-')}" for i in range(5)]
    language = language_from_values({"kind": "counter", "counters": 5, "accepting": ["S"], "moves": moves})
    assert isinstance(language, AutomatonLanguage)
    step, calls = LiveCounters.step, 0

    def counted(live: LiveCounters, state: Any, symbol: int) -> Any:
        nonlocal calls
        calls += 1
        return step(live, state, symbol)

    monkeypatch.setattr(LiveCounters, "step", counted)
    monkeypatch.setattr(live_machine, "_MOST_STEPS", 20_000)
    assert 5 < language.longest < 20
    assert calls <= 20_000
