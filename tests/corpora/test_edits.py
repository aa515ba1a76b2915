"""Edits = what they are said to be, one by one; no two kinds share one."""

from __future__ import annotations

from itertools import pairwise, product

import numpy as np
import pytest

from abacist.corpora import EDITS, Uniform, Window, leaving, sample
from abacist.corpora.non_members import edit_number, edited
from abacist.corpora.words import settle_swaps
from abacist.errors import BadInput
from abacist.languages import Word, language_named
from tests.corpora.packing import pack
from tests.corpora.plain_edits import plain_edits


@pytest.mark.parametrize("kind", EDITS)
@pytest.mark.parametrize("size", [2, 3])
def test_the_edits_of_a_word_by_their_numbers(kind: str, size: int) -> None:
    words: list[Word] = [word for n in range(1, 5) for word in product(range(size), repeat=n)]
    symbols, offsets = pack(words)
    counts = EDITS[kind].counts(np.diff(offsets), size)
    which = np.repeat(np.arange(len(words)), counts)
    numbers = np.concatenate([np.arange(count) for count in counts])
    flat, ends = edited(kind, symbols, offsets, which, numbers, size)
    strings = [tuple(flat[a:b].tolist()) for a, b in pairwise(ends)]
    assert strings == [string for word in words for string in plain_edits(kind, word, size)]


def test_a_symbol_at_the_end_is_an_extension_and_not_an_insertion() -> None:
    found = {kind: set(plain_edits(kind, (0, 1), 2)) for kind in EDITS}
    assert found["inserted"] == {(0, 0, 1), (1, 0, 1), (0, 1, 1)}  # before the end: () with one more
    assert found["extended"] == {(0, 1, 0), (0, 1, 1)}
    assert found["deleted"] == {(1,)}
    assert found["truncated"] == {(0,)}


@pytest.mark.parametrize(
    "name",
    ["dyck-1", "shuffle-2", "shuffle-6", "dyck-2", "anbn", "anbncn", "anbn || dyck-1", "dyck-2 || anbn"],
)
def test_swaps_leave_a_language_where_its_automaton_says_so(name: str) -> None:
    language = language_named(name)
    corpus = sample(language, Uniform(), Window(2, 24), 25, seed=2, distinct=False)
    strings = [string for word in corpus for string in plain_edits("swapped", word, len(language.alphabet))]
    expected = leaving(language, *pack(strings)) > 0
    settled = np.full(len(strings), 2, np.int8)
    settle_swaps(language, corpus.symbols, corpus.offsets, np.arange(len(corpus)), settled)
    known = settled < 2
    assert settled[known].tolist() == expected[known].tolist()
    assert known.any() == ("dyck-2" not in name)
    assert 0 < expected.mean() < 1


def test_other_kinds_are_refused() -> None:
    with pytest.raises(BadInput, match="unknown edit 'turned', did you mean truncated"):
        edit_number("turned")
