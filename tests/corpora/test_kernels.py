"""Random bits, numbers below a bound and weighted choices, compiled, against plain ones."""

from __future__ import annotations

from collections import Counter
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from abacist.corpora import Choices, Purpose, bit_generator, kernels, stream_state
from abacist.corpora.choices import Weight, whole_numbers
from abacist.errors import BadInput
from tests.corpora.chi_square import PLAUSIBLE, p_value
from tests.corpora.plain_drawing import Bits

WORDS = st.integers(0, 2**64 - 1)
WEIGHTS = st.one_of(
    st.lists(st.integers(0, 2**130), min_size=1, max_size=12),
    st.lists(st.decimals(0, 1000, places=40), min_size=1, max_size=12),
).filter(lambda weights: any(weight > 0 for weight in weights))


def generator_at(state: list[int]) -> np.random.SFC64:
    generator = np.random.SFC64(0)
    whole = generator.state
    whole["state"]["state"] = np.array(state, np.uint64)
    generator.state = whole
    return generator


def bits_next(value: int) -> np.ndarray:
    """A state whose next 64 bits are `value`."""
    return np.array([value, 0, 0, 0], np.uint64)


@given(st.lists(WORDS, min_size=4, max_size=4))
def test_bits_are_numpys_from_any_state(state: list[int]) -> None:
    generator, rng = generator_at(state), np.array(state, np.uint64)
    assert [int(kernels.next_bits(rng)) for _ in range(50)] == generator.random_raw(50).tolist()
    assert rng.tolist() == generator.state["state"]["state"].tolist()


@given(st.integers(0, 2**63 - 1), st.sampled_from(Purpose), st.lists(st.integers(0, 99), max_size=3))
def test_a_stream_goes_on_from_the_state_of_its_generator(
    seed: int, purpose: Purpose, path: list[int]
) -> None:
    rng, generator = stream_state(seed, purpose, *path), bit_generator(seed, purpose, *path)
    assert [int(kernels.next_bits(rng)) for _ in range(8)] == generator.random_raw(8).tolist()


def test_streams_of_different_seeds_purposes_and_parts_are_different() -> None:
    streams = [(s, p, i) for s in (0, 1, 2**63 - 1) for p in Purpose for i in range(3)]
    assert len({bit_generator(*stream).random_raw() for stream in streams}) == len(streams)


@pytest.mark.parametrize("seed", [-1, 2**63])
def test_a_seed_out_of_range_has_no_stream(seed: int) -> None:
    with pytest.raises(BadInput, match=rf"^seed must be at least 0 and below 2\*\*63, got {seed}$"):
        bit_generator(seed, Purpose.CORPORA)


@given(st.lists(WORDS, min_size=4, max_size=4), st.integers(1, 2**32 - 1))
def test_a_number_below_a_bound_is_the_plain_one(state: list[int], bound: int) -> None:
    rng, bits = np.array(state, np.uint64), Bits(generator_at(state))
    drawn = [int(kernels.below(rng, bound)) for _ in range(10)]
    assert all(0 <= number < bound for number in drawn)
    assert drawn == [bits.below(bound) for _ in range(10)]
    assert int(kernels.next_bits(rng)) == bits.next()  # so both have used the same number of bits


@pytest.mark.parametrize("bound", [3 * 2**30, 5 * 2**29, 2**32 - 5])
def test_bounds_near_the_top_leave_no_bias(bound: int) -> None:
    """Without rejection, every third or fifth number would come twice as often."""
    rng = stream_state(6, Purpose.CORPORA)
    drawn = [int(kernels.below(rng, bound)) for _ in range(30_000)]
    for parts in (3, 5):
        exact = {part: len(range(part, bound, parts)) for part in range(parts)}
        assert p_value(Counter(number % parts for number in drawn), exact) > PLAUSIBLE


@given(st.lists(WEIGHTS, min_size=1, max_size=5), st.data())
def test_a_choice_is_the_first_option_whose_threshold_exceeds_the_bits(
    rows: list[list[Weight]], data: st.DataObject
) -> None:
    choices = Choices.of([list(enumerate(row)) for row in rows])
    row = data.draw(st.integers(0, len(rows) - 1))
    start, end = choices.rows[row : row + 2].tolist()
    options, thresholds = choices.options[start:end].tolist(), choices.thresholds[start:end].tolist()
    edges = [edge for t in thresholds for edge in (t - 1, t, t + 1) if 0 <= edge < 2**64]
    bits = data.draw(st.sampled_from(edges) | WORDS)
    rng = bits_next(bits)
    chosen = int(kernels.choose(rng, choices.rows, choices.options, choices.thresholds, row))
    exceeding = [option for option, t in zip(options, thresholds, strict=True) if t > bits]
    assert chosen == (exceeding[0] if exceeding else options[-1])
    assert rng[3] == (len(options) > 1)  # one option costs no bits


@given(st.lists(WEIGHTS, min_size=1, max_size=5))
def test_the_thresholds_give_every_option_its_share(rows: list[list[Weight]]) -> None:
    choices = Choices.of([list(enumerate(row)) for row in rows])
    for row, weights in enumerate(rows):
        start, end = choices.rows[row : row + 2].tolist()
        options = choices.options[start:end].tolist()
        bounds = [0, *choices.thresholds[start : end - 1].tolist(), 2**64]
        assert sorted(options) == [option for option, weight in enumerate(weights) if weight > 0]
        ordered = [weights[option] for option in options]
        assert ordered == sorted(ordered, reverse=True)  # a scan ends early
        total = sum(map(Fraction, weights))
        for number, option in enumerate(options):
            share = Fraction(bounds[number + 1] - bounds[number], 2**64)
            assert abs(share - Fraction(weights[option]) / total) <= Fraction(1, 2**63)


@given(WEIGHTS)
def test_whole_numbers_are_in_proportion_to_the_weights(weights: list[Weight]) -> None:
    whole, largest = whole_numbers(weights), max(weights)
    assert all(isinstance(number, int) for number in whole)
    if all(isinstance(weight, int) for weight in weights):
        assert whole == weights
    for number, weight in zip(whole, weights, strict=True):
        exact = Fraction(weight) / Fraction(largest) * max(whole)
        assert abs(number - exact) <= 1


def test_weights_of_both_kinds_mix() -> None:
    assert whole_numbers([1, Decimal("0.5")]) == [2**96, 2**95]
