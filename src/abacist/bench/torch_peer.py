"""PyTorch training LSTMs, in three styles, on the words that Abacist trains on, on one core or a device."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from abacist.corpora import Words


def torch_or_none() -> Any:
    """PyTorch on one thread, if it is installed."""
    try:
        import torch
    except ImportError:
        return None
    torch.set_num_threads(1)
    return torch


def _model(torch: Any, inputs: int, hidden: int, device: str = "cpu") -> tuple[Any, Any, Any]:
    torch.manual_seed(0)
    rnn, output = torch.nn.LSTM(inputs, hidden).to(device), torch.nn.Linear(hidden, inputs).to(device)
    return rnn, output, torch.optim.Adam([*rnn.parameters(), *output.parameters()], lr=0.001)


def _tensors(torch: Any, words: Words, chosen: Sequence[int], inputs: int) -> Iterator[tuple[Any, Any]]:
    """Inputs and targets of words, each (time, 1, symbol)."""
    eye = np.eye(inputs, dtype=np.float32)
    for number in chosen:
        span = slice(words.offsets[number], words.offsets[number + 1])
        x = torch.from_numpy(eye[words.symbols[span]])[:, None]
        yield x, torch.from_numpy(words.targets[span].astype(np.float32))[:, None]


def whole_word(torch: Any, words: Words, hidden: int, count: int) -> tuple[Callable[[], None], int]:
    """One word per update, all its symbols in one call; the job, and how many symbols it trains on."""
    inputs = words.targets.shape[1]
    rnn, output, adam = _model(torch, inputs, hidden)
    pairs = list(_tensors(torch, words, range(count), inputs))

    def job() -> None:
        for x, target in pairs:
            adam.zero_grad()
            torch.nn.functional.mse_loss(torch.sigmoid(output(rnn(x)[0])), target).backward()
            adam.step()

    return job, sum(len(x) for x, _ in pairs)


def padded_batches(
    torch: Any, words: Words, hidden: int, count: int, batch: int = 256, device: str = "cpu"
) -> tuple[Callable[[], None], int]:
    """Padded batches of words: as many times fewer updates, a different algorithm.

    On the processor they are shuffled again every epoch; a device has them ready, sorted by length.
    """
    inputs = words.targets.shape[1]
    rnn, output, adam = _model(torch, inputs, hidden, device)
    pairs = [(x[:, 0], y[:, 0]) for x, y in _tensors(torch, words, range(count), inputs)]
    pad, rng = torch.nn.utils.rnn.pad_sequence, np.random.default_rng(0)

    def batches(order: Any) -> Iterator[tuple[Any, ...]]:
        for first in range(0, count, batch):
            chosen = [pairs[number] for number in order[first : first + batch]]
            (x, target), mask = zip(*chosen, strict=True), [torch.ones(len(x), 1) for x, _ in chosen]
            yield tuple(pad(one).to(device) for one in (x, target, mask))

    ready = None if device == "cpu" else list(batches(np.argsort(words.lengths, kind="stable")))

    def job() -> None:
        for x, target, mask in ready or batches(rng.permutation(count)):
            adam.zero_grad()
            errors = (torch.sigmoid(output(rnn(x)[0])) - target) ** 2 * mask
            (errors.sum() / (mask.sum() * inputs)).backward()
            adam.step()

    return job, sum(len(x) for x, _ in pairs)


def many_networks(
    torch: Any, words: Sequence[Words], hidden: int, count: int, networks: int, device: str = "cpu"
) -> tuple[Callable[[], None], int]:
    """Many networks at once, one word each per update, mapped by `torch.func.vmap`: the algorithm of Abacist.

    As there, words of a run are sorted by length, so that those side by side are of nearly equal length.
    There are fewer sets of words than networks, so that several networks share one.
    """
    inputs = words[0].targets.shape[1]
    torch.manual_seed(0)
    shapes = ((4 * hidden, inputs), (4 * hidden, hidden), (4 * hidden,), (4 * hidden,))
    bound = hidden**-0.5
    tensors = [
        torch.empty(networks, *shape, device=device).uniform_(-bound, bound).requires_grad_()
        for shape in (*shapes, (inputs, hidden), (inputs,))
    ]
    adam = torch.optim.Adam(tensors, lr=0.001)
    gradients = torch.func.vmap(torch.func.grad(loss_of(torch, hidden)))
    placed = (_slot(torch, words, number, inputs, networks) for number in range(count))
    slots = [tuple(one.to(device) for one in slot) for slot in placed]

    def job() -> None:
        for x, target, mask in slots:
            results = gradients(tuple(tensor.detach() for tensor in tensors), x, target, mask)
            for tensor, gradient in zip(tensors, results, strict=True):
                tensor.grad = gradient
            adam.step()

    return job, sum(int(mask.sum()) for _, _, mask in slots)


def loss_of(torch: Any, hidden: int) -> Any:
    """The loss of one network on one word, as a function of its tensors."""

    def loss(tensors: Any, x: Any, target: Any, mask: Any) -> Any:
        w, u, b, b2, v, c = tensors
        h, cell, error = x.new_zeros(hidden), x.new_zeros(hidden), 0.0
        inputs = x @ w.T + (b + b2)
        for t in range(len(x)):
            i, f, g, o = (inputs[t] + u @ h).split(hidden)
            cell = torch.sigmoid(f) * cell + torch.sigmoid(i) * torch.tanh(g)
            h = torch.sigmoid(o) * torch.tanh(cell)
            error = error + ((torch.sigmoid(v @ h + c) - target[t]) ** 2).sum() * mask[t]
        return error / (mask.sum() * target.shape[1])

    return loss


def _slot(
    torch: Any, words: Sequence[Words], number: int, inputs: int, networks: int
) -> tuple[Any, Any, Any]:
    """A word of every network, a place in the middle of the lengths: (network, time, symbol), and a mask."""
    pad, chosen = torch.nn.utils.rnn.pad_sequence, []
    for corpus in words:
        places = np.argsort(corpus.lengths, kind="stable")
        chosen += list(_tensors(torch, corpus, [int(places[len(places) // 2 + number])], inputs))
    chosen = [chosen[n % len(chosen)] for n in range(networks)]
    x, target = (pad([pair[side][:, 0] for pair in chosen], batch_first=True) for side in (0, 1))
    return x, target, pad([torch.ones(len(x)) for x, _ in chosen], batch_first=True)
