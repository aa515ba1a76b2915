"""Strings right outside a language: never members, distinct, the same again, and drawn as is stated."""

from __future__ import annotations

from collections import Counter
from functools import cache
from typing import Any

import pytest

from abacist.corpora import (
    EDITS,
    Grammar,
    NonMembers,
    Recipe,
    Source,
    Split,
    Uniform,
    Window,
    draw_non_members,
    leaving,
)
from abacist.errors import BadInput, Impossible
from abacist.languages import Word, language_named
from abacist.progress import Progress
from tests.corpora.chi_square import PLAUSIBLE, p_value
from tests.corpora.plain_edits import exact_shares, plain_edits
from tests.languages.subjects import ORACLES

SPLITS = (Split("short", Window(2, 16), 1), Split("long", Window(18, 26), 1))


def recipe_of(name: str, seed: int = 0, source: Source | None = None, **splits: str) -> Recipe:
    chosen = tuple(Split(called, Window.parse(lengths), 1) for called, lengths in splits.items())
    return Recipe(language_named(name), source or Uniform(Grammar()), chosen or SPLITS, seed)


@cache
def drawn(name: str) -> tuple[NonMembers, ...]:
    source = Uniform() if name == "anbn || dyck-1" else None
    return draw_non_members(recipe_of(name, source=source), 60)


names = pytest.mark.parametrize("name", ["dyck-1", "shuffle-2", "dyck-2", "anbn || dyck-1"])


@names
def test_none_is_in_the_language_and_none_leaves_it_at_once(name: str) -> None:
    oracle = next(oracle for oracle in ORACLES if oracle.name == name)
    for found in drawn(name):
        texts = [found.language.alphabet.render(string) for string in found]
        assert not any(map(oracle.contains, texts))
        readings = [found.language.read(text) for text in texts]
        assert [reading.left_at for reading in readings] == found.left_at.tolist()
        assert min(found.left_at) > 0
        assert found.left_at.tolist() == leaving(found.language, found.symbols, found.offsets).tolist()


@names
def test_all_sets_together_are_distinct_and_as_large_as_was_asked_for(name: str) -> None:
    sets = drawn(name)
    assert [found.name for found in sets] == [f"{kind} {split.name}" for split in SPLITS for kind in EDITS]
    assert {len(found) for found in sets} == {60}
    assert len({string for found in sets for string in found}) == 60 * len(sets)


@names
def test_each_is_one_edit_of_its_kind_away_from_a_word_of_its_split(name: str) -> None:
    """Undone by brute force: an edit of the other way leads back to a member of a length of the window."""
    back = {"inserted": "deleted", "deleted": "inserted", "replaced": "replaced", "swapped": "swapped"}
    for found in drawn(name):
        language, window = found.language, found.split.window
        size = len(language.alphabet)
        for string in found:
            if found.kind == "truncated":
                known: dict[Any, bool] = {}
                state = language.start
                for symbol in string:
                    state = language.step(state, symbol)
                lengths = range(len(string) + 1, window.high + 1)
                assert any(n in window and language.can_end(state, n - len(string), known) for n in lengths)
            else:
                undone = [string[:-1]] if found.kind == "extended" else []
                if found.kind in back:
                    undone = plain_edits(back[found.kind], string, size)
                assert any(
                    word in language and len(word) in window and string in plain_edits(found.kind, word, size)
                    for word in undone
                )


def test_a_seed_always_gives_the_same_strings_and_another_seed_others() -> None:
    def lists(seed: int) -> list[list[Word]]:
        return [list(found) for found in draw_non_members(recipe_of("dyck-2", seed), 300)]

    assert lists(4) == lists(4)
    assert all(a != b for a, b in zip(lists(4), lists(5), strict=True))


def test_the_first_strings_as_they_were_drawn_once() -> None:
    """If they change, what seeds mean has changed: then DRAWING of `recipe.py` must be raised."""
    sets = draw_non_members(recipe_of("shuffle-2", 3, Grammar(), short="2:50"), 2)
    assert {found.kind: [*map(found.language.alphabet.render, found)] for found in sets} == GOLDEN


GOLDEN = {
    "inserted": ["[((((]((()))))[]))]", "())"],
    "deleted": ["([()][][)", "[])"],
    "replaced": ["[[](", "(][[]])[])"],
    "swapped": ["[](][)", "(][)"],
    "truncated": ["([([()]", "[][[]]([()]"],
    "extended": ["[](([]))[(()((()))[(([()]))])]([((()))]([()])())[](", "([[()]][[[()]]])((()))("],
}


@pytest.mark.parametrize(
    ("kind", "source"),
    [*((kind, Grammar()) for kind in EDITS), ("replaced", Uniform()), ("swapped", Uniform())],
)
def test_the_first_two_follow_the_stated_distribution(kind: str, source: Source) -> None:
    """Exactly enumerated: a word by its weight, an edit among those wanted; the second is another."""
    lengths = "4:8" if kind == "swapped" else "2:6"
    shares = exact_shares(recipe_of("dyck-1", 0, source, only=lengths), kind)
    firsts: Counter[Word] = Counter()
    seconds: Counter[Word] = Counter()
    for seed in range(300):
        (found,) = draw_non_members(recipe_of("dyck-1", seed, source, only=lengths), 2, [kind])
        first, second = found
        firsts[first] += 1
        seconds[second] += 1
    later = {b: sum(shares[a] * shares[b] / (1 - shares[a]) for a in shares if a != b) for b in shares}
    assert p_value(firsts, shares) > PLAUSIBLE
    assert p_value(seconds, later) > PLAUSIBLE


def test_what_cannot_be_drawn_is_refused() -> None:
    with pytest.raises(Impossible, match=r"deleted only: after 2 distinct strings, .* 5 are out of reach"):
        draw_non_members(recipe_of("anbn", 0, Uniform(), only="2:4"), 5, ["deleted"])
    with pytest.raises(BadInput, match="must be at least 1, got 0"):
        draw_non_members(recipe_of("dyck-1"), 0)
    with pytest.raises(BadInput, match="unknown edit 'turned'"):
        draw_non_members(recipe_of("dyck-1"), 1, ["turned"])
    with pytest.raises(BadInput, match="must be different, at least one"):
        draw_non_members(recipe_of("dyck-1"), 1, ["swapped", "swapped"])
    with pytest.raises(BadInput, match="at most 2,000 symbols can be edited, got 3,000"):
        draw_non_members(recipe_of("dyck-1", only="2:3000"), 1)


@pytest.mark.thorough
def test_sets_that_are_out_of_reach_are_left_out_if_asked() -> None:
    """Symbols that change places never leave parity; all else is as if nobody had asked for that."""
    recipe, kinds = recipe_of("parity", source=Uniform()), tuple(EDITS)
    found = draw_non_members(recipe, 5, leave_out=True)
    assert {one.kind for one in found} == set(kinds) - {"swapped"}
    others = draw_non_members(recipe, 5, [kind for kind in kinds if kind != "swapped"])
    assert [(one.name, list(one)) for one in found] == [(one.name, list(one)) for one in others]


def test_progress_is_told() -> None:
    told: list[float] = []
    draw_non_members(recipe_of("dyck-1"), 20, progress=Progress(lambda own: told.append(own.share)))
    assert told[-1] == 1
    assert told == sorted(told)
