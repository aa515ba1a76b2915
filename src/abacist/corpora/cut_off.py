"""The grammar with its recursion cut off at the longest length, as the authors' published code draws words.

S stands at some depth of nesting. At the greatest depth, half the longest length, it is empty;
elsewhere it is (S), one deeper, with p, SS with q, or empty; and whatever comes out longer than the
longest length is replaced by nothing, at every place of the derivation. So the probability P(d, m)
of m pairs with room for d more levels obeys, for 1 ≤ m ≤ M,

    P(d, m) = p·P(d−1, m−1) + q·Σₖ P(d, k)·P(d, m−k),

and P(d, 0) is what is left to make 1. Words are drawn top-down by these weights, as without the cut.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal, localcontext
from functools import cache, lru_cache
from typing import Any, ClassVar

from abacist.corpora.choices import Choices, Weight
from abacist.corpora.derived_continuations import Derived, Level
from abacist.corpora.grammar import PRECISION, Grammar, bracket_pairs, decimal, derived_level, forest_weight
from abacist.corpora.source import Fill, Source
from abacist.corpora.window import Window
from abacist.fields import check_fields
from abacist.languages import Language, Word
from abacist.on_demand import on_demand

kernels = on_demand("abacist.corpora.kernels")  # Numba is slow to import, and not everyone draws

#: Tables grow with the third power of the length.
LONGEST = 200

#: P(d, m) by d and m.
Levels = tuple[tuple[Decimal, ...], ...]


@dataclass(frozen=True)
class CutOff(Source):
    """The grammar cut off at the longest length of the window that words are drawn for."""

    grammar: Grammar = field(default_factory=Grammar)

    words: ClassVar[str] = "cut-off"

    def __post_init__(self) -> None:
        check_fields(self)

    def __str__(self) -> str:
        return f"{self.grammar}, cut off at the longest length"

    def values(self) -> dict[str, str | None]:
        return self.grammar.values()

    @classmethod
    def from_values(cls, values: Mapping[str, Any]) -> CutOff:
        return cls(Grammar.from_values(values))

    @property
    def derived_by(self) -> Grammar:
        return self.grammar

    def support(self, language: Language[Any]) -> Language[Any]:
        return self.grammar.support(language)

    def longest(self, language: Language[Any]) -> int:
        return LONGEST

    def length_weights(self, language: Language[Any], window: Window) -> dict[int, Weight]:
        whole = levels(self.grammar, window.high // 2)[-1]
        return {n: whole[n // 2] for n in window.lengths if n % 2 == 0}

    def word_weight(
        self, language: Language[Any], word: Word, window: Window, length_weight: Weight
    ) -> Weight:
        return self.probability(bracket_pairs(language), word, window.high)

    def continuations(self, language: Language[Any], window: Window) -> Derived:
        known = levels(self.grammar, window.high // 2)[::-1]

        @cache
        def level(depth: int) -> Level:
            return derived_level(self.grammar, known[depth], known[min(depth + 1, len(known) - 1)])

        return Derived(bracket_pairs(language), float(self.grammar.p), window, level)

    def filler(self, language: Language[Any], longest: int) -> Fill:
        most, pairs = longest // 2, bracket_pairs(language)
        plan, nested = level_choices(self.grammar, most).arrays, (most, most + 1)
        return lambda rng, lengths, *pool: kernels.fill_from_grammar(rng, lengths, plan, nested, pairs, *pool)

    def probability(self, pairs: int, word: Sequence[int], longest: int) -> Decimal:
        """The probability that a word of Dyck-n comes out; see `Grammar.probability`."""
        known = levels(self.grammar, longest // 2)
        with localcontext(PRECISION):
            p, q = decimal(self.grammar.p) / pairs, decimal(self.grammar.q)
            result, blocks = Decimal(1), [0]
            for symbol in (*word, None):
                if symbol is not None and symbol % 2 == 0:
                    blocks[-1] += 1
                    blocks.append(0)
                    result *= p
                else:
                    empty = known[len(known) - len(blocks)][0]
                    result *= forest_weight(blocks.pop(), q, 1 - 2 * q * empty, empty)
            return result


@lru_cache(maxsize=16)
def levels(grammar: Grammar, most: int) -> Levels:
    """P(d, m) for d and m from 0 to `most`, to 50 digits."""
    with localcontext(PRECISION):
        found: list[tuple[Decimal, ...]] = [(Decimal(1), *([Decimal(0)] * most))]
        for _ in range(most):
            found.append(_next_level(grammar, found[-1]))
        return tuple(found)


def _next_level(grammar: Grammar, deeper: tuple[Decimal, ...]) -> tuple[Decimal, ...]:
    """P(d, ·) from P(d−1, ·): P(d, 0) is where all of them make 1, found by secants."""
    p, q = decimal(grammar.p), decimal(grammar.q)

    def row(empty: Decimal) -> tuple[Decimal, ...]:
        found = [empty]
        for m in range(1, len(deeper)):
            splits = sum((found[k] * found[m - k] for k in range(1, m)), Decimal(0))
            found.append((p * deeper[m - 1] + q * splits) / (1 - 2 * q * empty))
        return tuple(found)

    before, now = deeper[0], 1 - p - q
    excess = sum(row(before)) - 1
    while (here := sum(row(now)) - 1) != excess and abs(now - before) > Decimal("1e-56"):
        before, now, excess = now, now - here * (now - before) / (here - excess), here
    return row(now)


@lru_cache(maxsize=16)
def level_choices(grammar: Grammar, most: int) -> Choices:
    """Row d·(most + 1) + m: 0 for (S), or k for a split of m pairs, with room for d more levels."""
    known = levels(grammar, most)
    with localcontext(PRECISION):
        p, q = decimal(grammar.p), decimal(grammar.q)
        rows: list[list[tuple[int, Weight]]] = []
        for d in range(most + 1):
            for m in range(most + 1):
                own = [(k, q * known[d][k] * known[d][m - k]) for k in range(1, m)] if m <= d else []
                rows.append([(0, p * known[d - 1][m - 1]), *own] if 1 <= m <= d else [])
        return Choices.of(rows)
