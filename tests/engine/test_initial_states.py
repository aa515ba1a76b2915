"""Words that begin with the states of the word before, or with noise, against NumPy and PyTorch."""

from __future__ import annotations

from dataclasses import replace
from itertools import product
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from abacist.cells import CELLS, KNOWN, cell_named
from abacist.corpora import Purpose, bit_generator
from abacist.engine import epoch_order, slots_of, train, training_words
from abacist.engine import training as engine_training
from abacist.engine.reference import forward
from abacist.errors import BadInput
from abacist.languages import language_named
from abacist.specs import Networks, Spec
from abacist.targets import target_named
from tests.engine import pytorch
from tests.engine.cases import each, small
from tests.requirements import need

Array = NDArray[Any]

#: What words begin with besides zero.
BEGINNINGS: dict[str, dict[str, Any]] = {
    "carried": {"carry_states": True},
    "noise": {"state_noise": 0.7},
    "both": {"carry_states": True, "state_noise": 0.3},
}

SPEC = small(CELLS["lstm"], precision="float64", batch=7, epochs=2)


def visited(spec: Spec, seed: int) -> list[list[tuple[tuple[int, ...], Array, Array, Array]]]:
    """For every epoch the words of a run in their order, each with its targets, the steps that count and the
    noise on its states, (number,)."""
    words = training_words(spec, seed)
    listed, sizes = each(words), sum(spec.layout.state_sizes)
    slots = [listed[n] for n in slots_of(spec.order, seed, words.lengths)]
    epochs = []
    for epoch in range(spec.epochs):
        bits = bit_generator(seed, Purpose.STATES, epoch)
        noise = spec.state_noise * engine_training.drawn_noise(bits, len(slots), sizes)
        order = epoch_order(len(slots), epoch, spec.order).tolist()
        epochs.append([(*slots[slot], noise[place]) for place, slot in enumerate(order)])
    return epochs


@pytest.mark.parametrize(
    ("name", "layers", "beginning"),
    [*product(("lstm",), (1,), BEGINNINGS), ("gru", 2, "both"), ("peephole", 1, "carried")],
)
def test_losses_are_those_of_the_formula_from_these_states(name: str, layers: int, beginning: str) -> None:
    """Of the weights as they were at each word, by NumPy: with a rate of nearly nothing, the first ones."""
    spec = replace(SPEC, cell=KNOWN[name], layers=layers, rate=1e-200, **BEGINNINGS[beginning])
    trained, start = train(spec, [1, 2]), Networks.initial(spec.layout, [1, 2], "float64")
    for run, seed in enumerate((1, 2)):
        for epoch, words in enumerate(visited(spec, seed)):
            before, losses = np.zeros(sum(spec.layout.state_sizes)), []
            for word, targets, counted, noise in words:
                before = spec.carry_states * before + noise
                paths, outputs = forward(start, run, word, before)
                before = np.concatenate([path[-1] for path in paths.values()])
                losses.append(((outputs - targets)[counted.astype(bool)] ** 2).mean())
            np.testing.assert_allclose(trained.losses[run, epoch], np.mean(losses), rtol=1e-12)


@need("torch")
@pytest.mark.parametrize(("name", "beginning"), [("lstm", "carried"), ("gru", "noise"), ("rnn", "both")])
def test_training_ends_at_the_module_s_weights(name: str, beginning: str) -> None:
    """PyTorch from detached states: no gradient goes back beyond a word."""
    import torch

    spec = replace(SPEC, cell=CELLS[name], batch=1, rate=0.01, **BEGINNINGS[beginning])
    start = Networks.initial(spec.layout, [3, 4], "float64")
    module = pytorch.module_of(start, 1)
    adam = pytorch.optimiser_of(spec, list(module.parameters()))
    for words in visited(spec, 4):
        before = torch.zeros(sum(spec.layout.state_sizes), dtype=torch.float64)
        for word, targets, _, noise in words:
            before = spec.carry_states * before + torch.from_numpy(noise)
            first = before.reshape(-1, 1, spec.hidden)
            inputs = torch.nn.functional.one_hot(torch.tensor(word), spec.layout.inputs).double()
            hidden, last = module["rnn"](inputs, tuple(first) if name == "lstm" else first[0])
            error = torch.nn.functional.mse_loss(
                torch.sigmoid(module["output"](hidden)), torch.from_numpy(targets)
            )
            adam.zero_grad()
            error.backward()  # type: ignore[no-untyped-call]
            pytorch.step(spec, adam)
            before = torch.cat([*last] if name == "lstm" else [last]).detach().reshape(-1)
    weights = pytorch.flat(list(module.parameters()))
    np.testing.assert_allclose(train(spec, [3, 4]).networks.parameters[1], weights, rtol=0, atol=1e-9)


@pytest.mark.parametrize("beginning", BEGINNINGS)
def test_a_run_depends_on_its_own_seed_alone(beginning: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Beside others, alone, continued after an epoch, and with other pauses: bit for bit."""
    spec = replace(SPEC, precision="float32", order="own", **BEGINNINGS[beginning])
    together = train(spec, range(20)).networks.parameters[17]
    assert train(spec, [17]).networks.parameters[0].tobytes() == together.tobytes()
    first = train(replace(spec, epochs=1), [17, 2])
    assert train(spec, [17, 2], start=first).networks.parameters[0].tobytes() == together.tobytes()
    monkeypatch.setattr(engine_training, "_CHUNK_WORK", 1)
    assert train(spec, [17]).networks.parameters[0].tobytes() == together.tobytes()


def test_beginnings_make_different_networks() -> None:
    changes: list[dict[str, Any]] = [{}, *BEGINNINGS.values()]
    assert len({train(replace(SPEC, **own), [0]).networks.parameters.tobytes() for own in changes}) == 4


def test_noise_is_nearly_normal() -> None:
    noise = engine_training.drawn_noise(bit_generator(3, Purpose.STATES, 0), 20_000, 3)
    assert noise.shape == (20_000, 3)
    assert abs(noise.mean()) < 0.02
    assert abs(noise.std() - 1) < 0.01
    assert 0.66 < (np.abs(noise) < 1).mean() < 0.68
    assert np.abs(noise).max() < 2 * 3**0.5
    assert np.abs(np.corrcoef(noise.T) - np.eye(3)).max() < 0.03


@pytest.mark.parametrize("field", ["carry_states", "state_noise"])
def test_what_cannot_begin_elsewhere_is_refused(field: str) -> None:
    setting: dict[str, Any] = {field: True if field == "carry_states" else 0.5}
    for name in ("stack_rnn", "lstm_started", "mlstm"):
        with pytest.raises(BadInput, match=f"{field} cannot be set for {name}, whose states are not all"):
            Spec(language_named("dyck-1"), cell_named(name), **setting)
    with pytest.raises(BadInput, match=f"the target cuda begins words with zero states, got {field}"):
        target_named("cuda").block(replace(SPEC, **setting))
