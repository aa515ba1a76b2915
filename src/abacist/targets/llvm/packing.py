"""Words in the order in which lanes read them: a byte a lane, step after step.

For training, a lane is a run, and slot i holds a word of every run; a slot is as long as its
longest word, so it is best if they are of nearly equal length. For
judging, a lane is a word, and words of nearly equal length make a group.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from abacist.corpora import Words
from abacist.targets.word_kernels import copy_words

Array = NDArray[Any]


def aligned(shape: tuple[int, ...], dtype: Any) -> NDArray[Any]:
    """An array of zeros that begins at a multiple of 64 bytes."""
    kind = np.dtype(dtype)
    size = int(np.prod(shape)) * kind.itemsize
    raw = np.zeros(size + 64, np.uint8)
    start = -raw.ctypes.data % 64
    array: NDArray[Any] = raw[start : start + size].view(kind).reshape(shape)
    return array


def pack(words: Words, places: NDArray[np.int64], inputs: int, precision: str) -> dict[str, Array]:
    """Lay words side by side: places[slot, lane] is the number of the word that lies there, or −1.

    The arrays go by the names of the programs' arguments, which say their shapes. Past the end of a word its
    code is `inputs`, which no symbol has, and no step counts.
    """
    slots, lanes = places.shape
    outputs = words.targets.shape[1]
    lengths = np.where(places >= 0, words.lengths[places], 0).max(axis=1)
    starts = np.cumsum(lengths) - lengths
    total = int(lengths.sum())
    codes, counted = aligned((total, lanes), np.uint8), aligned((total, lanes), np.uint8)
    targets, scales = aligned((total, outputs, lanes), np.uint8), aligned((slots, lanes), precision)
    codes[:] = inputs
    given = (words.offsets, words.symbols, words.counted, words.targets)
    sums = copy_words(places, starts, *given, codes, counted, targets)
    scales[:] = np.where(places >= 0, 1 / (np.maximum(sums, 1) * outputs), 0)
    rows = {"codes": codes, "counted_steps": counted, "targets": targets, "scales": scales}
    flat = {name: array.reshape(-1) for name, array in rows.items()}
    return {"starts": starts, "lengths": lengths} | flat


def pack_runs(
    runs: Sequence[Words], slots: Sequence[NDArray[np.int64]], inputs: int, lanes: int, precision: str
) -> dict[str, Array]:
    """A lane for each run, word slots[run][i] in slot i; lanes without a run repeat the runs there are."""
    firsts = np.cumsum([0, *(len(words.lengths) for words in runs)])
    places = np.full((max(len(words.lengths) for words in runs), lanes), -1)
    for lane in range(lanes):
        order = slots[lane % len(runs)]
        places[: len(order), lane] = firsts[lane % len(runs)] + order
    return pack(Words.joined(runs), places, inputs, precision)


def pack_words(
    words: Words, inputs: int, lanes: int, precision: str
) -> tuple[dict[str, Array], NDArray[np.int64]]:
    """A lane for each word; also the number of the word at every place, (group × lane)."""
    order = np.argsort(words.lengths, kind="stable")
    padded = np.concatenate((np.full(-len(order) % lanes, order[0]), order))  # by the shortest word
    return pack(words, padded.reshape(-1, lanes), inputs, precision), padded
