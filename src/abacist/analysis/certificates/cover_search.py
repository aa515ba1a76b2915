"""The search for a cover: boxes grow from the start until they hold all that they lead to.

What a step makes of boxes is cut where the cells of a grid end, and every piece is put into the box of its
cell, which grows where it must, in steps of a part of the cell. Cells are finitely many, and so are steps: it
ends. Nothing here has to be right: what is found counts only once the checker has agreed, which cuts boxes by
a code of its own.
"""

from __future__ import annotations

from collections import defaultdict
from contextlib import suppress
from itertools import count
from typing import Any

import numpy as np

from abacist.algebra.rounding import decision_margin
from abacist.analysis.certificates.certificate import Cover, Statement, weights_hash
from abacist.analysis.certificates.checker import No, check_cover
from abacist.analysis.certificates.floats import Array, Integers
from abacist.analysis.horizons.configurations import NONE, Configurations
from abacist.analysis.horizons.exploration import influences
from abacist.analysis.horizons.prover import bound_rows
from abacist.languages import Language, Word
from abacist.specs import Networks
from abacist.targets import target_for

#: Cells are as wide as these, for the number of a state that matters most; the widest is tried first.
_WIDTHS = tuple(2.0**-exponent for exponent in range(2, 13))

#: How many configurations, boxes and rounds there may be.
_CONFIGURATIONS, _BOXES, _ROUNDS = 512, 2**15, 4096

#: By what bounds are moved outwards, so that the checker's lie inside, and margins are widened.
_SLACK, _MARGIN = {"float32": 1e-6, "float64": 1e-12}, 1.5

#: Bounds grow in steps of a cell's width divided by this.
_STEPS = 16.0

#: No bound may be below, and no box may be cut into more pieces; how many pieces are put into boxes at once.
_LARGEST, _PIECES, _AT_ONCE = 1e6, 4096, 2**16


class _Unsure(Exception):
    """Some box does not decide rightly."""


class CoverSearch:
    """The search for covers of one network, depth by depth: what was too wide once is not tried again."""

    def __init__(self, networks: Networks, run: int, language: Language[Any]) -> None:
        self._networks, self._run, self._language = networks, run, language
        self._widest = 0

    def find(self, statement: Statement) -> Cover | None:
        """A cover for words of any length up to the depth of a statement, if the checker agrees."""
        configurations = Configurations(self._language, statement.depth)
        words = _ways_to_all(configurations)
        if words is None:
            return None
        stepper = target_for(self._networks.layout).stepping(self._networks, self._run, True)
        influence = influences(self._networks, self._run, configurations)
        digest = weights_hash(self._networks, self._run)
        for number in range(self._widest, len(_WIDTHS)):
            widths: Array = 2.0 ** np.round(np.log2(_WIDTHS[number] / influence)).astype(np.float64)
            try:
                boxes = self._boxes(configurations, statement, stepper, widths)
            except _Unsure:
                continue
            self._widest = number
            if boxes is not None:
                cover = Cover(statement, digest, widths, tuple(words), *boxes)
                with suppress(No):
                    check_cover(cover, self._language, self._networks, self._run)
                    return cover
            break
        return None

    def _boxes(
        self, configurations: Configurations, statement: Statement, stepper: Any, widths: Array
    ) -> tuple[Integers, Array, Array] | None:
        """Boxes for all configurations that lead to no others: their configurations and their bounds.

        They grow from the start until they are closed; None if there are too many.
        """
        size, precision = len(widths), statement.precision
        margin = _MARGIN * decision_margin(precision)
        counted = configurations.last | (statement.steps == "all")
        rows, boxes = np.stack(bound_rows(self._networks)), _Boxes(widths, precision)
        boxes.put(np.zeros(1, np.int64), np.zeros((2, 1, size)), 0.0)
        for _ in range(_ROUNDS):
            moving = np.flatnonzero(boxes.grown)
            if not len(moving):
                whole = slice(len(boxes.cells))
                return boxes.owners[whole], *boxes.bounds[:, whole].astype(np.float64)
            boxes.grown[moving] = False
            states, after = (stepper.rows(len(moving), n) for n in (stepper.width, stepper.results))
            states[rows[:, :size], : len(moving)] = np.moveaxis(boxes.bounds[:, moving], 1, 2)
            for symbol in range(len(configurations.successors)):
                owners = configurations.successors[symbol, boxes.owners[moving]]
                alive = np.flatnonzero(owners != NONE)
                if not len(alive):
                    continue
                stepper(symbol, states, after, len(moving))
                owners, (lower, upper) = owners[alive], np.moveaxis(after[rows][:, :, alive], 1, 2)
                wanted, sums = configurations.targets[owners], (lower[:, size:], upper[:, size:])
                decided = np.where(wanted, sums[0] > margin, sums[1] < -margin).all(axis=1)
                unsure = np.flatnonzero(counted[owners] & ~decided)
                before = slice(unsure[0] if len(unsure) else None)
                bounds = np.stack([end[before, :size] for end in (lower, upper)]).astype(np.float64)
                if not boxes.put(owners[before], bounds, _SLACK[precision]):
                    return None
                if len(unsure):
                    raise _Unsure
        return None


class _Boxes:
    """The boxes of cells so far: `bounds`, (end, box, number), their configurations, and which have grown."""

    def __init__(self, widths: Array, precision: str) -> None:
        self._widths, self.cells = widths, defaultdict[bytes, int](count().__next__)
        self.bounds = np.empty((2, _BOXES, len(widths)), precision)
        self.bounds[0], self.bounds[1] = np.inf, -np.inf
        self.owners, self.grown = np.zeros(_BOXES, np.int64), np.zeros(_BOXES, np.bool_)

    def put(self, owners: Integers, bounds: Array, slack: float) -> bool:
        """Let boxes hold others, (end, place, number), of some configurations; False where they are too many.

        Bounds are moved by the slack, for the checker, which computes them in another precision.
        """
        (lower, upper), widths, step = bounds, self._widths, self._widths / _STEPS
        bounded = (lower > -_LARGEST) & (upper < _LARGEST)
        lower, upper = lower - slack * (1 + np.abs(lower)), upper + slack * (1 + np.abs(upper))
        first = np.floor(lower / widths + 0.5)
        spans = np.maximum(first, np.ceil(upper / widths + 0.5) - 1) - first + 1
        if not (bounded.all() and (spans.prod(axis=1) <= _PIECES).all()):
            return False
        counts, strides = spans.prod(axis=1).astype(np.int64), np.cumprod(spans, axis=1) / spans
        batches = np.flatnonzero(np.diff(np.cumsum(counts) // _AT_ONCE)) + 1
        for places in np.split(np.arange(len(owners)), batches):
            times = counts[places]
            rows, before = np.repeat(places, times), np.repeat(np.cumsum(times) - times, times)
            pieces = np.arange(len(rows)) - before  # of each place from 0, the first dimension fastest
            cells = first[rows] + pieces[:, None] // strides[rows] % spans[rows]
            keys = np.column_stack([owners[rows], cells]).astype(np.int64)
            in_bytes: list[Any] = keys.view(f"V{keys.itemsize * keys.shape[1]}").ravel().tolist()
            boxes = np.array([*map(self.cells.__getitem__, in_bytes)], np.int64)
            if len(self.cells) > _BOXES:
                return False
            low = np.maximum(np.floor(lower / step)[rows] * step, (cells - 0.5) * widths)
            high = np.minimum(np.ceil(upper / step)[rows] * step, (cells + 0.5) * widths)
            lows, highs = self.bounds[:, boxes]
            below, above = low < lows, high > highs
            self.grown[boxes[(below | above).any(axis=1)]], self.owners[boxes] = True, owners[rows]
            # backwards, since of two zeros NumPy takes the second: so the sign is that of the first piece
            np.minimum.at(self.bounds[0], boxes[::-1], np.where(below, low, lows)[::-1].astype(lows.dtype))
            np.maximum.at(self.bounds[1], boxes[::-1], np.where(above, high, highs)[::-1].astype(lows.dtype))
        return True


def _ways_to_all(configurations: Configurations) -> list[Word] | None:
    """For every configuration a beginning of a word that leads to it; None if there are too many."""
    words: list[Word] = [()]
    number = 0
    while number < len(words) <= _CONFIGURATIONS:
        for symbol, reached in enumerate(configurations.following(number).tolist()):
            if reached == len(words):  # met for the first time
                words.append((*words[number], symbol))
        number += 1
    return words if number == len(words) else None
