"""What the engine cannot take is refused in one sentence."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache, partial
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


SEEDS = [None, "01", 3, [0.5], [-1], [], ["0"]]
SPECS = [None, "dyck-1", SPEC.language]
SETS = [None, NETWORKS.parameters, BEGUN]
NUMBERS = [-1, 2, "0", 0.5, None]
WORDS = [None, ["()"], "()", others]

#: Calls with an argument that is left open, and what is refused there.
WRONG: list[tuple[Callable[[Any], object], Sequence[Any]]] = [
    (lambda seeds: train(SPEC, seeds), SEEDS),
    (lambda seeds: judge(SPEC, seeds, NETWORKS), SEEDS),
    (lambda spec: train(spec, [0]), SPECS),
    (lambda spec: judge(spec, [0, 1], NETWORKS), SPECS),
    (lambda spec: begin(spec, [0]), SPECS),
    (lambda spec: training_words(spec, 0), SPECS),
    (lambda spec: blocks_of(3, spec), SPECS),
    (lambda networks: judge(SPEC, [0, 1], networks), SETS),
    (lambda networks: first_mistakes(networks, 0, words_of()), SETS),
    (lambda networks: trace(networks, 0, (0, 1)), SETS),
    (lambda run: first_mistakes(NETWORKS, run, words_of()), NUMBERS),
    (lambda run: trace(NETWORKS, run, (0, 1)), NUMBERS),
    (lambda words: first_mistakes(NETWORKS, 0, words() if callable(words) else words), WORDS),
    (lambda words: Block(BEGUN, [words() if callable(words) else words] * 2), WORDS),
    (lambda word: trace(NETWORKS, 0, word), ["()", None, (2,), (0.5,), np.zeros((2, 2), int)]),
    (lambda epochs: Block(BEGUN, [words_of(), words_of()]).train(epochs), ["3", 1.5, None]),
    (lambda runs: blocks_of(runs, SPEC), [-3, "3"]),
    (lambda words: epoch_order(words, 0), [-1, "3"]),
    (lambda epoch: epoch_order(3, epoch), [-1]),
    (lambda start: train(SPEC, [0, 1], start=start), ["x", 3, NETWORKS.parameters]),
    (lambda runs: Trained.part(BEGUN, runs), [range(5), range(-1, 1), 3]),
]


@pytest.mark.parametrize(("call", "values"), WRONG)
def test_wrong_values(call: Callable[[Any], object], values: Sequence[Any]) -> None:
    for value in values:
        is_refused(partial(call, value))


def test_a_seed_is_given_once() -> None:
    assert is_refused(lambda: train(SPEC, [3, 0, 1, 0])) == (
        "train: seeds must differ (equal ones give equal networks), got 0 again"
    )
    assert len(train(SPEC, [0, 0], start=NETWORKS).networks) == 2  # other networks on the same words


def test_numbers_of_numpy_are_numbers() -> None:
    own, numpys = trace(NETWORKS, 1, (0, 1)), trace(NETWORKS, np.int64(1), np.array([0, 1]))  # type: ignore[arg-type]
    assert np.array_equal(own["h"], numpys["h"])


def test_symbols_that_a_network_has_no_input_for() -> None:
    """As many outputs as needed are not enough: compiled code would read past the weights."""
    spec = Spec(language_named("anbn"), cell_named("rnn"), epochs=1)
    own = pack_texts(spec.language, ["ab"])
    other = type(own)(np.array([0, 2], np.uint8), own.offsets, own.targets, own.counted)
    networks = Networks.initial(spec.layout, [0])
    assert len(first_mistakes(networks, 0, own)) == 1
    with pytest.raises(BadInput, match="2 inputs, the words symbol 2"):
        first_mistakes(networks, 0, other)


def test_what_does_not_fit_is_named() -> None:
    with pytest.raises(BadInput, match="2 outputs, the words 4"):
        first_mistakes(NETWORKS, 0, others())
    with pytest.raises(BadInput, match=r"^trace: '\(\)' needs its language, such as language=\"dyck-1\"$"):
        trace(NETWORKS, 0, "()")
    with pytest.raises(BadInput, match="unknown value 'q'; there are h, c"):
        _ = trace(NETWORKS, 0, (0, 1))["q"]


@pytest.mark.parametrize("count", [0, 1, 3])
def test_blocks_have_words_for_every_run(count: int) -> None:
    with pytest.raises(BadInput, match="2 runs need words each"):
        Block(BEGUN, [words_of()] * count)


def test_blocks_are_no_wider_than_the_target() -> None:
    most = len(blocks_of(1_000, SPEC)[0])
    with pytest.raises(BadInput, match=f"1 to {most} runs"):
        Block(begin(SPEC, range(most + 1)), [words_of()] * (most + 1))
