"""How much memory a search may take: what one length needs, with what every symbol makes of it."""

from __future__ import annotations

import pytest

from abacist.analysis.horizons import Configurations
from abacist.analysis.horizons.exploration import Exploration, boxes_that_fit
from abacist.cells import Layout, cell_named
from abacist.languages import language_named
from abacist.specs import Networks

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
    known = Configurations(language_named("dyck-1"))
    networks = Networks.initial(Layout(cell_named("lstm"), 2, 1, 2), [0])
    here = Exploration(networks, 0, known, boxes=False, budget=4, max_boxes=40)
    assert [here._ahead(count) for count in (3, 20, 30, 60)] == [6, 40, 40, 60]
