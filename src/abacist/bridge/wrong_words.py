"""The shortest word found that a model gets wrong: all words while they are few, then telling ones."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from abacist.analysis import Horizon, Refutation, Search
from abacist.analysis.horizons import Configurations
from abacist.bridge.asking import ModelQuery
from abacist.bridge.scoring import scored
from abacist.corpora import pack_texts
from abacist.languages import Word

#: Of the words that are wrong, so many are shortened: those whose first mistake comes first.
_SHORTENED = 100


def wrong_among(query: ModelQuery, words: Sequence[Word], steps: str) -> dict[Word, int]:
    """Of some words those that the model gets wrong, with the first wrong step, from 0."""
    if not words:
        return {}
    packed = pack_texts(query.language, words, steps)
    first = scored(query.predictions(packed.symbols, packed.offsets), packed).first_wrong
    return {word: step for word, step in zip(words, first.tolist(), strict=True) if step >= 0}


def horizon_of(
    query: ModelQuery,
    every_word: Sequence[Sequence[Word]],
    further: dict[Word, int],
    steps: str,
    longest: int,
) -> Horizon:
    """How far all words were tried and right, and the shortest wrong word found.

    `further` are longer words that are wrong, with their first wrong steps.
    """
    proved, found = 0, dict[Word, int]()
    for length, words in enumerate(every_word, 1):
        found = wrong_among(query, words, steps)
        if found:
            break
        proved = length
    if not found and further:
        earliest = sorted(further, key=lambda word: (further[word], len(word)))[:_SHORTENED]
        shorter = [_ended(query, word[: further[word] + 1], steps) for word in earliest]
        found = wrong_among(query, list(dict.fromkeys(shorter)), steps) or further
    wrong = None if not found else _refutation(query, min(found, key=lambda word: (len(word), word)), steps)
    looked = max(longest, proved, 0 if wrong is None else len(wrong))
    return Horizon(proved, wrong, Search(to=looked), 0, looked=looked, language=query.language)


def _ended(query: ModelQuery, prefix: Word, steps: str) -> Word:
    """A beginning of a word with the shortest ending that it has."""
    known, number = Configurations(query.language), 0
    for symbol in prefix:
        known.expand(np.array([number]))
        number = int(known.successors[symbol, number])
    return (*prefix, *known.shortest_ending(number, least=int(steps == "last")))


def _refutation(query: ModelQuery, word: Word, steps: str) -> Refutation:
    packed = pack_texts(query.language, [word], steps)
    predicted = query.predictions(packed.symbols, packed.offsets)
    step = int(scored(predicted, packed).first_wrong[0])
    return Refutation(word, step + 1, _named(predicted[step]), _named(packed.targets[step]))


def _named(hot: NDArray[Any]) -> tuple[int, ...]:
    return tuple(map(int, np.flatnonzero(hot)))
