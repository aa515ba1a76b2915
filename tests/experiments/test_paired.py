"""Paired tests against SciPy and exact counts; p-values that are uniform under the null."""

from __future__ import annotations

from itertools import combinations, product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from abacist.errors import BadInput
from abacist.experiments.p_values import holm
from abacist.experiments.paired import (
    MOST_COUNTED,
    binomial_interval,
    further_pairs,
    least_p_value,
    paired_test,
)

INF = float("inf")

values = st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5)), min_size=1, max_size=8)


@pytest.mark.parametrize("count", [1, 2, 5, 12, 40])
def test_without_ties_the_p_value_is_wilcoxon_s(count: int) -> None:
    first, second = np.random.default_rng(count).normal(size=(2, count))
    assert paired_test(first, second).p_value == pytest.approx(
        stats.wilcoxon(first, second, mode="exact").pvalue
    )


@given(values)
def test_with_ties_the_p_value_counts_all_swaps(pairs: list[tuple[int, int]]) -> None:
    first, second = zip(*pairs, strict=True)
    differences = np.subtract(first, second)
    differences = differences[differences != 0]
    ranks = stats.rankdata(np.abs(differences))
    found = abs((ranks * np.sign(differences)).sum())
    sums = [
        abs(sum(r * s for r, s in zip(ranks, signs, strict=True)))
        for signs in product((-1, 1), repeat=len(ranks))
    ]
    assert paired_test(first, second).p_value == pytest.approx(np.mean(np.array(sums) >= found - 1e-9))


def test_many_pairs_have_the_normal_limit() -> None:
    first = np.random.default_rng(0).normal(0.08, 1, MOST_COUNTED + 100)
    second = np.random.default_rng(1).normal(size=len(first))
    expected = stats.wilcoxon(first, second, mode="approx", correction=True).pvalue
    assert paired_test(first, second).p_value == pytest.approx(expected, rel=1e-2)


@given(st.integers(1, 60).flatmap(lambda trials: st.tuples(st.integers(0, trials), st.just(trials))))
def test_intervals_of_probabilities_are_clopper_and_pearson_s(counts: tuple[int, int]) -> None:
    expected = stats.binomtest(*counts).proportion_ci(0.95, "exact")
    assert binomial_interval(*counts) == pytest.approx((expected.low, expected.high), abs=1e-9)


@given(values)
def test_swapping_both_sides_turns_everything_round(pairs: list[tuple[int, int]]) -> None:
    first, second = zip(*pairs, strict=True)
    one, other = paired_test(first, second), paired_test(second, first)
    assert (one.wins, one.ties, one.p_value) == (other.losses, other.ties, other.p_value)
    assert one.difference[0] == -other.difference[1]
    assert one.interval == (-other.interval[1], -other.interval[0])


@pytest.mark.parametrize("tied", [False, True])
def test_p_values_and_intervals_keep_their_promise_under_the_null(tied: bool) -> None:
    rng, tests = np.random.default_rng(2019), []
    for _ in range(1_000):
        pairs = rng.integers(0, 4, (2, 12)) if tied else rng.normal(size=(2, 12))
        tests.append(paired_test(*pairs))
    p_values = np.array([test.p_value for test in tests])
    for level in (0.01, 0.05, 0.2, 0.5):
        share, spread = (p_values <= level).mean(), 3 * np.sqrt(level * (1 - level) / 1_000)
        assert share <= level + spread
        assert tied or share >= level - spread - 0.01  # p-values of twelve pairs have gaps
    assert np.mean([test.interval[0] <= 0 <= test.interval[1] for test in tests]) >= 0.95 - 0.02


@given(
    st.lists(
        st.tuples(st.integers(0, 9), st.integers(0, 9), st.booleans(), st.booleans()), min_size=1, max_size=7
    )
)
def test_what_is_said_of_ranges_holds_for_all_numbers_in_them(
    pairs: list[tuple[int, int, bool, bool]],
) -> None:
    """An open value may be anything from what is known of it on."""
    first = [(a, INF if open_ else a) for a, _, open_, _ in pairs]
    second = [(b, INF if open_ else b) for _, b, _, open_ in pairs]
    said = paired_test(first, second)
    for extra in (0, 3, 100):
        one = [low + extra * (high == INF) for low, high in first]
        other = [low for low, _ in second]
        whole = paired_test(one, other)
        assert said.difference[0] <= whole.difference[0] <= said.difference[1]
        assert said.interval[0] <= whole.interval[0]
        assert whole.interval[1] <= said.interval[1]
        assert said.wins <= whole.wins <= said.wins + said.undecided
        assert said.probability_interval[0] <= whole.probability_interval[0]
        assert whole.probability_interval[1] <= said.probability_interval[1]


@pytest.mark.parametrize("count", [2, 3, 4, 5])
def test_few_pairs_have_no_interval_and_no_small_p_value(count: int) -> None:
    test = paired_test(range(1, count + 1), [0] * count)
    assert test.interval == (-INF, INF)
    assert test.p_value == least_p_value(count) > 0.05
    six = paired_test([1, 2, 3, 4, 5, 6], [0] * 6)
    assert (six.interval, six.p_value) == ((1.0, 6.0), 2 / 2**6)


def test_p_values_keep_their_promise_where_values_are_ranges() -> None:
    """Numbers from 0 to 9 of which those from 5 on are only known to be at least 5, equal sides."""
    rng, p_values = np.random.default_rng(2019), []
    for _ in range(1_000):
        first, second = (
            np.where(sides[:, None] >= 5, [5.0, INF], sides[:, None])
            for sides in rng.integers(0, 10, (2, 12))
        )
        p_values.append(paired_test(first, second).p_value)
    for level in (0.01, 0.05, 0.2):
        assert np.mean(np.array(p_values) <= level) <= level + 3 * np.sqrt(level * (1 - level) / 1_000)


@given(st.lists(st.floats(0, 1), min_size=1, max_size=6))
def test_holm_s_adjustment_is_that_of_all_subsets(p_values: list[float]) -> None:
    """Closed testing: a row's is the largest Bonferroni p-value of all subsets that have it."""
    numbers = range(len(p_values))
    subsets = [s for size in numbers for s in combinations(numbers, size + 1)]
    expected = [
        max(min(1.0, len(s) * min(p_values[n] for n in s)) for s in subsets if number in s)
        for number in numbers
    ]
    assert holm(p_values) == pytest.approx(expected)


def test_pairs_whose_ranges_overlap_decide_nothing() -> None:
    test = paired_test([(5, INF)] * 10, [(7, INF)] * 10)
    assert (test.undecided, test.p_value, test.difference) == (10, 1.0, (-INF, INF))
    assert test.probability_interval == (0.0, 1.0)
    sure = paired_test([(9, INF)] * 10, [7] * 10)
    assert (sure.wins, sure.p_value, sure.difference) == (10, 2 / 2**10, (2.0, INF))


def test_so_many_further_pairs_decide_it_mostly() -> None:
    rng = np.random.default_rng(4)
    first, second = rng.normal(size=(2, 20)) + np.array([[0.5], [0]])
    more = further_pairs(first, second)
    assert more is not None
    decided = []
    for _ in range(200):
        places = rng.integers(0, 20, 20 + more)
        decided.append(paired_test(first[places], second[places]).p_value <= 0.05)
    assert 0.7 < np.mean(decided) < 0.95
    many = further_pairs(first, second, tests=20)
    assert many is not None
    assert many > more
    assert further_pairs([1, 2, 1, 2], [2, 1, 2, 1]) is None
    assert further_pairs([1] + [0] * 5, [0] * 6) is None  # one pair that differs says nothing
    five = further_pairs([1, 2, 3, 4, 5], [0] * 5)  # with six, 2/64 is below 0.05
    assert five == 1


def test_further_pairs_know_that_few_pairs_have_no_small_p_value() -> None:
    first = np.array([1] * 5 + [0] * 5)  # five that differ, all alike: at least six must
    more = further_pairs(first, [0] * 10)
    assert more is not None
    drawn = np.random.default_rng(6).integers(0, 10, (400, 10 + more))
    decided = [paired_test(first[places], [0] * len(places)).p_value <= 0.05 for places in drawn]
    assert np.mean(decided) >= 0.75


@pytest.mark.parametrize(
    ("first", "second", "said"),
    [
        ([1, 2], [1], "as many"),
        ([], [], "one pair at least"),
        ([(2, 1)], [(0, 0)], "numbers or ranges"),
        (["a"], [1], "must be numbers"),
        ([float("nan")], [1], "numbers or ranges"),
        ([INF], [INF], "numbers or ranges"),
    ],
)
def test_bad_pairs_are_refused(first: object, second: object, said: str) -> None:
    with pytest.raises(BadInput, match=said):
        paired_test(first, second)


def test_bad_levels_are_refused() -> None:
    with pytest.raises(BadInput, match="level must be between 0 and 1"):
        paired_test([1], [2], 1.0)
    with pytest.raises(BadInput, match="binomial_interval"):
        binomial_interval(3, 2)
