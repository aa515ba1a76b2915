"""Judging on the device: all networks at once, on words that lie there sorted by their lengths."""

from __future__ import annotations

from collections.abc import Callable
from ctypes import c_int
from functools import lru_cache
from threading import Lock
from typing import Any

import numpy as np
from numpy.typing import NDArray

from abacist.cells import Layout
from abacist.corpora import Words
from abacist.corpora.words import EITHER
from abacist.specs import Networks
from abacist.targets.cuda.driver import Buffer, Kernel, device
from abacist.targets.cuda.judging_program import judging_program, table_width
from abacist.targets.cuda.launching import lanes_for, lay
from abacist.targets.cuda.nvrtc import compile_for
from abacist.targets.cuda.words import Part, codes_of

Array = NDArray[Any]

#: Threads of a block, and verdicts that are waited for at a time.
_BLOCK, _VERDICTS = 128, 1 << 26

#: Blocks that a network's words are divided among, at most.
_DIVIDED = 16


@lru_cache(maxsize=64)
def _kernel(layout: Layout, precision: str, lanes: int, partial: bool) -> Kernel:
    source = judging_program(layout, precision, lanes, _BLOCK, partial)
    shared = table_width(layout, lanes) * lanes * np.dtype(precision).itemsize
    return Kernel(compile_for(source, device().architecture), "judge", shared)


class JudgedWords:
    """Words on the device, the longest first."""

    def __init__(self, words: Words) -> None:
        self.places = np.argsort(-words.lengths, kind="stable")
        lengths = words.lengths[self.places].astype(np.int32)
        self.count, self.partial = len(lengths), words.partial
        self.lengths, self._start = Buffer.of(lengths), Buffer.zeros(4)
        self._begins = np.ascontiguousarray(words.offsets[self.places][None])
        self._rows = int(lengths.max(initial=1))
        self.codes = self._side_by_side(codes_of(words))
        free = np.zeros(len(words.symbols) if words.partial else 0, np.uint32)
        for output in range(words.targets.shape[1] if words.partial else 0):
            free |= (words.targets[:, output] == EITHER).astype(np.uint32) << np.uint32(output)
        self.either = self._side_by_side(free) if words.partial else Buffer(0)

    def _side_by_side(self, codes: NDArray[np.uint32]) -> Buffer:
        """A number for each step, (step, place)."""
        rows = Buffer(4 * self._rows * self.count)
        lay(Part(codes, self._begins, 0), self.lengths, self._start, rows, self.count)
        return rows


def launch(networks: Buffer, count: int, layout: Layout, precision: str, words: JudgedWords) -> Buffer:
    """Judge words by networks, (network, parameter): on the device, first wrong steps (network, place)."""
    lanes = lanes_for(layout)
    kernel = _kernel(layout, precision, lanes, words.partial)
    verdicts = Buffer(4 * count * words.count)
    divided = min(_DIVIDED, -(-words.count * lanes // _BLOCK))
    given = (words.codes, words.either, words.lengths, networks, verdicts, c_int(words.count))
    kernel((divided, count), _BLOCK, given)
    return verdicts


def judging(networks: Networks, words: Words) -> Callable[[int], Callable[[], NDArray[np.int64]]]:
    """Make words ready for networks; see `Target`. A whole wave of them judges together."""
    device()
    ready, lock = JudgedWords(words), Lock()
    wave = max(1, min(_VERDICTS // max(ready.count, 1), 65_535))
    found: dict[int, NDArray[np.int64]] = {}

    def judged(run: int) -> NDArray[np.int64]:
        with lock:
            if run not in found:
                device()
                first = run - run % wave
                part = networks.parameters[first : first + wave]
                judges, precision = Buffer.of(part), str(part.dtype)
                found_there = launch(judges, len(part), networks.layout, precision, ready)
                verdicts = found_there.read((len(part), ready.count), np.int32)
                rows = np.empty_like(verdicts, np.int64)
                rows[:, ready.places] = verdicts
                found.clear()
                found.update(enumerate(rows, first))
            return found[run]

    return lambda run: lambda: judged(run)
