"""The numbers of a summary against plain recomputation."""

from __future__ import annotations

import json
from collections import Counter
from statistics import mean, median

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from abacist.corpora import Distribution, Grammar, Summary, Uniform, Window, crossing_share, sample, summarise
from abacist.languages import language_named
from tests.corpora.packing import paper_corpora

DATA = st.lists(st.integers(0, 30), min_size=1, max_size=50)


@given(DATA)
def test_a_distribution_counts_values(data: list[int]) -> None:
    found = Distribution.of(np.array(data))
    assert dict(zip(found.values, found.counts, strict=True)) == Counter(data)
    assert list(found.values) == sorted(set(data))
    assert found.mean == pytest.approx(mean(data), rel=1e-12)
    assert found.median == median(data)


@given(DATA)
def test_a_distribution_in_plain_values(data: list[int]) -> None:
    values = Distribution.of(np.array(data)).as_dict()
    assert json.loads(json.dumps(values)) == values == {
        "min": min(data),
        "median": median(data),
        "mean": pytest.approx(mean(data), abs=0.0005),
        "max": max(data),
        "counts": {str(value): count for value, count in Counter(data).items()},
    }  # fmt: skip


@pytest.mark.parametrize(
    "name", ["dyck-1", "dyck-2", "shuffle-2", "shuffle-6", "anbncn", "anbn || dyck-1", "dyck-2 || anbn"]
)
def test_a_summary_is_what_the_words_say(name: str) -> None:
    language = language_named(name)
    corpus = sample(language, Uniform(), Window(2, 30), 80, seed=4, distinct=False)
    words = list(corpus)
    assert summarise(corpus) == Summary(
        "sample",
        80,
        sum(map(len, words)),
        Distribution.of(np.array([len(word) for word in words])),
        Distribution.of(np.array([language.maximum_depth(word) for word in words])),
        Distribution.of(np.array([sum(language.turns(word)) for word in words])),
        crossing_share(corpus),
    )


def test_a_summary_in_plain_values() -> None:
    corpus = sample(language_named("shuffle-2"), Uniform(), Window(2, 30), 80, seed=4)
    found = summarise(corpus)
    values = json.loads(json.dumps(found.as_dict()))
    assert values == {
        "words": 80,
        "symbols": len(corpus.symbols),
        "lengths": found.lengths.as_dict(),
        "maximum depths": found.depths.as_dict(),
        "turns": found.turns.as_dict(),
        "crossing": crossing_share(corpus),
    }


def test_the_papers_training_set_in_numbers() -> None:
    """Dyck-1 has one counter, and a counter that ends at zero turns an odd number of times."""
    found = summarise(paper_corpora("dyck-1")["training"])
    assert (found.name, found.words, found.crossing) == ("training", 10_000, 0.0)
    assert sum(found.lengths.counts) == sum(found.depths.counts) == sum(found.turns.counts) == 10_000
    assert found.symbols == sum(
        v * c for v, c in zip(found.lengths.values, found.lengths.counts, strict=True)
    )
    assert all(length % 2 == 0 for length in found.lengths.values)
    assert all(turns % 2 for turns in found.turns.values)
    assert found.lengths.values[0] == 2
    assert found.lengths.values[-1] == 50
    assert found.depths.values[-1] <= 25


def test_distinct_words_are_longer_than_those_drawn_freely() -> None:
    """Short words run out: the reason why the mean length of a training set is not the grammar's."""
    language, window = language_named("dyck-1"), Window(2, 50)
    freely = summarise(sample(language, Grammar(), window, 10_000, seed=0, distinct=False))
    assert summarise(paper_corpora("dyck-1")["training"]).lengths.mean > 2 * freely.lengths.mean
