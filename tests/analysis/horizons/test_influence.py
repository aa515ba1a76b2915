"""How much the numbers of a state matter is found out once for a network, and of what short words reach."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from abacist.analysis.horizons import Configurations, Search, horizon
from abacist.analysis.horizons.exploration import influences
from abacist.cells import cell_named
from abacist.compiler import reached_numbers
from abacist.languages import language_named
from tests.engine.cases import layout_of, random_networks

DYCK_1 = language_named("dyck-1")


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


def test_a_horizon_asks_for_them_once(monkeypatch: pytest.MonkeyPatch) -> None:
    networks, asked = random_networks(layout_of(cell_named("lstm"), 1), 1, seed=3), list[Any]()

    def counted(*given: Any) -> Any:
        asked.append(given)
        return influences(*given)

    whole = horizon(networks, 0, DYCK_1, Search(20, 256, 10_000))
    for module in ("bracket", "exploration"):
        monkeypatch.setattr(f"abacist.analysis.horizons.{module}.influences", counted)
    again = horizon(networks, 0, DYCK_1, Search(20, 256, 10_000))
    assert len(asked) == 1
    assert (again.proved, again.wrong) == (whole.proved, whole.wrong)
