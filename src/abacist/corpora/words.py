"""Labelled words: what a network is trained and judged on."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from abacist.corpora.labels import label
from abacist.languages import Language

#: Which steps of a word count: all of them, or only the last prediction, that of its last symbol.
STEPS = ("all", "last")


@dataclass(frozen=True, eq=False)
class Words:
    """Words end to end with their labels; word i is `symbols[offsets[i]:offsets[i + 1]]`.

    `targets` is (symbol, output), and `counted`, (symbol,), says which steps count.
    """

    symbols: NDArray[Any]
    offsets: NDArray[np.int64]
    targets: NDArray[np.uint8]
    counted: NDArray[np.uint8]

    @classmethod
    def of(
        cls, language: Language[Any], symbols: NDArray[Any], offsets: NDArray[np.int64], steps: str
    ) -> Words:
        """Label words; `steps` says which of their steps count."""
        counted = np.ones(len(symbols), np.uint8)
        if steps == "last":
            lengths = np.diff(offsets)
            counted[:] = 0
            counted[offsets[1:][lengths > 1] - 2] = 1
        return cls(symbols, offsets, label(language, symbols, offsets).targets, counted)

    @classmethod
    def joined(cls, parts: Sequence[Words]) -> Words:
        """The words of all parts, one after the other."""
        ends = np.cumsum([len(part.symbols) for part in parts])
        offsets = [part.offsets[:-1] + end - len(part.symbols) for part, end in zip(parts, ends, strict=True)]
        return cls(
            np.concatenate([part.symbols for part in parts]),
            np.concatenate([*offsets, ends[-1:]]),
            np.concatenate([part.targets for part in parts]),
            np.concatenate([part.counted for part in parts]),
        )

    @property
    def lengths(self) -> NDArray[np.int64]:
        return np.diff(self.offsets)


def pack_texts(language: Language[Any], words: Iterable[Sequence[int]], steps: str = "all") -> Words:
    """Label words that are given one by one."""
    listed = [tuple(word) for word in words]
    offsets = np.concatenate(([0], np.cumsum([len(word) for word in listed]))).astype(np.int64)
    symbols = np.array([symbol for word in listed for symbol in word], np.uint8)
    return Words.of(language, symbols, offsets, steps)
