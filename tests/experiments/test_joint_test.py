"""The joint test on simulated runs with a known answer, and Holm's adjustment against its definition."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from abacist.errors import BadInput
from abacist.experiments import Figures, exact_p_value, holm, joint_p_value, p_value

SETS = ("training", "short", "long")

#: The first two sets nearly say the same, as training and short sets do.
_TOGETHER = np.linalg.cholesky(np.array([[1, 0.97, 0.5], [0.97, 1, 0.5], [0.5, 0.5, 1]]))


def simulated(rng: np.random.Generator, count: int, *, tied: bool = False) -> NDArray[np.float64]:
    """Accuracies of runs, (run, set)."""
    runs = 60 + 15 * rng.normal(size=(count, 3)) @ _TOGETHER.T
    return np.clip(np.round(runs) if tied else runs, 0, 70 if tied else 100)


def figures_of(runs: NDArray[np.float64]) -> dict[str, Figures]:
    return {
        name: Figures(*(round(float(f(runs[:, n])), 2) for f in (np.min, np.max, np.median)))
        for n, name in enumerate(SETS)
    }


def joint(ours: NDArray[np.float64], theirs: NDArray[np.float64], **given: Any) -> float:
    shares = {name: ours[:, n] for n, name in enumerate(SETS)}
    return joint_p_value(shares, figures_of(theirs), **given)


@pytest.mark.parametrize("tied", [False, True])
def test_runs_that_differ_in_nothing_have_uniform_p_values(tied: bool) -> None:
    """Whether figures are tied or not, and though nine of them go together: within three standard errors."""
    rng, trials = np.random.default_rng(21), 500
    found = []
    for _ in range(trials):
        runs = simulated(rng, 110, tied=tied)
        found.append(joint(runs[10:], runs[:10], draws=200))
    for level in (0.05, 0.1, 0.25, 0.5, 0.75):
        share, error = np.mean(np.array(found) <= level), 3 * np.sqrt(level * (1 - level) / trials)
        assert share <= level + error
        assert tied or share >= level - error - 0.02


@pytest.mark.parametrize("tied", [False, True])
def test_the_p_value_of_a_median_is_uniform_where_the_exact_one_is_only_a_bound(tied: bool) -> None:
    rng, trials = np.random.default_rng(26), 600
    found = []
    for _ in range(trials):
        runs = simulated(rng, 110, tied=tied)[:, 0]
        median = round(float(np.median(runs[:10])), 2)
        found.append(
            (p_value(runs[10:], median, "median", draws=200), exact_p_value(runs[10:], median, "median"))
        )
    drawn, exact = np.array(found).T
    for level in (0.05, 0.1, 0.25, 0.5, 0.75):
        share, error = (drawn <= level).mean(), 3 * np.sqrt(level * (1 - level) / trials)
        assert share <= level + error
        assert tied or level > 0.5 or share >= level - error - 0.02  # all near the middle have p = 1
        assert (exact <= level).mean() <= share


def test_the_smallest_and_the_largest_are_exact() -> None:
    runs = simulated(np.random.default_rng(27), 50)[:, 0]
    for statistic, figure in (("min", 20.0), ("max", 70.0)):
        assert p_value(runs, figure, statistic) == exact_p_value(runs, figure, statistic)
    assert p_value(runs, 50.0, "median", 9) == exact_p_value(runs, 50.0, "median", 9)
    assert p_value(runs[:10], 50.0, "median") == exact_p_value(runs[:10], 50.0, "median")


def test_a_figure_that_none_of_our_equal_runs_has_is_no_proof() -> None:
    """Of 40 runs, one differs: it is one of the paper's ten in a quarter of all cases."""
    ours, theirs = np.full((30, 3), 100.0), np.full((10, 3), 100.0)
    theirs[0, 2] = 99.98
    assert joint(ours, theirs) > 0.25
    assert joint(ours, np.full((10, 3), 100.0)) == 1
    assert joint(ours, np.full((10, 3), 90.0)) < 0.05


@pytest.mark.parametrize("by", [-25.0, 25.0])
def test_a_shift_of_all_runs_is_found(by: float) -> None:
    runs = simulated(np.random.default_rng(22), 210)
    assert joint(runs[10:], runs[:10] + by) < 0.01
    assert joint(runs[10:], runs[:10]) > 0.05


def test_surprises_count_together() -> None:
    """Ten runs that are rather good on three sets which have nothing to do with each other: no figure is rare
    by itself, but all of them are. Where the three sets say the same, that is less of a surprise."""
    runs = np.random.default_rng(23).uniform(0, 100, (300, 3))
    theirs = np.sort(runs, axis=0)[[75, 150, 180, 195, 200, 210, 235, 255, 275, 295]]
    alone = [
        p_value(runs[:, n], figures.of(s), s)
        for n, figures in enumerate(figures_of(theirs).values())
        for s in ("min", "max", "median")
    ]
    apart, same = joint(runs, theirs), joint(runs[:, [0, 0, 0]], theirs[:, [0, 0, 0]])
    assert min(alone) > 0.05
    assert apart < 0.05 < same


def test_only_the_order_of_runs_matters_and_the_same_runs_give_the_same() -> None:
    """Of the smallest and the largest, that is; a median also depends on how far two runs are apart."""
    runs = simulated(np.random.default_rng(24), 60)
    p = joint(runs[10:], runs[:10], draws=500)
    assert joint(runs[10:], runs[:10], draws=500) == p
    cubed = 1e3 * runs**3
    assert joint(cubed[10:], cubed[:10], draws=500) == pytest.approx(p, abs=0.05)


def test_p_values_are_never_zero_and_too_few_runs_are_refused() -> None:
    runs = simulated(np.random.default_rng(25), 40)
    assert joint(runs, runs[:10] + 1_000, draws=99) >= 0.01
    with pytest.raises(BadInput, match="more than 10 runs, as many on every set, got 10, 10, 10"):
        joint(runs[:10], runs[10:20])
    shares = {"training": runs[:, 0], "short": runs[1:, 1], "long": runs[:, 2]}
    with pytest.raises(BadInput, match="got 40, 39, 40"):
        joint_p_value(shares, figures_of(runs[:10]))


@pytest.mark.parametrize("seed", range(5))
def test_holm_is_the_closed_test_of_bonferroni(seed: int) -> None:
    """By its definition: the largest of min(1, m · least p) over all subsets that a test belongs to."""
    values = np.random.default_rng(seed).beta(0.4, 3, 6).tolist()
    closed = [
        max(
            min(1.0, size * min(values[n] for n in subset))
            for size in range(1, 7)
            for subset in combinations(range(6), size)
            if own in subset
        )
        for own in range(6)
    ]
    assert holm(values) == pytest.approx(closed, rel=1e-12)


def test_holm_of_nothing_and_of_equals() -> None:
    assert holm([]) == []
    assert holm([0.5]) == [0.5]
    assert holm([0.02, 0.02, 0.02]) == pytest.approx([0.06] * 3)
