"""Runs that share corpora: each is what it would be alone, and words are drawn once."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from abacist.corpora import Recipe, Words, draw
from abacist.engine import training_words
from abacist.engine.judging import accepted, first_mistakes
from abacist.errors import BadInput
from abacist.experiments import Job, Store, Task, run, run_key
from abacist.experiments.word_sets import pooled
from abacist.experiments.work import compute
from abacist.progress import Progress
from abacist.specs import Networks
from tests.experiments.cases import runs_of, small

SPEC = small(test=20)


def test_a_run_has_its_own_weights_and_the_words_of_its_place_in_the_pool() -> None:
    of_three = replace(SPEC, pool=3)
    assert [of_three.words_seed(seed) for seed in range(7)] == [0, 1, 2, 0, 1, 2, 0]
    assert of_three.recipe(5) == SPEC.recipe(2)
    assert run_key(of_three, 0) != run_key(SPEC, 0) == run_key(replace(SPEC, pool=0), 0)
    with pytest.raises(BadInput, match="pool must be at least 0"):
        replace(SPEC, pool=-1)


def test_results_are_those_of_runs_with_the_same_words_and_weights(tmp_path: Path) -> None:
    """Of seeds below the pool's size they are those of runs with words of their own."""
    of_two, sets = replace(SPEC, pool=2), ("training", "short", "long")
    with Store(tmp_path) as store:
        run([Task("pooled", of_two, (0, 1, 2, 3), sets), Task("own", SPEC, (0, 1), sets)], store)
        found = {(own.spec.pool, own.seed): own for own in runs_of(store)}
    for seed in (0, 1):
        pair = found[2, seed], found[0, seed]
        assert np.array_equal(pair[0].weights, pair[1].weights)
        assert pair[0].outcome.accuracy == pair[1].outcome.accuracy
    for seed in (2, 3):
        other = found[2, seed]
        assert not np.array_equal(other.weights, found[2, seed - 2].weights)
        for name in sets:
            corpus = draw(SPEC.recipe(seed - 2))[name]
            words = Words.of(SPEC.language, corpus.symbols, corpus.offsets, SPEC.steps)
            assert other.accuracy(name) == (first_mistakes(other.networks, 0, words) < 0).mean()


def test_networks_accept_what_they_make_no_mistake_on() -> None:
    networks = Networks.initial(SPEC.layout, range(6))
    words = [training_words(SPEC, seed) for seed in (0, 1)]
    of = [1, 0, 0, 1, 1, 0]
    counts = [int((first_mistakes(networks, n, words[c]) < 0).sum()) for n, c in enumerate(of)]
    assert accepted(networks, words, of).tolist() == counts
    with pytest.raises(BadInput, match="6 networks need a corpus each, got 1"):
        accepted(networks, words, [0])


def test_what_is_kept_is_what_would_be_drawn_and_no_more_than_there_is_room_for() -> None:
    one, other = SPEC.recipe(100), SPEC.recipe(101)
    first = pooled(one)
    assert pooled(one) is first
    assert _same(first, one)
    assert _same(pooled(other, capacity=1), other)  # all that was kept is dropped for it
    assert _same(again := pooled(one), one)
    assert again is not first


def _same(drawn: object, recipe: Recipe) -> bool:
    return [list(corpus) for corpus in drawn] == [list(corpus) for corpus in draw(recipe)]  # type: ignore[attr-defined]


def test_a_block_that_is_to_end_is_not_even_drawn() -> None:
    drawn = []

    def check(progress: Progress) -> None:
        drawn.append(progress.share)
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        compute(Job(SPEC, (0,), frozenset({("short", SPEC.epochs)})), Progress(check))
    assert drawn == [0.0]
