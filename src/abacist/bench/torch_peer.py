"""PyTorch training LSTMs, in two styles, on the words that Abacist trains on, on one core or a device."""

from __future__ import annotations

from collections.abc import Callable, Iterator
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


def _tensors(torch: Any, words: Words, count: int, inputs: int) -> Iterator[tuple[Any, Any]]:
    """Inputs and targets of the first words, each (time, 1, symbol)."""
    eye = np.eye(inputs, dtype=np.float32)
    for number in range(count):
        span = slice(words.offsets[number], words.offsets[number + 1])
        x = torch.from_numpy(eye[words.symbols[span]])[:, None]
        yield x, torch.from_numpy(words.targets[span].astype(np.float32))[:, None]


def whole_word(torch: Any, words: Words, hidden: int, count: int) -> tuple[Callable[[], None], int]:
    """One word per update, all its symbols in one call; the job, and how many symbols it trains on."""
    inputs = words.targets.shape[1]
    rnn, output, adam = _model(torch, inputs, hidden)
    pairs = list(_tensors(torch, words, count, inputs))

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
    pairs = [(x[:, 0], y[:, 0]) for x, y in _tensors(torch, words, count, inputs)]
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
