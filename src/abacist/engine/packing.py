"""Words in the order in which lanes read them: a byte a lane, step after step.

For training, a lane is a run. Each run's words are sorted by length, so that slot i holds
words of nearly equal length in every lane; a slot is as long as its longest word. For
judging, a lane is a word, and words of nearly equal length make a group.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from abacist.corpora import label
from abacist.engine.lane_memory import aligned
from abacist.languages import Language

Array = NDArray[Any]


@dataclass(frozen=True)
class Words:
    """Packed words and their labels: what packing needs of a corpus."""

    symbols: Array
    offsets: NDArray[np.int64]
    targets: NDArray[np.uint8]
    counted: NDArray[np.uint8]

    @classmethod
    def of(cls, language: Language[Any], symbols: Array, offsets: NDArray[np.int64], steps: str) -> Words:
        """Label words; `steps` says which of their steps count."""
        counted = np.ones(len(symbols), np.uint8)
        if steps == "last":
            lengths = np.diff(offsets)
            counted[:] = 0
            counted[offsets[1:][lengths > 1] - 2] = 1
        return cls(symbols, offsets, label(language, symbols, offsets).targets, counted)

    @property
    def lengths(self) -> NDArray[np.int64]:
        return np.diff(self.offsets)


@dataclass(frozen=True)
class Packed:
    """Slots of words side by side: see the programs for the shapes."""

    starts: NDArray[np.int64]
    lengths: NDArray[np.int64]
    codes: Array
    counted: Array
    targets: Array
    scales: Array


def pack(
    columns: Sequence[tuple[Words, NDArray[np.int64]]], inputs: int, lanes: int, precision: str
) -> Packed:
    """Lay words side by side: column l holds, slot by slot, the words that its order names.

    Past the end of a word its code is `inputs`, which no symbol has, and no step counts.
    """
    outputs = columns[0][0].targets.shape[1]
    slots = max(len(order) for _, order in columns)
    lengths = np.zeros(slots, np.int64)
    for words, order in columns:
        np.maximum(lengths[: len(order)], words.lengths[order], out=lengths[: len(order)])
    starts = np.concatenate(([0], np.cumsum(lengths)))
    total = int(starts[-1])
    codes = aligned((total, lanes), np.uint8)
    codes[:] = inputs
    counted, targets = aligned((total, lanes), np.uint8), aligned((total, outputs, lanes), np.uint8)
    scales = aligned((slots, lanes), precision)
    for lane in range(lanes):
        words, order = columns[lane % len(columns)]
        own = words.lengths[order]
        within = np.arange(own.sum()) - np.repeat(np.cumsum(own) - own, own)
        source = np.repeat(words.offsets[order], own) + within
        target = np.repeat(starts[: len(order)], own) + within
        codes[target, lane] = words.symbols[source]
        counted[target, lane] = words.counted[source]
        targets[target, :, lane] = words.targets[source]
        running = np.concatenate(([0], np.cumsum(words.counted[source], dtype=np.int64)))
        sums = running[np.cumsum(own)] - running[np.cumsum(own) - own]
        scales[: len(order), lane] = 1 / (np.maximum(sums, 1) * outputs)
    flat = (array.reshape(-1) for array in (codes, counted, targets, scales))
    return Packed(starts[:-1], lengths, *flat)


def pack_runs(runs: Sequence[Words], inputs: int, lanes: int, precision: str) -> Packed:
    """A lane for each run; lanes without a run repeat the runs there are."""
    return pack([(w, np.argsort(w.lengths, kind="stable")) for w in runs], inputs, lanes, precision)


def pack_words(words: Words, inputs: int, lanes: int, precision: str) -> tuple[Packed, NDArray[np.int64]]:
    """A lane for each word; also the number of the word at every place, (group × lane)."""
    order = np.argsort(words.lengths, kind="stable")
    padded = np.concatenate((order, np.full(-len(order) % lanes, order[-1])))
    places = padded.reshape(-1, lanes)
    return pack([(words, places[:, lane]) for lane in range(lanes)], inputs, lanes, precision), padded
