"""What cannot be analysed is refused in one sentence."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, partial
from typing import Any

import numpy as np
import pytest

from abacist.analysis import (
    FAMILIES,
    Refutation,
    Stress,
    accuracy_by_depth,
    accuracy_by_length,
    constructed,
    draw_by_length,
    follow,
    match_units,
    sharpened,
    stress,
)
from abacist.analysis.matching import unit_correlations
from abacist.cells import cell_named
from abacist.corpora import Grammar
from abacist.languages import Dyck, Shuffle, language_named
from abacist.specs import Networks, Spec
from tests.wrong_input import is_refused

DYCK, SHUFFLE = language_named("dyck-1"), language_named("shuffle-2")


def untrained(language: Any) -> Networks:
    return Networks.initial(Spec(language, cell_named("lstm")).layout, [0])


NETWORKS = untrained(DYCK)


@cache
def drawn_words() -> list[Any]:
    return draw_by_length(DYCK, [4, 6], 3, seed=0)


ONE = np.ones((1, 1), int)

#: A function, what it is usually given, and for each argument what it refuses.
CASES: list[tuple[Callable[..., Any], dict[str, Any], dict[str, list[Any]]]] = [
    (
        draw_by_length,
        {"language": DYCK, "lengths": [2], "count": 3, "seed": 0},
        {
            "language": ["dyck-1"],
            "lengths": [3, ["2"], [-2]],
            "count": ["3"],
            "seed": ["a"],
            "sources": [3, ["x"], Grammar()],
        },
    ),
    (
        follow,
        {"networks": NETWORKS, "run": 0, "language": DYCK, "word": "()"},
        {
            "networks": [None],
            "run": ["0", 1, 0.5],
            "language": ["dyck-1", SHUFFLE],
            "word": [3, None, "", (0.0, 1.0), (0, 2), (0, -1), (0, "(")],
            "steps": ["some", 3],
        },
    ),
    (
        Refutation,
        {"word": (0, 1), "step": 2, "predicted": (0, 1), "right": (0,)},
        {
            "word": ["()", [0, 1], (0, "1"), ()],
            "step": [0, 3, 1.0, True],
            "predicted": [0, (0.5,)],
            "right": [None],
        },
    ),
    (
        stress,
        {"networks": [NETWORKS], "language": DYCK, "lengths": (10,)},
        {
            "networks": [NETWORKS, [None]],
            "language": [language_named("dyck-2")],
            "lengths": [(), (10, 10), (0, 10), (10, 10**9), ("10",)],
            "families": [["nest"]],
            "steps": ["some"],
            "seed": [-1],
        },
    ),
    (
        FAMILIES["walk-4"].words,
        {"language": DYCK, "length": 10, "seed": 0},
        {"length": [0, "9"], "seed": [-1], "language": ["dyck-1"]},
    ),
    (
        constructed,
        {"language": DYCK},
        {"language": ["dyck-1", Dyck(2), Shuffle(()), Shuffle((Dyck(2),))], "precision": ["half"]},
    ),
    (
        unit_correlations,
        {"states": np.zeros((3, 2)), "depths": np.zeros((3, 1))},
        {"states": [np.zeros((2, 2)), np.zeros(3), 3], "depths": [np.zeros((0, 1)), np.zeros(3)]},
    ),
    (
        Stress,
        {"lengths": (10,), "families": ("a",), "words": ONE, "actual": ONE, "wrong_at": ONE[None]},
        {"actual": [np.ones((1, 2), int)], "wrong_at": [ONE]},
    ),
    (
        sharpened,
        {"networks": NETWORKS, "factor": 2},
        {"networks": [None], "factor": ["4", True, 0, -1.0, float("inf"), float("nan")]},
    ),
]


@pytest.mark.parametrize(
    ("function", "usual", "changed"),
    [
        (function, usual, {name: value})
        for function, usual, refused in CASES
        for name, values in refused.items()
        for value in values
    ],
)
def test_arguments(function: Callable[..., Any], usual: dict[str, Any], changed: dict[str, Any]) -> None:
    function(**usual)
    is_refused(lambda: function(**usual | changed))


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


def test_readings_to_match() -> None:
    one, other = follow(NETWORKS, 0, DYCK, "()"), follow(untrained(SHUFFLE), 0, SHUFFLE, "()[]")
    wrong: tuple[Any, ...] = (None, one, [], ["a"], [one, other])
    for readings in wrong:
        is_refused(partial(match_units, readings))
    is_refused(lambda: match_units([one], "q"))
    is_refused(lambda: match_units([one]).correlation(9))
