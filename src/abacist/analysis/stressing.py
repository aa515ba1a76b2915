"""Stress: the first wrong step of networks on families of structured words, length by length."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from abacist.analysis.stress_words import ALL_FAMILIES, Family, families_of
from abacist.corpora import Words
from abacist.corpora.packed import symbol_type
from abacist.engine.judging import prepare_all
from abacist.errors import BadInput
from abacist.fields import check_fields, checked, expect_each
from abacist.languages import Language, refuse_recogniser
from abacist.progress import Progress
from abacist.specs import Networks
from abacist.threads import ThreadPool

#: From twice the training window to ten thousand times as long.
LENGTHS = (100, 200, 500, 1_000, 2_000, 5_000, 10_000, 100_000, 1_000_000)

#: Steps are counted in float32, which knows all whole numbers up to 2²⁴.
LONGEST = 10_000_000


@dataclass(frozen=True, eq=False)
class Stress:
    """How far networks get: `wrong_at`, (network, family, length), is the first wrong step, from 1.

    It is 0 where no step is wrong. Of a family with several words it is that of the word that goes wrong
    first. `words`, (family, length), says how many words there are; where there are none, nothing is
    wrong. `lengths` are those that were wanted, `actual`, (family, length), those of the words.
    """

    lengths: tuple[int, ...]
    families: tuple[str, ...]
    words: NDArray[np.int64]
    actual: NDArray[np.int64]
    wrong_at: NDArray[np.int64]

    def __post_init__(self) -> None:
        check_fields(self)
        shape = (len(self.families), len(self.lengths))
        if not self.words.shape == self.actual.shape == self.wrong_at.shape[1:] == shape:
            raise BadInput(
                f"Stress: words and lengths must be (family, length), {shape}, got {self.words.shape}, "
                f"{self.actual.shape} and {self.wrong_at.shape}"
            )

    def __len__(self) -> int:
        return len(self.wrong_at)

    @property
    def left_out(self) -> tuple[str, ...]:
        """The families that have no words here."""
        return tuple(name for name, counts in zip(self.families, self.words, strict=True) if not counts.any())

    @property
    def still_right(self) -> NDArray[np.bool_]:
        """Whether a network is right at a length and at all shorter ones, (network, family, length)."""
        return np.logical_and.accumulate(self.wrong_at == 0, axis=2)

    @property
    def longest_right(self) -> NDArray[np.int64]:
        """The longest word up to which a network is right, (network, family); 0 where the first is wrong."""
        return np.asarray(np.where(self.still_right, self.actual, 0).max(axis=2, initial=0))


@checked
def stress(
    networks: Sequence[Networks],
    language: Language[Any],
    lengths: Sequence[int] = LENGTHS,
    *,
    families: Sequence[Family] = tuple(ALL_FAMILIES.values()),
    seed: int = 0,
    steps: str = "all",
    progress: Progress | None = None,
) -> list[Stress]:
    """Judge networks, of one shape in each of `networks`, on the words of all lengths and families.

    Families that are not for such a language are left out.
    """
    refuse_recogniser(language, "stress")
    lengths, families = _checked_lengths(lengths), families_of(language, families)
    for group in networks:
        group.check_language(language)
    shape = (len(families), len(lengths))
    wrong_at = [np.zeros((len(group), *shape), np.int64) for group in networks]
    counts, actual = np.zeros(shape, np.int64), np.zeros(shape, np.int64)
    done, total = 0, sum(lengths) * sum(map(len, networks))
    with ThreadPool(os.cpu_count() or 1) as pool:
        for place, length in enumerate(lengths):
            drawn = [family.words(language, length, seed=seed) for family in families]
            counts[:, place] = [len(words) for words in drawn]
            actual[:, place] = [len(words[0]) if words else 0 for words in drawn]
            texts = [np.zeros(0, symbol_type(language)), *(word for words in drawn for word in words)]
            symbols = np.concatenate(texts, dtype=symbol_type(language), casting="unsafe")
            labelled = Words.of(language, symbols, np.cumsum([*map(len, texts)]), steps)
            ends = np.cumsum([0, *counts[:, place]])
            for group, group_wrong_at in zip(networks, wrong_at, strict=True):
                judge_one = prepare_all(group, labelled)
                mistakes = np.stack([*pool.map(judge_one, range(len(group)))])
                for number, (begin, end) in enumerate(pairwise(ends.tolist())):
                    group_wrong_at[:, number, place] = _first(mistakes[:, begin:end])
                done += length * len(group)
                if progress is not None:
                    progress(done / total)
    names = tuple(family.name for family in families)
    return [Stress(lengths, names, counts, actual, group_wrong_at) for group_wrong_at in wrong_at]


def _checked_lengths(lengths: Sequence[int]) -> tuple[int, ...]:
    expect_each("stress: each of lengths", lengths, int)
    checked_lengths = tuple(map(int, lengths))
    if not checked_lengths or any(a >= b for a, b in pairwise(checked_lengths)):
        raise BadInput(f"stress: lengths must be rising numbers, at least one, got {[*checked_lengths]}")
    for length in (checked_lengths[0], checked_lengths[-1]):
        if not 1 <= length <= LONGEST:
            raise BadInput(f"stress: lengths must be from 1 to {LONGEST:,}, got {length:,}")
    return checked_lengths


def _first(mistakes: NDArray[np.int64]) -> NDArray[np.int64]:
    """Of (network, word) the first wrong step on any word, from 1, (network,); 0 if there is none."""
    never = np.iinfo(np.int64).max
    first = np.where(mistakes < 0, never, mistakes).min(axis=1, initial=never)
    return np.where(first == never, 0, first + 1)
