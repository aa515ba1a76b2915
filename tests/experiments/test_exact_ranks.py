"""P-values by ranks against all orders of a few runs, and against runs that differ in nothing."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from numpy.testing import assert_allclose

from abacist.experiments import exact_p_value
from abacist.experiments.p_values import smaller_ranks
from tests.experiments.exact_cases import FUNCTIONS


@pytest.mark.parametrize(("size", "ours"), [(1, 3), (2, 4), (3, 5), (4, 3), (5, 6)])
def test_ranks_are_counted_over_all_orders(size: int, ours: int) -> None:
    """Every choice of places for the other runs among all of them is as probable as any."""
    orders = [np.array(chosen) for chosen in combinations(range(ours + size), size)]
    for place in range(1, size + 1):
        below = np.array([chosen[place - 1] - (place - 1) for chosen in orders])
        exact = [(below <= r).mean() for r in range(ours + 1)]
        assert_allclose(smaller_ranks(place, size, ours), exact, rtol=1e-12)


@pytest.mark.parametrize("statistic", FUNCTIONS)
@pytest.mark.parametrize(("size", "ours"), [(3, 6), (4, 6), (2, 7)])
def test_over_all_orders_no_level_is_exceeded(statistic: str, size: int, ours: int) -> None:
    """Where nothing differs, p ≤ α has at most the probability α."""
    values = np.arange(ours + size) * 10.0
    found = []
    for chosen in combinations(range(ours + size), size):
        others = values[list(chosen)]
        rest = np.delete(values, chosen)
        found.append(exact_p_value(rest, float(FUNCTIONS[statistic](others)), statistic, size))
    for level in np.unique(found):
        share = (np.array(found) <= level + 1e-12).mean()
        assert share <= level + 1e-12
        # Of the smallest and the largest run the rank is known: two tails, each just half of the level.
        assert statistic == "median" or level > 0.5 or share >= level / 2 - 1e-12


@pytest.mark.parametrize("statistic", FUNCTIONS)
def test_ties_make_a_p_value_larger_never_smaller(statistic: str) -> None:
    """Over all orders of runs that are often equal, as at the ceiling."""
    values = np.array([0.0, 50, 50, 100, 100, 100, 100, 100])
    found = np.array(
        [
            exact_p_value(
                np.delete(values, chosen), float(FUNCTIONS[statistic](values[list(chosen)])), statistic, 3
            )
            for chosen in combinations(range(8), 3)
        ]
    )
    for level in np.unique(found):
        assert (found <= level + 1e-12).mean() <= level + 1e-12


def test_a_figure_beyond_our_range_has_what_so_many_runs_can_say() -> None:
    """The largest of all 210 runs is one of the paper's ten in 10 of 210 cases."""
    ours = np.linspace(0, 70, 200)
    for figure in (71.0, 87.77, 1e6):
        assert exact_p_value(ours, figure, "max") == pytest.approx(2 * 10 / 210, rel=1e-12)
        assert exact_p_value(-ours, -figure, "min") == pytest.approx(2 * 10 / 210, rel=1e-12)
    few = exact_p_value(ours[:20], 99.0, "median")
    assert exact_p_value(ours, 99.0, "median") < few < 0.01
    assert exact_p_value(ours, 35.0, "median") == 1


def test_a_printed_figure_stands_for_all_that_round_to_it() -> None:
    ours = np.full(30, 99.9967)  # printed as 100.00
    for statistic in FUNCTIONS:
        assert exact_p_value(ours, 100.0, statistic) == 1
        assert exact_p_value(ours, 99.98, statistic) < 1


def test_a_difference_is_found() -> None:
    rng = np.random.default_rng(13)
    ours = rng.normal(50, 5, 200)
    assert all(exact_p_value(ours, figure, "median") < 0.05 for figure in (40.0, 60.0))
    assert exact_p_value(ours, 50.0, "median") > 0.5
