"""Matching: which unit of a network counts which pair of brackets.

The measure is the absolute correlation of a unit's state with the pair's depth over words. Sign, scale and
offset of the state do not matter. Every pair gets a unit of its own, so that the sum is the greatest.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from abacist.analysis.reading import TraceReading
from abacist.errors import BadInput
from abacist.fields import checked, expect_each

#: Numbers that are worked on at once.
_AT_ONCE = 1 << 23


@dataclass(frozen=True, eq=False)
class Matching:
    """For every counter its unit, None where units are too few; `correlations` is (unit, counter)."""

    units: tuple[int | None, ...]
    correlations: NDArray[np.float64]

    @classmethod
    def of(cls, correlations: NDArray[np.float64]) -> Matching:
        """The best matching for correlations, (unit, counter), whatever their signs."""
        return cls(assignment(np.abs(correlations)), correlations)

    @checked
    def correlation(self, counter: int) -> float | None:
        """How well the unit of a counter counts it; negative where the unit counts downwards."""
        if not 0 <= counter < len(self.units):
            raise BadInput(f"counters are 0 to {len(self.units) - 1}, got {counter}")
        unit = self.units[counter]
        return None if unit is None else float(self.correlations[unit, counter])


@checked
def match_units(readings: Iterable[TraceReading], name: str = "c") -> Matching:
    """Match units to counters over the words of some readings; `name` is the state to look at.

    Of a string that leaves its language only what comes before that counts: after it there are no depths.
    """
    listed = list(readings)
    expect_each("match_units: each of readings", listed, TraceReading)
    if not listed:
        raise BadInput("match_units: at least one reading is needed, got none")
    language = listed[0].language
    if not language.counter_names:
        raise BadInput(f"match_units: {language.name} has no counters that units could go with")
    values = [reading.values(name) for reading in listed]
    shapes = {(at.shape[1], reading.depths.shape[1]) for at, reading in zip(values, listed, strict=True)}
    if len(shapes) > 1:
        raise BadInput("match_units: readings must be of one network and language, got several")
    if not any(reading.inside for reading in listed):
        raise BadInput("match_units: at least one symbol must be inside the language, got none")
    states = np.concatenate([at[: reading.inside] for at, reading in zip(values, listed, strict=True)])
    depths = np.concatenate([reading.depths[: reading.inside] for reading in listed])
    return Matching.of(unit_correlations(states, depths))


@checked
def unit_correlations(states: NDArray[Any], depths: NDArray[Any]) -> NDArray[np.float64]:
    """The correlations of states, (step, unit), with depths, (step, counter), as (unit, counter).

    What never moves, or is not finite, correlates with nothing: 0.
    """
    if states.ndim != 2 or depths.ndim != 2 or len(states) != len(depths) or not len(states):
        raise BadInput(
            f"unit_correlations: states and depths must be (step, …), as many steps, got {states.shape} "
            f"and {depths.shape}"
        )
    scaled = _scaled(depths)
    return np.concatenate([_scaled(states[:, units]).T @ scaled for units in unit_slices(states)])


def _scaled(values: NDArray[Any]) -> NDArray[np.float64]:
    """Columns with mean 0 and norm 1; those that never move, or are not finite, are zeros."""
    finite = np.isfinite(values).all(axis=0)
    moved = np.where(finite, values, 0).astype(np.float64)
    moved -= moved.mean(axis=0)
    norms = np.sqrt((moved**2).sum(axis=0))
    still = norms <= 1e-12 * np.sqrt(len(moved))
    return np.asarray(np.where(still, 0, moved / np.where(still, 1, norms)))


def unit_slices(states: NDArray[Any]) -> Iterator[slice]:
    """The units of states, (step, unit), a few at a time, so that work on them takes little memory."""
    steps, units = states.shape
    count = max(1, _AT_ONCE // steps)
    yield from (slice(first, first + count) for first in range(0, units, count))


def assignment(gains: NDArray[Any]) -> tuple[int | None, ...]:
    """For every column a row of its own, so that the sum of the gains is the greatest possible.

    Columns beyond the number of rows get None. Exact for any size, by the Hungarian method:
    columns are taken in one by one, each along the cheapest chain of exchanges.

    >>> assignment(np.array([[5, 4], [4, 1]]))
    (1, 0)
    """
    rows, columns = gains.shape
    if rows < columns:
        of_row = assignment(gains.T)
        return tuple(of_row.index(column) if column in of_row else None for column in range(columns))
    costs = np.pad(-np.asarray(gains, np.float64), ((1, 0), (0, 0)))
    # row 0 stands for the column that is taken in, and is where every chain begins
    row_price, column_price = np.zeros(rows + 1), np.zeros(columns)
    owner = np.full(rows + 1, -1)
    for column in range(columns):
        owner[0], last = column, 0
        least, before = np.full(rows + 1, np.inf), np.zeros(rows + 1, np.int64)
        taken = np.arange(rows + 1) == 0
        while owner[last] >= 0:
            taken[last] = True
            rest = costs[:, owner[last]] - row_price - column_price[owner[last]]
            better = ~taken & (rest < least)
            least[better], before[better] = rest[better], last
            last = int(np.argmin(np.where(taken, np.inf, least)))
            step = least[last]
            row_price[taken] -= step
            column_price[owner[taken]] += step
            least[~taken] -= step
        while last:  # hand the columns along the chain
            owner[last], last = owner[before[last]], before[last]
    owners = owner[1:].tolist()
    return tuple(owners.index(column) for column in range(columns))
