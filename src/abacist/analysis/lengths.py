"""Accuracy by length and by depth, far past what networks were trained on.

Words are judged a lane each, without keeping the history of any.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from abacist.corpora import Corpus, Grammar, Source, Window, Words, default_source, sample
from abacist.engine import first_mistakes
from abacist.errors import BadInput
from abacist.fields import checked
from abacist.languages import Language
from abacist.specs import Networks
from abacist.threads import ThreadPool

#: Grammars from the paper's to ones that hardly ever branch, whose words are as deep as half their length.
DEEPENING = tuple(Grammar(Fraction(1, 2), Fraction(1, 4**n)) for n in range(1, 8))


@dataclass(frozen=True, eq=False)
class Curve:
    """Shares of accepted words: `shares` is (network, point), `at` and `words` are (point).

    `at` is the mean length or depth of a point's words, `words` their number.
    """

    at: NDArray[np.float64]
    words: NDArray[np.int64]
    shares: NDArray[np.float64]


@checked
def draw_by_length(
    language: Language[Any],
    lengths: Sequence[int],
    count: int,
    *,
    seed: int,
    sources: Sequence[Source] | None = None,
) -> list[Corpus]:
    """`count` words of each length from each source, the paper's by default; words may be repeated."""
    chosen = (default_source(language),) if sources is None else tuple(sources)
    pairs = [(length, source) for length in lengths for source in chosen]
    drawn = {
        number: sample(language, source, Window(length, length), count, seed=seed + number, distinct=False)
        for number, (length, source) in sorted(enumerate(pairs), key=lambda item: -item[1][0])
    }  # the longest first: a source's tables for shorter words are the beginnings of its longest
    return [drawn[number] for number in range(len(pairs))]


@checked
def accuracy_by_length(networks: Networks, drawn: Sequence[Corpus], *, steps: str = "all") -> Curve:
    """Judge every network on all words; a point for every length that there is."""
    right = _accepted(networks, drawn, steps)
    lengths = np.concatenate([corpus.lengths for corpus in drawn])
    return _gathered(lengths, right, [lengths == length for length in np.unique(lengths)])


@checked
def accuracy_by_depth(
    networks: Networks,
    drawn: Sequence[Corpus],
    edges: Sequence[int],
    *,
    steps: str = "all",
    at_least: int = 20,
) -> Curve:
    """Judge every network on all words, gathered by their maximum depth; a word counts once.

    A point holds the depths from one edge up to the next, that one not included; points of
    fewer than `at_least` words are left out.
    """
    if len(edges) < 2 or any(a >= b for a, b in pairwise(edges)):
        raise BadInput(f"accuracy_by_depth: edges must be at least two rising numbers, got {list(edges)}")
    right = _accepted(networks, drawn, steps)
    depths = np.concatenate([corpus.maximum_depths() for corpus in drawn])
    words = [word for corpus in drawn for word in corpus]
    first = {word: number for number, word in reversed(list(enumerate(words)))}
    once = np.array([first[word] == number for number, word in enumerate(words)], bool)
    bins = [once & (depths >= low) & (depths < high) for low, high in pairwise(edges)]
    return _gathered(depths, right, [inside for inside in bins if inside.sum() >= max(at_least, 1)])


def _accepted(networks: Networks, drawn: Sequence[Corpus], steps: str) -> NDArray[np.bool_]:
    """Which words each network accepts, (network, word)."""
    if not drawn:
        raise BadInput("accuracy: there must be words to judge, got none")
    if others := {corpus.language for corpus in drawn} - {drawn[0].language}:
        names = drawn[0].language.name, others.pop().name
        raise BadInput(f"accuracy: all words must be of one language, got {' and '.join(names)}")
    words = Words.joined(
        [Words.of(corpus.language, corpus.symbols, corpus.offsets, steps) for corpus in drawn]
    )
    with ThreadPool(os.cpu_count() or 1) as pool:
        mistakes = pool.map(lambda run: first_mistakes(networks, run, words), range(len(networks)))
        return np.stack(list(mistakes)) < 0


def _gathered(
    measured: NDArray[np.int64], right: NDArray[np.bool_], groups: list[NDArray[np.bool_]]
) -> Curve:
    shares = np.zeros((len(right), len(groups)))
    for number, inside in enumerate(groups):
        shares[:, number] = right[:, inside].mean(axis=1)
    at = np.array([measured[inside].mean() for inside in groups], np.float64)
    return Curve(at, np.array([inside.sum() for inside in groups], np.int64), shares)
