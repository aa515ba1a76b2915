"""Judging on the device: all networks at once, on words that lie there sorted by their lengths."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from ctypes import c_int
from threading import Lock
from typing import Any

import numpy as np
from numpy.typing import NDArray

from abacist.cells import Layout
from abacist.corpora import Words
from abacist.corpora.words import EITHER
from abacist.specs import Networks
from abacist.targets.cuda.driver import Buffer, device, kernel
from abacist.targets.cuda.judging_program import judging_program
from abacist.targets.cuda.launching import lay
from abacist.targets.cuda.network import Names
from abacist.targets.cuda.shapes import lanes_for
from abacist.targets.cuda.words import Part, codes_of
from abacist.threads import parallel_map

Array = NDArray[Any]

#: Threads of a block, and verdicts that are waited for at a time.
_BLOCK, _VERDICTS = 128, 1 << 26

#: Blocks that a network's words are divided among, at most.
_DIVIDED = 16

#: Networks of a launch, at most.
_MOST_NETWORKS = 65_535


class JudgedWords:
    """The words of some corpora on the device, one corpus after the other, the longest words of each first.

    `bounds` are the places between corpora, (corpus + 1,), and `numbers` the number of each word in its own.
    """

    def __init__(self, corpora: Sequence[Words]) -> None:
        self.bounds = np.cumsum([0, *(len(words.lengths) for words in corpora)])
        self.count, self.partial = int(self.bounds[-1]), any(words.partial for words in corpora)
        self.numbers = np.empty(self.count, np.int64)
        lengths, begins = np.empty(self.count, np.int32), np.empty((1, self.count), np.int64)
        ends = np.cumsum([0, *(len(words.symbols) for words in corpora)])
        codes = np.empty(int(ends[-1]), np.uint32)
        free = np.zeros(len(codes) if self.partial else 0, np.uint32)

        def fill(number: int) -> None:
            words, own = corpora[number], slice(self.bounds[number], self.bounds[number + 1])
            self.numbers[own] = order = np.argsort(-words.lengths, kind="stable")
            lengths[own], begins[0, own] = words.lengths[order], ends[number] + words.offsets[order]
            codes[ends[number] : ends[number + 1]] = codes_of(words)
            for output in range(words.targets.shape[1] if words.partial else 0):
                either = (words.targets[:, output] == EITHER).astype(np.uint32)
                free[ends[number] : ends[number + 1]] |= either << np.uint32(output)

        parallel_map(fill, range(len(corpora)))
        self.lengths, self._start = Buffer.of(lengths), Buffer.zeros(4)
        self._rows = int(lengths.max(initial=1))
        self.codes = self._side_by_side(codes, begins)
        self.either = self._side_by_side(free, begins) if self.partial else Buffer(0)

    def _side_by_side(self, codes: NDArray[np.uint32], begins: NDArray[np.int64]) -> Buffer:
        """A number for each step, (step, place)."""
        rows = Buffer(4 * self._rows * self.count)
        lay(Part(codes, begins, 0), self.lengths, self._start, rows, self.count)
        return rows


class Verdicts:
    """What networks, (network, parameter), make of the words of a corpus each: their first wrong steps."""

    def __init__(
        self, networks: Buffer, layout: Layout, precision: str, words: JudgedWords, of: Array
    ) -> None:
        spans = np.column_stack((words.bounds[of], words.bounds[of + 1])).astype(np.int32)
        self._ends = np.cumsum([0, *(spans[:, 1] - spans[:, 0])])
        self._found = Buffer(4 * int(self._ends[-1]))
        lanes = lanes_for(layout)
        source = judging_program(layout, precision, lanes, _BLOCK, words.partial)
        shared = Names(layout, lanes, "").shared_numbers * lanes * np.dtype(precision).itemsize
        most = int((spans[:, 1] - spans[:, 0]).max(initial=1))
        divided = min(_DIVIDED, -(-most * lanes // _BLOCK))
        self._kept = (Buffer.of(spans), Buffer.of(self._ends[:-1].astype(np.int64)), networks)
        where = (*self._kept[:2], self._found, c_int(words.count))
        given = (words.codes, words.either, words.lengths, networks, *where)
        kernel(source, "judge", shared)((divided, len(of)), _BLOCK, given)

    def read(self) -> list[NDArray[np.int32]]:
        """For each network, in the order of places."""
        found = self._found.read((int(self._ends[-1]),), np.int32)
        return np.split(found, self._ends[1:-1])


def judging(networks: Networks, words: Words) -> Callable[[int], Callable[[], NDArray[np.int64]]]:
    """Make words ready for networks; see `Target`. A whole wave of them judges together."""
    device()
    ready, lock = JudgedWords([words]), Lock()
    wave = max(1, min(_VERDICTS // max(ready.count, 1), _MOST_NETWORKS))
    found: dict[int, NDArray[np.int64]] = {}

    def judged(run: int) -> NDArray[np.int64]:
        with lock:
            if run not in found:
                device()
                first = run - run % wave
                part = networks.parameters[first : first + wave]
                of = np.zeros(len(part), np.int64)
                verdicts = Verdicts(Buffer.of(part), networks.layout, str(part.dtype), ready, of).read()
                rows = np.empty((len(part), ready.count), np.int64)
                rows[:, ready.numbers] = verdicts
                found.clear()
                found.update(enumerate(rows, first))
            return found[run]

    return lambda run: lambda: judged(run)


def accepted(networks: Networks, words: Sequence[Words], of: NDArray[np.int64]) -> NDArray[np.int64]:
    """How many words of its corpus each network accepts; see `Target`."""
    device()
    ready, counts = JudgedWords(words), np.zeros(len(networks), np.int64)
    most = int(np.diff(ready.bounds).max(initial=1))
    wave = max(1, min(_VERDICTS // most, _MOST_NETWORKS))
    for first in range(0, len(networks), wave):
        part, own = networks.parameters[first : first + wave], of[first : first + wave]
        verdicts = Verdicts(Buffer.of(part), networks.layout, str(part.dtype), ready, own).read()
        counts[first : first + wave] = [int((row < 0).sum()) for row in verdicts]
    return counts
