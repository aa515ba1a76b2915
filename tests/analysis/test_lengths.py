"""Accuracies by length and depth are counts of accepted words, word by word."""

from __future__ import annotations

import numpy as np
import pytest

from abacist.analysis import DEEPENING, accuracy_by_depth, accuracy_by_length, draw_by_length, follow
from abacist.corpora import Uniform, default_source
from abacist.errors import BadInput, Impossible
from abacist.languages import language_named
from abacist.specs import Networks
from tests.analysis.cases import networks

DYCK = language_named("dyck-1")


def some_right() -> Networks:
    """Networks that accept some words: always predict both brackets, or only the opening one."""
    fresh = networks("dyck-1", "rnn", 2, 3)
    parameters = fresh.parameters.copy()
    parameters[1:, -2:] = [[9, 9], [9, -9]]  # the output biases come last
    return Networks(fresh.layout, parameters)


def accepts(run: int, word: tuple[int, ...], steps: str = "all") -> bool:
    return not follow(some_right(), run, DYCK, word, steps=steps).wrong.any()


def test_by_length() -> None:
    drawn = draw_by_length(DYCK, [4, 2, 10], 30, seed=5)
    curve = accuracy_by_length(some_right(), drawn)
    assert curve.at.tolist() == [2, 4, 10]
    assert curve.words.tolist() == [30, 30, 30]
    for point, corpus in enumerate((drawn[1], drawn[0], drawn[2])):
        for run in range(3):
            expected = np.mean([accepts(run, word) for word in corpus])
            assert curve.shares[run, point] == pytest.approx(expected, abs=1e-12)


def test_by_depth_every_word_counts_once() -> None:
    drawn = draw_by_length(DYCK, [2, 6, 8], 25, seed=5, sources=DEEPENING[:3])
    curve = accuracy_by_depth(some_right(), drawn, (1, 2, 4, 5, 9), at_least=2)
    words = {word for corpus in drawn for word in corpus}
    at, counts, shares = [], [], []
    for low, high in ((1, 2), (2, 4), (4, 5), (5, 9)):
        own = [word for word in words if low <= DYCK.maximum_depth(word) < high]
        if len(own) >= 2:
            at.append(np.mean([DYCK.maximum_depth(word) for word in own]))
            counts.append(len(own))
            shares.append([np.mean([accepts(run, word) for word in own]) for run in range(3)])
    np.testing.assert_allclose(curve.at, at)
    assert curve.words.tolist() == counts
    np.testing.assert_allclose(curve.shares.T, shares)


def test_only_the_steps_that_count_are_judged() -> None:
    drawn = draw_by_length(DYCK, [6], 30, seed=5)
    by_length = accuracy_by_length(some_right(), drawn, steps="last")
    by_depth = accuracy_by_depth(some_right(), drawn, (1, 4), steps="last", at_least=1)
    for run in range(3):
        expected = np.mean([accepts(run, word, "last") for word in drawn[0]])
        assert by_length.shares[run, 0] == pytest.approx(expected, abs=1e-12)
        expected = np.mean([accepts(run, word, "last") for word in set(drawn[0])])
        assert by_depth.shares[run, 0] == pytest.approx(expected, abs=1e-12)


def test_deepening_grammars_reach_half_the_length() -> None:
    drawn = draw_by_length(DYCK, [200], 20, seed=0, sources=DEEPENING)
    means = [float(corpus.maximum_depths().mean()) for corpus in drawn]
    assert means == sorted(means)
    assert means[-1] > 90


def test_draws_depend_on_the_seed_alone() -> None:
    first, again = (draw_by_length(DYCK, [6, 8], 10, seed=3, sources=[Uniform()] * 2) for _ in range(2))
    assert first == again
    assert list(first[2]) != list(first[3])
    assert first != draw_by_length(DYCK, [6, 8], 10, seed=4, sources=[Uniform()] * 2)


def test_words_come_from_the_paper_s_grammar_unless_told() -> None:
    assert draw_by_length(DYCK, [6, 8], 10, seed=3) == draw_by_length(
        DYCK, [6, 8], 10, seed=3, sources=[default_source(DYCK)]
    )


def test_no_such_words() -> None:
    with pytest.raises(Impossible, match="no word of dyck-1 has a length from 7 to 7"):
        draw_by_length(DYCK, [7], 10, seed=0)
    with pytest.raises(BadInput, match="edges must be at least two rising numbers"):
        accuracy_by_depth(some_right(), draw_by_length(DYCK, [2], 1, seed=0), (3, 3))
    too_few = accuracy_by_depth(some_right(), draw_by_length(DYCK, [2], 5, seed=0), (1, 2))
    assert too_few.shares.shape == (3, 0)
