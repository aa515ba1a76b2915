"""Words packed by hand into corpora, right or wrong."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from abacist.corpora import Corpora, Corpus, Recipe, Split, Uniform, Window, draw, paper_recipe
from abacist.languages import Language, Word, language_named


def pack(words: Iterable[Word]) -> tuple[NDArray[np.uint8], NDArray[np.int64]]:
    """Symbols end to end, and where each word begins."""
    listed = list(words)
    flat = [symbol for word in listed for symbol in word]
    return np.array(flat, np.uint8), np.cumsum([0, *map(len, listed)], dtype=np.int64)


def corpus_of(language: Language[Any], words: Sequence[Word]) -> Corpus:
    """A corpus of any words, under a recipe that merely names the language."""
    split = Split("words", Window(1, 12), len(words))
    recipe = Recipe(language, Uniform(), (split,), distinct=False)
    return Corpus(recipe, split, *pack(words))


def with_words(corpora: Corpora, name: str, words: Sequence[Word]) -> Corpora:
    """The same corpora with other words in one split, whatever the recipe says."""
    return Corpora(
        corpora.recipe,
        tuple(
            Corpus(c.recipe, c.split, *pack(words)) if c.split.name == name else replace(c) for c in corpora
        ),
    )


@cache
def paper_corpora(name: str, seed: int = 0) -> Corpora:
    """The paper's three sets for a language, drawn once for all tests."""
    return draw(paper_recipe(language_named(name), seed=seed))
