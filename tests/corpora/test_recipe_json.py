"""A recipe goes through JSON unharmed, and a damaged one is refused."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from abacist.corpora import Grammar, Recipe, Split, Uniform, Window, paper_recipe
from abacist.corpora.recipe import DRAWING
from abacist.errors import BadInput
from abacist.languages import Dyck, language_named

recipes = st.builds(
    Recipe,
    st.sampled_from(["dyck-1", "dyck-3", "shuffle-2", "shuffle-6"]).map(language_named),
    st.one_of(
        st.tuples(st.integers(1, 40), st.integers(1, 40)).map(lambda pq: Grammar(*(f"{n}/99" for n in pq))),  # type: ignore[arg-type]
        st.just(Uniform()),
        st.just(Uniform(Grammar())),
    ),
    st.lists(
        st.tuples(st.text(min_size=1), st.integers(12, 40), st.integers(1, 20), st.integers(1, 20)),
        min_size=1, max_size=4, unique_by=lambda row: row[0],
    ).map(lambda rows: tuple(Split(name, Window(low, low + span), n) for name, low, span, n in rows)),
    st.integers(0, 2**63 - 1),
    st.booleans(),
)  # fmt: skip


@given(recipes)
def test_a_recipe_survives_json(recipe: Recipe) -> None:
    values = json.loads(json.dumps(recipe.as_dict()))
    assert Recipe.from_dict(values) == recipe
    assert values == recipe.as_dict()
    assert values["drawing"] == DRAWING


@pytest.mark.parametrize("name", ["anbn", "anbncndn", "anbn || dyck-1", "dyck-2 || anbn"])
def test_so_does_one_of_letters(name: str) -> None:
    recipe = Recipe(language_named(name), Uniform(), (Split("all", Window(2, 40), 3),), 7)
    assert Recipe.from_dict(json.loads(json.dumps(recipe.as_dict()))) == recipe


def test_a_recipe_is_written_in_plain_words() -> None:
    assert paper_recipe(Dyck(1), seed=4).as_dict() == {
        "language": "dyck-1",
        "words": "grammar",
        "grammar": {"p": "1/2", "q": "1/4"},
        "splits": {
            "training": {"lengths": "2:50", "count": 10_000},
            "short": {"lengths": "2:50", "count": 5_000},
            "long": {"lengths": "52:100", "count": 5_000},
        },
        "seed": 4,
        "distinct": True,
        "drawing": DRAWING,
    }


def test_a_language_with_glyphs_of_its_own_is_written_with_them() -> None:
    recipe = Recipe(Dyck(1, ("a", "b")), Grammar(), (Split("all", Window(2, 8), 3),))
    assert recipe.as_dict()["language"] == {"kind": "renamed", "of": "dyck-1", "glyphs": ["a", "b"]}
    assert Recipe.from_dict(recipe.as_dict()) == recipe


@pytest.mark.parametrize(
    "change",
    [
        {"language": 3}, {"language": "dick-1"},
        {"words": "gramar"},
        {"grammar": {"p": "1/2"}}, {"grammar": "1/2,1/4"}, {"grammar": None}, {"grammar": {"p": 0, "q": 0}},
        {"splits": []}, {"splits": {}}, {"splits": {"a": {}}},
        {"splits": {"a": {"lengths": 3, "count": 2}}}, {"splits": {"a": {"lengths": "2:8", "count": "2"}}},
        {"splits": {"a": {"lengths": "2:8", "count": 2.5}}},
        {"splits": {"a": {"lengths": "2:8", "count": 23}}},
        {"seed": "0"}, {"seed": None}, {"seed": -1}, {"seed": 1.5},
        {"drawing": DRAWING + 1},
    ],
    ids=str,
)  # fmt: skip
def test_a_recipe_with_a_wrong_value_is_refused(change: dict[str, Any]) -> None:
    with pytest.raises(BadInput):
        Recipe.from_dict(paper_recipe(Dyck(1)).as_dict() | change)


@pytest.mark.parametrize("key", paper_recipe(Dyck(1)).as_dict())
def test_a_recipe_without_a_value_is_refused(key: str) -> None:
    values = paper_recipe(Dyck(1)).as_dict()
    del values[key]
    with pytest.raises(BadInput, match=f"{key}"):
        Recipe.from_dict(values)
