"""Labelled words: what a network is trained and judged on, and where strings leave a language.

Languages label one word at a time, slowly and plainly; compiled code runs the language's automaton over
packed words, and must agree with it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from abacist.corpora.packed import check_offsets, check_packed, pack
from abacist.errors import BadInput
from abacist.languages import (
    EMPTY_STACK,
    Automaton,
    CounterAutomaton,
    Language,
    PushdownAutomaton,
    Recogniser,
    Within,
)
from abacist.on_demand import on_demand

label_kernels = on_demand("abacist.corpora.label_kernels")  # Numba is slow to import

#: What a target says of an output that may be predicted or not.
EITHER = 2

#: Which steps of a word count: all of them, or only the last prediction, that of its last symbol.
STEPS = ("all", "last")

#: Tables of dead ends double with every counter.
_MASKED = 12


@dataclass(frozen=True, eq=False)
class Words:
    """Words end to end with their labels; word i is `symbols[offsets[i]:offsets[i + 1]]`.

    `targets` is (symbol, output), and `counted`, (symbol,), says which steps count. With `partial`, targets
    may be `EITHER`: such words can be judged, not trained on.
    """

    symbols: NDArray[Any]
    offsets: NDArray[np.int64]
    targets: NDArray[np.uint8]
    counted: NDArray[np.uint8]
    partial: bool = False

    def __post_init__(self) -> None:
        check_offsets(self.symbols, self.offsets)
        if not len(self.symbols) == len(self.targets) == len(self.counted):
            raise BadInput(
                f"Words: {len(self.symbols):,} symbols need as many targets and steps, "
                f"got {len(self.targets):,} and {len(self.counted):,}"
            )

    @classmethod
    def of(
        cls, language: Language[Any], symbols: NDArray[Any], offsets: NDArray[np.int64], steps: str
    ) -> Words:
        """Label words; `steps` says which of their steps count."""
        if steps not in STEPS:
            raise BadInput(f"Words: steps must be {' or '.join(STEPS)}, got {steps!r}")
        if isinstance(language, Recogniser) and steps != "all":
            raise BadInput(f"{language.name}: the output at the end of a string counts, so steps must be all")
        labels = label(language, symbols, offsets)
        counted = np.ones(len(symbols), np.uint8)
        if isinstance(language, Recogniser):
            counted[:] = 0
            counted[offsets[1:][np.diff(offsets) > 0] - 1] = 1
        elif steps == "last":
            lengths = np.diff(offsets)
            counted[:] = 0
            counted[offsets[1:][lengths > 1] - 2] = 1
        return cls(symbols, offsets, labels.targets, counted)

    @classmethod
    def to_recognise(
        cls, language: Language[Any], symbols: NDArray[Any], offsets: NDArray[np.int64]
    ) -> Words:
        """Any strings over the alphabet, labelled with what they need in order to be taken.

        After every symbol the next one must be predicted, and after the last one what allows a word to end,
        as `Language.allows_end` has it. The first wrong step comes right before the place of rejection.
        """
        check_packed(language, symbols, offsets)
        if isinstance(language, Recogniser):
            whole = cls.of(language, symbols, offsets, "all")
            return replace(whole, targets=np.ones_like(whole.targets), partial=True)
        targets = np.full((len(symbols), language.outputs), EITHER, np.uint8)
        targets[np.arange(len(symbols) - 1), symbols[1:]] = 1
        last = offsets[1:][np.diff(offsets) > 0] - 1
        targets[last] = EITHER
        if language.marks_end:
            targets[last, len(language.alphabet)] = 1
        else:
            targets[last[:, None], [s for s in range(language.outputs) if s not in language.always]] = 0
        return cls(symbols, offsets, targets, np.ones(len(symbols), np.uint8), partial=True)

    @classmethod
    def joined(cls, parts: Sequence[Words]) -> Words:
        """The words of all parts, one after the other."""
        if not parts:
            raise BadInput("Words: at least one part must be given to be joined, got none")
        ends = np.cumsum([len(part.symbols) for part in parts])
        offsets = [part.offsets[:-1] + end - len(part.symbols) for part, end in zip(parts, ends, strict=True)]
        return cls(
            np.concatenate([part.symbols for part in parts]),
            np.concatenate([*offsets, ends[-1:]]),
            np.concatenate([part.targets for part in parts]),
            np.concatenate([part.counted for part in parts]),
            any(part.partial for part in parts),
        )

    def following(self) -> Words:
        """The same words with one target for each step: what does come next, in place of all that may.

        After the last symbol it is the end, which is the last output. A beginning of a word does not say what
        comes after it, so its last step does not count.
        """
        ends, filled = self.offsets[1:] - 1, self.lengths > 0
        coming = np.roll(self.symbols.astype(np.int64), -1)
        coming[ends[filled]] = self.targets.shape[1] - 1
        one = np.zeros_like(self.targets)
        steps = np.arange(len(self.symbols))
        one[steps, coming] = self.targets[steps, coming]
        return replace(self, targets=one, counted=self.counted * one.any(axis=1).astype(np.uint8))

    @property
    def lengths(self) -> NDArray[np.int64]:
        return np.diff(self.offsets)


def pack_texts(language: Language[Any], words: Iterable[Sequence[int] | str], steps: str = "all") -> Words:
    """Label words that are given one by one, as text or as symbols.

    >>> from abacist.languages import Dyck
    >>> pack_texts(Dyck(1), ["(())", (0, 1)]).offsets
    array([0, 4, 6])
    """
    return Words.of(language, *pack(language, words), steps)


@dataclass(frozen=True)
class Labels:
    """Targets (symbol, output), and for every word where it leaves the language, −1 if it does not.

    A word that only ends too early leaves it at its length. Rows past that point are zero.
    """

    targets: NDArray[np.uint8]
    left_at: NDArray[np.int64]


def label(language: Language[Any], symbols: NDArray[Any], offsets: NDArray[np.int64]) -> Labels:
    """Label packed words."""
    if isinstance(language, Recogniser):
        with suppress(BadInput):  # where ends can be marked, what was read is a word where one is
            targets = label(language.recognised.marked(), symbols, offsets).targets
            return Labels(targets[:, -1:], np.full(len(offsets) - 1, -1, np.int64))
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
    if isinstance(language, Within):
        return _followed_within(language, symbols, offsets, labelled, deep)
    automaton, tables = _tables_of(language)
    if deep and not language.has_derivations:
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


def _followed_within(
    language: Within, symbols: NDArray[Any], offsets: NDArray[np.int64], labelled: bool, deep: bool
) -> tuple[NDArray[np.uint8], NDArray[np.int64], NDArray[np.int32]]:
    """What the outer language says of words, as far as the inner one has them."""
    targets, outside, heights = _followed(language.outer, symbols, offsets, labelled, deep)
    left_at = _followed(language.inner, symbols, offsets)[1]
    language.check_inside(bool(np.all((outside < 0) | (left_at >= 0) & (left_at <= outside))))
    for number in np.flatnonzero(left_at >= 0):
        beyond = slice(offsets[number] + left_at[number], offsets[number + 1])
        targets[beyond], heights[beyond] = 0, 0
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
    if automaton is None and (living := language.living) and living[0].counters <= _MASKED:
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
