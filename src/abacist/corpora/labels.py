"""Compiled labels: sets of next symbols for a whole corpus, by running its automaton.

Languages label one word at a time, slowly and plainly; this runs the language's
automaton over packed words, and must agree with it.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from abacist.corpora.packed import check_packed
from abacist.errors import BadInput
from abacist.languages import (
    EMPTY_STACK,
    Automaton,
    AutomatonLanguage,
    CounterAutomaton,
    Language,
    PushdownAutomaton,
)
from abacist.on_demand import on_demand

label_kernels = on_demand("abacist.corpora.label_kernels")  # Numba is slow to import

#: Tables of dead ends double with every counter.
_MASKED = 12


@dataclass(frozen=True)
class Labels:
    """Targets (symbol, output), and for every word where it leaves the language, −1 if it does not.

    A word that only ends too early leaves it at its length. Rows past that point are zero.
    """

    targets: NDArray[np.uint8]
    left_at: NDArray[np.int64]


def label(language: Language[Any], symbols: NDArray[Any], offsets: NDArray[np.int64]) -> Labels:
    """Label packed words."""
    targets, left_at, _ = _followed(language, symbols, offsets, labelled=True)
    return Labels(targets, left_at)


def leaving(language: Language[Any], symbols: NDArray[Any], offsets: NDArray[np.int64]) -> NDArray[np.int64]:
    """Where every packed word leaves the language, as `Labels.left_at` has it, without the labels."""
    return _followed(language, symbols, offsets)[1]


def _followed(
    language: Language[Any],
    symbols: NDArray[Any],
    offsets: NDArray[np.int64],
    labelled: bool = False,
    deep: bool = False,
) -> tuple[NDArray[np.uint8], NDArray[np.int64], NDArray[np.int32]]:
    """Targets, where words leave the language, and the heights of counters; those that are asked for."""
    symbols, offsets = np.asarray(symbols), np.asarray(offsets)
    check_packed(language, symbols, offsets)
    if not symbols.size:
        symbols = symbols.astype(np.uint8)  # an empty list says nothing of its type
    targets = np.zeros((labelled * len(symbols), language.outputs), np.uint8)
    heights = np.zeros((deep * len(symbols), len(language.depths(language.start))), np.int32)
    left_at = np.full(len(offsets) - 1, -1, np.int64)
    automaton, tables = _tables_of(language)
    if deep and not isinstance(language, AutomatonLanguage):
        automaton = None  # its counters may be others than the language's
    if isinstance(automaton, CounterAutomaton):
        label_kernels.follow_counters(
            symbols, offsets, *tables, language.marks_end, targets, left_at, heights
        )
    elif isinstance(automaton, PushdownAutomaton) and not deep:
        label_kernels.follow_stack(symbols, offsets, tables, language.marks_end, targets, left_at)
    else:
        _follow_states(language, symbols, offsets, targets, left_at, heights)
    return targets, left_at, heights


def settle_swaps(
    language: Language[Any],
    symbols: NDArray[Any],
    offsets: NDArray[np.int64],
    words: NDArray[np.int64],
    left: NDArray[np.int8],
) -> None:
    """Whether some packed words leave their language behind its first symbol, if two neighbours are swapped.

    For each two neighbours of each word, 1 or 0 is written to `left`, but only where tables tell it.
    """
    automaton, tables = _tables_of(language)
    if isinstance(automaton, CounterAutomaton) and not tables[1].size:
        label_kernels.swap_in_counters(symbols, offsets, words, tables[0], left)


def depths_of(
    language: Language[Any], symbols: NDArray[Any], offsets: NDArray[np.int64]
) -> NDArray[np.int32]:
    """The height of every counter after every symbol of packed words of a language, (symbol, counter)."""
    try:
        moves = np.array(language.updates, np.int32)[symbols]
    except BadInput:  # what a symbol adds depends on the state
        return _followed(language, symbols, offsets, deep=True)[2]
    path = np.cumsum(moves, axis=0, dtype=np.int32)
    before = np.vstack((np.zeros_like(path[:1]), path))[offsets[:-1]]
    return path - np.repeat(before, np.diff(offsets), axis=0)


@lru_cache(maxsize=64)  # languages are frozen, and an automaton of many parts takes a while
def _tables_of(language: Language[Any]) -> tuple[Automaton | None, tuple[Any, ...]]:
    """The automaton of a language that compiled code can run, and its tables for it.

    With those of counters comes where they are alive, (state, mask of counters that are not zero), which has
    no rows where no move leads to a dead end.
    """
    automaton, alive = _automaton_or_none(language), np.zeros((0, 0), np.bool_)
    living = language.living if isinstance(language, AutomatonLanguage) else None
    if automaton is None and living is not None and living[0].counters <= _MASKED:
        automaton, regions = living
        alive = np.zeros((automaton.states, 1 << automaton.counters), np.bool_)
        for (state, counters), lives in regions.items():
            alive[state, sum(1 << place for place, value in enumerate(counters) if value)] = lives
    if isinstance(automaton, CounterAutomaton):
        return automaton, (_counter_tables(automaton), alive)
    return automaton, _stack_tables(automaton) if isinstance(automaton, PushdownAutomaton) else ()


def _automaton_or_none(language: Language[Any]) -> Automaton | None:
    """The automaton that compiled code can run: at most 64 counters, or one stack."""
    try:
        automaton = language.automaton()
    except BadInput:
        return None
    return None if isinstance(automaton, CounterAutomaton) and automaton.counters > 64 else automaton


def _follow_states(
    language: Language[Any],
    symbols: NDArray[Any],
    offsets: NDArray[np.int64],
    hot: NDArray[Any],
    left_at: NDArray[np.int64],
    heights: NDArray[np.int32],
) -> None:
    """The plain way, for languages that need more than counters or one stack; see `follow_counters`."""
    for number, (start, end) in enumerate(pairwise(offsets.tolist())):
        reading = language.read(symbols[start:end].tolist())
        left_at[number] = -1 if reading.left_at is None else reading.left_at
        for place, step in enumerate(reading.steps, start):
            if len(hot):
                hot[place, list(step.next_symbols)] = 1
            if len(heights):
                heights[place] = step.depths


def _counter_tables(automaton: CounterAutomaton) -> tuple[Any, ...]:
    """Moves sorted by state and symbol, and what it accepts by, sorted by state, with their tests."""
    size, moves = automaton.symbols, sorted(automaton.moves, key=lambda m: (m.source, m.symbol))
    slots = [(move.source * size + move.symbol, move.tests) for move in moves]
    updates = np.array([move.updates for move in moves], np.int64).reshape(len(moves), automaton.counters)
    targets = np.array([move.target for move in moves], np.int64)
    ends = _slots(sorted(automaton.endings), automaton.states)
    return size, _slots(slots, automaton.states * size), targets, updates, ends


def _slots(tests: list[tuple[int, str]], many: int) -> tuple[NDArray[Any], ...]:
    """Tests sorted by their slot: where those of each slot begin and the last ones end, and two masks.

    Of each test these have the counters that must be zero and those that must be positive, as bits.
    """
    places = np.array([slot for slot, _ in tests], np.int64)
    masks = (
        np.array([sum(1 << i for i, one in enumerate(test) if one == sign) for _, test in tests], np.uint64)
        for sign in "0+"
    )
    return np.searchsorted(places, np.arange(many + 1)).astype(np.int64), *masks


def _stack_tables(automaton: PushdownAutomaton) -> tuple[Any, ...]:
    """The move for every (state, symbol, top), the empty stack as the last top; −1 for none."""
    choice = np.full((automaton.states, automaton.symbols, automaton.stack_symbols + 1), -1, np.int64)
    for number, move in enumerate(automaton.moves):
        top = automaton.stack_symbols if move.top == EMPTY_STACK else move.top
        choice[move.source, move.symbol, slice(None) if top is None else top] = number
    table = np.array(
        [(m.target, m.pop, -1 if m.push is None else m.push) for m in automaton.moves], np.int64
    ).reshape(len(automaton.moves), 3)
    accepting = np.array([s in automaton.accepting_states for s in range(automaton.states)])
    return choice, table, accepting
