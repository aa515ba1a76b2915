"""What recognisers are trained and judged on: half words, half strings one edit outside the language."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest

from abacist.corpora import (
    EDITS,
    Corpora,
    Recipe,
    Split,
    Uniform,
    Window,
    check,
    draw,
    draw_non_members,
    label,
    paper_recipe,
)
from abacist.corpora.files import load, save
from abacist.corpora.packed import pack
from abacist.errors import BadInput, Impossible
from abacist.languages import Recogniser, Word, language_named, regular
from tests.corpora.plain_edits import plain_edits
from tests.languages.subjects import ORACLES

NAMES = ["dyck-1", "shuffle-2", "dyck-2"]


def corpora_of(name: str, seed: int = 0, training: int = 61) -> Corpora:
    language = Recogniser(language_named(name))
    return draw(paper_recipe(language, seed=seed, training=training, test=30, short=Window(2, 12)))


@pytest.mark.parametrize("name", NAMES)
def test_both_classes_are_equally_large_and_labelled_as_brute_force_has_it(name: str) -> None:
    oracle = next(oracle for oracle in ORACLES if oracle.name == name)
    for corpus in corpora_of(name):
        members = [oracle.contains(text) for text in corpus.texts()]
        assert len(corpus) == corpus.split.count
        assert sum(members) == (len(corpus) + 1) // 2
        ends = corpus.targets()[corpus.offsets[1:] - 1]
        assert ends.ravel().tolist() == members
        assert 1 < sum(a != b for a, b in pairwise(members)) < len(members) - 1  # neither sorted nor in turn


@pytest.mark.parametrize("name", NAMES)
def test_all_strings_of_all_splits_are_distinct_and_promises_hold(name: str) -> None:
    corpora = corpora_of(name)
    strings = [string for corpus in corpora for string in corpus]
    assert len(set(strings)) == len(strings) == 121
    assert all(guarantee.holds for guarantee in check(corpora))
    broken = replace(corpora.splits[0], symbols=corpora.splits[0].symbols * 0)
    kept = [
        guarantee.statement for guarantee in check(Corpora(corpora.recipe, (broken,))) if not guarantee.holds
    ]
    assert f"training: half of the strings are in {name}" in kept


@pytest.mark.parametrize("name", NAMES)
def test_the_words_are_those_that_are_drawn_without_a_recogniser(name: str) -> None:
    """And a training set does not depend on the splits that follow."""
    corpora = corpora_of(name)
    halves = draw(corpora.recipe.of_words)
    for corpus, words in zip(corpora, halves, strict=True):
        assert words.language == corpus.language.word_language
        assert {string for string in corpus if string in words.language} == set(words)
    alone = draw(replace(corpora.recipe, splits=corpora.recipe.splits[:1]))
    assert list(alone["training"]) == list(corpora["training"])


def test_of_every_kind_of_edit_there_are_as_many() -> None:
    """A string may be made by several kinds, so it counts for each that makes it of some word."""
    language, kinds = language_named("dyck-1"), tuple(EDITS)
    recipe = Recipe(Recogniser(language), Uniform(), (Split("only", Window(4, 8), 24),), seed=2)
    words = [word for n in range(4, 9) for word in language.words(n)]
    made = {kind: {one for word in words for one in plain_edits(kind, word, 2)} for kind in kinds}
    counts: Counter[str] = Counter()
    others = [string for string in draw(recipe)["only"] if string not in language]
    for string in others:
        fitting = [kind for kind in kinds if string in made[kind]]
        assert fitting, string
        counts.update(fitting)
    assert len(others) == 12
    assert min(counts[kind] for kind in kinds) >= 2


def test_strings_may_leave_the_language_at_their_first_symbol() -> None:
    """A recogniser is asked about it, which a network that predicts symbols is not."""
    firsts: set[Word] = set()
    for seed in range(3):
        firsts |= {string[:1] for corpus in corpora_of("dyck-1", seed) for string in corpus}
    assert firsts == {(0,), (1,)}


def test_what_one_kind_lacks_the_others_make_up_for() -> None:
    """Neither swaps of symbols leave parity, nor most edits aⁿbⁿ often enough where words come again."""
    parity = Recogniser(language_named("parity"))
    corpus = draw(Recipe(parity, Uniform(), (Split("only", Window(2, 8), 40),)))["only"]
    assert Counter(string in parity.word_language for string in corpus) == {True: 20, False: 20}
    blocks = Recogniser(language_named("anbn"))
    splits = (Split("training", Window(2, 20), 301), Split("short", Window(2, 20), 200))
    corpora = draw(Recipe(blocks, Uniform(), splits, distinct=False))
    for corpus in corpora:
        members = label(blocks.word_language, *pack(blocks, corpus)).left_at < 0
        assert members.sum() == (len(corpus) + 1) // 2
    assert all(guarantee.holds for guarantee in check(corpora))


def test_a_seed_always_gives_the_same_strings_and_another_seed_others() -> None:
    def lists(seed: int) -> list[list[Word]]:
        return [list(corpus) for corpus in corpora_of("dyck-2", seed)]

    assert lists(4) == lists(4)
    assert all(a != b for a, b in zip(lists(4), lists(5), strict=True))


def test_the_first_strings_as_they_were_drawn_once() -> None:
    """If they change, what seeds mean has changed: then DRAWING of `recipe.py` must be raised."""
    assert list(corpora_of("shuffle-2", 3)["training"].texts())[:6] == GOLDEN


GOLDEN = ["[([()])][]", "[([[]])]", "][()", "[()]]", ")(", "[[(["]


def test_a_file_of_them_is_read_back(tmp_path: Path) -> None:
    corpora = corpora_of("dyck-1")
    save(corpora, tmp_path / "both.npz", targets=True)
    assert load(tmp_path / "both.npz") == corpora
    assert Recipe.from_dict(corpora.recipe.as_dict()) == corpora.recipe


def test_what_cannot_be_drawn_is_refused() -> None:
    language = Recogniser(language_named("dyck-1"))
    with pytest.raises(Impossible, match="5 distinct words of dyck-1 with lengths 2 to 4 do not exist"):
        Recipe(language, Uniform(), (Split("only", Window(2, 4), 10),))
    with pytest.raises(BadInput, match="words of at most 2,000 symbols can be edited, got 3,000"):
        draw(Recipe(language, Uniform(), (Split("only", Window(2, 3_000), 4),)))
    everything = Recogniser(regular("[ab]*"))
    with pytest.raises(Impossible, match=r"extended only: after 0 distinct strings, .* 1 are out of reach"):
        draw(Recipe(everything, Uniform(), (Split("only", Window(2, 2), 2),)))
    with pytest.raises(BadInput, match="non-members: recognise:dyck-1 only says whether"):
        draw_non_members(Recipe(language, Uniform(), (Split("only", Window(2, 8), 2),)), 1)
