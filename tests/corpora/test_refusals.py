"""What cannot be had is refused in one sentence that says why, before anything is drawn."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from abacist.corpora import Grammar, Recipe, Source, Split, Uniform, Window, draw, sample
from abacist.errors import Impossible
from abacist.languages import Dyck, language_named
from abacist.progress import Progress
from tests.corpora.plain_drawing import DRAW_MODULE

Wanted = list[tuple[str, str, int]]


def recipe_of(name: str, source: Source, wanted: Wanted, **more: Any) -> Recipe:
    splits = tuple(Split(title, Window.parse(window), count) for title, window, count in wanted)
    return Recipe(language_named(name), source, splits, **more)


@pytest.mark.parametrize(
    ("name", "source", "wanted", "message"),
    [
        ("dyck-1", Grammar(), [("training", "2:8", 10_000)],
         "10,000 distinct words of dyck-1 with lengths 2 to 8 do not exist: there are 22"),
        ("dyck-1", Uniform(), [("training", "2:8", 23)],
         "23 distinct words of dyck-1 with lengths 2 to 8 do not exist: there are 22"),
        ("dyck-1", Grammar(), [("training", "2:8", 15), ("short", "2:8", 8)],
         "23 distinct words of dyck-1 with lengths 2 to 8 do not exist: there are 22"),
        ("dyck-1", Grammar(), [("training", "2:50", 9), ("short", "2:8", 23)],
         "23 distinct words of dyck-1 with lengths 2 to 8 do not exist: there are 22"),
        # 8 of 8, and 15 of the 21 between 4 and 8: each can be had, both cannot
        ("dyck-1", Grammar(), [("a", "2:6", 8), ("b", "4:8", 15)],
         "23 distinct words of dyck-1 with lengths 2 to 8 do not exist: there are 22"),
        # three windows, each overlapping the next
        ("dyck-1", Uniform(), [("a", "2:4", 3), ("b", "4:6", 5), ("c", "6:8", 15)],
         "23 distinct words of dyck-1 with lengths 2 to 8 do not exist: there are 22"),
        # the grammar draws Dyck-2 where the language is Shuffle-2
        ("shuffle-2", Grammar(), [("all", "2:4", 11)],
         "11 distinct words of dyck-2 with lengths 2 to 4 do not exist: there are 10"),
        ("shuffle-2", Uniform(), [("all", "2:4", 13)],
         "13 distinct words of shuffle-2 with lengths 2 to 4 do not exist: there are 12"),
        ("anbn", Uniform(), [("all", "2:50", 10_000)],
         "10,000 distinct words of anbn with lengths 2 to 50 do not exist: there are 25"),
        ("dyck-1", Grammar(), [("odd", "3", 1)], "no word of dyck-1 has a length from 3 to 3"),
        ("shuffle-6", Grammar(), [("odd", "51:51", 1)], "no word of dyck-6 has a length from 51 to 51"),
        ("anbncn", Uniform(), [("none", "4:5", 1)], "no word of anbncn has a length from 4 to 5"),
        ("dyck-1", Grammar(), [("fine", "2:50", 5), ("odd", "7:7", 1)],
         "no word of dyck-1 has a length from 7 to 7"),
    ],
)  # fmt: skip
def test_the_impossible_is_refused_with_the_exact_count(
    name: str, source: Source, wanted: Wanted, message: str
) -> None:
    with pytest.raises(Impossible) as refusal:
        recipe_of(name, source, wanted)
    sentence, _, remedy = str(refusal.value).partition("; ")
    assert sentence.partition(", asked for ")[0] == message
    assert remedy.startswith("ask for fewer, or let words repeat: --repeats, ") == ("do not exist" in message)


def test_repetitions_know_no_scarcity_but_no_word_is_still_none() -> None:
    many = recipe_of("dyck-1", Grammar(), [("a", "2:4", 1_000)], distinct=False)
    assert len(draw(many)["a"]) == 1_000
    with pytest.raises(Impossible, match=r"^no word of dyck-1 has a length from 5 to 5$"):
        recipe_of("dyck-1", Grammar(), [("a", "5", 10)], distinct=False)


@settings(max_examples=300)
@given(st.lists(st.tuples(st.integers(1, 8), st.integers(1, 6), st.integers(1, 16)), min_size=1, max_size=3))
def test_refused_is_what_no_assignment_of_words_can_serve(wanted: list[tuple[int, int, int]]) -> None:
    """Greedy is best for windows: give every length to those whose window ends first."""
    left = [(low + span, low, count) for low, span, count in wanted]
    for length in range(1, 15):
        supply = Dyck(1).count(length)
        served = []
        for high, low, count in sorted(left):
            given_now = min(supply, count) if low <= length <= high else 0
            supply -= given_now
            served.append((high, low, count - given_now))
        left = served
    titled = [(f"{i}", f"{low}:{low + span}", count) for i, (low, span, count) in enumerate(wanted)]
    if any(count for _, _, count in left):
        with pytest.raises(Impossible):
            recipe_of("dyck-1", Grammar(), titled)
    else:
        recipe_of("dyck-1", Grammar(), titled)


def test_an_earlier_split_may_take_what_a_later_one_needs() -> None:
    recipe = recipe_of("dyck-1", Uniform(), [("first", "2:10", 60), ("second", "2:8", 4)])
    first = draw(recipe_of("dyck-1", Uniform(), [("first", "2:10", 60)]))["first"]
    left = 22 - sum(len(word) <= 8 for word in first)
    assert left < 4
    with pytest.raises(Impossible) as refusal:
        draw(recipe)
    assert str(refusal.value) == (
        f"second: earlier splits have left {left} distinct words with lengths 2 to 8, and 4 are wanted"
    )


def test_a_skewed_grammar_gives_up_in_one_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(DRAW_MODULE, "_BLOCK", 500)
    monkeypatch.setattr(DRAW_MODULE, "_PATIENCE", 10_000)
    rare = Grammar(Fraction(1, 100), Fraction(1, 100))
    with pytest.raises(
        Impossible,
        match=r"^sample: after \d distinct words, 10,000 draws found no new one, "
        r"so 10,000 are out of reach of the grammar with p = 1/100, q = 1/100$",
    ):
        sample(Dyck(1), rare, Window(2, 50), 10_000, seed=0)


def test_patience_counts_barren_draws_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every word found makes good for the draws before it: never 40 in vain in a row, but many in all."""
    monkeypatch.setattr(DRAW_MODULE, "_BLOCK", 1)
    monkeypatch.setattr(DRAW_MODULE, "_PATIENCE", 40)
    told: list[float] = []
    progress = Progress(lambda own: told.append(own.share))
    draw(recipe_of("dyck-1", Grammar(), [("a", "2:50", 150)]), progress)
    assert told[-1] == 1
    assert len(told) > 150 + 40


@pytest.mark.parametrize("distinct", [True, False])
def test_lengths_that_a_grammar_never_gives_are_refused_in_words(distinct: bool) -> None:
    """All of aⁿbⁿcⁿ with 3 symbols is one word, of an odd length, which no grammar of brackets has."""
    language = language_named("anbncn")
    with pytest.raises(Impossible):
        sample(language, Uniform(Grammar()), Window(3, 3), 1, seed=0, distinct=distinct)


def test_nor_are_words_of_such_lengths_drawn_when_the_others_run_out() -> None:
    """Of abc, aabbcc and aaabbbccc, only the second has a length that the grammar gives."""
    with pytest.raises(Impossible):
        sample(language_named("anbncn"), Uniform(Grammar()), Window(3, 9), 3, seed=0)
