"""P-values of the paper's figures beside our runs, by ranks and by drawing ten of our runs; shares; Holm.

If the paper's runs and ours differ in nothing, all orders of them are equally probable. The number of our
runs below the j-th smallest of the paper's then has a known distribution, the negative hypergeometric one.
Nothing is assumed of accuracies. Where a figure lies beyond all of ours, the p-value is the least that so
many runs can give.

The nine figures of a row of table 3 go together: a run that is good on the short set is good on the
training set. How much they do is taken from our own runs. Ten of ours, drawn at random, are compared with the
paper's ten, both beside the same other runs of ours: how often are ours as unusual as the paper's?
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import accumulate
from math import comb, inf
from typing import Any

import numpy as np
from numpy.typing import NDArray

from abacist.errors import BadInput, UnknownName
from abacist.experiments.paper_table import RUNS, STATISTICS, Figures
from abacist.experiments.statistics import FUNCTIONS, Shares, numbers_of
from abacist.fields import checked, short_repr

#: A printed figure stands for all that round to it: half of its last digit, and what float64 makes of that.
_ROUNDING = 0.005 + 1e-9

#: How many times ten runs are drawn; the seed is fixed, so that a report can be made again.
DRAWS = 10_000

#: By how much runs that are equal are told apart, in points: less than any two others differ.
_LOT = 1e-6


@checked
def exact_p_value(shares: Shares, figure: float, statistic: str, size: int = RUNS) -> float:
    """The probability that `size` further runs of ours give a figure as unusual, two-sided.

    Twice the smaller tail, at most 1. Ties count for the figure's being usual, and so does that the median
    of an even number lies somewhere between two of the runs: the p-value may be too large, never too small.

    >>> exact_p_value([0.0] * 190, 50.0, "max")  # above all of ours: twice 10 of 200
    0.1
    """
    numbers = numbers_of(shares)
    at_most = np.array([(numbers <= figure + _ROUNDING).sum()])
    below = np.array([(numbers < figure - _ROUNDING).sum()])
    return float(_two_sided(at_most, below, statistic, size, len(numbers))[0])


def _two_sided(
    at_most: NDArray[Any], below: NDArray[Any], statistic: str, size: int, ours: int
) -> NDArray[np.float64]:
    """The p-values of figures of which so many of our runs are at most as large, and so many below."""
    low, high = _places(statistic, size)
    # From the other end, the j-th smallest is the (size + 1 − j)-th largest.
    lower = smaller_ranks(low, size, ours)[at_most]
    upper = smaller_ranks(size + 1 - high, size, ours)[ours - below]
    return np.asarray(np.minimum(1.0, 2 * np.minimum(lower, upper)))


def _places(statistic: str, size: int) -> tuple[int, int]:
    """The runs, counted from the smallest, between which a statistic of some runs lies."""
    if statistic not in STATISTICS:
        raise UnknownName(f"unknown statistic {statistic!r}; there are {', '.join(STATISTICS)}")
    if size < 1:
        raise BadInput(f"exact_p_value: size must be at least 1, got {size}")
    return {"min": (1, 1), "max": (size, size), "median": ((size + 1) // 2, size // 2 + 1)}[statistic]


@checked
def extreme_interval(shares: Shares, statistic: str, size: int = RUNS) -> tuple[float, float, float]:
    """The median of the smallest or the largest of `size` further runs, and a 95 % interval, by exact ranks.

    A figure outside the interval has an `exact_p_value` of at most 0.05. An end is infinite where there are
    too few runs for it.

    >>> extreme_interval(list(range(1, 1001)), "max")
    (934.0, 690.0, 999.0)
    """
    if statistic not in ("min", "max"):
        raise BadInput(f"extreme_interval: statistic must be min or max, got {short_repr(statistic)}")
    if statistic == "min":
        middle, low, high = extreme_interval(-numbers_of(shares), "max", size)
        return -middle, -high, -low
    ordered = np.concatenate(([-inf], np.sort(numbers_of(shares)), [inf]))
    below = smaller_ranks(size, size, len(ordered) - 2)  # at most so many of ours lie below the largest
    low, middle, high = (int((below < share).sum()) for share in (0.025, 0.5 - 1e-12, 0.975))
    return float(ordered[min(middle + 1, len(ordered) - 2)]), float(ordered[low]), float(ordered[high + 1])


@lru_cache(maxsize=256)
def smaller_ranks(place: int, size: int, ours: int) -> NDArray[np.float64]:
    """The probability that at most r of our runs lie below the `place`-th smallest of `size` others, (r).

    Of all C(ours + size, size) orders, those with r of ours below it have place − 1 of the others mixed
    with these r, and size − place mixed with the rest.

    >>> smaller_ranks(1, 1, 3)  # one other run: below, between or above three of ours
    array([0.25, 0.5 , 0.75, 1.  ])
    """
    orders = comb(ours + size, size)
    ways = (
        comb(r + place - 1, place - 1) * comb(ours - r + size - place, size - place) for r in range(ours + 1)
    )
    probabilities = np.array([total / orders for total in accumulate(ways)])
    probabilities.setflags(write=False)
    return probabilities


@checked
def p_value(shares: Shares, figure: float, statistic: str, size: int = RUNS, *, draws: int = DRAWS) -> float:
    """The probability that `size` runs of ours give a figure as unusual as the paper's, two-sided.

    Of the smallest and the largest run it is known exactly. The median of an even number lies somewhere
    between two runs, so that the exact p-value is only a bound, often several times too large: there it is
    found by drawing, as the joint one is.
    """
    exact = exact_p_value(shares, figure, statistic, size)
    numbers = numbers_of(shares)
    if statistic != "median" or size % 2 or len(numbers) <= size:
        return exact
    return _by_drawing(((numbers.tobytes(), ((statistic, figure),)),), size, draws)


@checked
def joint_p_value(
    shares: Mapping[str, Shares], figures: Mapping[str, Figures], *, size: int = RUNS, draws: int = DRAWS
) -> float:
    """The probability that `size` runs of ours are as unusual as the paper's in all figures taken together.

    `shares` has the accuracies of the same runs, in percent, by set; how unusual figures are is the sum of
    −log p over them (Fisher's). Compared with draws of our own, it needs no figures that are independent.
    """
    ours = {name: numbers_of(shares[name]) for name in figures}
    counts = {len(numbers) for numbers in ours.values()}
    if len(counts) != 1 or min(counts) <= size or size < 1 or draws < 1:
        raise BadInput(
            f"joint_p_value: there must be more than {size} runs, as many on every set, got "
            f"{', '.join(str(len(numbers)) for numbers in ours.values()) or 'none'}"
        )
    sets = ((ours[n].tobytes(), tuple((s, figures[n].of(s)) for s in STATISTICS)) for n in figures)
    return _by_drawing(tuple(sets), size, draws)


#: The bytes of the accuracies of some runs on a set, and the paper's figures of it by statistic.
_Set = tuple[bytes, tuple[tuple[str, float], ...]]


@lru_cache(maxsize=1024)  # a report states the same p-values in several places
def _by_drawing(sets: tuple[_Set, ...], size: int, draws: int) -> float:
    """How often draws are as unusual as the paper's figures, on sets with the numbers of the same runs.

    Runs of ours that are equal are told apart by lot, so that a draw has an order of its own even where all
    are at the ceiling; ties of the paper's figures with ours count for their being usual.
    """
    count = len(np.frombuffer(sets[0][0]))
    drawn, state = _drawn(count, size, draws)
    rng = np.random.default_rng(2019)
    rng.bit_generator.state = state
    usual, unusual = np.zeros(draws), np.zeros(draws)
    for content, figures in sets:
        numbers = np.frombuffer(content)
        apart = numbers + rng.uniform(-_LOT, _LOT, count)
        for statistic, figure in figures:
            ours = FUNCTIONS[statistic](apart[drawn], axis=1)
            usual += _surprise(ours, apart, drawn, statistic)
            unusual += _surprise(np.float64(figure), numbers, drawn, statistic, _ROUNDING)
    return float((1 + (usual >= unusual - 1e-9).sum()) / (1 + draws))


def _surprise(
    figure: NDArray[np.float64] | np.float64,
    numbers: NDArray[np.float64],
    drawn: NDArray[np.int64],
    statistic: str,
    rounding: float = 0.0,
) -> NDArray[np.float64]:
    """−log p of the figure of every draw, or of one for all, beside the numbers that are not drawn."""
    above, under = np.asarray(figure + rounding), np.asarray(figure - rounding)
    ordered, values = np.sort(numbers), numbers[drawn]
    at_most = np.searchsorted(ordered, above, "right") - (values <= above[..., None]).sum(axis=1)
    below = np.searchsorted(ordered, under, "left") - (values < under[..., None]).sum(axis=1)
    size = values.shape[1]
    return np.asarray(-np.log(_two_sided(at_most, below, statistic, size, len(ordered) - size)))


@lru_cache(maxsize=4)
def _drawn(count: int, size: int, draws: int) -> tuple[NDArray[np.int64], Any]:
    """Subsets of `size` of the numbers below `count`, each as probable as any other, (draw, number), and the
    state of the generator after them; always the same ones.

    Floyd's way: a number below a bound that rises, or the bound itself where that number is already there.
    """
    rng = np.random.default_rng(2019)
    drawn = np.empty((draws, size), np.int64)
    for place, bound in enumerate(range(count - size, count)):
        new = rng.integers(0, bound + 1, draws)
        repeated = (drawn[:, :place] == new[:, None]).any(axis=1)
        drawn[:, place] = np.where(repeated, bound, new)
    drawn.setflags(write=False)
    return drawn, rng.bit_generator.state


@checked
def holm(p_values: Sequence[float]) -> list[float]:
    """P-values of several tests, adjusted so that one below 0.05 is false in at most one case in twenty
    over all of them (Holm, 1979).

    >>> holm([0.01, 0.5, 0.03])
    [0.03, 0.5, 0.06]
    """
    adjusted, largest = [0.0] * len(p_values), 0.0
    for place, number in enumerate(sorted(range(len(p_values)), key=lambda n: p_values[n])):
        largest = max(largest, min(1.0, (len(p_values) - place) * p_values[number]))
        adjusted[number] = largest
    return adjusted


@checked
def share_p_value(count: int, runs: int, others: int, other_runs: int) -> float:
    """The p-value of two shares, `count` of `runs` beside `others` of `other_runs`, two-sided (Fisher's exact
    test).

    >>> round(share_p_value(6, 10, 9, 10), 2)
    0.3
    """
    if not (0 <= count <= runs and 0 <= others <= other_runs and runs and other_runs):
        raise BadInput(f"share_p_value: got {count} of {runs} and {others} of {other_runs}")
    both = count + others
    first, last = max(0, both - other_runs), min(runs, both)
    ways = [comb(runs, k) * comb(other_runs, both - k) for k in range(first, last + 1)]
    return sum(way for way in ways if way <= ways[count - first]) / sum(ways)
