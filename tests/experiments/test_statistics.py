"""Statistics against exact enumeration and a plain bootstrap."""

from __future__ import annotations

import tracemalloc
from collections import Counter, defaultdict
from collections.abc import Callable
from itertools import combinations_with_replacement
from math import factorial, prod
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose
from numpy.typing import NDArray

from abacist.experiments import median_interval, probability, resampled, summarise
from abacist.experiments.statistics import RESAMPLES

FUNCTIONS: dict[str, Callable[..., Any]] = {"min": np.min, "max": np.max, "median": np.median}

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


def centre_of(chances: dict[float, float]) -> float:
    """The median of a distribution."""
    below = 0.0
    for value in sorted(chances):
        below += chances[value]
        if below >= 0.5:
            return value
    raise AssertionError


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
    centre = centre_of(chances)
    for figure in (*chances, 0.5, 57.0, -3.0):
        truth = sum(c for value, c in chances.items() if abs(value - centre) >= abs(figure - centre) - 1e-9)
        found = probability(np.array(shares), figure, statistic, size)
        assert abs(found - truth) <= 4 * np.sqrt(max(truth * (1 - truth), 1e-12) / len(values)) + 1e-9


def test_the_centre_is_certain_and_what_is_far_is_not() -> None:
    shares = np.random.default_rng(1).normal(50, 1, 100)
    for statistic in FUNCTIONS:
        centre = float(np.median(resampled(shares, 10, statistic)))
        assert probability(shares, centre, statistic) == 1
        assert probability(shares, centre + 30, statistic) == 0
        near, far = (probability(shares, centre + by, statistic) for by in (0.3, 1.0))
        assert 0 < far < near < 1


def test_ten_runs_are_drawn_unless_told() -> None:
    shares = np.array([0.0, 1.0])
    assert probability(shares, 0, "max") == probability(shares, 0, "max", 10)
    assert abs(probability(shares, 0, "max") - 2.0**-10) < 4 * 2.0**-5 / np.sqrt(20_000)


@pytest.mark.parametrize("count", [10, 11, 40, 101])
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
    assert probability(shares, 0.4, "median") == probability(shares, 0.4, "median")


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


def test_many_runs_need_little_room() -> None:
    shares = np.random.default_rng(0).random(2_000)
    tracemalloc.start()
    median_interval(shares)
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert most < 20e6  # all resamples at once are 640 MB
