"""An exploration: how much memory it takes, and how much it takes the numbers of a state to matter."""

from __future__ import annotations

import numpy as np
import pytest

from abacist.analysis.horizons.configurations import Configurations
from abacist.analysis.horizons.exploration import Exploration, boxes_that_fit, influences
from abacist.cells import Layout, cell_named
from abacist.compiler import reached_numbers
from abacist.languages import language_named
from abacist.specs import Networks
from tests.engine.cases import layout_of, random_networks

DYCK_1 = language_named("dyck-1")

#: Half a gigabyte of float32.
ROOM = 2**29


@pytest.mark.parametrize(
    ("cell", "units"),
    [("stack_rnn", 8), pytest.param("neural_deque", 4, marks=pytest.mark.thorough), ("lstm", 64)],
)
def test_boxes_of_large_states_fit(cell: str, units: int) -> None:
    layout = Layout(cell_named(cell), 4, units, 4)
    most = boxes_that_fit(2_000_000, layout)
    known = Configurations(language_named("dyck-2"))
    here = Exploration(Networks.initial(layout, [0]), 0, known, boxes=True, budget=64, max_boxes=most)
    a_box = (here.states.shape[0] + here.after.shape[0] * here.after.shape[1]) * here.states.itemsize
    assert 0.4 * ROOM < most * a_box <= 1.01 * ROOM
    assert boxes_that_fit(500, layout) == 500


def test_small_states_are_as_many_as_is_asked_for() -> None:
    assert boxes_that_fit(2_000_000, Layout(cell_named("lstm"), 12, 8, 12)) == 2_000_000


def test_room_is_made_ahead_but_for_no_more_than_there_may_be() -> None:
    known = Configurations(DYCK_1)
    networks = Networks.initial(Layout(cell_named("lstm"), 2, 1, 2), [0])
    here = Exploration(networks, 0, known, boxes=False, budget=4, max_boxes=40)
    assert [here._ahead(count) for count in (3, 20, 30, 60)] == [6, 40, 40, 60]


def test_what_short_words_cannot_have_reached_of_a_memory_matters_least() -> None:
    layout = layout_of(cell_named("stack_rnn_1"), 2)
    found = influences(random_networks(layout, 1, seed=3, scale=3.0), 0, Configurations(DYCK_1))
    reached = np.isin(np.arange(len(found)), reached_numbers(layout, 24))
    assert reached.sum() == 2 + 24
    assert (found[~reached] == 1e-3).all()
    assert found[: 2 + 1].min() > 1e-3
    assert found.max() == 1


def test_every_number_of_a_state_without_a_memory_may_matter() -> None:
    networks = random_networks(layout_of(cell_named("lstm"), 3), 1, seed=3, scale=3.0)
    found = influences(networks, 0, Configurations(DYCK_1))
    assert found.shape == (6,)
    assert found.min() > 1e-3
