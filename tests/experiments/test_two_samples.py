"""Two samples: the distance is that of a plain double loop, the p-value near that of dividing them anew."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from abacist.experiments.statistics import greatest_distance, two_sample_p_value

NUMBERS = st.lists(st.integers(0, 6).map(float), min_size=1, max_size=9)


def plain_distance(first: list[float], second: list[float]) -> float:
    def share(values: list[float], most: float) -> float:
        return sum(value <= most for value in values) / len(values)

    return max(abs(share(first, x) - share(second, x)) for x in (*first, *second))


@given(NUMBERS, NUMBERS)
def test_the_distance_is_the_plain_one(first: list[float], second: list[float]) -> None:
    assert greatest_distance(first, second) == pytest.approx(plain_distance(first, second), abs=1e-12)
    assert greatest_distance(first, second) == greatest_distance(second, first)


@pytest.mark.parametrize("shift", [0.0, 0.1, 0.2, 0.3])
def test_the_p_value_is_near_that_of_dividing_them_anew(shift: float) -> None:
    rng = np.random.default_rng(3)
    first, second = rng.random(40), rng.random(60) + shift
    both, found = np.concatenate((first, second)), greatest_distance(first, second)
    anew = [greatest_distance(mixed[:40], mixed[40:]) for mixed in rng.permuted([both] * 3_000, axis=1)]
    assert two_sample_p_value(first, second) == pytest.approx(
        np.mean(np.array(anew) >= found - 1e-12), abs=0.05
    )


def test_samples_of_one_distribution_are_seldom_far_apart() -> None:
    rng = np.random.default_rng(0)
    low = [two_sample_p_value(rng.random(200), rng.random(2_000)) < 0.05 for _ in range(400)]
    assert 0.02 < np.mean(low) < 0.08
    assert two_sample_p_value(rng.random(200), rng.random(2_000) + 0.2) < 1e-6


def test_equal_samples_are_as_near_as_can_be() -> None:
    assert two_sample_p_value([1.0] * 50, [1.0] * 70) == 1.0
