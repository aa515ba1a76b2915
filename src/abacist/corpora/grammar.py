"""The paper's probabilistic grammar: S → (S) with p, SS with q, ε with 1 − p − q, whole or cut off.

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
from collections.abc import Callable, Mapping, Sequence
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


class BracketSource(Source):
    """Words of Dyck-k that a grammar derives, also where the language is Shuffle-k."""

    @property
    @abstractmethod
    def derived_by(self) -> Grammar: ...

    @abstractmethod
    def plan(self, longest: int) -> tuple[Choices, tuple[int, int]]:
        """What words are drawn from, and `nested` of `grammar_word`: levels at the start, and the stride.

        Row d·stride + m is for m pairs and d more levels: 0 for (S), or k for a split into k and m − k.
        """

    def support(self, language: Language[Any]) -> Language[Any]:
        return Dyck(bracket_pairs(language)).renamed(language.alphabet.glyphs)

    def filler(self, language: Language[Any], longest: int) -> Fill:
        (choices, nested), pairs = self.plan(longest), bracket_pairs(language)
        plan = choices.arrays
        return lambda rng, lengths, *pool: kernels.fill_from_grammar(rng, lengths, plan, nested, pairs, *pool)

    def _derived(
        self, pairs: int, word: Sequence[int], level: Callable[[int], tuple[Decimal, Decimal]]
    ) -> Decimal:
        """The probability that S becomes a word; `level` gives √(1 − 4q·…) and P(0) at a depth of nesting.

        A word of k ≥ 1 blocks (w₁) … (w_k) is derived by all binary trees with these k
        leaves and any number of empty ones, of total weight A_k = C_{k−1} q^{k−1} s^{1−2k}
        with s = 1 − 2q·P(0), times p/n and the probability of the inside for every block.
        """
        with localcontext(_PRECISION):
            p, q = _decimal(self.derived_by.p) / pairs, _decimal(self.derived_by.q)
            result, blocks = Decimal(1), [0]
            for symbol in (*word, None):
                if symbol is not None and symbol % 2 == 0:
                    blocks[-1] += 1
                    blocks.append(0)
                    result *= p
                else:
                    root, empty = level(len(blocks) - 1)
                    result *= _forest_weight(blocks.pop(), q, root, empty)
            return result

    def _level(self, here: Sequence[Decimal], inside: Sequence[Decimal]) -> Level:
        """A depth of nesting: lengths have the probabilities `here`, and within a block `inside`."""

        @cache
        def forest(blocks: int) -> float:
            with localcontext(_PRECISION):
                q, empty = _decimal(self.derived_by.q), here[0]
                return float(_forest_weight(blocks, q, 1 - 2 * q * empty, empty))

        return Level(float(self.derived_by.p), forest, [float(chance) for chance in inside])


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

    def values(self) -> dict[str, str | None]:
        return {"grammar": f"{self.p},{self.q}"}

    @classmethod
    def from_values(cls, values: Mapping[str, Any]) -> Grammar:
        return cls.parse(values["grammar"])

    @property
    def derived_by(self) -> Grammar:
        return self

    def longest(self, language: Language[Any]) -> int:
        return LONGEST

    def length_weights(self, language: Language[Any], window: Window) -> dict[int, Weight]:
        counts, weights = self.counts(language, window.high), self.length_probabilities(window.high)
        return {n: weights[n] for n in window.lengths if counts[n] and weights[n]}

    def word_weight(
        self, language: Language[Any], word: Word, window: Window, length_weight: Weight
    ) -> Weight:
        return self.probability(bracket_pairs(language), word)

    def continuations(self, language: Language[Any], window: Window) -> Derived:
        halves = _half_length_probabilities(self, window.high // 2)
        level = self._level(halves, halves)
        return Derived(bracket_pairs(language), float(self.p), (window.low, window.high), lambda depth: level)

    def plan(self, longest: int) -> tuple[Choices, tuple[int, int]]:
        return _split_choices(self, longest // 2), (0, longest // 2 + 1)

    def length_probabilities(self, longest: int) -> list[Decimal]:
        """P(n) for n = 0 … longest, to 50 digits; odd lengths have none.

        >>> [round(float(P), 4) for P in Grammar().length_probabilities(4)]
        [0.2679, 0.0, 0.1547, 0.0, 0.0962]
        """
        if longest > LONGEST:
            raise BadInput(f"Grammar: lengths must be at most {LONGEST:,}, got {longest:,}")
        halves = _half_length_probabilities(self, longest // 2)
        return [Decimal(0) if n % 2 else halves[n // 2] for n in range(longest + 1)]

    def probability(self, pairs: int, word: Sequence[int]) -> Decimal:
        """The probability that the grammar over `pairs` pairs derives a word of Dyck-n."""
        (empty,) = _half_length_probabilities(self, 0)
        with localcontext(_PRECISION):
            root = _root(self)
        return self._derived(pairs, word, lambda depth: (root, empty))


@dataclass(frozen=True)
class CutOff(BracketSource):
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

    def longest(self, language: Language[Any]) -> int:
        return LONGEST_CUT

    def length_weights(self, language: Language[Any], window: Window) -> dict[int, Weight]:
        whole = levels(self.grammar, window.high // 2)[-1]
        return {n: whole[n // 2] for n in window.lengths if n % 2 == 0}

    def word_weight(
        self, language: Language[Any], word: Word, window: Window, length_weight: Weight
    ) -> Weight:
        return self.probability(bracket_pairs(language), word, window.high)

    def continuations(self, language: Language[Any], window: Window) -> Derived:
        by_depth = levels(self.grammar, window.high // 2)[::-1]

        @cache
        def level(depth: int) -> Level:
            return self._level(by_depth[depth], by_depth[min(depth + 1, len(by_depth) - 1)])

        return Derived(bracket_pairs(language), float(self.grammar.p), (window.low, window.high), level)

    def plan(self, longest: int) -> tuple[Choices, tuple[int, int]]:
        most = longest // 2
        return _level_choices(self.grammar, most), (most, most + 1)

    def probability(self, pairs: int, word: Sequence[int], longest: int) -> Decimal:
        """The probability that a word of Dyck-n comes out."""
        by_depth, q = levels(self.grammar, longest // 2)[::-1], self.grammar.q

        def level(depth: int) -> tuple[Decimal, Decimal]:
            empty = by_depth[depth][0]
            return 1 - 2 * _decimal(q) * empty, empty

        return self._derived(pairs, word, level)


def bracket_pairs(language: Language[Any]) -> int:
    """How many pairs of brackets the grammar needs for a language's words."""
    expect("bracket_pairs: language", language, Language)
    if not language.parts or not all(isinstance(part, Dyck) for part in language.parts):
        raise BadInput(
            f"{language.name}: the grammar draws only brackets, and this language has other symbols"
        )
    return len(language.alphabet) // 2


def _decimal(value: Fraction) -> Decimal:
    """A fraction in the precision of the context."""
    return Decimal(value.numerator) / Decimal(value.denominator)


def _forest_weight(blocks: int, q: Decimal, root: Decimal, empty: Decimal) -> Decimal:
    """What an S weighs that becomes so many blocks: see `BracketSource._derived`."""
    if blocks == 0:
        return empty
    return catalan(blocks - 1) * q ** (blocks - 1) / root ** (2 * blocks - 1)


def _root(grammar: Grammar) -> Decimal:
    """√(1 − 4q(1−p−q)) = 1 − 2q·P(0), without cancellation."""
    return (1 - 4 * _decimal(grammar.q) * _decimal(1 - grammar.p - grammar.q)).sqrt()


@lru_cache(maxsize=16)
def _half_length_probabilities(grammar: Grammar, most: int) -> tuple[Decimal, ...]:
    """P(2m) for m = 0 … most."""
    with localcontext(_PRECISION):
        p, q, root = _decimal(grammar.p), _decimal(grammar.q), _root(grammar)
        half = [2 * _decimal(1 - grammar.p - grammar.q) / (1 + root)]  # = (1 − root) / 2q
        for m in range(1, most + 1):
            splits = 2 * sum((half[k] * half[m - k] for k in range(1, (m + 1) // 2)), Decimal(0))
            if m % 2 == 0:
                splits += half[m // 2] ** 2
            half.append((p * half[m - 1] + q * splits) / root)
        return tuple(half)


@lru_cache(maxsize=16)
def _split_choices(grammar: Grammar, most: int) -> Choices:
    """Row m, as `BracketSource.plan` has it without levels."""
    half = _half_length_probabilities(grammar, most)
    with localcontext(_PRECISION):
        return Choices.of(_row(grammar, half, half, m) for m in range(most + 1))


def _row(
    grammar: Grammar, here: Sequence[Decimal], inside: Sequence[Decimal], m: int
) -> list[tuple[int, Weight]]:
    """What m pairs become: (S) with `inside` for the probabilities of S, or two S with `here`."""
    p, q = _decimal(grammar.p), _decimal(grammar.q)
    splits = ((k, q * here[k] * here[m - k]) for k in range(1, m))
    return [(0, p * inside[m - 1]), *splits] if m else []


@lru_cache(maxsize=16)
def levels(grammar: Grammar, most: int) -> tuple[tuple[Decimal, ...], ...]:
    """P(d, m) by d and m from 0 to `most`, to 50 digits."""
    with localcontext(_PRECISION):
        rows: list[tuple[Decimal, ...]] = [(Decimal(1), *([Decimal(0)] * most))]
        for _ in range(most):
            rows.append(_next_level(grammar, rows[-1]))
        return tuple(rows)


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
    while (here := sum(row(now)) - 1) != excess and abs(now - before) > Decimal("1e-56"):
        before, now, excess = now, now - here * (now - before) / (here - excess), here
    return row(now)


@lru_cache(maxsize=16)
def _level_choices(grammar: Grammar, most: int) -> Choices:
    """Row d·(most + 1) + m, as `BracketSource.plan` has it."""
    by_levels = levels(grammar, most)
    with localcontext(_PRECISION):
        return Choices.of(
            _row(grammar, here, by_levels[d - 1], m) if m <= d else []
            for d, here in enumerate(by_levels)
            for m in range(most + 1)
        )
