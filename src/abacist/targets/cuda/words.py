"""Words for a device: a number for each step, those of all corpora side by side, slot after slot.

A number has the symbol in its lowest bits, then whether the step counts, then a bit for each output.
Neighbouring threads read neighbouring corpora, step by step. Here words are still end to end, as they were
drawn; the device lays them side by side, batch after batch, so that no batch takes much memory here.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

import numpy as np
from numpy.typing import NDArray

from abacist.corpora import Words
from abacist.targets.cuda.training_program import COUNTED_BIT, TARGET_BIT
from abacist.targets.word_kernels import encode
from abacist.threads import parallel_map

Array = NDArray[Any]

#: Symbols of a batch, about.
_BATCH = 1 << 26


#: Threads of a block of the program that lays words side by side.
LAYING_BLOCK = 128

#: What the program is called with, by type and name.
_LAYING_ARGUMENTS = (
    "const unsigned *__restrict__ codes", "const long long *__restrict__ begins",
    "const int *__restrict__ lengths", "const int *__restrict__ starts", "unsigned *__restrict__ rows",
    "int slots", "int columns", "int first", "int part",
)  # fmt: skip

#: A thread copies a word, and neighbouring threads write neighbouring columns. Codes (symbol,) are those of
#: a part of the columns; begins (slot, column of the part); lengths (slot, column); starts (slot,), where a
#: slot begins in rows (step, column).
LAYING_PROGRAM = f"""\
extern "C" __global__ void lay({", ".join(_LAYING_ARGUMENTS)}) {{
  const long long word = (long long)(blockIdx.x) * {LAYING_BLOCK} + threadIdx.x;
  const int slot = word / part, column = first + word % part;
  if (slot >= slots) return;
  const unsigned *from = codes + begins[word];
  unsigned *to = rows + (long long)(starts[slot]) * columns + column;
  const int length = lengths[(long long)(slot) * columns + column];
  for (int step = 0; step < length; step++) to[(long long)(step) * columns] = from[step];
}}
"""


@dataclass(frozen=True)
class Batch:
    """Some corpora end to end: codes (symbol,); begins (slot, corpus of the batch), where words begin among
    them; and the number of the first corpus."""

    codes: NDArray[np.uint32]
    begins: NDArray[np.int64]
    first: int


@dataclass(frozen=True, eq=False)
class Slots:
    """Words of several corpora, each in its slot.

    lengths and scales (slot, corpus), starts (slot,), the `corpus_of` each run, and what each
    corpus is: its words, and which of them lies in each slot.
    """

    lengths: NDArray[np.int32]
    scales: Array
    starts: NDArray[np.int32]
    corpus_of: NDArray[np.int32]
    corpora: tuple[tuple[Words, NDArray[np.int64]], ...]

    @property
    def rows(self) -> int:
        """Steps of all slots, each as long as its longest word."""
        return int(self.lengths.max(axis=1, initial=0).sum())

    def batches(self) -> Iterator[Batch]:
        """All corpora, a few at a time."""
        ends = np.cumsum([len(words.symbols) for words, _ in self.corpora])
        number = (ends - 1) // _BATCH
        for _, places in groupby(range(len(number)), number.__getitem__):
            yield self._batch([*places])

    def _batch(self, places: list[int]) -> Batch:
        corpora = [self.corpora[place] for place in places]
        ends = np.cumsum([0, *(len(words.symbols) for words, _ in corpora)])
        codes = np.empty(int(ends[-1]), np.uint32)
        begins = np.zeros((len(corpora), len(self.lengths)), np.int64)

        def fill(number: int) -> None:
            words, order = corpora[number]
            codes[ends[number] : ends[number + 1]] = codes_of(words)
            begins[number, : len(order)] = ends[number] + words.offsets[order]

        parallel_map(fill, range(len(corpora)))
        return Batch(codes, np.ascontiguousarray(begins.T), places[0])


def codes_of(words: Words) -> NDArray[np.uint32]:
    """A number for each step of some words."""
    codes = np.empty(len(words.symbols), np.uint32)
    encode(words.symbols, words.counted, words.targets, COUNTED_BIT, TARGET_BIT, codes)
    return codes


def slots_for(words: Sequence[Words], slots: Sequence[NDArray[np.int64]], precision: str) -> Slots:
    """Each run's words in its slots; runs with the very same words and slots share a corpus."""
    numbers: dict[tuple[int, int], int] = {}
    corpora: list[tuple[Words, NDArray[np.int64]]] = []
    corpus_of = np.empty(len(words), np.int32)
    for run, (corpus, order) in enumerate(zip(words, slots, strict=True)):
        key = id(corpus), id(order)
        if key not in numbers:
            numbers[key] = len(corpora)
            corpora.append((corpus, order))
        corpus_of[run] = numbers[key]
    count = max(len(order) for _, order in corpora)
    lengths = np.zeros((len(corpora), count), np.int32)
    scales = np.zeros((len(corpora), count), precision)

    def fill(number: int) -> None:
        corpus, order = corpora[number]
        lengths[number, : len(order)] = corpus.lengths[order]
        scales[number, : len(order)] = 1 / (np.maximum(_counted(corpus)[order], 1) * corpus.targets.shape[1])

    parallel_map(fill, range(len(corpora)))
    longest = lengths.max(axis=0, initial=0)
    starts = (np.cumsum(longest) - longest).astype(np.int32)
    return Slots(
        np.ascontiguousarray(lengths.T), np.ascontiguousarray(scales.T), starts, corpus_of, tuple(corpora)
    )


def _counted(words: Words) -> NDArray[np.int64]:
    """How many steps of each word count."""
    before = np.concatenate(([0], np.cumsum(words.counted, dtype=np.int64)))
    return np.diff(before[words.offsets])
