"""A target is an argument: nobody else's training depends on it, and results do not either."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import numpy as np
import pytest

from abacist.cells import CELLS
from abacist.engine import Block, Trained, begin, blocks_of, judge, train, training_words
from abacist.engine.judging import accepted, first_mistakes, prepare_all
from abacist.errors import BadInput, UnknownName
from abacist.progress import Progress
from abacist.specs import Networks
from abacist.targets import PROCESSOR, TARGETS, target_for
from tests.engine.cases import small
from tests.patience import HUNG
from tests.targets.fake import BLOCK, FakeTarget, registered

SPEC = small(CELLS["rnn"], hidden=2)


@pytest.fixture
def fake() -> Iterator[FakeTarget]:
    with registered() as target:
        yield target


def assert_same(one: Trained, other: Trained) -> None:
    assert one.networks == other.networks
    np.testing.assert_array_equal(one.losses, other.losses)


def test_two_threads_train_on_two_targets_at_once(fake: FakeTarget) -> None:
    """Each is held up in the midst of training until the other is there, too."""
    alone, both = train(SPEC, range(7)), Barrier(2)

    def trained(target: str) -> Trained:
        met = False

        def progress(_progress: Progress) -> None:
            nonlocal met
            if not met:
                met = True
                both.wait(HUNG)

        return train(SPEC, range(7), progress=Progress(progress), target=target)

    with ThreadPoolExecutor(2) as pool:
        here, there = pool.map(trained, (PROCESSOR, "fake"))
    assert_same(here, alone)
    assert_same(there, alone)
    blocks = len(blocks_of(7, SPEC, target="fake"))
    assert blocks == 3
    assert Counter(fake.uses) == dict.fromkeys(("admit_block", "exclusive", "training"), blocks)


def test_without_a_target_it_is_the_processors(fake: FakeTarget) -> None:
    assert TARGETS[0] == PROCESSOR
    networks = train(SPEC, [0, 1]).networks
    judge(SPEC, [0, 1], networks)
    assert fake.uses == []


def test_networks_are_judged_on_the_target_that_is_named(fake: FakeTarget) -> None:
    networks, words = train(SPEC, [0, 1]).networks, training_words(SPEC, 0)
    here = judge(SPEC, [0, 1], networks)
    np.testing.assert_array_equal(judge(SPEC, [0, 1], networks, target="fake").shares, here.shares)
    assert Counter(fake.uses) == {"judging": 6}  # of two networks, three sets
    mistakes = first_mistakes(networks, 1, words)
    np.testing.assert_array_equal(first_mistakes(networks, 1, words, target="fake"), mistakes)
    np.testing.assert_array_equal(prepare_all(networks, words, target="fake")(1), mistakes)
    assert accepted(networks, [words], [0, 0], target="fake")[1] == (mistakes < 0).sum()
    assert Counter(fake.uses) == {"judging": 8, "accepted": 1}


def test_a_block_is_as_large_as_its_target_says(fake: FakeTarget) -> None:
    runs = begin(SPEC, range(BLOCK + 1))
    words = [training_words(SPEC, seed) for seed in runs.seeds]
    with pytest.raises(BadInput, match="Block: 1 to 3 runs are trained side by side, got 4"):
        Block(runs, words, target="fake")
    few = Block(runs.part(range(BLOCK)), words[:BLOCK], target="fake").train(2)
    assert_same(Block(runs, words).train(2).part(range(BLOCK)), few)
    assert fake.uses == ["training"]


def test_what_a_target_cannot_compute_is_its_sentence_and_nobody_elses() -> None:
    with registered("narrow", "the target narrow has room for 1 unit, got 2"):
        with pytest.raises(BadInput, match="the target narrow has room for 1 unit, got 2"):
            target_for(SPEC.layout, "narrow")
        with pytest.raises(BadInput, match="the target narrow has room for 1 unit, got 2"):
            train(SPEC, [0], target="narrow")
        train(SPEC, [0])


def test_what_is_no_target_is_refused_by_name() -> None:
    networks, words = Networks.initial(SPEC.layout, [0]), training_words(SPEC, 0)
    asked: list[Callable[[], object]] = [
        lambda: train(SPEC, [0], target="abacus"),
        lambda: blocks_of(1, SPEC, target="abacus"),
        lambda: Block(begin(SPEC, [0]), [words], target="abacus"),
        lambda: accepted(networks, [words], [0], target="abacus"),
        lambda: judge(SPEC, [0], networks, target="abacus"),
        lambda: target_for(SPEC.layout, "abacus"),
    ]
    for call in asked:
        with pytest.raises(UnknownName, match="unknown target 'abacus'; targets are llvm, cuda"):
            call()
