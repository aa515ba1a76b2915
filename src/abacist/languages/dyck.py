"""Dyck-n: well-balanced words over n pairs of brackets, its automaton, and its reduction to Dyck-2.

In the reduction Γ of Dyck-n to Dyck-2 each bracket becomes ⌈log₂ n⌉ brackets, its number in bits.

With m bits per pair, words grow m times as long and m times as deep. One pair needs
no bits by the formula, and Γ would then send every word to the empty one, which is
in Dyck-2; so m is at least 1.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain
from math import comb
from typing import Any

from abacist.errors import BadInput, BadWord
from abacist.fields import check_fields, expect
from abacist.languages.alphabet import Alphabet, Word, bracket_glyphs
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


@dataclass(frozen=True, repr=False)
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

    @property
    def drawn_as(self) -> tuple[int, int]:
        return self.pairs, 0

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

    def can_end(self, state: Stack, remaining: int, cache: dict[Any, bool]) -> bool:
        spare = remaining - len(state)
        return spare >= 0 and spare % 2 == 0

    def endings(self, state: Stack, longest: int, cache: dict[Any, Any]) -> list[int]:
        """Paths down from a height, none below zero, and a choice of brackets for every pair to come."""
        depth = len(state)
        counts: list[int] = cache.setdefault(depth, [])
        for length in range(len(counts), longest + 1):
            pairs, odd = divmod(length - depth, 2)
            ways = comb(length, pairs) - comb(length, pairs - 1) if pairs > 0 else int(pairs == 0)
            counts.append(0 if odd else ways * self.pairs ** max(pairs, 0))
        return counts

    def depths(self, state: Stack) -> tuple[int, ...]:
        return state.counts

    @cached_property
    def updates(self) -> tuple[tuple[int, ...], ...]:
        return tuple(
            tuple(sign if counter == pair else 0 for counter in range(self.pairs))
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
        pushes = (StackMove(0, 2 * pair, None, 0, push=pair) for pair in range(self.pairs))
        pops = (StackMove(0, 2 * pair + 1, pair, 0, pop=True) for pair in range(self.pairs))
        moves = tuple(chain.from_iterable(zip(pushes, pops, strict=True)))
        return PushdownAutomaton(2 * self.pairs, 1, self.pairs, moves, frozenset({0}))

    def count(self, length: int) -> int:
        half, odd = divmod(length, 2)
        return 0 if odd or length < 0 else catalan(half) * self.pairs**half


def bits_per_bracket(pairs: int) -> int:
    """m = ⌈log₂ n⌉, and 1 for a single pair.

    >>> [bits_per_bracket(n) for n in (1, 2, 3, 4, 5, 9)]
    [1, 1, 2, 2, 3, 4]
    """
    return max(1, (Dyck(pairs).pairs - 1).bit_length())


def encode_symbol(pairs: int, symbol: int) -> Word:
    """Γ of one bracket: its pair's number in bits, mirrored for a closing bracket.

    >>> encode_symbol(5, 2), encode_symbol(5, 3)  # the second pair: 001, as (( [ and ] ))
    ((0, 0, 2), (3, 1, 1))
    """
    bits = bits_per_bracket(pairs)
    expect(f"Dyck-{pairs}: a symbol", symbol, int)
    if not 0 <= symbol < 2 * pairs:
        raise BadInput(f"Dyck-{pairs}: symbols must be below {2 * pairs}, got {symbol}")
    pair, closes = divmod(symbol, 2)
    places = range(bits) if closes else reversed(range(bits))
    return tuple(2 * (pair >> place & 1) + closes for place in places)


def encode(pairs: int, word: Sequence[int]) -> Word:
    """Γ of a sequence of brackets: it is in Dyck-n exactly when its image is in Dyck-2."""
    return tuple(symbol for bracket in word for symbol in encode_symbol(pairs, bracket))


def decode(pairs: int, word: Sequence[int]) -> Word:
    """The sequence of Dyck-n brackets whose image is `word`."""
    size = bits_per_bracket(pairs)
    inverse = {encode_symbol(pairs, symbol): symbol for symbol in range(2 * pairs)}
    if len(word) % size:
        raise BadWord(f"an image of Dyck-{pairs} has a length divisible by {size}, got {len(word)}")
    brackets = []
    for start in range(0, len(word), size):
        block = tuple(word[start : start + size])
        if block not in inverse:
            text = "".join("()[]"[s] if s in range(4) else str(s) for s in block)
            place = f"symbols {start + 1} to {start + size}"
            raise BadWord(f"{text} at {place} is not the image of any bracket of Dyck-{pairs}")
        brackets.append(inverse[block])
    return tuple(brackets)
