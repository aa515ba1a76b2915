"""Words on the device: a number for each step, those of all corpora side by side, slot after slot.

A number has the symbol in its lowest bits, then whether the step counts, then a bit for each output.
Neighbouring threads read neighbouring corpora, step by step.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from abacist.corpora import Words
from abacist.targets.cuda.training_program import COUNTED_BIT, TARGET_BIT

Array = NDArray[Any]


@dataclass(frozen=True)
class Slots:
    """Words of several corpora, each in its slot.

    codes (step, corpus), lengths and scales (slot, corpus), starts (slot,), and `corpus_of` (run,), the
    corpus that each run has.
    """

    codes: NDArray[np.uint32]
    lengths: NDArray[np.int32]
    scales: Array
    starts: NDArray[np.int32]
    corpus_of: NDArray[np.int32]


def codes_of(words: Words) -> NDArray[np.uint32]:
    """A number for each step of some words."""
    codes = words.symbols.astype(np.uint32)
    codes |= words.counted.astype(np.uint32) << np.uint32(COUNTED_BIT)
    for output in range(words.targets.shape[1]):
        codes |= (words.targets[:, output] == 1).astype(np.uint32) << np.uint32(TARGET_BIT + output)
    return codes


def packed(words: Sequence[Words], slots: Sequence[NDArray[np.int64]], precision: str) -> Slots:
    """Each run's words in its slots; runs with the very same words and slots share a corpus."""
    corpora: dict[tuple[int, bytes], int] = {}
    corpus_of = np.empty(len(words), np.int32)
    chosen: list[int] = []
    for run, (own, order) in enumerate(zip(words, slots, strict=True)):
        key = id(own), order.tobytes()
        if key not in corpora:
            corpora[key] = len(corpora)
            chosen.append(run)
        corpus_of[run] = corpora[key]
    count = max(len(slots[run]) for run in chosen)
    lengths = np.zeros((count, len(chosen)), np.int32)
    for corpus, run in enumerate(chosen):
        lengths[: len(slots[run]), corpus] = words[run].lengths[slots[run]]
    longest = lengths.max(axis=1, initial=0)
    starts = np.concatenate(([0], np.cumsum(longest)))
    codes = np.zeros((int(starts[-1]) + 1, len(chosen)), np.uint32)
    scales = np.zeros((count, len(chosen)), precision)
    for corpus, run in enumerate(chosen):
        own, order = words[run], slots[run]
        sizes = own.lengths[order]
        ends = np.cumsum(sizes)
        step = np.arange(int(ends[-1]) if len(ends) else 0) - np.repeat(ends - sizes, sizes)
        source = np.repeat(own.offsets[order], sizes) + step
        codes[np.repeat(starts[: len(order)], sizes) + step, corpus] = codes_of(own)[source]
        before = np.concatenate(([0], np.cumsum(own.counted, dtype=np.int64)))
        counted = before[own.offsets[1:]] - before[own.offsets[:-1]]
        scales[: len(order), corpus] = 1 / (np.maximum(counted[order], 1) * own.targets.shape[1])
    return Slots(codes, lengths, scales, starts[:-1].astype(np.int32), corpus_of)
