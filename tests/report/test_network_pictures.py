"""Figures of any network: its states, and its units over what they count."""

from __future__ import annotations

import numpy as np
import pytest

from abacist.analysis import constructed
from abacist.errors import BadInput
from abacist.languages import language_named
from abacist.report.figures import NETWORK_PICTURES, OwnNetwork, draw_picture, network_picture, style
from abacist.report.figures.along_words import draw_counter
from tests.analysis.cases import networks, read
from tests.report.test_figures import line, one


def own(language: str = "dyck-1", cell: str = "lstm") -> OwnNetwork:
    return OwnNetwork("net", "a network", "a place", networks(language, cell), 0, language_named(language))


@pytest.mark.parametrize(
    "language",
    [
        "dyck-1",
        pytest.param("dyck-2", marks=pytest.mark.thorough),
        "shuffle-2",
        pytest.param("anbn", marks=pytest.mark.thorough),
    ],
)
@pytest.mark.parametrize("cell", [pytest.param("rnn", marks=pytest.mark.thorough), "lstm"])
@pytest.mark.parametrize("kind", NETWORK_PICTURES)
def test_every_network_has_every_picture(language: str, cell: str, kind: str) -> None:
    picture = network_picture(own(language, cell), kind)
    assert (picture.name, picture.command) == (f"net-{kind}", f"abacist figures 'a place' --only {kind}")
    (drawn,) = draw_picture(picture, ["svg"])  # type: ignore[misc]
    assert b"<!-- a network -->" in drawn


def test_a_unit_that_counts_lies_on_the_depth() -> None:
    language = language_named("shuffle-2")
    network = OwnNetwork("net", "constructed", "nets", constructed(language), 0, language)
    reading, matching = network.reading(), network.matching()
    with style():
        for counter, unit in enumerate(matching.units):
            assert unit is not None
            axes = draw_counter(one(), reading, unit, counter, network.remembers, scaled=True)
            depth, state = axes.lines
            np.testing.assert_allclose(
                np.asarray(depth.get_ydata()), np.asarray(state.get_ydata()), atol=1e-6
            )


def test_the_dashed_line_is_the_nearest_of_all_scalings() -> None:
    reading = read("dyck-2", "([])[()]" * 3)
    axes = draw_counter(one(), reading, 1, 0, "c", scaled=True)
    state, depth = reading.values("c")[:, 1].astype(float), reading.depths[:, 0].astype(float)
    columns = np.stack([depth, np.ones_like(depth)], axis=1)
    nearest = columns @ np.linalg.lstsq(columns, state, rcond=None)[0]
    np.testing.assert_allclose(line(axes, "depth of ( ), scaled").get_ydata(), nearest, atol=1e-9)
    flat = draw_counter(one(), read("dyck-2", "[]"), 1, 0, "c", scaled=True)  # the depth never moves
    assert len(set(line(flat, "depth of ( ), scaled").get_ydata())) == 1


def test_a_network_of_another_language_is_refused() -> None:
    with pytest.raises(BadInput, match="dyck-2: has 4 symbols"):
        OwnNetwork("net", "a network", "nets", networks("dyck-1"), 0, language_named("dyck-2"))
