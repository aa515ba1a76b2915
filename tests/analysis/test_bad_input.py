"""What cannot be analysed is refused in one sentence."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, partial
from typing import Any

import numpy as np
import pytest

from abacist.analysis import (
    Refutation,
    accuracy_by_depth,
    accuracy_by_length,
    draw_by_length,
    follow,
    match_units,
)
from abacist.analysis.matching import unit_correlations
from abacist.cells import cell_named
from abacist.corpora import Grammar
from abacist.languages import language_named
from abacist.specs import Networks, Spec
from tests.wrong_input import is_refused

DYCK, SHUFFLE = language_named("dyck-1"), language_named("shuffle-2")


def untrained(language: Any) -> Networks:
    return Networks.initial(Spec(language, cell_named("lstm")).layout, [0])


NETWORKS = untrained(DYCK)


@cache
def drawn_words() -> list[Any]:
    return draw_by_length(DYCK, [4, 6], 3, seed=0)


@pytest.mark.parametrize(
    "changed",
    [
        {"language": "dyck-1"},
        {"lengths": 3},
        {"lengths": ["2"]},
        {"lengths": [-2]},
        {"count": "3"},
        {"seed": "a"},
        {"sources": 3},
        {"sources": ["x"]},
        {"sources": Grammar()},
    ],
)
def test_words_by_length(changed: dict[str, Any]) -> None:
    usual: dict[str, Any] = {"language": DYCK, "lengths": [2], "count": 3, "seed": 0}
    is_refused(lambda: draw_by_length(**usual | changed))


@pytest.mark.parametrize(
    "drawn",
    [
        lambda: None,
        list,
        lambda: drawn_words()[0],
        lambda: ["()"],
        lambda: drawn_words() + draw_by_length(SHUFFLE, [4], 3, seed=0),
    ],
    ids=["nothing", "none", "one", "text", "two languages"],
)
def test_words_to_judge(drawn: Callable[[], Any]) -> None:
    is_refused(lambda: accuracy_by_length(NETWORKS, drawn()))
    is_refused(lambda: accuracy_by_depth(NETWORKS, drawn(), [1, 5]))


@pytest.mark.parametrize("edges", [3, [1], [5, 1], ["a", "b"], "ab", None])
def test_edges(edges: Any) -> None:
    is_refused(lambda: accuracy_by_depth(NETWORKS, drawn_words(), edges))


@pytest.mark.parametrize(
    "changed",
    [
        {"networks": None},
        {"run": "0"},
        {"run": 1},
        {"run": 0.5},
        {"language": "dyck-1"},
        {"language": SHUFFLE},
        {"word": 3},
        {"word": None},
        {"word": ""},
        {"word": (0.0, 1.0)},
        {"steps": "some"},
        {"steps": 3},
    ],
)
def test_what_is_followed(changed: dict[str, Any]) -> None:
    usual: dict[str, Any] = {"networks": NETWORKS, "run": 0, "language": DYCK, "word": "()"}
    is_refused(lambda: follow(**usual | changed))


def test_readings_to_match() -> None:
    one, other = follow(NETWORKS, 0, DYCK, "()"), follow(untrained(SHUFFLE), 0, SHUFFLE, "()[]")
    wrong: tuple[Any, ...] = (None, one, [], ["a"], [one, other])
    for readings in wrong:
        is_refused(partial(match_units, readings))
    is_refused(lambda: match_units([one], "q"))
    is_refused(lambda: match_units([one]).correlation(9))


@pytest.mark.parametrize(
    ("states", "depths"),
    [
        (np.zeros((3, 2)), np.zeros((2, 2))),
        (np.zeros((0, 2)), np.zeros((0, 2))),
        (np.zeros(3), np.zeros(3)),
    ],
)
def test_states_and_depths(states: Any, depths: Any) -> None:
    is_refused(lambda: unit_correlations(states, depths))


@pytest.mark.parametrize(
    "changed",
    [
        {"word": "()"},
        {"word": [0, 1]},
        {"word": (0, "1")},
        {"word": ()},
        {"step": 0},
        {"step": 3},
        {"step": 1.0},
        {"step": True},
        {"predicted": 0},
        {"predicted": (0.5,)},
        {"right": None},
    ],
)
def test_refutations(changed: dict[str, Any]) -> None:
    usual: dict[str, Any] = {"word": (0, 1), "step": 2, "predicted": (0, 1), "right": (0,)}
    assert len(Refutation(**usual)) == 2
    is_refused(lambda: Refutation(**usual | changed))
