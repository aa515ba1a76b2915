"""Uniform draws: every word of a length is equally likely, exactly, by counting.

A language is a shuffle of parts (perhaps of one). How the length is divided among the
parts is drawn by the exact number of words for each division; then the parts are
interleaved uniformly, and each part is a uniform word of its own length.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from math import comb
from typing import Any

from abacist.corpora.choices import Choices
from abacist.corpora.grammar import Grammar
from abacist.errors import BadInput
from abacist.languages import Blocks, Dyck, Language, Shuffle, word_counts

#: Dividing longer words among the parts of a shuffle would need tables of gigabytes.
LONGEST_SHUFFLE = 1_200
LONGEST = 10_000


@dataclass(frozen=True)
class Uniform:
    """Uniform words. Their lengths follow `lengths`, or else all words of the window are equally likely.

    Most words of a window have nearly its greatest length; with a grammar's lengths, a
    uniform corpus differs from the grammar's in its words and not in their lengths.
    """

    lengths: Grammar | None = None

    def __str__(self) -> str:
        return "uniform" if self.lengths is None else f"uniform, lengths by {self.lengths}"


def parts_of(language: Language[Any]) -> tuple[Language[Any], ...]:
    """The languages that are interleaved, one if it is no shuffle."""
    parts = language.parts if isinstance(language, Shuffle) else (language,)
    for part in parts:
        if not isinstance(part, Dyck | Blocks):
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
