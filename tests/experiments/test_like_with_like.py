"""Ten runs beside ten: rules keep their level where nothing differs, and find what does."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy import stats

from abacist.errors import BadInput
from abacist.experiments import FAILS, HOLDS, exact_p_value, rank_correlation, share_p_value
from abacist.experiments.claims.shares import Share, beside, extreme_beside
from abacist.experiments.p_values import extreme_interval
from tests.experiments.exact_cases import FUNCTIONS

Draw = Callable[[np.random.Generator, int], NDArray[np.float64]]

#: Accuracies of some runs: spread out, at a ceiling, in few steps, and mostly perfect with some failures.
NULLS: dict[str, Draw] = {
    "spread": lambda rng, count: np.asarray(100 * rng.beta(4, 3, count), np.float64),
    "ceiling": lambda rng, count: np.minimum(100, 99.9 + rng.normal(0, 0.2, count)),
    "steps": lambda rng, count: np.asarray(5.0 * rng.binomial(20, 0.5, count), np.float64),
    "failures": lambda rng, count: np.where(rng.random(count) < 0.9, 100.0, 100 * rng.random(count)),
}


def test_fisher_s_test_is_scipy_s() -> None:
    for runs, others in ((1, 1), (4, 7), (10, 10), (12, 3), (40, 10)):
        for k, j in product(range(runs + 1), range(others + 1)):
            expected = stats.fisher_exact([[k, runs - k], [j, others - j]]).pvalue
            assert share_p_value(k, runs, j, others) == pytest.approx(expected, rel=1e-9)
    assert share_p_value(6, 10, 9, 10) == pytest.approx(0.303, abs=5e-4)
    for wrong in ((-1, 10, 1, 10), (11, 10, 1, 10), (0, 0, 1, 10), (0, 10, 0, 0)):
        with pytest.raises(BadInput, match="share_p_value: got"):
            share_p_value(*wrong)


@pytest.mark.parametrize("runs", [10, 40, 200])
def test_shares_of_one_kind_fail_in_one_case_of_twenty_at_most(runs: int) -> None:
    """Exactly, over all numbers of runs that do it, the paper's and ours, of one probability."""
    fails = np.array(
        [[beside(Share(k, runs), of_ten, 10)[0] == FAILS for k in range(runs + 1)] for of_ten in range(11)]
    )
    rates = []
    for share in np.linspace(0, 1, 21):
        theirs, ours = (stats.binom.pmf(np.arange(n + 1), n, share) for n in (10, runs))
        rates.append(float(theirs @ fails @ ours))
    assert 0.001 < max(rates) <= 0.05


def test_shares_that_differ_fail_and_those_at_least_as_good_hold() -> None:
    assert beside(Share(6, 10), 9, 10)[0] not in (HOLDS, FAILS)
    assert beside(Share(40, 200), 9, 10)[0] == FAILS
    assert beside(Share(5, 10), 10, 10)[0] == FAILS
    assert beside(Share(190, 200), 9, 10)[0] == HOLDS
    assert beside(Share(195, 200), 10, 10)[0] == HOLDS  # ten of them are all right in three cases of four
    assert beside(Share(80, 200), 0, 10)[0] == FAILS
    assert beside(Share(0, 200), 0, 10)[0] == beside(Share(12, 200), 0, 10)[0] == HOLDS


@pytest.mark.parametrize(("count", "of"), [(2, 3), (3, 3), (0, 3), (1, 3)])
def test_half_of_all_groups_are_counted_out(count: int, of: int) -> None:
    for done in range(7):
        runs = np.array([True] * done + [False] * (6 - done))
        groups = np.array([runs[list(g)].sum() for g in product(range(6), repeat=3) if len(set(g)) == 3])
        as_good = groups >= count if count else groups == 0
        assert (beside(Share(done, 6), count, of)[0] == HOLDS) == (as_good.mean() >= 0.5)


@pytest.mark.parametrize("statistic", ["min", "max"])
@pytest.mark.parametrize("null", NULLS)
@pytest.mark.parametrize("runs", [10, 200])
def test_the_best_and_the_worst_of_ten_keep_their_level(statistic: str, null: str, runs: int) -> None:
    """Where nothing differs: at most one verdict in twenty fails, and not a plain maximum of 200 decides."""
    rng, times = np.random.default_rng(28), 400
    fails = outside = beyond = 0
    for _ in range(times):
        theirs, ours = NULLS[null](rng, 10), NULLS[null](rng, runs)
        figure = round(float(FUNCTIONS[statistic](theirs)), 2)
        verdict, (_, low, high), p = extreme_beside(ours, figure, statistic)
        fails += verdict == FAILS
        outside += not low - 0.0051 <= figure <= high + 0.0051
        beyond += figure < ours.max() if statistic == "max" else figure > ours.min()
        assert verdict != FAILS or p < 0.05
    error = 3 * np.sqrt(0.05 * 0.95 / times)
    assert fails / times <= 0.025 + error
    assert outside / times <= 0.05 + error
    assert beyond / times > 0.8 or runs == 10 or null in ("ceiling", "failures", "steps")


@pytest.mark.parametrize(("statistic", "by"), [("min", -25.0), ("max", 25.0)])
def test_a_shift_of_our_runs_is_found(statistic: str, by: float) -> None:
    """Ours are worse than the paper's worst, which is said to be good, or better than its best."""
    rng, found = np.random.default_rng(29), []
    for _ in range(100):
        theirs, ours = rng.normal(50, 5, 10), rng.normal(50 + by, 5, 200)
        figure = float(FUNCTIONS[statistic](theirs))
        found.append(extreme_beside(ours, figure, statistic)[0])
        assert extreme_beside(ours - 2 * by, figure, statistic)[0] == HOLDS
    assert set(found) == {FAILS}


@pytest.mark.parametrize("statistic", ["min", "max"])
@pytest.mark.parametrize("runs", [4, 10, 60, 500])
def test_the_interval_has_the_figures_that_are_not_unusual(statistic: str, runs: int) -> None:
    values = np.random.default_rng(runs).permutation(np.arange(0.0, 2 * runs, 2))
    middle, low, high = extreme_interval(values, statistic)
    assert low <= middle <= high
    for figure in np.arange(-1, 2 * runs + 2.0):
        inside = low <= figure <= high
        assert inside == (exact_p_value(values, float(figure), statistic) > 0.05)


def test_the_middle_is_the_median_of_all_best_of_ten() -> None:
    rng = np.random.default_rng(30)
    values = rng.normal(size=400)
    drawn = np.array([rng.choice(values, 10, replace=False).max() for _ in range(4_000)])
    assert abs((drawn <= extreme_interval(values, "max")[0]).mean() - 0.5) < 0.04
    assert extreme_interval(-values, "min")[0] == -extreme_interval(values, "max")[0]
    with pytest.raises(BadInput, match="must be min or max, got 'median'"):
        extreme_interval(values, "median")


@pytest.mark.parametrize("seed", range(4))
def test_the_rank_correlation_is_scipy_s(seed: int) -> None:
    rng = np.random.default_rng(seed)
    first, second = rng.integers(0, 8, 40).astype(float), rng.integers(0, 30, 40).astype(float)
    second += first * seed
    expected = stats.spearmanr(first, second).statistic
    assert rank_correlation(first, second) == pytest.approx(expected, rel=1e-12)
    longer = np.where(second == second.max(), np.inf, second)
    assert rank_correlation(first, longer) == pytest.approx(expected, rel=1e-12)
    assert rank_correlation(first, np.ones(40)) is None
    with pytest.raises(BadInput, match="as many, got 40 and 39"):
        rank_correlation(first, second[1:])
