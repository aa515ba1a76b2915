"""P-values by drawing ten of our runs: of a median, of all figures of a network, and of several networks.

The nine figures of a row of table 3 go together: a run that is good on the short set is good on the
training set. How much they do is taken from our own runs. Ten of ours, drawn at random, are compared with the
paper's ten, both beside the same other runs of ours: how often are ours as unusual as the paper's?
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import exp, log

import numpy as np
from numpy.typing import NDArray

from abacist.errors import BadInput
from abacist.experiments.exact_ranks import ROUNDING, exact_p_value, two_sided
from abacist.experiments.paper import RUNS, STATISTICS, Figures
from abacist.experiments.statistics import Shares, numbers_of, summaries_of
from abacist.fields import checked, expect_each, shown

#: How many times ten runs are drawn; the seed is fixed, so that a report can be made again.
DRAWS = 10_000

#: By how much runs that are equal are told apart, in points: less than any two others differ.
_LOT = 1e-6


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
    return _by_drawing([(numbers, {statistic: figure})], size, draws)


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
    sets = [(ours[name], {s: figures[name].of(s) for s in STATISTICS}) for name in figures]
    return _by_drawing(sets, size, draws)


def _by_drawing(
    sets: Sequence[tuple[NDArray[np.float64], Mapping[str, float]]], size: int, draws: int
) -> float:
    """How often draws are as unusual as the paper's figures, on sets with the numbers of the same runs.

    Runs of ours that are equal are told apart by lot, so that a draw has an order of its own even where all
    are at the ceiling; ties of the paper's figures with ours count for their being usual.
    """
    rng = np.random.default_rng(2019)
    count = len(sets[0][0])
    drawn = _subsets(count, size, draws, rng)
    usual, unusual = np.zeros(draws), np.zeros(draws)
    for numbers, figures in sets:
        apart = numbers + rng.uniform(-_LOT, _LOT, count)
        own = summaries_of(apart[drawn])
        for statistic, figure in figures.items():
            usual += _surprise(own[statistic], apart, drawn, statistic)
            unusual += _surprise(np.full(draws, figure), numbers, drawn, statistic, ROUNDING)
    return float((1 + (usual >= unusual - 1e-9).sum()) / (1 + draws))


def _surprise(
    figure: NDArray[np.float64],
    numbers: NDArray[np.float64],
    drawn: NDArray[np.int64],
    statistic: str,
    rounding: float = 0.0,
) -> NDArray[np.float64]:
    """−log p of the figure of every draw, (draw), beside the runs that are not among those drawn."""
    above, under, ordered, values = figure + rounding, figure - rounding, np.sort(numbers), numbers[drawn]
    at_most = np.searchsorted(ordered, above, "right") - (values <= above[:, None]).sum(axis=1)
    below = np.searchsorted(ordered, under, "left") - (values < under[:, None]).sum(axis=1)
    size = values.shape[1]
    return np.asarray(-np.log(two_sided(at_most, below, statistic, size, len(ordered) - size)))


def _subsets(count: int, size: int, draws: int, rng: np.random.Generator) -> NDArray[np.int64]:
    """Subsets of `size` of the numbers below `count`, each as probable as any other, (draw, number).

    Floyd's way: a number below a bound that rises, or the bound itself where that number is already there.
    """
    drawn = np.empty((draws, size), np.int64)
    for place, bound in enumerate(range(count - size, count)):
        new = rng.integers(0, bound + 1, draws)
        there = (drawn[:, :place] == new[:, None]).any(axis=1)
        drawn[:, place] = np.where(there, bound, new)
    return drawn


@checked
def holm(p_values: Sequence[float]) -> list[float]:
    """P-values of several tests, adjusted so that one below 0.05 is false in at most one case in twenty
    over all of them (Holm, 1979).

    >>> holm([0.01, 0.5, 0.03])
    [0.03, 0.5, 0.06]
    """
    expect_each("holm: each of p_values", p_values, float)
    adjusted, largest = [0.0] * len(p_values), 0.0
    for place, number in enumerate(sorted(range(len(p_values)), key=lambda n: p_values[n])):
        largest = max(largest, min(1.0, (len(p_values) - place) * p_values[number]))
        adjusted[number] = largest
    return adjusted


@checked
def fisher(p_values: Sequence[float]) -> float:
    """The p-value of several independent tests together: that the product of theirs is so small (Fisher).

    >>> round(fisher([0.05, 0.05]), 4)
    0.0175
    """
    expect_each("fisher: each of p_values", p_values, float)
    if not p_values or not all(0 < value <= 1 for value in p_values):
        raise BadInput(f"fisher: p-values must be above 0 and at most 1, got {shown(p_values)}")
    half = -sum(log(value) for value in p_values)  # half of a chi-square with two degrees for each test
    term, total = 1.0, 1.0
    for number in range(1, len(p_values)):
        term *= half / number
        total += term
    return min(1.0, exp(-half) * total)
