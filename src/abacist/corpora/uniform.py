"""Uniform draws: every word of a length is equally likely, exactly, by counting.

A language is a shuffle of parts (perhaps of one). How the length is divided among the
parts is drawn by the exact number of words for each division; then the parts are
interleaved uniformly, and each part is a uniform word of its own length.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache
from math import comb
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from abacist.corpora.choices import Choices, Weight
from abacist.corpora.continuations import Counted
from abacist.corpora.derivation_tables import tables_of_parts
from abacist.corpora.grammar import Grammar
from abacist.corpora.source import Fill, Source
from abacist.corpora.window import Window
from abacist.errors import BadInput
from abacist.fields import check_fields
from abacist.languages import AutomatonLanguage, Blocks, Dyck, Language, Shuffle, Word, word_counts
from abacist.on_demand import on_demand

kernels = on_demand("abacist.corpora.kernels")  # Numba is slow to import, and not everyone draws
derivation_kernels = on_demand("abacist.corpora.derivation_kernels")

#: Dividing longer words among the parts of a shuffle would need tables of gigabytes.
LONGEST_SHUFFLE = 1_200
LONGEST = 10_000


@dataclass(frozen=True)
class Uniform(Source):
    """Uniform words. Their lengths follow `lengths`, or else all words of the window are equally likely.

    Most words of a window have nearly its greatest length; with a grammar's lengths, a
    uniform corpus differs from the grammar's in its words and not in their lengths. The `nested` ones of a
    shuffle are those of its words in which no brackets cross.
    """

    lengths: Grammar | None = None
    nested: bool = False

    words: ClassVar[str] = "uniform"

    def __post_init__(self) -> None:
        check_fields(self)

    def __str__(self) -> str:
        kind = "uniform without crossings" if self.nested else "uniform"
        return kind if self.lengths is None else f"{kind}, lengths by {self.lengths}"

    def values(self) -> dict[str, str | None]:
        values: dict[str, str | None] = {"grammar": None} if self.lengths is None else self.lengths.values()
        return values | {"nested": "yes"} if self.nested else values

    @classmethod
    def from_values(cls, values: Mapping[str, Any]) -> Uniform:
        lengths = None if values["grammar"] is None else Grammar.from_values(values)
        return cls(lengths, values.get("nested") == "yes")

    def support(self, language: Language[Any]) -> Language[Any]:
        if self.nested:
            return Grammar().support(language)
        parts_of(language)
        return language

    def counts(self, language: Language[Any], longest: int) -> list[int]:
        counts = super().counts(language, longest)
        if self.lengths is not None:
            counts[1::2] = [0] * len(counts[1::2])  # the grammar has no odd lengths
        return counts

    def longest(self, language: Language[Any]) -> int:
        most = LONGEST if self.lengths is None else self.lengths.longest(language)
        return min(most, longest_uniform(self.support(language)))

    def length_weights(self, language: Language[Any], window: Window) -> dict[int, Weight]:
        counts = self.counts(language, window.high)
        weights: Sequence[Weight] = counts
        if self.lengths is not None:
            weights = self.lengths.length_probabilities(window.high)
        return {n: weights[n] for n in window.lengths if counts[n] and weights[n]}

    def word_weight(
        self, language: Language[Any], word: Word, window: Window, length_weight: Weight
    ) -> Weight:
        return 1 if self.lengths is None else Decimal(length_weight) / self.support(language).count(len(word))

    def continuations(self, language: Language[Any], window: Window) -> Counted:
        return Counted(self.support(language), self.length_weights(language, window))

    def filler(self, language: Language[Any], longest: int) -> Fill:
        return uniform_filler(self.support(language), longest)


def longest_uniform(language: Language[Any]) -> int:
    """The length of the longest words that can be drawn uniformly by tables of a reasonable size."""
    parts = parts_of(language)
    own = [part.longest for part in parts if isinstance(part, AutomatonLanguage)]
    return min([LONGEST if len(parts) == 1 else LONGEST_SHUFFLE, *own])


def uniform_filler(language: Language[Any], longest: int) -> Fill:
    """A function that draws uniform words of up to some length into a pool."""
    parts = parts_of(language)
    plan, table = division_choices(parts, longest).arrays, part_table(parts)
    if not any(isinstance(part, AutomatonLanguage) for part in parts):
        return lambda rng, lengths, *pool: kernels.fill_uniformly(rng, lengths, plan, table, *pool)
    tables, goals = tables_of_parts(parts, longest)
    table, arrays = np.column_stack((table, goals)), tables.arrays
    fill = derivation_kernels.fill_by_derivations
    return lambda rng, lengths, *pool: fill(rng, lengths, plan, table, arrays, *pool)


def parts_of(language: Language[Any]) -> tuple[Language[Any], ...]:
    """The languages that are interleaved, one if it is not a shuffle."""
    parts = language.parts if isinstance(language, Shuffle) else (language,)
    for part in parts:
        if not isinstance(part, Dyck | Blocks | AutomatonLanguage):
            raise BadInput(f"{part.name}: no uniform sampler is known for this language")
    return parts


@lru_cache(maxsize=16)
def division_choices(parts: tuple[Language[Any], ...], longest: int) -> Choices:
    """For part i and r symbols left to parts i, i+1, …: how many of them part i takes.

    Row i·(longest + 1) + r; the last part takes all that is left and has no rows.
    """
    cap = LONGEST if len(parts) == 1 else LONGEST_SHUFFLE
    if longest > cap:
        raise BadInput(f"Uniform: lengths must be at most {cap:,} here, got {longest:,}")
    rows: list[list[tuple[int, int]]] = []
    for index, part in enumerate(parts[:-1]):
        own = part.counts(longest)
        rest = word_counts(parts[index + 1 :], longest)
        rows += [
            [(k, comb(r, k) * own[k] * rest[r - k]) for k in range(r + 1) if own[k] and rest[r - k]]
            for r in range(longest + 1)
        ]
    return Choices.of(rows)


def part_table(parts: tuple[Language[Any], ...]) -> NDArray[np.int64]:
    """For every part, (first symbol, pairs of Dyck or 0, blocks of Blocks or 0).

    A part of another kind has tables of its own; see `derivation_tables`.
    """
    rows, first = [], 0
    for part in parts:
        pairs = part.pairs if isinstance(part, Dyck) else 0
        blocks = part.blocks if isinstance(part, Blocks) else 0
        rows.append((first, pairs, blocks))
        first += len(part.alphabet)
    return np.array(rows, np.int64)
