"""The numbers of a summary against plain recomputation."""

from __future__ import annotations

import json
from collections import Counter
from statistics import mean, median

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from abacist.corpora import Distribution, Summary, Uniform, Window, crossing_share, sample, summarise
from abacist.languages import language_named

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
