"""Edits once more, slowly and plainly, and the exact distribution of strings outside a language."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction

from abacist.corpora import Recipe
from abacist.languages import Word


def plain_edits(kind: str, word: Word, size: int) -> list[Word]:
    """What every edit of a kind makes of a word, in the order of their numbers."""
    places, symbols = range(len(word)), range(size)
    match kind:
        case "inserted":
            return [(*word[:p], s, *word[p:]) for p in places for s in symbols]
        case "deleted":
            return [word[:p] + word[p + 1 :] for p in places[:-1]]
        case "replaced":
            return [(*word[:p], s, *word[p + 1 :]) for p in places for s in symbols if s != word[p]]
        case "swapped":
            return [(*word[:p], word[p + 1], word[p], *word[p + 2 :]) for p in places[:-1]]
        case "truncated":
            return [word[:n] for n in range(1, len(word))]
        case "extended":
            return [(*word, s) for s in symbols]
    raise ValueError(kind)


def exact_shares(recipe: Recipe, kind: str) -> dict[Word, Fraction]:
    """How likely every string is to be the first of a kind that is drawn for a recipe's only split."""
    language, (split,) = recipe.language, recipe.splits
    weights = recipe.source.length_weights(language, split.window)
    shares: Counter[Word] = Counter()
    for length, weight in weights.items():
        for word in recipe.support.words(length):
            strings = [
                string
                for string in plain_edits(kind, word, len(language.alphabet))
                if string not in language and language.step(language.start, string[0]) is not None
            ]
            own = Fraction(recipe.source.word_weight(language, word, split.window, weight))
            for string in strings:
                shares[string] += own / len(strings)  # type: ignore[assignment]
    total = sum(shares.values())
    return {string: Fraction(share) / total for string, share in shares.items()}
