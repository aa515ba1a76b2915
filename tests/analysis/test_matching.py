"""Units are matched to pairs as trying all ways, and NumPy's correlations, match them."""

from __future__ import annotations

from itertools import permutations
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from abacist.analysis.matching import assignment, match_units, unit_correlations
from abacist.errors import BadInput
from tests.analysis.cases import read

SHAPES = st.tuples(st.integers(1, 6), st.integers(1, 6))


def best_sum(gains: np.ndarray[Any, Any]) -> float:
    """The greatest sum of any one-to-one matching, by trying all of them."""
    wide = gains if gains.shape[0] >= gains.shape[1] else gains.T
    rows, columns = wide.shape
    return max(
        float(sum(wide[row, column] for column, row in enumerate(chosen)))
        for chosen in permutations(range(rows), columns)
    )


@given(SHAPES.flatmap(lambda shape: arrays(np.float64, shape, elements=st.floats(0, 1))))
def test_the_best_of_all_ways(gains: np.ndarray[Any, Any]) -> None:
    chosen = assignment(gains)
    matched = [(row, column) for column, row in enumerate(chosen) if row is not None]
    assert len(chosen) == gains.shape[1]
    assert len(matched) == min(gains.shape)
    assert len({row for row, _ in matched}) == len(matched)
    assert sum(gains[row, column] for row, column in matched) == pytest.approx(best_sum(gains), abs=1e-9)


def test_many_units_are_no_trouble() -> None:
    order = np.random.default_rng(0).permutation(64)
    assert assignment(np.eye(64)[order][:, :40] + 0.1) == tuple(np.argsort(order)[:40])


def test_correlations_are_numpy_s() -> None:
    rng = np.random.default_rng(1)
    states, depths = rng.normal(size=(50, 4)), rng.integers(0, 5, size=(50, 3))
    expected = np.corrcoef(states.T, depths.T)[:4, 4:]
    np.testing.assert_allclose(unit_correlations(states, depths), expected, atol=1e-12)


def test_what_stands_still_or_is_not_finite_correlates_with_nothing() -> None:
    moving = np.arange(6.0)
    states = np.stack([moving, np.ones(6), moving * np.nan, np.full(6, np.inf)], axis=1)
    found = unit_correlations(states, np.stack([moving, np.zeros(6)], axis=1))
    np.testing.assert_allclose(found, [[1, 0], [0, 0], [0, 0], [0, 0]], atol=1e-12)


def test_sign_scale_and_offset_do_not_matter() -> None:
    depths = np.random.default_rng(2).integers(0, 9, size=(80, 3)).astype(float)
    states = np.stack([7 - 3 * depths[:, 2], np.zeros(80), 0.01 * depths[:, 0], 5 * depths[:, 1]], axis=1)
    found = unit_correlations(states, depths)
    assert assignment(np.abs(found)) == (2, 3, 0)
    assert found[0, 2] == pytest.approx(-1)


def test_over_words() -> None:
    readings = [read("shuffle-2", text, hidden=4) for text in ("([)](())", "[[((]]))", "()[]")]
    matching = match_units(readings)
    states = np.concatenate([reading.values("c") for reading in readings])
    depths = np.concatenate([reading.depths for reading in readings])
    size = np.abs(np.corrcoef(states.T, depths.T)[:4, 4:])
    ways = {chosen: size[chosen[0], 0] + size[chosen[1], 1] for chosen in permutations(range(4), 2)}
    assert matching.units == max(ways, key=lambda chosen: ways[chosen])
    for counter, unit in enumerate(matching.units):
        correlation = matching.correlation(counter)
        assert unit is not None
        assert correlation is not None
        assert correlation == matching.correlations[unit, counter]
        assert abs(correlation) == pytest.approx(size[unit, counter])


@pytest.mark.parametrize("name", ["h", "c", "o"])
def test_the_state_that_is_named(name: str) -> None:
    reading = read("shuffle-2", "([)](())", hidden=4)
    expected = unit_correlations(reading.values(name), reading.depths)
    np.testing.assert_array_equal(match_units([reading], name).correlations, expected)


def test_fewer_units_than_pairs() -> None:
    matching = match_units([read("shuffle-2", "([)](())", hidden=1)])
    assert sorted(matching.units, key=str) == [0, None]
    assert matching.correlation(matching.units.index(None)) is None


def test_what_comes_after_the_language_is_left_has_no_say() -> None:
    inside = match_units([read("dyck-2", "([])([])")])
    outside = match_units([read("dyck-2", "([])([])])(("), read("dyck-2", ")(")])
    np.testing.assert_array_equal(outside.correlations, inside.correlations)
    with pytest.raises(BadInput, match="at least one symbol must be inside the language, got none"):
        match_units([read("dyck-2", ")(")])
