"""On a device: what it trains and judges is what the processor does."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from abacist.cells import CELLS, Cell, Layout
from abacist.corpora import Window, Words
from abacist.engine import Block, Trained, begin, epoch_order, slots_of, train, training_words
from abacist.languages import language_named
from abacist.optimisers import Schedule
from abacist.specs import Networks, Spec
from abacist.targets import TrainingState, target_named
from abacist.targets.cuda.driver import Buffer, device, kernel
from abacist.targets.cuda.emitter import functions
from abacist.targets.cuda.launching import CudaTraining
from abacist.targets.cuda.shapes import wave
from tests.engine.cases import random_networks
from tests.requirements import need
from tests.targets.cuda.able import ABLE

pytestmark = need("cuda")

#: Cells that make much of a sum's last bit: it decides which way a unit goes, or is in an exponent.
SHARP = ("rnn_relu", "irnn", "slstm", "slstm_open")

#: The promise of docs/rounding.md for float32, by function.
PROMISED = {"sigmoid": 1.4e-7, "tangent": 2.2e-7}


def trained_both(spec: Spec, parts: int = 1) -> tuple[TrainingState, NDArray[Any], Trained]:
    """Five runs: the state and the losses on the device, which trains them part by part; the processor's."""
    seeds = range(5)
    words = [training_words(spec, seed) for seed in seeds]
    trained = Block(begin(spec, seeds), words).train(1)
    weights = Networks.initial(spec.layout, seeds, spec.precision).parameters
    zeros = np.zeros_like(weights)
    placed = [slots_of(spec.order, seed, own.lengths) for seed, own in zip(seeds, words, strict=True)]
    training = CudaTraining(spec, TrainingState(weights, zeros, zeros, 0), words, placed)
    order, ends = epoch_order(training.slots, 0, spec.order), range(parts + 1)
    bounds = [training.slots * end // parts for end in ends]
    losses = [training.advance(order, first, last, spec.rate) for first, last in pairwise(bounds)]
    return training.state(), np.sum(losses, axis=0) / training.slots, trained


@pytest.mark.parametrize(("precision", "apart"), [("float32", 1e-4), ("float64", 1e-9)])
@pytest.mark.parametrize(
    ("language", "hidden"), [("dyck-1", 3), ("shuffle-2", 4), ("shuffle-6", 8), ("recognise:dyck-1", 3)]
)
@pytest.mark.parametrize("cell", ABLE, ids=lambda cell: cell.name)
def test_weights_agree_after_300_updates(
    cell: Cell, language: str, hidden: int, precision: str, apart: float
) -> None:
    spec = Spec(
        language_named(language), cell, hidden=hidden, epochs=1, precision=precision, training=300, test=5,
        short=Window(2, 30), long=Window(32, 40),
    )  # fmt: skip
    # Of a recogniser all gradients come from the last step: small ones, of which Adam makes much.
    if precision == "float32" and (cell.name in SHARP or language.startswith("recognise")):
        apart = 1e-3
    state, losses, trained = trained_both(spec, parts=2)
    np.testing.assert_allclose(state.parameters, trained.networks.parameters, rtol=0, atol=apart)
    np.testing.assert_allclose(state.second, trained.moments[1], rtol=0, atol=apart)
    np.testing.assert_allclose(losses, trained.losses[:, 0], rtol=0, atol=apart)
    assert state.updates == trained.updates == 300


@pytest.mark.parametrize("objective", ["squared", "cross-entropy"])
@pytest.mark.parametrize(("optimiser", "rate"), [("adam", 0.001), ("sgd", 0.1), ("rmsprop", 0.001)])
def test_so_they_do_with_other_optimisers_and_objectives(optimiser: str, rate: float, objective: str) -> None:
    spec = Spec(
        language_named("shuffle-2"), CELLS["lstm"], hidden=4, epochs=1, precision="float64", training=300,
        test=5, short=Window(2, 30), long=Window(32, 40), optimiser=optimiser, rate=rate, objective=objective,
    )  # fmt: skip
    state, losses, trained = trained_both(spec)
    np.testing.assert_allclose(state.parameters, trained.networks.parameters, rtol=0, atol=1e-8)
    np.testing.assert_allclose(losses, trained.losses[:, 0], rtol=0, atol=1e-9)


@pytest.mark.parametrize("partial", [False, True])
@pytest.mark.parametrize("language", ["dyck-1", "shuffle-2", "shuffle-6", "anbn", "recognise:dyck-1"])
@pytest.mark.parametrize("cell", ABLE, ids=lambda cell: cell.name)
def test_verdicts_agree(cell: Cell, language: str, partial: bool) -> None:
    chosen = language_named(language)
    layout = Layout(cell, len(chosen.alphabet), 4, chosen.outputs)
    networks = random_networks(layout, 40, seed=1, scale=3.0)
    words = 4 if language == "anbn" else 500
    spec = Spec(chosen, cell, hidden=4, training=words, test=1, short=Window(2, 30), long=Window(32, 40))
    drawn = training_words(spec, 7)
    chosen_words = Words.to_recognise(chosen, drawn.symbols, drawn.offsets) if partial else drawn
    here = target_named().judging(networks, chosen_words)
    there = target_named("cuda").judging(networks, chosen_words)
    for run in (39, 0, 17):
        np.testing.assert_array_equal(there(run)(), here(run)())


def test_many_networks_judge_corpora_of_their_own() -> None:
    spec = Spec(language_named("dyck-1"), CELLS["lstm"], hidden=3, training=300, test=1)
    networks = random_networks(spec.layout, 40, seed=1, scale=3.0)
    words = [training_words(replace(spec, training=count), count) for count in (300, 1, 200)]
    of = np.arange(40) % 3
    there = target_named("cuda").accepted(networks, words, of)
    np.testing.assert_array_equal(there, target_named().accepted(networks, words, of))
    assert 0 < there.sum() < 40 * 200


def test_runs_that_share_words_are_trained_as_alone() -> None:
    spec = Spec(language_named("dyck-1"), CELLS["lstm"], hidden=3, epochs=1, training=300, test=5, pool=2)
    together = train(spec, range(5), target="cuda").networks.parameters
    alone = train(replace(spec, pool=0), [0, 1], target="cuda").networks.parameters
    np.testing.assert_array_equal(together[:2], alone)
    here = train(spec, range(5)).networks.parameters
    np.testing.assert_allclose(together, here, rtol=0, atol=1e-4)


def test_rates_and_decay_follow_a_schedule() -> None:
    spec = Spec(
        language_named("shuffle-2"), CELLS["gru"], hidden=4, epochs=3, precision="float64", training=300,
        test=5, rate=0.01, decay=0.1, schedule=Schedule("cosine", 2),
    )  # fmt: skip
    there, here = (train(spec, range(3), target=name).networks.parameters for name in ("cuda", "llvm"))
    np.testing.assert_allclose(there, here, rtol=0, atol=1e-8)


_ERRORS = """
extern "C" __global__ void errors(double *worst) {
  double most = 0;
  const unsigned threads = gridDim.x * blockDim.x, own = blockIdx.x * blockDim.x + threadIdx.x;
  for (unsigned long long bits = own; bits < (1ull << 32); bits += threads) {
    const float x = __uint_as_float(unsigned(bits));
    if (x != x || x - x != 0) continue;
    const double error = fabs(double(FUNCTION(x)) - (EXACT));
    if (!(error <= most)) most = error;
  }
  worst[own] = most;
}
"""


@pytest.mark.parametrize(
    ("name", "exact"),
    [
        ("sigmoid", "1 / (1 + exp(-double(x)))"),
        ("tangent", "tanh(double(x))"),
    ],
)
def test_every_float32_keeps_the_promise(name: str, exact: str) -> None:
    """Against the device's float64, whose error is a hundred million times smaller."""
    text = functions("float32") + _ERRORS
    source = text.replace("FUNCTION", name).replace("EXACT", exact)
    blocks, block = 8 * device().limits.multiprocessors, 256
    worst = Buffer.zeros(8 * blocks * block)
    kernel(source, "errors")(blocks, block, (worst,))
    found = float(worst.read((blocks * block,), np.float64).max())
    print(f"{name}: error {found:.4g}")
    assert 1e-8 < found <= PROMISED[name]


def test_waves_fit_the_device() -> None:
    own = Spec(language_named("dyck-1"), CELLS["lstm"], hidden=3)
    usual = replace(own, pool=1_000)
    assert wave(usual) % device().limits.multiprocessors == 0
    assert 1_000 <= wave(own) < wave(usual)  # words of their own take room here
    long = Spec(
        language_named("dyck-1"), CELLS["lstm"], hidden=3, training=1_000_000, test=5,
        short=Window(2, 3_000), long=Window(3_002, 3_010),
    )  # fmt: skip
    assert 1 <= wave(long) < wave(usual)
