"""One test for all figures of a network at once, and what many tests together allow to say.

The nine figures of a row of table 3 go together: a run that is good on the short set is good on the
training set. How much they do is taken from our own runs. Ten of ours, drawn at random, are compared with the
paper's ten, both beside the same other runs of ours: how often are ours as unusual as the paper's?
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from abacist.errors import BadInput
from abacist.experiments.exact_ranks import ROUNDING, two_sided
from abacist.experiments.paper import RUNS, Figures
from abacist.experiments.statistics import Shares, numbers_of, summaries_of
from abacist.fields import checked, expect_each

#: How many times ten runs are drawn; the seed is fixed, so that a report can be made again.
DRAWS = 10_000

#: By how much runs that are equal are told apart, in points: less than any two others differ.
_LOT = 1e-6


@checked
def joint_p_value(
    shares: Mapping[str, Shares], figures: Mapping[str, Figures], *, size: int = RUNS, draws: int = DRAWS
) -> float:
    """The probability that `size` runs of ours are as unusual as the paper's in all figures taken together.

    `shares` has the accuracies of the same runs, in percent, by set; how unusual figures are is the sum of
    −log p over them (Fisher's). Compared with draws of our own, it needs no figures that are independent.
    Runs of ours that are equal are told apart by lot, so that a draw has an order of its own even where all
    are at the ceiling; ties of the paper's figures with ours count for their being usual, as in `p_value`.
    """
    ours = {name: numbers_of(shares[name]) for name in figures}
    counts = {len(numbers) for numbers in ours.values()}
    if len(counts) != 1 or min(counts) <= size or size < 1 or draws < 1:
        raise BadInput(
            f"joint_p_value: there must be more than {size} runs, as many on every set, got "
            f"{', '.join(str(len(numbers)) for numbers in ours.values()) or 'none'}"
        )
    (count,) = counts
    rng = np.random.default_rng(2019)
    drawn = _subsets(count, size, draws, rng)
    usual, unusual = np.zeros(draws), np.zeros(draws)
    for name, numbers in ours.items():
        apart = numbers + rng.uniform(-_LOT, _LOT, count)
        for statistic, own in summaries_of(apart[drawn]).items():
            theirs = np.full(draws, figures[name].of(statistic))
            usual += _surprise(own, apart, drawn, statistic)
            unusual += _surprise(theirs, numbers, drawn, statistic, ROUNDING)
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
