"""`check` notices every broken promise, and names exactly that one."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from abacist.corpora import (
    Corpora,
    Grammar,
    Recipe,
    Split,
    Uniform,
    Window,
    check,
    crossing_share,
    draw,
    sample,
)
from abacist.languages import Word, language_named, shuffle_k
from tests.corpora.packing import with_words

SPLITS = tuple(Split(name, Window(4, 12), 30) for name in ("a", "b", "c"))
NAMES = ["dyck-1", "dyck-2", "shuffle-2"]
SOURCES = [Grammar(), Uniform()]

every_split = pytest.mark.parametrize("split", ["a", "b", "c"])
every_language = pytest.mark.parametrize("name", NAMES)


def corpora_of(name: str, distinct: bool = True) -> Corpora:
    return draw(Recipe(language_named(name), Uniform(), SPLITS, seed=2, distinct=distinct))


def broken(name: str, split: str, change: Callable[[list[Word]], list[Word]]) -> list[str]:
    """The promises found broken after a change of one split's words."""
    corpora = corpora_of(name)
    changed = with_words(corpora, split, change(list(corpora[split])))
    return [guarantee.statement for guarantee in check(changed) if not guarantee.holds]


@every_language
@pytest.mark.parametrize("source", SOURCES, ids=str)
def test_a_draw_keeps_all_its_promises(name: str, source: Grammar | Uniform) -> None:
    corpora = draw(Recipe(language_named(name), source, SPLITS))
    assert {guarantee.statement for guarantee in check(corpora) if guarantee.holds} == {
        *(f"{s}: has 30 words" for s in "abc"),
        *(f"{s}: all lengths lie in 4:12" for s in "abc"),
        *(f"{s}: all words are in {name}" for s in "abc"),
        *(f"{s}: all words are distinct" for s in "abc"),
        *(f"{s}: no word is also in {t}" for s, t in ("ba", "ca", "cb")),
    }
    assert len(list(check(corpora))) == 15


@every_language
@every_split
def test_unchanged_words_break_nothing(name: str, split: str) -> None:
    assert broken(name, split, lambda words: words) == []


@every_language
@every_split
@pytest.mark.parametrize("place", [1, 17, 29])
def test_a_duplicate_word(name: str, split: str, place: int) -> None:
    statement = f"{split}: all words are distinct"
    assert broken(name, split, lambda words: [*words[:place], words[0], *words[place + 1 :]]) == [statement]


@every_language
@pytest.mark.parametrize(("split", "other"), ["ba", "ca", "cb"])
def test_a_word_in_two_splits(name: str, split: str, other: str) -> None:
    word = corpora_of(name)[other][4]
    assert broken(name, split, lambda words: [*words[:-1], word]) == [f"{split}: no word is also in {other}"]


@every_language
@every_split
@pytest.mark.parametrize("word", [(0, 1), (0, 1) * 7, (0, 0, 1, 1) * 30])
def test_a_word_out_of_the_window(name: str, split: str, word: Word) -> None:
    assert broken(name, split, lambda words: [word, *words[1:]]) == [f"{split}: all lengths lie in 4:12"]


@every_language
@every_split
@pytest.mark.parametrize("word", [(0, 0, 0, 1), (1, 0, 0, 1), (0, 1, 1, 0), (0, 1, 0, 1, 1)])
def test_a_word_outside_the_language(name: str, split: str, word: Word) -> None:
    assert broken(name, split, lambda words: [*words[:9], word, *words[10:]]) == [
        f"{split}: all words are in {name}"
    ]


def test_a_crossing_word_is_outside_dyck_2_and_inside_shuffle_2() -> None:
    word = (0, 2, 1, 3, 0, 2, 0, 2, 1, 3, 1, 3)
    assert broken("dyck-2", "b", lambda words: [*words[:-1], word]) == ["b: all words are in dyck-2"]
    assert broken("shuffle-2", "b", lambda words: [*words[:-1], word]) == []


@every_language
@every_split
def test_a_missing_word_and_one_too_many(name: str, split: str) -> None:
    assert broken(name, split, lambda words: words[1:]) == [f"{split}: has 30 words"]
    extra = next(w for w in language_named(name).words(12) if all(w not in set(c) for c in corpora_of(name)))
    assert broken(name, split, lambda words: [*words, extra]) == [f"{split}: has 30 words"]


def test_two_faults_are_two_broken_promises() -> None:
    assert broken("dyck-1", "a", lambda words: [words[1], (0, 1), *words[2:-1]]) == [
        "a: has 30 words",
        "a: all lengths lie in 4:12",
    ]


def test_who_allows_repetitions_is_promised_no_distinct_words() -> None:
    corpora = corpora_of("dyck-1", distinct=False)
    repeated = with_words(corpora, "a", [(0, 1, 0, 1)] * 30)
    assert all(guarantee.holds for guarantee in check(repeated))
    assert len(list(check(repeated))) == 9


def crosses(word: Word) -> bool:
    """Whether something is left when adjacent brackets of a pair are taken out again and again."""
    rest = list(word)
    while True:
        pairs = (i for i in range(len(rest) - 1) if rest[i] % 2 == 0 and rest[i + 1] == rest[i] + 1)
        place = next(pairs, None)
        if place is None:
            return bool(rest)
        del rest[place : place + 2]


@pytest.mark.parametrize("k", [1, 2, 3, 6])
def test_the_share_of_crossing_words_is_that_of_brute_force(k: int) -> None:
    drawn = sample(shuffle_k(k), Uniform(Grammar()), Window(2, 30), 800, seed=5, distinct=False)
    assert crossing_share(drawn) == sum(map(crosses, drawn)) / 800


def test_nothing_crosses_without_brackets() -> None:
    for name in ("anbn", "anbn || dyck-1"):
        assert crossing_share(sample(language_named(name), Uniform(), Window(2, 40), 10, seed=0)) is None
