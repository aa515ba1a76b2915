"""A corpus as a sequence of words, and its depths and turns against the language, word by word."""

from __future__ import annotations

from dataclasses import FrozenInstanceError
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from abacist.corpora import Corpus, Grammar, Uniform, Window, draw, paper_recipe, sample
from abacist.languages import Dyck, language_named
from tests.corpora.packing import corpus_of

NAMES = [
    "dyck-1",
    "dyck-2",
    "dyck-3",
    "shuffle-2",
    "shuffle-6",
    "anbn",
    "anbncn",
    "anbncndn",
    "anbn || dyck-1",
    "dyck-2 || anbn",
]

every_language = pytest.mark.parametrize("name", NAMES)


def corpus_in(name: str) -> Corpus:
    return sample(language_named(name), Uniform(), Window(2, 40), 60, seed=2, distinct=False)


def check_paths(corpus: Corpus) -> None:
    """Depths are the paths of the words end to end; so are what follows from these."""
    language = corpus.language
    assert np.array_equal(corpus.depths(), np.vstack([language.depth_path(word) for word in corpus]))
    assert corpus.maximum_depths().tolist() == [language.maximum_depth(word) for word in corpus]
    assert corpus.turns().tolist() == [list(language.turns(word)) for word in corpus]


@every_language
def test_it_is_a_sequence_of_words(name: str) -> None:
    corpus = corpus_in(name)
    words = list(corpus)
    assert len(corpus) == len(words) == corpus.split.count
    assert [corpus[i] for i in range(60)] == words
    assert [corpus[i - 60] for i in range(60)] == words
    for index in (60, -61, 1_000):
        with pytest.raises(IndexError, match=rf"^sample has 60 words, got index {index}$"):
            corpus[index]
    assert corpus.symbols.tolist() == [symbol for word in words for symbol in word]
    assert corpus.lengths.tolist() == [len(word) for word in words]
    assert [corpus.language.alphabet.parse(text) for text in corpus.texts()] == words
    assert all(type(symbol) is int for symbol in corpus[0])
    check_paths(corpus)


@settings(max_examples=60)
@given(data=st.data(), name=st.sampled_from(["dyck-1", "dyck-2", "shuffle-3", "anbncn", "anbn || dyck-1"]))
def test_so_it_is_for_words_in_any_order(data: st.DataObject, name: str) -> None:
    """Short words, among them neighbours that end and begin in the same direction."""
    language = language_named(name)
    known = [word for n in range(1, 7) for word in language.words(n)]
    words = data.draw(st.lists(st.sampled_from(known), min_size=1, max_size=6))
    corpus = corpus_of(language, words)
    assert list(corpus) == words
    check_paths(corpus)


@every_language
def test_each_word_starts_at_depth_zero_even_after_an_unfinished_one(name: str) -> None:
    language = language_named(name)
    words = [word[: 1 + len(word) // 2] for word in corpus_in(name)]
    corpus = corpus_of(language, words)
    assert corpus.depths().max() > 1
    check_paths(corpus)


@pytest.mark.parametrize("source", [Grammar(), Uniform()], ids=str)
@pytest.mark.parametrize("count", [10, 21])
@pytest.mark.parametrize("name", ["symbols", "offsets", "lengths"])
def test_its_arrays_are_read_only(source: Grammar | Uniform, count: int, name: str) -> None:
    """Of 22 words, 10 are drawn again and again until new, 21 from a list."""
    array: Any = getattr(sample(Dyck(1), source, Window(2, 8), count, seed=0), name)
    with pytest.raises(ValueError, match="read-only"):
        array[0] = 1


@pytest.mark.parametrize("part", [slice(0, 3), slice(None), slice(-2, None), slice(7, 2, -2), slice(5, 5)])
def test_a_slice_is_so_many_words(part: slice) -> None:
    corpus = corpus_in("dyck-1")
    assert corpus[part] == tuple(corpus)[part]


def test_it_cannot_be_changed() -> None:
    corpus = corpus_in("dyck-1")
    with pytest.raises(FrozenInstanceError):
        corpus.symbols = corpus.symbols[:0]  # type: ignore[misc]


def test_splits_share_no_memory() -> None:
    """Whoever keeps one split does not keep all."""
    training, short, long = draw(paper_recipe(Dyck(1), training=30, test=20))
    assert training.symbols.base is None
    assert not np.shares_memory(training.symbols, short.symbols)
    assert long.offsets[0] == 0
