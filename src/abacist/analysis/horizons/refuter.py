"""The refuter: real words, all of them while there are few, then those with the most telling states."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from abacist.analysis.horizons.configurations import Configurations
from abacist.analysis.horizons.exploration import Exploration, Going, always
from abacist.analysis.reading import follow
from abacist.engine.reference import forward
from abacist.errors import BadInput
from abacist.fields import check_fields
from abacist.languages import Word
from abacist.on_demand import on_demand
from abacist.specs import Networks
from abacist.wording import several

Array = NDArray[Any]

_thinning = on_demand("abacist.analysis.horizons.thinning")


@dataclass(frozen=True)
class Refutation:
    """A word that a network gets wrong: its first wrong step, from 1, what is predicted, what is right."""

    word: Word
    step: int
    predicted: tuple[int, ...]
    right: tuple[int, ...]

    def __post_init__(self) -> None:
        check_fields(self)
        if not 1 <= self.step <= len(self.word):
            raise BadInput(
                f"Refutation: step must be from 1 to the word's {several(len(self.word), 'symbol')}, "
                f"got {self.step}"
            )

    def __len__(self) -> int:
        return len(self.word)


def refutation(
    networks: Networks, run: int, known: Configurations, word: Sequence[int], steps: str = "all"
) -> Refutation | None:
    """A word as a refutation, if the engine and the NumPy reading both get it wrong, at the same step."""
    reading = follow(networks, run, known.language, word, steps=steps)
    with np.errstate(over="ignore", invalid="ignore"):  # weights that have diverged are followed, too
        _, outputs = forward(networks, run, word)
    plain = reading.counted & (networks.layout.predicted(outputs) != reading.targets).any(axis=1)
    if not (reading.wrong.any() and plain.any() and reading.wrong.argmax() == plain.argmax()):
        return None
    step = int(plain.argmax())
    return Refutation(
        tuple(map(int, word)), step + 1, _named(reading.predicted[step]), _named(reading.targets[step])
    )


def _named(hot: Array) -> tuple[int, ...]:
    return tuple(map(int, np.flatnonzero(hot)))


def refute(
    networks: Networks,
    run: int,
    known: Configurations,
    *,
    limit: int,
    budget: int,
    steps: str = "all",
    most: int = 8,
    most_in_all: int | None = None,
    matter: Array | None = None,
    going: Going = always,
) -> list[Refutation]:
    """Words of fewer than `limit` symbols that the network gets wrong, the shortest found first.

    `budget` is how many states a configuration may have, and `most` how many words are kept for each
    configuration in which one is found; `most_in_all` is how many states there may be of one length.
    """
    here = Exploration(
        networks, run, known, boxes=False, budget=budget, steps=steps, most=most_in_all, matter=matter
    )
    trail: list[tuple[Array, Array]] = []
    found: list[Refutation] = []
    while (ways := here.ways(limit)) is not None and going(here.length, limit, here.layer.count):
        room, count, widths = here.step(ways), len(ways.configurations), here.widths(ways)
        starts, wrong = np.zeros(count + 1, np.int64), np.zeros(count, np.int64)
        parents, read = np.empty(room, np.int32), np.empty(room, np.uint8)
        wrong_parents, wrong_read = np.empty((count, most), np.int32), np.empty((count, most), np.uint8)
        _thinning.thin_states(
            here.after, here.layer.starts, ways.starts, ways.symbols, ways.sources, *here.targets(ways),
            here.rows, here.influences, here.margin, here.allowed(ways), widths, here.states, parents, read,
            starts, wrong, wrong_parents, wrong_read, here.table, here.keys,
        )  # fmt: skip
        here.finish(ways, starts, widths)
        for number in np.flatnonzero(wrong):
            ending = known.shortest_ending(int(ways.configurations[number]), least=int(steps == "last"))
            for which in range(wrong[number]):
                prefix = _prefix(trail, int(wrong_parents[number, which]), int(wrong_read[number, which]))
                confirmed = refutation(networks, run, known, (*prefix, *ending), steps)
                if confirmed is not None:
                    found.append(confirmed)
                    limit = min(limit, len(confirmed) + 1)
        trail.append((parents[: starts[-1]].copy(), read[: starts[-1]].copy()))
    return sorted(found, key=len)


def _prefix(trail: Sequence[tuple[Array, Array]], place: int, symbol: int) -> list[int]:
    """The word that led to a state of the last layer, and a symbol more."""
    word = [symbol]
    for parents, read in reversed(trail):
        word.append(int(read[place]))
        place = int(parents[place])
    return word[::-1]
