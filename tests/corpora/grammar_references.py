"""What the grammar says about lengths and words, found by other ways than the package's."""

from __future__ import annotations

from decimal import Decimal, localcontext
from fractions import Fraction
from functools import cache
from math import sqrt
from random import Random

from abacist.corpora import Grammar
from abacist.languages import Word

PAPER = Grammar()
GRAMMARS = [
    PAPER,
    Grammar(Fraction(3, 5), Fraction(3, 10)),
    Grammar(Fraction(1, 5), Fraction(2, 5)),
    Grammar(Fraction(1, 10), Fraction(9, 20)),
    Grammar(Fraction(1, 100), Fraction(1, 100)),
    Grammar(Fraction(2, 3), Fraction(1, 7)),
]


def length_probabilities(grammar: Grammar, longest: int) -> list[float]:
    """P(0) … P(longest) in floats, by the two formulas of the design."""
    p, q = float(grammar.p), float(grammar.q)
    e = 1 - p - q
    empty = (1 - sqrt(1 - 4 * q * e)) / (2 * q)
    result = [empty]
    for n in range(1, longest + 1):
        inside = p * result[n - 2] if n >= 2 else 0.0
        splits = q * sum(result[k] * result[n - k] for k in range(2, n - 1))
        result.append((inside + splits) / (1 - 2 * q * empty))
    return result


def inside_probability(grammar: Grammar, pairs: int, word: Word) -> Decimal:
    """The probability that S derives a word: the inside algorithm over all its stretches.

    A stretch may be split into an empty one and itself, so its probability x solves an
    equation x = a + b·x; as for the empty word, x = e + q·x², it is the limit of what
    derivations of height 1, 2, 3, … bring. Nothing is solved for here: the limit is taken.
    """
    with localcontext(prec=50):
        p = Decimal(grammar.p.numerator) / grammar.p.denominator
        q = Decimal(grammar.q.numerator) / grammar.q.denominator
        e = 1 - p - q

        def limit(a: Decimal, linear: Decimal, square: Decimal) -> Decimal:
            x, last = Decimal(0), Decimal(-1)
            while abs(x - last) > Decimal("1e-45") * x:
                x, last = a + linear * x + square * x * x, x
            return x

        empty = limit(e, Decimal(0), q)

        @cache
        def inside(start: int, end: int) -> Decimal:
            if start == end:
                return empty
            known = Decimal(0)
            opening, closing = word[start], word[end - 1]
            if end - start >= 2 and opening % 2 == 0 and closing == opening + 1:
                known += p / pairs * inside(start + 1, end - 1)
            for middle in range(start + 1, end):
                known += q * inside(start, middle) * inside(middle, end)
            return limit(known, 2 * q * empty, Decimal(0)) if known else known

        return inside(0, len(word))


def derive(grammar: Grammar, pairs: int, random: Random, cutoff: int) -> Word | None:
    """One run of the grammar as it stands, given up once it has written more than `cutoff` symbols."""
    p, q = float(grammar.p), float(grammar.q)
    word: list[int] = []
    waiting = [-1]  # −1 for S, else a closing bracket
    while waiting:
        item = waiting.pop()
        if item >= 0:
            word.append(item)
        else:
            u = random.random()
            if u < p:
                pair = random.randrange(pairs)
                word.append(2 * pair)
                waiting += [2 * pair + 1, -1]
            elif u < p + q:
                waiting += [-1, -1]
        if len(word) > cutoff:
            return None
    return tuple(word)
