"""Statistics against exact enumeration and a plain bootstrap."""

from __future__ import annotations

import tracemalloc
from collections import Counter, defaultdict
from itertools import combinations_with_replacement
from math import comb, factorial, inf, prod

import numpy as np
import pytest
from numpy.testing import assert_allclose
from numpy.typing import NDArray

from abacist.experiments import exact_median_interval, median_interval, resampled, summarise
from abacist.experiments.statistics import RESAMPLES
from tests.experiments.exact_cases import FUNCTIONS

SAMPLES = [
    [0.0, 100.0, 100.0],
    [0.0, 0.0, 0.0, 1.0],
    [1.0, 2.0, 4.0],
    [99.0, 99.0, 100.0, 100.0, 100.0, 100.0, 42.0],
    [100.0] * 7,
]


def exact(shares: list[float], size: int, statistic: str) -> dict[float, float]:
    """The distribution of a statistic of `size` draws, by enumerating all multisets of values."""
    weights = {value: count / len(shares) for value, count in Counter(shares).items()}
    chances: defaultdict[float, float] = defaultdict(float)
    for drawn in combinations_with_replacement(sorted(weights), size):
        counts = Counter(drawn).values()
        ways = factorial(size) // prod(factorial(count) for count in counts)
        chances[float(FUNCTIONS[statistic](drawn))] += ways * prod(weights[value] for value in drawn)
    assert_allclose(sum(chances.values()), 1)
    return dict(chances)


@pytest.mark.parametrize("statistic", FUNCTIONS)
@pytest.mark.parametrize("shares", SAMPLES)
@pytest.mark.parametrize("size", [10, 3])
def test_probabilities_are_those_of_enumeration(shares: list[float], statistic: str, size: int) -> None:
    """Within four standard errors of 20,000 draws."""
    chances = exact(shares, size, statistic)
    values = resampled(np.array(shares), size, statistic)
    for value, chance in chances.items():
        allowed = 4 * np.sqrt(chance * (1 - chance) / len(values)) + 1e-9
        assert abs((values == value).mean() - chance) <= allowed
    assert set(values) <= set(chances)


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
    inner = median_interval(shares, 0.5)
    assert low <= inner[0] <= inner[1] <= high


def test_everything_is_the_same_again() -> None:
    shares: NDArray[np.float64] = np.random.default_rng(3).random(30)
    assert np.array_equal(resampled(shares, 10, "median"), resampled(shares.copy(), 10, "median"))
    assert median_interval(shares) == median_interval(shares)


def test_a_summary_is_numpys() -> None:
    shares = np.random.default_rng(5).random(10)
    assert summarise(shares) == {name: float(f(shares)) for name, f in FUNCTIONS.items()}


@pytest.mark.parametrize("count", [1, 2, 7, 200, 331])
@pytest.mark.parametrize("statistic", FUNCTIONS)
def test_what_is_drawn_a_few_at_a_time_is_what_all_at_once_would_be(count: int, statistic: str) -> None:
    """Bit for bit: tables that were made before stay as they are."""
    shares = np.random.default_rng(count).integers(0, 50, count) / 3
    for size in (10, count):
        drawn = shares[np.random.default_rng(2019).integers(0, count, (RESAMPLES, size))]
        assert resampled(shares, size, statistic).tobytes() == FUNCTIONS[statistic](drawn, axis=1).tobytes()


@pytest.mark.thorough
def test_many_runs_need_little_room() -> None:
    shares = np.random.default_rng(0).random(2_000)
    tracemalloc.start()
    median_interval(shares)
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert most < 20e6  # all resamples at once are 640 MB


@pytest.mark.parametrize("count", [1, 5, 6, 9, 10, 17])
@pytest.mark.parametrize("level", [0.5, 0.9, 0.95, 0.99])
def test_the_exact_interval_has_the_median_as_often_as_it_says(count: int, level: float) -> None:
    """Each run is below the median or above it: over all 2ⁿ ways, and no narrower interval does."""
    low, high = exact_median_interval(np.arange(count, dtype=float), level)
    ways = np.array([comb(count, below) for below in range(count + 1)]) / 2**count

    def missed(cut: int) -> float:
        """How often fewer than `cut` runs are on one side of the median."""
        return float(2 * ways[:cut].sum())

    if low == -inf:
        assert (high, missed(1) > 1 - level + 1e-12) == (inf, True)
        return
    cut = int(low) + 1
    assert high == count - cut
    assert missed(cut) <= 1 - level + 1e-12
    assert cut == count // 2 or missed(cut + 1) > 1 - level - 1e-12


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
