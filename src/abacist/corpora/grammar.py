"""The paper's probabilistic grammar: S → (S) with p, SS with q, ε with 1 − p − q.

Each pair of brackets is equally likely at (S). At the paper's p = 1/2, q = 1/4 this is
a critical branching process, so cutting the recursion off would distort it. Instead,
the probability P(n) of every length n is computed first, and a word of length n is
drawn top-down: (S) with weight p·P(n−2), or a split into two non-empty parts with
weight q·P(k)·P(n−k). Splits into an empty and a full part change nothing but the
normalisation: they leave a factor 1 / (1 − 2q·P(0)).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Context, Decimal, localcontext
from fractions import Fraction
from functools import cache, lru_cache
from typing import Any, ClassVar

from abacist.corpora.choices import Choices, Weight
from abacist.corpora.derived_continuations import Derived, Level
from abacist.corpora.paper import PAPER
from abacist.corpora.source import Fill, Source
from abacist.corpora.window import Window
from abacist.errors import BadInput
from abacist.fields import expect
from abacist.languages import Dyck, Language, Shuffle, Word, catalan
from abacist.on_demand import on_demand

kernels = on_demand("abacist.corpora.kernels")  # Numba is slow to import, and not everyone draws

#: Lengths beyond this would need tables of hundreds of megabytes.
LONGEST = 4_000

PRECISION = Context(prec=60)


@dataclass(frozen=True)
class Grammar(Source):
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

    def support(self, language: Language[Any]) -> Language[Any]:
        """Dyck-k, also where the language is Shuffle-k."""
        return Dyck(bracket_pairs(language)).renamed(language.alphabet.glyphs)

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
        own = derived_level(self, _half_length_probabilities(self, window.high // 2)[: window.high // 2 + 1])
        return Derived(bracket_pairs(language), float(self.p), window, lambda depth: own)

    def filler(self, language: Language[Any], longest: int) -> Fill:
        plan, pairs, nested = self.choices(longest).arrays, bracket_pairs(language), (0, longest // 2 + 1)
        return lambda rng, lengths, *pool: kernels.fill_from_grammar(rng, lengths, plan, nested, pairs, *pool)

    @property
    def _empty(self) -> Fraction:
        return 1 - self.p - self.q

    def length_probabilities(self, longest: int) -> list[Decimal]:
        """P(n) for n = 0 … longest, to 50 digits; odd lengths have none.

        >>> [round(float(P), 4) for P in Grammar().length_probabilities(4)]
        [0.2679, 0.0, 0.1547, 0.0, 0.0962]
        """
        if longest > LONGEST:
            raise BadInput(f"Grammar: lengths must be at most {LONGEST:,}, got {longest:,}")
        halves = _half_length_probabilities(self, longest // 2)
        return [Decimal(0) if n % 2 else halves[n // 2] for n in range(longest + 1)]

    def choices(self, longest: int) -> Choices:
        """For every number m of pairs: 0 for (S), or k for a split into k and m − k pairs."""
        most, tables = longest // 2, _tables_of(self)
        known = tables.choices
        if len(known.rows) <= most + 1:
            half = _half_length_probabilities(self, most)
            with localcontext(PRECISION):
                p, q = decimal(self.p), decimal(self.q)
                more = (
                    [(0, p * half[m - 1])] + [(k, q * half[k] * half[m - k]) for k in range(1, m)]
                    for m in range(len(known.rows) - 1, most + 1)
                )
                known = tables.choices = known.followed_by(Choices.of(more))
        return known.first(most + 1)

    def probability(self, pairs: int, word: Sequence[int]) -> Decimal:
        """The probability that the grammar over `pairs` pairs derives a word of Dyck-n.

        A word of k ≥ 1 blocks (w₁) … (w_k) is derived by all binary trees with these k
        leaves and any number of empty ones, of total weight A_k = C_{k−1} q^{k−1} s^{1−2k}
        with s = √(1 − 4q(1−p−q)), times p/n and the probability of the inside for every block.
        """
        with localcontext(PRECISION):
            p, q = decimal(self.p) / pairs, decimal(self.q)
            root = (1 - 4 * q * decimal(self._empty)).sqrt()
            empty = _half_length_probabilities(self, 0)[0]
            result, blocks = Decimal(1), [0]
            for symbol in word:
                if symbol % 2 == 0:
                    blocks[-1] += 1
                    blocks.append(0)
                    result *= p
                else:
                    result *= forest_weight(blocks.pop(), q, root, empty)
            return result * forest_weight(blocks.pop(), q, root, empty)


def bracket_pairs(language: Language[Any]) -> int:
    """How many pairs of brackets the grammar needs for a language's words."""
    expect("bracket_pairs: language", language, Language)
    parts = language.parts if isinstance(language, Shuffle) else (language,)
    if not parts or not all(isinstance(part, Dyck) for part in parts):
        raise BadInput(
            f"{language.name}: the grammar draws only brackets, and this language has other symbols"
        )
    return len(language.alphabet) // 2


def decimal(value: Fraction) -> Decimal:
    """A fraction in the precision of the context."""
    return Decimal(value.numerator) / Decimal(value.denominator)


def forest_weight(blocks: int, q: Decimal, root: Decimal, empty: Decimal) -> Decimal:
    """What an S weighs that becomes so many blocks: see `Grammar.probability`."""
    if blocks == 0:
        return empty
    return catalan(blocks - 1) * q ** (blocks - 1) / root ** (2 * blocks - 1)


def derived_level(
    grammar: Grammar, here: Sequence[Decimal], inside: Sequence[Decimal] | None = None
) -> Level:
    """A depth of nesting at which lengths have the probabilities `here`; `inside`, the same if none."""

    @cache
    def forest(blocks: int) -> float:
        with localcontext(PRECISION):
            q, empty = decimal(grammar.q), here[0]
            return float(forest_weight(blocks, q, 1 - 2 * q * empty, empty))

    return Level(float(grammar.p), forest, [float(chance) for chance in inside or here])


class _Tables:
    """The longest tables of a grammar so far: shorter ones are their beginnings.

    They are replaced, never changed, so that threads may ask at the same time.
    """

    def __init__(self) -> None:
        self.half: tuple[Decimal, ...] = ()
        self.choices = Choices.of([[]])  # with no pairs there is nothing to choose


@lru_cache(maxsize=16)
def _tables_of(grammar: Grammar) -> _Tables:
    return _Tables()


def _half_length_probabilities(grammar: Grammar, most: int) -> Sequence[Decimal]:
    """P(2m) for m = 0 … most, and perhaps more."""
    tables = _tables_of(grammar)
    known = tables.half
    if len(known) <= most:
        known = tables.half = _longer(grammar, known, most)
    return known


def _longer(grammar: Grammar, known: Sequence[Decimal], most: int) -> tuple[Decimal, ...]:
    with localcontext(PRECISION):
        p, q, e = decimal(grammar.p), decimal(grammar.q), decimal(grammar._empty)
        root = (1 - 4 * q * e).sqrt()  # = 1 − 2q·P(0)
        half = list(known) or [2 * e / (1 + root)]  # = (1 − root) / 2q, without cancellation
        for m in range(len(half), most + 1):
            splits = 2 * sum((half[k] * half[m - k] for k in range(1, (m + 1) // 2)), Decimal(0))
            if m % 2 == 0:
                splits += half[m // 2] ** 2
            half.append((p * half[m - 1] + q * splits) / root)
        return tuple(half)
