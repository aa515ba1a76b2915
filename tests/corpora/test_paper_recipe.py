"""The paper's training, short and long sets: sizes, windows, and all that they guarantee."""

from __future__ import annotations

import pytest

from abacist.corpora import (
    PAPER,
    Grammar,
    Split,
    Uniform,
    Window,
    check,
    crossing_share,
    draw,
    paper_recipe,
)
from abacist.languages import PAPER_LANGUAGES, Dyck, language_named
from abacist.progress import Progress
from tests.corpora.packing import paper_corpora

SIZES = {
    "dyck-1": (10_000, 5_000, 5_000),
    "shuffle-2": (10_000, 5_000, 5_000),
    "shuffle-6": (30_000, 5_000, 5_000),
    "dyck-2": (10_000, 5_000, 5_000),
}

papers_language = pytest.mark.parametrize("name", SIZES)


def test_these_are_the_papers_four_tasks() -> None:
    assert tuple(SIZES) == PAPER_LANGUAGES
    assert {task.language: task.training for task in PAPER.tasks} == {n: s[0] for n, s in SIZES.items()}
    assert tuple(task.language for task in PAPER.tasks) == PAPER_LANGUAGES


@papers_language
def test_sizes_windows_and_source_are_the_papers(name: str) -> None:
    recipe = paper_recipe(language_named(name), seed=3)
    assert recipe.splits == (
        Split("training", Window(2, 50), SIZES[name][0]),
        Split("short", Window(2, 50), SIZES[name][1]),
        Split("long", Window(52, 100), SIZES[name][2]),
    )
    assert recipe.source == Grammar()
    assert (recipe.seed, recipe.distinct) == (3, True)


@papers_language
@pytest.mark.parametrize("seed", [0, 1])
def test_all_guarantees_hold(name: str, seed: int) -> None:
    guarantees = list(check(paper_corpora(name, seed)))
    assert len(guarantees) == len({g.statement for g in guarantees}) == 3 * 4 + 3
    assert [g.statement for g in guarantees if not g.holds] == []


@pytest.mark.parametrize("name", ["shuffle-2", "shuffle-6"])
def test_brackets_cross_in_uniform_ones(name: str) -> None:
    source = Uniform(Grammar())
    corpora = draw(paper_recipe(language_named(name), source=source, training=500, test=300))
    assert all(guarantee.holds for guarantee in check(corpora))
    for corpus, least in zip(corpora, (0.3, 0.3, 0.99), strict=True):
        share = crossing_share(corpus)
        assert share is not None
        assert least < share <= 1


def test_what_the_caller_says_comes_before_the_paper() -> None:
    grammar = Grammar.parse("0.4,0.3")
    recipe = paper_recipe(
        Dyck(3), source=grammar, training=40, test=20, short=Window(2, 10), long=Window(12, 14)
    )
    assert recipe.source == grammar
    assert [(str(s.window), s.count) for s in recipe.splits] == [("2:10", 40), ("2:10", 20), ("12:14", 20)]
    assert all(guarantee.holds for guarantee in check(draw(recipe)))


def test_progress_is_told_until_all_words_are_there() -> None:
    told: list[float] = []
    draw(paper_recipe(Dyck(1), training=300, test=100), Progress(lambda own: told.append(own.share)))
    assert told == sorted(told)
    assert told[-1] == 1
