"""A language within another: the words of one, the targets of the other."""

from __future__ import annotations

from collections import Counter
from itertools import product
from typing import Any

import numpy as np
import pytest

from abacist.analysis import Search, horizon
from abacist.analysis.horizons.configurations import Configurations
from abacist.analysis.stress_words import families_of
from abacist.cells import cell_named
from abacist.corpora import Words, default_source, draw, paper_recipe
from abacist.corpora.packed import pack
from abacist.corpora.words import label
from abacist.errors import BadInput
from abacist.languages import (
    Dyck,
    Language,
    Shuffle,
    language_from_text,
    language_from_values,
    language_named,
    language_text,
    language_values,
    regular,
)
from abacist.languages.within import Within
from abacist.specs import Spec
from tests.analysis.horizons.badly_trained import badly_trained, shortest_wrong

PAIRS = [
    ("shuffle-2", "dyck-2", 8),
    ("shuffle-2", "shuffle-2", 6),
    ("dyck-2", "dyck-2", 6),
    ("anbn", "anbn", 8),
]
NESTED = language_named("shuffle-2 within dyck-2")


@pytest.mark.parametrize(("outer", "inner", "longest"), PAIRS)
def test_words_are_the_inner_s_and_targets_the_outer_s(outer: str, inner: str, longest: int) -> None:
    both, words, targets = map(language_named, (f"{outer} within {inner}", inner, outer))
    for length in range(longest + 1):
        strings = product(range(len(both.alphabet)), repeat=length)
        members = [word for word in strings if word in words]
        assert list(both.words(length)) == members == [word for word in members if word in both]
        assert both.count(length) == both.counts(length)[length] == len(members)
        for word in members:
            assert np.array_equal(both.targets(word), targets.targets(word))
            assert np.array_equal(both.depth_path(word), targets.depth_path(word))


@pytest.mark.parametrize("name", ["shuffle-2 within dyck-2", "shuffle-2 within shuffle-2 to depth 1"])
def test_compiled_labels_are_those_of_the_states(name: str) -> None:
    """Of words and of strings that leave the language somewhere, or end too early."""
    language = language_named(name)
    strings = [string for length in range(6) for string in product(range(4), repeat=length)]
    packed = pack(language, strings)
    labels = label(language, *packed)
    for string, left_at, start in zip(strings, labels.left_at, packed[1], strict=False):
        reading = language.read(string)
        assert left_at == (-1 if reading.left_at is None else reading.left_at)
        rows = np.zeros((len(string), language.outputs), np.uint8)
        for row, step in zip(rows, reading.steps, strict=False):
            row[list(step.next_symbols)] = 1
        assert np.array_equal(labels.targets[start : start + len(string)], rows)


def test_tables_give_it_back() -> None:
    language = Within(regular("(ab)*"), regular("(abab)*", title="twice"))
    table = language_values(language)
    assert isinstance(table, dict)
    assert table["kind"] == "within"
    assert language_from_text(language_text(language)).content == language.content
    with pytest.raises(BadInput, match="needs what it is `of`"):
        language_from_values({"kind": "within", "of": "dyck-1"})


def test_packed_words_are_labelled_alike() -> None:
    words = [word for length in (2, 4, 6) for word in NESTED.words(length)]
    symbols, offsets = np.concatenate(words), np.cumsum([0, *map(len, words)])
    own, outer = (Words.of(one, symbols, offsets, "all") for one in (NESTED, language_named("shuffle-2")))
    assert np.array_equal(own.targets, outer.targets)


@pytest.mark.parametrize(
    "name", ["shuffle-2 within dyck-2", "dyck-1 within dyck-1", "shuffle-3 within dyck-3"]
)
def test_its_name_gives_it_back(name: str) -> None:
    language = language_named(name)
    assert language.name == name
    assert language_from_text(language_text(language)) == language
    assert (
        language_from_text(language_text(language.marked() if language.marks_end else language)) == language
    )


def test_other_symbols_and_other_words_are_refused() -> None:
    with pytest.raises(BadInput, match="both need the same symbols"):
        language_named("dyck-1 within dyck-2")
    with pytest.raises(BadInput, match="only says whether a string is a word"):
        language_named("recognise:dyck-1 within dyck-1")
    larger = language_named("dyck-2 within shuffle-2")
    with pytest.raises(BadInput, match="not all words of shuffle-2 are words of dyck-2"):
        list(larger.words(4))
    with pytest.raises(BadInput, match="not all words"):
        horizon(badly_trained("lstm", 2, "dyck-2"), 0, larger, Search(to=6))


@pytest.mark.parametrize("cell", ["lstm", "gru"])
def test_horizons_equal_brute_force(cell: str) -> None:
    networks = badly_trained(cell, 2, "shuffle-2")
    known, search, found = Configurations(NESTED), Search(to=8, budget=4_096), Counter[int | None]()
    for run in range(len(networks)):
        truth = shortest_wrong(networks, run, NESTED, 8, "all")
        bracket = horizon(networks, run, NESTED, search, configurations=known)
        assert (bracket.wrong and len(bracket.wrong)) == truth
        assert bracket.proved <= (8 if truth is None else truth - 1)
        found[truth] += 1
    assert len(found) > 1


def test_a_language_within_itself_has_the_same_horizons() -> None:
    networks, language = badly_trained("lstm", 2, "shuffle-2"), language_named("shuffle-2")
    twice, search = language_named("shuffle-2 within shuffle-2"), Search(to=8)
    for run in range(8):
        one, other = (horizon(networks, run, lang, search) for lang in (language, twice))
        assert (one.proved, one.wrong and one.wrong.word) == (other.proved, other.wrong and other.wrong.word)


def test_no_inner_word_is_wrong_where_no_word_is() -> None:
    networks, language = badly_trained("lstm", 2, "shuffle-2"), language_named("shuffle-2")
    for run in range(8):
        whole, inner = (horizon(networks, run, lang, Search(to=8)) for lang in (language, NESTED))
        if inner.wrong is not None:
            assert whole.proved < len(inner.wrong)
            assert whole.wrong is not None
            assert len(whole.wrong) <= len(inner.wrong)


def test_its_words_are_drawn_as_the_inner_s() -> None:
    recipes = [paper_recipe(one, seed=3, training=50, test=20) for one in (NESTED, Dyck(2))]
    nested, dyck = map(draw, recipes)
    assert default_source(NESTED) == default_source(Dyck(2))
    for name in ("training", "short", "long"):
        assert np.array_equal(nested[name].symbols, dyck[name].symbols)


def test_stress_words_are_inner_words() -> None:
    families = families_of(NESTED)
    words = [word.tolist() for family in families for word in family.words(NESTED, 12, seed=0)]
    assert words
    assert all(word in NESTED for word in words)


def test_a_spec_is_written_and_read() -> None:
    spec = Spec(NESTED, cell_named("lstm"), hidden=2)
    assert Spec.from_dict(spec.as_dict()) == spec
    assert isinstance(spec.language, Within)
    assert isinstance(spec.language.outer, Shuffle)


def states(language: Language[Any], word: str) -> list[Any]:
    return [step.next_symbols for step in language.read(word).steps]


def test_reading_says_which_language_a_word_leaves() -> None:
    assert NESTED.read("([)").reason == "no word of dyck-2 goes on with )"
    assert NESTED.read(")").left_at == 0
    assert NESTED.read("(").reason == language_named("shuffle-2").read("(").reason
    assert states(NESTED, "([])") == states(language_named("shuffle-2"), "([])")
