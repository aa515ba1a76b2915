"""The same networks in PyTorch, which is imported only when it is asked for."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from abacist import engine
from abacist.cells import MEMORIES, NEXT_SYMBOL, ZOO, Stacked
from abacist.corpora import Words
from abacist.engine import epoch_order, slots_of
from abacist.engine.reference import forward
from abacist.specs import Networks, Spec
from tests.cells.memories import in_pytorch
from tests.compiler.interpreter import derived_gradient
from tests.engine.cases import each

Array = NDArray[Any]


def module_of(networks: Networks, run: int) -> Any:
    """A module with parts `rnn` and `output`, in float64, with one network's weights."""
    import torch

    torch.set_num_threads(1)
    layout = networks.layout
    if layout.cell.name in MEMORIES:
        return in_pytorch.module_of(networks, run)
    layers: Any = torch.nn
    cell = layout.cell.layer if isinstance(layout.cell, Stacked) else layout.cell
    several = layout.cell.count if isinstance(layout.cell, Stacked) else 1
    kinds = {
        "rnn": lambda *sizes: layers.RNN(*sizes, num_layers=several),
        "rnn_relu": lambda *sizes: layers.RNN(*sizes, num_layers=several, nonlinearity="relu"),
        "gru": lambda *sizes: layers.GRU(*sizes, num_layers=several),
        "lstm": lambda *sizes: layers.LSTM(*sizes, num_layers=several),
    }
    if layout.cell.name in ZOO:
        from tests.engine.zoo_in_pytorch import reference_of  # it has PyTorch's classes in it

        kinds[layout.cell.name] = lambda *_: reference_of(layout)
    parts = {
        "rnn": kinds[cell.name](layout.inputs, layout.hidden),
        "output": torch.nn.Linear(layout.hidden, layout.outputs),
    }
    module = torch.nn.ModuleDict(parts).double()
    module.load_state_dict({name: tensor.double() for name, tensor in networks.state_dict(run).items()})
    return module


def states_and_outputs(module: Any, word: Sequence[int]) -> tuple[Any, Any]:
    """The hidden state, (time, unit), and the outputs, (time, output), on a word."""
    import torch

    if hasattr(module, "follow"):
        followed: tuple[Any, Any] = module.follow(word)
        return followed
    inputs = torch.nn.functional.one_hot(torch.tensor(word), module["rnn"].input_size).double()
    hidden, _ = module["rnn"](inputs)
    return hidden, torch.sigmoid(module["output"](hidden))


def loss(
    module: Any, word: Sequence[int], targets: Array, counted: Array, *, objective: str = "squared"
) -> Any:
    """The mean squared error of a word, or its cross-entropy, over the steps that count and all outputs.

    That of the next symbol has one target for each step (`Words.following`).
    """
    import torch

    hidden, outputs = states_and_outputs(module, word)
    chosen = torch.from_numpy(counted.astype(bool))
    if not counted.any():
        return outputs.sum() * 0
    if objective == NEXT_SYMBOL:
        coming = torch.from_numpy(targets.argmax(axis=1))
        return torch.nn.CrossEntropyLoss()(module["output"](hidden)[chosen], coming[chosen])
    if objective != "squared":
        return torch.nn.functional.binary_cross_entropy(outputs[chosen], torch.from_numpy(targets)[chosen])
    return torch.nn.functional.mse_loss(outputs[chosen], torch.from_numpy(targets)[chosen])


def flat(tensors: Sequence[Any]) -> Array:
    """Tensors as one row, in the order of the layout."""
    return np.concatenate([tensor.detach().numpy().ravel() for tensor in tensors])


def gradient(module: Any, word: Sequence[int], targets: Array, counted: Array) -> Array:
    """The gradient of a word's loss, (parameter,), by autograd."""
    import torch

    tensors = list(module.parameters())
    error = loss(module, word, targets, counted)
    return flat(torch.autograd.grad(error, tensors, materialize_grads=True))


def optimiser_of(spec: Spec, parameters: list[Any]) -> Any:
    """PyTorch's optimiser for a spec; decay is AdamW's, which `step` does for the others."""
    import torch

    adam: dict[str, Any] = {"lr": spec.rate, "betas": (spec.beta1, spec.beta2), "eps": spec.epsilon}
    if spec.optimiser == "sgd":
        return torch.optim.SGD(parameters, lr=spec.rate, momentum=spec.momentum)
    if spec.optimiser == "rmsprop":
        return torch.optim.RMSprop(
            parameters, lr=spec.rate, alpha=spec.smoothing, eps=spec.epsilon, momentum=spec.momentum
        )
    if spec.decay:
        return torch.optim.AdamW(parameters, **adam, weight_decay=spec.decay)
    return torch.optim.Adam(parameters, **adam)


def scheduler_of(spec: Spec, optimiser: Any) -> Any:
    """PyTorch's scheduler for a spec, to be stepped after every epoch."""
    import torch

    period, schedulers = spec.schedule.period, torch.optim.lr_scheduler
    if spec.schedule.name == "cosine":
        return schedulers.CosineAnnealingLR(optimiser, period)
    factor = spec.schedule.factor if spec.schedule.name == "step" else 1.0
    return schedulers.StepLR(optimiser, max(period, 1), factor)


def step(spec: Spec, optimiser: Any) -> None:
    """Clip gradients, let weights decay, update them."""
    import torch

    (group,) = optimiser.param_groups
    parameters = group["params"]
    if spec.clip_norm:
        torch.nn.utils.clip_grad_norm_(parameters, spec.clip_norm)
    if spec.clip_value:
        torch.nn.utils.clip_grad_value_(parameters, spec.clip_value)
    if spec.optimiser != "adam":
        with torch.no_grad():
            for own in parameters:
                own.mul_(1 - group["lr"] * spec.decay)
    optimiser.step()


def train(spec: Spec, networks: Networks, run: int, words: Words, *, seed: int = 0) -> Array:
    """The weights after training as the spec says, in float64, (parameter,)."""
    import torch

    module = module_of(networks, run)
    adam = optimiser_of(spec, list(module.parameters()))
    scheduler = scheduler_of(spec, adam)
    listed = each(words.following() if spec.objective == NEXT_SYMBOL else words)
    slots = [listed[n] for n in slots_of(spec.order, seed, words.lengths)]
    for epoch in range(spec.epochs):
        order = epoch_order(len(slots), epoch, spec.order).tolist()
        for start in range(0, len(order), spec.batch):
            batch = order[start : start + spec.batch]
            adam.zero_grad()
            mean: Any = torch.stack([loss(module, *slots[n], objective=spec.objective) for n in batch]).mean()
            mean.backward()
            step(spec, adam)
        scheduler.step()
    return flat(list(module.parameters()))


def is_the_module_s(networks: Networks, words: Words, apart: float = 1e-10) -> None:
    """A network's formula and its adjoint are those of the module of the same weights."""
    module = module_of(networks, 0)
    for word, targets, counted in each(words):
        counted[:-1:3] = 0  # some steps do not count
        states, outputs = forward(networks, 0, word)
        hidden, scores = states_and_outputs(module, word)
        np.testing.assert_allclose(states["h"], hidden.detach().numpy(), rtol=1e-12, atol=1e-12)
        np.testing.assert_allclose(outputs, scores.detach().numpy(), rtol=1e-12, atol=1e-12)
        derived = derived_gradient(networks, 0, word, targets, counted)
        by_autograd = gradient(module, word, targets, counted)
        np.testing.assert_allclose(derived, by_autograd, rtol=apart, atol=1e-4 * apart)


def ends_at_the_module_s_weights(spec: Spec) -> Array:
    """Training of two runs, in float64, ends where the module's does: the weights of seed 4."""
    start = Networks.initial(spec.layout, [3, 4], "float64")
    trained = engine.train(spec, [3, 4], start=start)
    assert trained.updates == (300 if spec.batch == 1 else 75)
    expected = train(spec, start, 1, engine.training_words(spec, 4), seed=4)
    assert np.abs(expected - start.parameters[1]).max() > 0.01
    np.testing.assert_allclose(trained.networks.parameters[1], expected, rtol=0, atol=1e-9)
    return expected
