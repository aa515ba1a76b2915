"""The paper's grammar (`Grammar`), S → (S) with p, SS with q, else ε, and plans to draw it (`kernels.py`).

Each pair of brackets is equally likely at (S). At the paper's p = 1/2, q = 1/4 this is a critical branching
process, so cutting the recursion off distorts it. Instead, the probability P(n) of every length n is computed
first, and a word of length n is drawn top-down: (S) with weight p·P(n−2), or a split into two non-empty parts
with weight q·P(k)·P(n−k). Splits into an empty and a full part change nothing but the normalisation: they
leave a factor 1 / (1 − 2q·P(0)).

The authors' published code does cut it off, at the longest length. S then stands at some depth of nesting. At
the greatest depth, half the longest length, it is empty; elsewhere it is (S), one deeper, with p, SS with q,
or empty; and whatever comes out longer than the longest length is replaced by nothing, at every place of the
derivation. So the probability P(d, m) of m pairs below d more levels obeys, for 1 ≤ m ≤ M,

    P(d, m) = p·P(d−1, m−1) + q·Σₖ P(d, k)·P(d, m−k),

and P(d, 0) is what is left to make 1. Words are drawn top-down by these weights, as without the cut.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Context, Decimal, localcontext
from fractions import Fraction
from functools import cache, lru_cache
from typing import Any, ClassVar

from abacist.corpora.choices import Choices, Weight
from abacist.corpora.continuations import Derived, Level
from abacist.corpora.paper import PAPER
from abacist.corpora.source import Fill, Source, Window
from abacist.errors import BadInput
from abacist.fields import check_fields, expect
from abacist.languages import Dyck, Language, Word, catalan
from abacist.on_demand import on_demand

kernels = on_demand("abacist.corpora.kernels")  # Numba is slow to import, and not everyone draws

#: Lengths beyond this would need tables of hundreds of megabytes; with a cut, they grow with the third power.
LONGEST, LONGEST_CUT = 4_000, 200

_PRECISION = Context(prec=60)

#: P(d, m) by d and m; see `BracketSource.levels`.
Levels = tuple[tuple[Decimal, ...], ...]


class BracketSource(Source):
    """Words of Dyck-k that a grammar derives, also where the language is Shuffle-k."""

    @property
    @abstractmethod
    def derived_by(self) -> Grammar: ...

    @abstractmethod
    def levels(self, most: int) -> Levels:
        """P(d, m) of up to `most` pairs by d, the last for a whole word, to 50 digits.

        Without a cut-off, one level stands for all.
        """

    def normaliser(self, empty: Decimal) -> Decimal:
        """s = 1 − 2q·P(0): what splits into an empty and a full part leave to the other derivations."""
        return 1 - 2 * _decimal(self.derived_by.q) * empty

    def values(self) -> dict[str, str | None]:
        return {"grammar": f"{self.derived_by.p},{self.derived_by.q}"}

    def support(self, language: Language[Any]) -> Language[Any]:
        dyck, glyphs = Dyck(bracket_pairs(language)), language.alphabet.glyphs
        return dyck if dyck.alphabet.glyphs == glyphs else dyck.renamed(glyphs)

    def length_weights(self, language: Language[Any], window: Window) -> dict[int, Weight]:
        whole = self.levels(window.high // 2)[-1]
        return {n: whole[n // 2] for n in window.lengths if n % 2 == 0}

    def word_weight(
        self, language: Language[Any], word: Word, window: Window, length_weight: Weight
    ) -> Weight:
        return self.probability(bracket_pairs(language), word, window.high)

    def plan(self, longest: int) -> tuple[Choices, tuple[int, int]]:
        """What words are drawn from, and `nested` of `grammar_word`: levels at the start, and the stride.

        Row d·stride + m is for m pairs and d more levels: 0 for (S), or k for a split into k and m − k.
        """
        most = longest // 2
        return _split_choices(self, most), (len(self.levels(most)) - 1, most + 1)

    def filler(self, language: Language[Any], longest: int) -> Fill:
        (choices, nested), pairs = self.plan(longest), bracket_pairs(language)
        plan = choices.arrays
        return lambda rng, lengths, *pool: kernels.fill_from_grammar(rng, lengths, plan, nested, pairs, *pool)

    def probability(self, pairs: int, word: Sequence[int], longest: int | None = None) -> Decimal:
        """The probability that S becomes a word of Dyck-n; a cut-off is at `longest`, or the word's length.

        A word of k ≥ 1 blocks (w₁) … (w_k) is derived by all binary trees with these k
        leaves and any number of empty ones, of total weight A_k = C_{k−1} q^{k−1} s^{1−2k}
        with the normaliser s, times p/n and the probability of the inside for every block.
        """
        levels, grammar = self.levels((len(word) if longest is None else longest) // 2), self.derived_by
        with localcontext(_PRECISION):
            p, q = _decimal(grammar.p) / pairs, _decimal(grammar.q)
            result, blocks = Decimal(1), [0]
            for symbol in (*word, None):
                if symbol is not None and symbol % 2 == 0:
                    blocks[-1] += 1
                    blocks.append(0)
                    result *= p
                else:
                    empty = levels[max(len(levels) - len(blocks), 0)][0]
                    result *= _forest_weight(blocks.pop(), q, self.normaliser(empty), empty)
            return result

    def continuations(self, language: Language[Any], window: Window) -> Derived:
        levels, p, q = self.levels(window.high // 2), float(self.derived_by.p), self.derived_by.q

        @cache
        def level(left: int) -> Level:
            """What is left of the levels below one depth of nesting, and those below."""

            @cache
            def forest(blocks: int) -> float:
                with localcontext(_PRECISION):
                    empty = levels[left][0]
                    return float(_forest_weight(blocks, _decimal(q), self.normaliser(empty), empty))

            return Level(p, forest, [float(chance) for chance in levels[max(left - 1, 0)]])

        top = len(levels) - 1
        bounds = window.low, window.high
        return Derived(bracket_pairs(language), p, bounds, lambda depth: level(max(top - depth, 0)))


@dataclass(frozen=True)
class Grammar(BracketSource):
    """The grammar with its probabilities p of (S) and q of SS, kept as fractions."""

    p: Fraction = PAPER.p
    q: Fraction = PAPER.q

    words: ClassVar[str] = "grammar"

    def __post_init__(self) -> None:
        for name in ("p", "q"):
            value = getattr(self, name)
            try:
                if isinstance(value, str) and (len(value) > 60 or "e" in value.lower()):
                    raise ValueError  # 1e999999999 would be a fraction of a billion digits
                object.__setattr__(self, name, Fraction(str(value)))
            except (ValueError, ZeroDivisionError):
                raise BadInput(
                    f"Grammar: {name} must be a number such as 0.5 or 1/2, got {value!r}"
                ) from None
        if not (self.p > 0 and self.q > 0 and self.p + self.q < 1):
            raise BadInput(
                f"Grammar: p and q must be positive and p + q below 1, got p = {self.p}, q = {self.q}"
            )

    @classmethod
    def parse(cls, text: str) -> Grammar:
        """Read `P,Q`, such as `0.5,0.25` or `1/2,1/4`."""
        expect("grammar", text, str)
        parts = text.split(",")
        if len(parts) != 2:
            raise BadInput(f"grammar must be P,Q, such as 0.5,0.25, got {text!r}")
        return cls(*(part.strip() for part in parts))  # type: ignore[arg-type]

    def __str__(self) -> str:
        return f"the grammar with p = {self.p}, q = {self.q}"

    @classmethod
    def from_values(cls, values: Mapping[str, Any]) -> Grammar:
        return cls.parse(values["grammar"])

    @property
    def derived_by(self) -> Grammar:
        return self

    def longest(self, language: Language[Any]) -> int:
        return LONGEST

    def levels(self, most: int) -> Levels:
        return (_half_length_probabilities(self, most),)

    def normaliser(self, empty: Decimal) -> Decimal:
        """The same without cancellation: √(1 − 4q(1−p−q))."""
        return (1 - 4 * _decimal(self.q) * _decimal(1 - self.p - self.q)).sqrt()

    def length_probabilities(self, longest: int) -> list[Decimal]:
        """P(n) for n = 0 … longest, to 50 digits; odd lengths have none.

        >>> [round(float(P), 4) for P in Grammar().length_probabilities(4)]
        [0.2679, 0.0, 0.1547, 0.0, 0.0962]
        """
        if longest > LONGEST:
            raise BadInput(f"Grammar: lengths must be at most {LONGEST:,}, got {longest:,}")
        halves = _half_length_probabilities(self, longest // 2)
        return [Decimal(0) if n % 2 else halves[n // 2] for n in range(longest + 1)]


@dataclass(frozen=True)
class CutOff(BracketSource):
    """The grammar cut off at the longest length of the window that words are drawn for."""

    grammar: Grammar = field(default_factory=Grammar)

    words: ClassVar[str] = "cut-off"

    def __post_init__(self) -> None:
        check_fields(self)

    def __str__(self) -> str:
        return f"{self.grammar}, cut off at the longest length"

    @classmethod
    def from_values(cls, values: Mapping[str, Any]) -> CutOff:
        return cls(Grammar.from_values(values))

    @property
    def derived_by(self) -> Grammar:
        return self.grammar

    def longest(self, language: Language[Any]) -> int:
        return LONGEST_CUT

    def levels(self, most: int) -> Levels:
        return _cut_levels(self.grammar, most)


def bracket_pairs(language: Language[Any]) -> int:
    """How many pairs of brackets the grammar needs for a language's words."""
    expect("bracket_pairs: language", language, Language)
    parts = language.word_language.parts
    if not parts or not all(isinstance(part, Dyck) for part in parts):
        raise BadInput(
            f"{language.name}: the grammar draws only brackets, and this language has other symbols"
        )
    return len(language.alphabet) // 2


def _decimal(value: Fraction) -> Decimal:
    """A fraction in the precision of the context."""
    return Decimal(value.numerator) / Decimal(value.denominator)


def _forest_weight(blocks: int, q: Decimal, normaliser: Decimal, empty: Decimal) -> Decimal:
    """What an S weighs that becomes so many blocks: see `BracketSource.probability`."""
    if blocks == 0:
        return empty
    return catalan(blocks - 1) * q ** (blocks - 1) / normaliser ** (2 * blocks - 1)


# The order of operations below settles the last digits, by which options of equal weight are ordered: it is
# part of what a seed means.


@lru_cache(maxsize=16)
def _half_length_probabilities(grammar: Grammar, most: int) -> tuple[Decimal, ...]:
    """P(2m) for m = 0 … most."""
    with localcontext(_PRECISION):
        p, q, root = _decimal(grammar.p), _decimal(grammar.q), grammar.normaliser(Decimal(0))
        half = [2 * _decimal(1 - grammar.p - grammar.q) / (1 + root)]  # = (1 − root) / 2q
        for m in range(1, most + 1):
            splits = 2 * sum((half[k] * half[m - k] for k in range(1, (m + 1) // 2)), Decimal(0))
            if m % 2 == 0:
                splits += half[m // 2] ** 2
            half.append((p * half[m - 1] + q * splits) / root)
        return tuple(half)


@lru_cache(maxsize=16)
def _cut_levels(grammar: Grammar, most: int) -> Levels:
    """P(d, m) by d and m from 0 to `most`."""
    with localcontext(_PRECISION):
        rows: list[tuple[Decimal, ...]] = [(Decimal(1), *([Decimal(0)] * most))]
        for _ in range(most):
            rows.append(_next_level(grammar, rows[-1]))
        return tuple(rows)


#: Steps of secants to the probability of the empty word; the paper's grammar takes about ten.
_MOST_SECANTS = 100


def _next_level(grammar: Grammar, deeper: tuple[Decimal, ...]) -> tuple[Decimal, ...]:
    """P(d, ·) from P(d−1, ·): P(d, 0) is where all of them make 1, found by secants."""
    p, q = _decimal(grammar.p), _decimal(grammar.q)

    def row(empty: Decimal) -> tuple[Decimal, ...]:
        chances = [empty]
        for m in range(1, len(deeper)):
            splits = sum((chances[k] * chances[m - k] for k in range(1, m)), Decimal(0))
            chances.append((p * deeper[m - 1] + q * splits) / (1 - 2 * q * empty))
        return tuple(chances)

    before, now = deeper[0], 1 - p - q
    excess = sum(row(before)) - 1
    for _ in range(_MOST_SECANTS):
        if (here := sum(row(now)) - 1) == excess or abs(now - before) <= Decimal("1e-56"):
            return row(now)
        before, now, excess = now, now - here * (now - before) / (here - excess), here
    raise BadInput(f"CutOff: of {grammar}, the probabilities were not found in {_MOST_SECANTS} steps")


@lru_cache(maxsize=16)
def _split_choices(source: BracketSource, most: int) -> Choices:
    """The rows of `BracketSource.plan`: m pairs become (S), or two S."""
    levels, cut = source.levels(most), len(source.levels(most)) > 1
    with localcontext(_PRECISION):
        p, q = _decimal(source.derived_by.p), _decimal(source.derived_by.q)

        def row(d: int, m: int) -> list[tuple[int, Weight]]:
            if m == 0 or (cut and m > d):  # a word has at most as many pairs as levels
                return []
            here, inside = levels[d], levels[max(d - 1, 0)]
            return [(0, p * inside[m - 1]), *((k, q * here[k] * here[m - k]) for k in range(1, m))]

        return Choices.of(row(d, m) for d in range(len(levels)) for m in range(most + 1))
