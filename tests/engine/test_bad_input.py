"""What the engine cannot take is refused in one sentence."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pytest

from abacist.cells import cell_named
from abacist.corpora import Words, pack_texts
from abacist.engine import (
    Block,
    Trained,
    begin,
    blocks_of,
    epoch_order,
    first_mistakes,
    judge,
    trace,
    train,
    training_words,
)
from abacist.errors import BadInput
from abacist.languages import language_named
from abacist.specs import Networks, Spec
from tests.wrong_input import is_refused

SPEC = Spec(language_named("dyck-1"), cell_named("lstm"), epochs=1, training=20, test=5)
BEGUN = begin(SPEC, [0, 1])
NETWORKS = BEGUN.networks


@cache
def words_of() -> Words:
    return pack_texts(SPEC.language, ["()", "(())"])


@cache
def others() -> Words:
    return pack_texts(language_named("shuffle-2"), ["()[]"])


@pytest.mark.parametrize("seeds", [None, "01", 3, [0.5], [-1], [], ["0"]])
def test_seeds(seeds: Any) -> None:
    is_refused(lambda: train(SPEC, seeds))
    is_refused(lambda: judge(SPEC, seeds, NETWORKS))


def test_a_seed_is_given_once() -> None:
    assert is_refused(lambda: train(SPEC, [3, 0, 1, 0])) == (
        "train: seeds must differ (equal ones give equal networks), got 0 again"
    )
    assert len(train(SPEC, [0, 0], start=NETWORKS).networks) == 2  # other networks on the same words


@pytest.mark.parametrize("spec", [None, "dyck-1", SPEC.language])
def test_specs(spec: Any) -> None:
    is_refused(lambda: train(spec, [0]))
    is_refused(lambda: judge(spec, [0, 1], NETWORKS))
    is_refused(lambda: begin(spec, [0]))
    is_refused(lambda: training_words(spec, 0))


@pytest.mark.parametrize("networks", [None, NETWORKS.parameters, BEGUN])
def test_networks(networks: Any) -> None:
    is_refused(lambda: judge(SPEC, [0, 1], networks))
    is_refused(lambda: first_mistakes(networks, 0, words_of()))
    is_refused(lambda: trace(networks, 0, (0, 1)))


@pytest.mark.parametrize("run", [-1, 2, "0", 0.5, None])
def test_the_number_of_a_network(run: Any) -> None:
    is_refused(lambda: first_mistakes(NETWORKS, run, words_of()))
    is_refused(lambda: trace(NETWORKS, run, (0, 1)))


def test_numbers_of_numpy_are_numbers() -> None:
    own, numpys = trace(NETWORKS, 1, (0, 1)), trace(NETWORKS, np.int64(1), np.array([0, 1]))  # type: ignore[arg-type]
    assert np.array_equal(own["h"], numpys["h"])


@pytest.mark.parametrize("words", [None, ["()"], "()", others])
def test_words(words: Any) -> None:
    given = words() if callable(words) else words
    is_refused(lambda: first_mistakes(NETWORKS, 0, given))
    is_refused(lambda: Block(BEGUN, [given, given]))


def test_symbols_that_a_network_has_no_input_for() -> None:
    """As many outputs as needed are not enough: compiled code would read past the weights."""
    spec = Spec(language_named("anbn"), cell_named("rnn"), epochs=1)
    own = pack_texts(spec.language, ["ab"])
    other = type(own)(np.array([0, 2], np.uint8), own.offsets, own.targets, own.counted)
    networks = Networks.initial(spec.layout, [0])
    assert len(first_mistakes(networks, 0, own)) == 1
    with pytest.raises(BadInput, match="2 inputs, the words symbol 2"):
        first_mistakes(networks, 0, other)


@pytest.mark.parametrize("word", ["()", None, (2,), (0.5,), np.zeros((2, 2), int)])
def test_words_to_trace(word: Any) -> None:
    is_refused(lambda: trace(NETWORKS, 0, word))


def test_a_value_that_a_trace_has_not() -> None:
    with pytest.raises(BadInput, match="no value is called 'q'; there are h, c"):
        _ = trace(NETWORKS, 0, (0, 1))["q"]


@pytest.mark.parametrize("count", [0, 1, 3])
def test_blocks_have_words_for_every_run(count: int) -> None:
    with pytest.raises(BadInput, match="2 runs need words each"):
        Block(BEGUN, [words_of()] * count)


def test_blocks_are_no_wider_than_the_target() -> None:
    most = len(blocks_of(1_000, SPEC)[0])
    with pytest.raises(BadInput, match=f"1 to {most} runs"):
        Block(begin(SPEC, range(most + 1)), [words_of()] * (most + 1))


@pytest.mark.parametrize("epochs", ["3", 1.5, None])
def test_epochs_of_a_block(epochs: Any) -> None:
    is_refused(lambda: Block(BEGUN, [words_of(), words_of()]).train(epochs))


@pytest.mark.parametrize(("runs", "spec"), [(-3, SPEC), (3, "float32"), ("3", SPEC)])
def test_runs_in_blocks(runs: Any, spec: Any) -> None:
    is_refused(lambda: blocks_of(runs, spec))


@pytest.mark.parametrize(("words", "epoch"), [(-1, 0), (3, -1), ("3", 0)])
def test_orders(words: Any, epoch: int) -> None:
    is_refused(lambda: epoch_order(words, epoch))


@pytest.mark.parametrize("start", ["x", 3, NETWORKS.parameters])
def test_what_to_start_from(start: Any) -> None:
    is_refused(lambda: train(SPEC, [0, 1], start=start))


@pytest.mark.parametrize("runs", [range(5), range(-1, 1), 3])
def test_parts(runs: Any) -> None:
    is_refused(lambda: Trained.part(BEGUN, runs))
