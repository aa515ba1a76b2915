"""Small automata, at random and one that is not, and plain readings of them to answer to."""

from __future__ import annotations

from itertools import product

from hypothesis import strategies as st

from abacist.languages import (
    EMPTY_STACK,
    RESET,
    Automaton,
    AutomatonLanguage,
    CounterAutomaton,
    CounterMove,
    FiniteAutomaton,
    FiniteMove,
    PushdownAutomaton,
    StackMove,
    Word,
)
from abacist.languages.automaton import Configuration

Machine = FiniteAutomaton | CounterAutomaton | PushdownAutomaton


#: How many configurations the plain search looks at: many times as many as any of these automata needs.
_SEARCHED = 600


@st.composite
def finite_automata(draw: st.DrawFn, symbols: int | None = None) -> FiniteAutomaton:
    states, symbols = draw(st.integers(1, 4)), symbols or draw(st.integers(1, 3))
    targets = draw(
        st.lists(st.integers(-1, states - 1), min_size=states * symbols, max_size=states * symbols)
    )
    moves = tuple(
        FiniteMove(place // symbols, place % symbols, target)
        for place, target in enumerate(targets)
        if target >= 0
    )
    return FiniteAutomaton(symbols, states, moves, draw(_some(states)))


def _some(states: int) -> st.SearchStrategy[frozenset[int]]:
    return st.frozensets(st.integers(0, states - 1), min_size=1)


@st.composite
def counter_automata(draw: st.DrawFn, counters: int = 1) -> CounterAutomaton:
    states, symbols = draw(st.integers(1, 3)), 2
    moves = []
    for state, symbol, tests in product(range(states), range(symbols), product("0+", repeat=counters)):
        if draw(st.integers(0, 3)):
            updates = tuple(draw(st.sampled_from((0, 1, RESET, -1)[: 3 + (test == "+")])) for test in tests)
            target = draw(st.integers(0, states - 1))
            moves.append(CounterMove(state, symbol, "".join(tests), target, updates))
    patterns = st.text("0+*", min_size=counters, max_size=counters)
    acceptance = draw(st.lists(st.tuples(st.integers(0, states - 1), patterns), max_size=2))
    return CounterAutomaton(symbols, states, counters, tuple(moves), draw(_some(states)), tuple(acceptance))


@st.composite
def pushdown_automata(draw: st.DrawFn) -> PushdownAutomaton:
    states, symbols, piles = draw(st.integers(1, 3)), 2, draw(st.integers(1, 2))
    moves = []
    for state, symbol, top in product(range(states), range(symbols), (EMPTY_STACK, *range(piles))):
        if draw(st.integers(0, 3)):
            push = draw(st.sampled_from((None, *range(piles))))
            pop = top != EMPTY_STACK and draw(st.booleans())
            moves.append(StackMove(state, symbol, top, draw(st.integers(0, states - 1)), pop, push))
    return PushdownAutomaton(symbols, states, piles, tuple(moves), draw(_some(states)))


def any_automata() -> st.SearchStrategy[Machine]:
    return st.one_of(finite_automata(), counter_automata(), pushdown_automata())


def accepted(automaton: Automaton, length: int) -> list[Word]:
    """All words of a length that an automaton accepts, by trying every string."""
    return [word for word in product(range(automaton.symbols), repeat=length) if automaton.accepts(word)]


def can_end(automaton: Automaton, configuration: Configuration) -> bool:
    """Whether an accepting configuration is found after one, by plain search."""
    met, waiting = {configuration}, [configuration]
    for here in waiting:
        if automaton.accepting(here):
            return True
        for symbol in range(automaton.symbols):
            after = automaton.move(here, symbol)
            if after is not None and after not in met and len(met) < _SEARCHED:
                met.add(after)
                waiting.append(after)
    return False


def more_than(marks_end: bool = True) -> AutomatonLanguage:
    """aⁿbᵐ with n > m: after b, the last a that is left must not be used up."""
    moves = (
        CounterMove(0, 0, "*", 0, (1,)),
        CounterMove(0, 1, "+", 1, (-1,)),
        CounterMove(1, 1, "+", 1, (-1,)),
    )
    machine = CounterAutomaton(2, 2, 1, moves, frozenset(), ((0, "+"), (1, "+")))
    return AutomatonLanguage(machine, ("a", "b"), "n>m", marks_end)
