"""aⁿbⁿ, aⁿbⁿcⁿ, aⁿbⁿcⁿdⁿ: as many of each letter, n at least 1."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Any

from abacist.errors import BadInput
from abacist.fields import check_fields
from abacist.languages.alphabet import Alphabet
from abacist.languages.automaton import Automaton
from abacist.languages.counter_automaton import CounterAutomaton, CounterMove
from abacist.languages.language import Language


@dataclass(frozen=True, repr=False)
class Blocks(Language[tuple[int, int, int]]):
    """Equal blocks of one letter each. A state is (block, n, letters seen of this block).

    The set of next symbols includes the end of the word, since after the first
    letter nothing else tells where a word may stop.
    """

    blocks: int = 2
    glyphs: tuple[str, ...] = ()

    @property
    def marks_end(self) -> bool:
        return True

    def __post_init__(self) -> None:
        check_fields(self)
        if not 2 <= self.blocks <= 26:
            raise BadInput(f"Blocks: blocks must be between 2 and 26, got {self.blocks}")
        if self.glyphs and len(self.glyphs) != self.blocks:
            raise BadInput(f"Blocks: {self.blocks} blocks need as many glyphs, got {len(self.glyphs)}")
        Alphabet(self.glyphs)

    @property
    def name(self) -> str:
        return "".join(f"{letter}n" for letter in "abcdefghijklmnopqrstuvwxyz"[: self.blocks])

    @cached_property
    def alphabet(self) -> Alphabet:
        return Alphabet(self.glyphs or tuple("abcdefghijklmnopqrstuvwxyz"[: self.blocks]))

    @property
    def drawn_as(self) -> tuple[int, int]:
        return 0, self.blocks

    @property
    def start(self) -> tuple[int, int, int]:
        return 0, 0, 0

    def step(self, state: tuple[int, int, int], symbol: int) -> tuple[int, int, int] | None:
        block, n, seen = state
        if symbol == block == 0:
            return 0, n + 1, seen + 1
        if symbol == block and seen < n:
            return block, n, seen + 1
        if symbol == block + 1 and seen == n > 0:
            return symbol, n, 1
        return None

    def accepts(self, state: tuple[int, int, int]) -> bool:
        block, n, seen = state
        return block == self.blocks - 1 and seen == n

    def can_end(self, state: tuple[int, int, int], remaining: int, cache: dict[Any, bool]) -> bool:
        block, n, seen = state
        if block > 0:
            return remaining == n - seen + (self.blocks - 1 - block) * n
        more, uneven = divmod(
            remaining - (self.blocks - 1) * n, self.blocks
        )  # how many letters are still to come
        return not uneven and more >= 0 and n + more > 0

    def depths(self, state: tuple[int, int, int]) -> tuple[int, ...]:
        """Counter i holds how many more of letter i than of letter i+1 have come."""
        block, n, seen = state
        counts = [n] * block + [seen] + [0] * (self.blocks - 1 - block)
        return tuple(here - after for here, after in pairwise(counts))

    @cached_property
    def updates(self) -> tuple[tuple[int, ...], ...]:
        return tuple(
            tuple(1 if c == letter else -1 if c == letter - 1 else 0 for c in range(self.blocks - 1))
            for letter in range(self.blocks)
        )

    def objection(self, state: tuple[int, int, int], symbol: int) -> str:
        block, n, seen = state
        glyphs = self.alphabet.glyphs
        if n == 0:
            return f"{glyphs[symbol]} cannot come first: a word begins with {glyphs[0]}"
        if symbol < block:
            return f"{glyphs[symbol]} cannot come after {glyphs[block]}"
        if symbol == block:
            return f"{glyphs[symbol]} comes once too often: there are {n} {glyphs[0]}"
        if symbol == block + 1:
            return f"{glyphs[symbol]} comes after {seen} {glyphs[block]} instead of {n}"
        return f"{glyphs[symbol]} comes before any {glyphs[block + 1]}"

    def unfinished(self, state: tuple[int, int, int]) -> str:
        block, n, seen = state
        glyphs = self.alphabet.glyphs
        if n == 0:
            return f"the empty word is not in it: a word has at least one {glyphs[0]}"
        if block == 0 or seen == n:
            return f"the word ends before any {glyphs[block + 1]}"
        return f"the word ends after {seen} {glyphs[block]} instead of {n}"

    def automaton(self) -> Automaton:
        """A one-turn DCA: counter i goes up with letter i and down with letter i+1."""
        counters = self.blocks - 1
        moves = [CounterMove(0, 0, "*" * counters, 0, self.updates[0])]
        for letter in range(1, self.blocks):
            first = ["*"] * counters
            first[letter - 1] = "+"
            again = "".join(first)
            if letter > 1:
                first[letter - 2] = "0"
            moves.append(CounterMove(letter - 1, letter, "".join(first), letter, self.updates[letter]))
            moves.append(CounterMove(letter, letter, again, letter, self.updates[letter]))
        return CounterAutomaton(
            self.blocks, self.blocks, counters, tuple(moves), frozenset({self.blocks - 1})
        )

    def count(self, length: int) -> int:
        return int(length > 0 and length % self.blocks == 0)
