"""Statistics against their plain definitions and a plain bootstrap."""

from __future__ import annotations

import tracemalloc
from math import comb, inf

import numpy as np
import pytest

from abacist.experiments import median_interval, summarise
from abacist.experiments.statistics import RESAMPLES, exact_median_interval
from tests.experiments.exact_cases import FUNCTIONS


@pytest.mark.parametrize(
    "count", [10, 11, *(pytest.param(count, marks=pytest.mark.thorough) for count in (40, 101))]
)
def test_the_interval_is_that_of_a_plain_bootstrap(count: int) -> None:
    shares = np.random.default_rng(count).beta(2, 1, count) * 100
    rng = np.random.default_rng(7)
    medians = [float(np.median(rng.choice(shares, count))) for _ in range(20_000)]
    low, high = median_interval(shares)
    assert low <= np.median(shares) <= high
    for found, level in ((low, 0.025), (high, 0.975)):
        around = np.quantile(medians, [level - 0.006, level + 0.006])
        assert around[0] <= found <= around[1]


def test_a_summary_is_numpys() -> None:
    shares = np.random.default_rng(5).random(10)
    assert summarise(shares) == {name: float(f(shares)) for name, f in FUNCTIONS.items()}


@pytest.mark.parametrize("count", [1, 2, 7, 200, 331])
def test_what_is_drawn_a_few_at_a_time_is_what_all_at_once_would_be(count: int) -> None:
    """Bit for bit: tables that were made before stay as they are."""
    shares = np.random.default_rng(count).integers(0, 50, count) / 3
    drawn = shares[np.random.default_rng(2019).integers(0, count, (RESAMPLES, count))]
    assert median_interval(shares) == tuple(np.quantile(np.median(drawn, axis=1), [0.025, 0.975]))


@pytest.mark.thorough
def test_many_runs_need_little_room() -> None:
    shares = np.random.default_rng(0).random(2_000)
    tracemalloc.start()
    median_interval(shares)
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert most < 20e6  # all resamples at once are 640 MB


@pytest.mark.parametrize("count", range(1, 40))
def test_the_exact_interval_has_the_median_as_often_as_it_says(count: int) -> None:
    """Each run is below the median or above it: over all 2ⁿ ways, and no narrower interval does."""
    low, high = exact_median_interval(np.arange(count, dtype=float))
    ways = np.array([comb(count, below) for below in range(count + 1)]) / 2**count

    def missed(cut: int) -> float:
        """How often fewer than `cut` runs are on one side of the median."""
        return float(2 * ways[:cut].sum())

    if low == -inf:
        assert (high, missed(1) > 0.05 + 1e-12) == (inf, True)
        return
    cut = int(low) + 1
    assert high == count - cut
    assert missed(cut) <= 0.05 + 1e-12
    assert cut == count // 2 or missed(cut + 1) > 0.05 - 1e-12


def test_the_exact_interval_of_simulated_differences() -> None:
    """Whatever the distribution, and with ties: at least as often as it says, and never far more."""
    rng = np.random.default_rng(5)
    for values, median in (
        (rng.exponential(size=(2_000, 30)), np.log(2)),
        (np.round(rng.normal(size=(2_000, 30))), 0.0),
    ):
        found = [exact_median_interval(row) for row in values]
        share = np.mean([low <= median <= high for low, high in found])
        assert share >= 0.95 - 3 * np.sqrt(0.05 * 0.95 / 2_000)


def test_the_exact_interval_of_thousands_of_runs() -> None:
    values = np.random.default_rng(6).permutation(100_001).astype(float)
    low, high = exact_median_interval(values)
    assert abs(50_000 - low - 1.96 * np.sqrt(100_001) / 2) < 2
    assert high == 100_000 - low
