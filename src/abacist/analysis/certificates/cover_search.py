"""The search for a cover: boxes grow from the start until they hold all that they lead to.

Nothing here has to be right: what is found counts only once the checker has agreed.
"""

from __future__ import annotations

from contextlib import suppress
from typing import Any

import numpy as np
from numpy.typing import NDArray

from abacist.algebra.rounding import decision_margin
from abacist.analysis.certificates.certificate import Cover, Statement, weights_hash
from abacist.analysis.certificates.checker import No, check_cover
from abacist.analysis.certificates.floats import Array
from abacist.analysis.horizons.bracket import bound_rows
from abacist.analysis.horizons.configurations import NONE, Configurations
from abacist.analysis.horizons.exploration import influences
from abacist.languages import Language, Word
from abacist.on_demand import on_demand
from abacist.specs import Networks
from abacist.targets import target_for

Integers = NDArray[np.int64]

_covering = on_demand("abacist.analysis.certificates.covering")

#: Cells are as wide as these, for the number of a state that matters most; the widest is tried first.
_WIDTHS = tuple(2.0**-exponent for exponent in range(2, 13))

#: How many configurations, boxes and rounds there may be.
_CONFIGURATIONS, _BOXES, _ROUNDS = 512, 2**15, 4096

#: By what bounds are moved outwards, so that the checker's lie inside, and margins are widened.
_SLACK, _MARGIN = {"float32": 1e-6, "float64": 1e-12}, 1.5


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
            boxes = self._boxes(configurations, statement, stepper, widths)
            if boxes == _covering.UNSURE:
                continue
            self._widest = number
            if not isinstance(boxes, int):
                cover = Cover(statement, digest, widths, tuple(words), *boxes)
                with suppress(No):
                    check_cover(cover, self._language, self._networks, self._run)
                    return cover
            break
        return None

    def _boxes(
        self, configurations: Configurations, statement: Statement, stepper: Any, widths: Array
    ) -> tuple[Integers, Array, Array] | int:
        """Boxes for all configurations that lead to no others: their configurations and their bounds.

        They grow from the start until they are closed; else why there are none, as `covering` has it.
        """
        count = len(configurations)
        targets = configurations.targets[:count]
        counted = configurations.last[:count] | (statement.steps == "all")
        lower, upper = bound_rows(self._networks)
        slack, margin = _SLACK[statement.precision], _MARGIN * decision_margin(statement.precision)
        boxes, owned = stepper.rows(_BOXES, stepper.width), np.zeros(_BOXES, np.int64)
        grown = np.zeros(_BOXES, np.bool_)
        table, keys = np.full(4 * _BOXES + 1, -1, np.int64), np.empty(4 * _BOXES + 1, np.uint64)

        def put(after: Any, owners: Integers, counted: Any, slack: float, filled: int) -> int:
            return int(
                _covering.cover_boxes(
                    after, owners, targets, counted, lower, upper, widths, slack, margin, boxes, owned,
                    grown, filled, table, keys,
                )
            )  # fmt: skip

        nothing = np.zeros(count, np.bool_)  # before the first symbol nothing is predicted
        filled = put(stepper.rows(1, stepper.results), np.zeros(1, np.int64), nothing, 0.0, 0)
        for _ in range(_ROUNDS):
            moving = np.flatnonzero(grown[:filled])
            if not len(moving):
                low, high = (boxes[rows[: len(widths)], :filled].T for rows in (lower, upper))
                return owned[:filled].copy(), low.astype(np.float64), high.astype(np.float64)
            grown[moving] = False
            states, after = (stepper.rows(len(moving), n) for n in (stepper.width, stepper.results))
            states[:, : len(moving)] = boxes[:, moving]
            for symbol in range(len(configurations.successors)):
                owners = configurations.successors[symbol, owned[moving]]
                if (owners != NONE).any():
                    stepper(symbol, states, after, len(moving))
                    filled = put(after, owners, counted, slack, filled)
                    if filled < 0:
                        return filled
        return int(_covering.TOO_MANY)


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
