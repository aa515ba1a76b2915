"""A recipe is all that a corpus depends on: the same recipe gives the same words, now and later."""

from __future__ import annotations

from dataclasses import replace

import pytest

from abacist.corpora import (
    Corpora,
    Corpus,
    Grammar,
    Recipe,
    Source,
    Split,
    Uniform,
    Window,
    draw,
)
from abacist.languages import language_named

CASES: list[tuple[str, Source]] = [
    ("dyck-1", Grammar()),
    ("dyck-2", Uniform()),
    ("shuffle-6", Uniform(Grammar())),
    ("anbn || dyck-1", Uniform()),
]

every_case = pytest.mark.parametrize(("name", "source"), CASES, ids=str)


def recipe_of(name: str, source: Source, *counts: int, seed: int = 0) -> Recipe:
    windows = (Window(4, 30), Window(4, 30), Window(32, 60))
    named = zip(("training", "short", "long"), windows, counts, strict=False)
    return Recipe(language_named(name), source, tuple(Split(*split) for split in named), seed)


def same(first: Corpus, second: Corpus) -> bool:
    """Bit for bit the same words, whatever the recipes."""
    return (
        first.symbols.tobytes() == second.symbols.tobytes()
        and first.offsets.tobytes() == second.offsets.tobytes()
        and first.symbols.dtype == second.symbols.dtype
    )


@every_case
def test_the_same_recipe_gives_the_same_corpora(name: str, source: Source) -> None:
    recipe = recipe_of(name, source, 100, 50, 30, seed=5)
    first, second = draw(recipe), draw(recipe_of(name, source, 100, 50, 30, seed=5))
    assert first == second
    assert all(map(same, first, second))
    assert [hash(corpus) for corpus in first] == [hash(corpus) for corpus in second]


@every_case
def test_another_seed_gives_others(name: str, source: Source) -> None:
    first = draw(recipe_of(name, source, 100, 50, 30, seed=0))
    for seed in (1, 2, 2**62, 2**63 - 1):
        other = draw(recipe_of(name, source, 100, 50, 30, seed=seed))
        assert first != other
        assert all(list(a) != list(b) for a, b in zip(first, other, strict=True))


@every_case
def test_a_split_does_not_depend_on_those_after_it(name: str, source: Source) -> None:
    whole = draw(recipe_of(name, source, 100, 50, 30))
    assert same(draw(recipe_of(name, source, 100))["training"], whole["training"])
    bigger = draw(recipe_of(name, source, 100, 50, 300))
    assert same(bigger["training"], whole["training"])
    assert same(bigger["short"], whole["short"])
    assert list(bigger["long"])[:30] == list(whole["long"])


@every_case
def test_a_larger_set_begins_with_the_smaller_one(name: str, source: Source) -> None:
    fewer, more = draw(recipe_of(name, source, 60)), draw(recipe_of(name, source, 130))
    assert list(more["training"])[:60] == list(fewer["training"])


def test_corpora_differ_where_their_recipes_do() -> None:
    corpora = draw(recipe_of("dyck-1", Grammar(), 20))
    renamed = replace(corpora.recipe, seed=9)
    split = corpora["training"]
    assert Corpora(renamed, (Corpus(renamed, split.split, split.symbols, split.offsets),)) != corpora
    assert split != list(split)
