"""What a corpus looks like, and what it guarantees."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from abacist.corpora.corpus import Corpora, Corpus
from abacist.corpora.grammar import bracket_pairs
from abacist.corpora.labels import label
from abacist.errors import BadInput
from abacist.fields import expect
from abacist.languages import Dyck


@dataclass(frozen=True)
class Distribution:
    """How often each value occurs."""

    values: tuple[int, ...]
    counts: tuple[int, ...]

    @classmethod
    def of(cls, data: NDArray[np.int64]) -> Distribution:
        values, counts = np.unique(data, return_counts=True)
        return cls(tuple(values.tolist()), tuple(counts.tolist()))

    @property
    def mean(self) -> float:
        return sum(v * c for v, c in zip(self.values, self.counts, strict=True)) / sum(self.counts)

    @property
    def median(self) -> float:
        return float(np.median(np.repeat(self.values, self.counts)))

    def as_dict(self) -> dict[str, Any]:
        return {
            "min": self.values[0],
            "median": self.median,
            "mean": round(self.mean, 3),
            "max": self.values[-1],
            "counts": {str(v): c for v, c in zip(self.values, self.counts, strict=True)},
        }


@dataclass(frozen=True)
class Summary:
    """The distributions of a corpus. `turns` counts all turns of all counters of a word.

    `crossing` is the share of words in which brackets cross, None where there are no brackets.
    """

    name: str
    words: int
    symbols: int
    lengths: Distribution
    depths: Distribution
    turns: Distribution
    crossing: float | None

    def as_dict(self) -> dict[str, Any]:
        return {
            "words": self.words,
            "symbols": self.symbols,
            "lengths": self.lengths.as_dict(),
            "maximum depths": self.depths.as_dict(),
            "turns": self.turns.as_dict(),
            "crossing": self.crossing,
        }


def summarise(corpus: Corpus) -> Summary:
    """Lengths, maximum depths, turns and crossings of a corpus."""
    expect("summarise: corpus", corpus, Corpus)
    return Summary(
        corpus.split.name,
        len(corpus),
        len(corpus.symbols),
        Distribution.of(corpus.lengths),
        Distribution.of(corpus.maximum_depths()),
        Distribution.of(corpus.turns().sum(axis=1)),
        crossing_share(corpus),
    )


def crossing_share(corpus: Corpus) -> float | None:
    """The share of words in which brackets cross: those outside Dyck-k."""
    expect("crossing_share: corpus", corpus, Corpus)
    try:
        pairs = bracket_pairs(corpus.language)
    except BadInput:
        return None
    return float((label(Dyck(pairs), corpus.symbols, corpus.offsets).left_at >= 0).mean())


@dataclass(frozen=True)
class Guarantee:
    """A statement about corpora, and whether it was found to hold."""

    statement: str
    holds: bool


def check(corpora: Corpora) -> Iterator[Guarantee]:
    """Check what a set of corpora promises, from the words alone."""
    expect("check: corpora", corpora, Corpora)
    seen: dict[str, set[bytes]] = {}
    for corpus in corpora:
        name, window = corpus.split.name, corpus.split.window
        words = {corpus.symbols[a:b].tobytes() for a, b in pairwise(corpus.offsets)}
        yield Guarantee(f"{name}: has {corpus.split.count:,} words", len(corpus) == corpus.split.count)
        lengths = corpus.lengths
        inside = bool(((lengths >= window.low) & (lengths <= window.high)).all())
        yield Guarantee(f"{name}: all lengths lie in {window}", inside)
        members = bool((label(corpus.language, corpus.symbols, corpus.offsets).left_at < 0).all())
        yield Guarantee(f"{name}: all words are in {corpus.language.name}", members)
        if corpora.recipe.distinct:
            yield Guarantee(f"{name}: all words are distinct", len(words) == len(corpus))
            for other, others in seen.items():
                yield Guarantee(f"{name}: no word is also in {other}", words.isdisjoint(others))
        seen[name] = words
