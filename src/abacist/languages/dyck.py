"""Dyck-n: well-balanced words over n pairs of brackets."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from math import comb
from typing import Any

from abacist.errors import BadInput
from abacist.fields import check_fields, expect
from abacist.languages.alphabet import Alphabet, bracket_glyphs
from abacist.languages.automaton import Automaton
from abacist.languages.counter_automaton import CounterAutomaton, CounterMove
from abacist.languages.language import END_SUFFIX, Language
from abacist.languages.pushdown_automaton import PushdownAutomaton, Stack, StackMove


def catalan(n: int) -> int:
    """The number of ways to balance n pairs of one bracket: 1, 1, 2, 5, 14, …"""
    expect("catalan: n", n, int)
    if n < 0:
        raise BadInput(f"catalan: n must be at least 0, got {n}")
    return comb(2 * n, n) // (n + 1)


@dataclass(frozen=True)
class Dyck(Language[Stack]):
    """D_n; symbol 2i opens pair i and 2i+1 closes it. A state is the stack of open pairs."""

    pairs: int = 1
    glyphs: tuple[str, ...] = ()
    marks_end: bool = False

    def __post_init__(self) -> None:
        check_fields(self)
        if self.pairs < 1:
            raise BadInput(f"Dyck: pairs must be at least 1, got {self.pairs}")
        if self.glyphs and len(self.glyphs) != 2 * self.pairs:
            raise BadInput(f"Dyck: {self.pairs} pairs need {2 * self.pairs} glyphs, got {len(self.glyphs)}")
        Alphabet(self.glyphs)

    @property
    def name(self) -> str:
        return f"dyck-{self.pairs}{END_SUFFIX * self.marks_end}"

    @cached_property
    def alphabet(self) -> Alphabet:
        return Alphabet(self.glyphs or bracket_glyphs(self.pairs))

    @cached_property
    def always(self) -> frozenset[int]:
        return frozenset(range(0, 2 * self.pairs, 2))

    def renamed(self, glyphs: Sequence[str]) -> Dyck:
        return replace(self, glyphs=tuple(glyphs))

    def marked(self) -> Dyck:
        return replace(self, marks_end=True)

    @cached_property
    def start(self) -> Stack:
        return Stack.empty(self.pairs)

    def step(self, state: Stack, symbol: int) -> Stack | None:
        pair, closes = divmod(symbol, 2)
        if not 0 <= pair < self.pairs:
            return None
        if not closes:
            return state.push(pair)
        return state.below if state.top == pair else None

    def accepts(self, state: Stack) -> bool:
        return not state

    def next_symbols(self, state: Stack) -> frozenset[int]:
        if state:
            return self.always | {2 * state.top + 1}
        return self.always | {2 * self.pairs} if self.marks_end else self.always

    def can_end(self, state: Stack, remaining: int, known: dict[Any, bool]) -> bool:
        spare = remaining - len(state)
        return spare >= 0 and spare % 2 == 0

    def endings(self, state: Stack, longest: int, known: dict[Any, Any]) -> list[int]:
        """Paths down from a height, none below zero, and a choice of brackets for every pair to come."""
        depth = len(state)
        found: list[int] = known.setdefault(depth, [])
        for length in range(len(found), longest + 1):
            pairs, odd = divmod(length - depth, 2)
            ways = comb(length, pairs) - comb(length, pairs - 1) if pairs > 0 else int(pairs == 0)
            found.append(0 if odd else ways * self.pairs ** max(pairs, 0))
        return found

    def depths(self, state: Stack) -> tuple[int, ...]:
        return state.counts

    @cached_property
    def updates(self) -> tuple[tuple[int, ...], ...]:
        return tuple(
            tuple(sign if own == pair else 0 for own in range(self.pairs))
            for pair in range(self.pairs)
            for sign in (1, -1)
        )

    def objection(self, state: Stack, symbol: int) -> str:
        glyphs = self.alphabet.glyphs
        if not state:
            opening = glyphs[symbol - 1] if self.pairs == 1 else "bracket"
            return f"{glyphs[symbol]} closes nothing: no {opening} is open"
        last = glyphs[2 * state.top]
        return f"{glyphs[symbol]} closes {glyphs[symbol - 1]}, but the last one opened is {last}"

    def unfinished(self, state: Stack) -> str:
        still = f"{len(state)} brackets"
        if len(state) <= 12:
            still = self.alphabet.render(2 * pair for pair in reversed(list(state)))
        return f"the word ends while {still} {'is' if len(state) == 1 else 'are'} still open"

    def automaton(self) -> Automaton:
        """A DCA₁ for one pair, else a DPA that keeps the open pairs on its stack."""
        if self.pairs == 1:
            up, down = CounterMove(0, 0, "*", 0, (1,)), CounterMove(0, 1, "+", 0, (-1,))
            return CounterAutomaton(2, 1, 1, (up, down), frozenset({0}))
        moves = []
        for pair in range(self.pairs):
            moves.append(StackMove(0, 2 * pair, None, 0, push=pair))
            moves.append(StackMove(0, 2 * pair + 1, pair, 0, pop=True))
        return PushdownAutomaton(2 * self.pairs, 1, self.pairs, tuple(moves), frozenset({0}))

    def count(self, length: int) -> int:
        half, odd = divmod(length, 2)
        return 0 if odd or length < 0 else catalan(half) * self.pairs**half
