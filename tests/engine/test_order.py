"""The order in which runs visit their words."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from abacist.cells import cell_named
from abacist.engine import epoch_order, slots_of, train
from abacist.languages import language_named
from abacist.specs import ORDERS, Spec

lengths = st.lists(st.integers(1, 30), min_size=1, max_size=40).map(np.array)


@given(st.sampled_from(ORDERS), st.integers(0, 100), lengths)
def test_every_word_has_a_slot(order: str, seed: int, sizes: np.ndarray) -> None:
    assert sorted(slots_of(order, seed, sizes).tolist()) == list(range(len(sizes)))


@given(lengths)
def test_shared_slots_are_sorted_by_length_and_fixed_ones_as_drawn(sizes: np.ndarray) -> None:
    ranks = sorted(range(len(sizes)), key=lambda word: (sizes[word], word))
    assert slots_of("shared", 0, sizes).tolist() == slots_of("shared", 1, sizes).tolist() == ranks
    assert slots_of("fixed", 0, sizes).tolist() == list(range(len(sizes)))


def test_own_orders_are_those_of_the_seeds() -> None:
    sizes = np.full(50, 4)
    orders = [tuple(slots_of("own", seed, sizes).tolist()) for seed in range(40)]
    assert len(set(orders)) == 40
    assert orders == [tuple(slots_of("own", seed, sizes).tolist()) for seed in range(40)]
    first = np.array([order[0] for order in orders])
    assert 18 < first.mean() < 31  # of 0 to 49: 24.5, give or take three times 14.4 / √40


def test_epochs_shuffle_the_slots_unless_they_are_fixed() -> None:
    assert epoch_order(30, 1).tolist() == epoch_order(30, 1, "own").tolist() != epoch_order(30, 2).tolist()
    assert epoch_order(30, 0, "fixed").tolist() == epoch_order(30, 7, "fixed").tolist() == list(range(30))


@pytest.mark.parametrize("order", ORDERS)
def test_a_run_does_not_depend_on_its_neighbours(order: str) -> None:
    spec = Spec(language_named("dyck-1"), cell_named("lstm"), hidden=2, epochs=2, training=60, order=order)
    together, alone = train(spec, range(5)), train(spec, [3])
    assert together.networks.parameters[3].tobytes() == alone.networks.parameters[0].tobytes()


def test_orders_make_different_networks() -> None:
    spec = Spec(language_named("dyck-1"), cell_named("gru"), hidden=2, epochs=2, training=60)
    ends = {train(replace(spec, order=order), [0]).networks.parameters.tobytes() for order in ORDERS}
    assert len(ends) == 3
