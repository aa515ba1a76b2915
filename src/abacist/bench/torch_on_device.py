"""PyTorch on the same CUDA device: many networks at once by `torch.func.vmap`, or one in padded batches."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from abacist.corpora import Words
from abacist.specs import Networks

#: Networks that are trained at once by vmap, words that they are timed on, and words of a padded batch.
VMAPPED, TIMED, BATCH = 8_192, 10, 1_024


def _padded(torch: Any, words: Words, chosen: Sequence[int]) -> tuple[Any, Any, Any]:
    """Symbols, targets and which steps are there, (word, time, …), on the device."""
    longest = max(int(words.lengths[number]) for number in chosen)
    symbols = np.zeros((len(chosen), longest), np.int64)
    targets = np.zeros((len(chosen), longest, words.targets.shape[1]), np.float32)
    there = np.zeros((len(chosen), longest), np.float32)
    for row, number in enumerate(chosen):
        span = slice(words.offsets[number], words.offsets[number + 1])
        size = int(words.lengths[number])
        symbols[row, :size], targets[row, :size], there[row, :size] = (
            words.symbols[span],
            words.targets[span],
            1,
        )
    return tuple(torch.from_numpy(array).cuda() for array in (symbols, targets, there))


def vmapped(torch: Any, words: Sequence[Words], networks: Networks) -> tuple[Callable[[], None], int]:
    """As many networks as there are, a word of each an update: the job, and its symbols × networks."""
    runs = len(networks)
    own = {
        name: torch.from_numpy(np.stack([networks.tensors(run)[name] for run in range(runs)])).cuda()
        for name in networks.layout.shapes
    }
    order = [np.argsort(one.lengths, kind="stable") for one in words]
    slots = np.linspace(0, len(order[0]) - 1, TIMED).astype(int)
    batches = [_slot(torch, words, order, slot, runs) for slot in slots]
    gradient = torch.func.vmap(torch.func.grad(lambda *given: _loss(torch, *given)))
    moments = {name: (torch.zeros_like(value), torch.zeros_like(value)) for name, value in own.items()}

    def job() -> None:
        for symbols, targets, there in batches:
            found = gradient(own, symbols, targets, there)
            with torch.no_grad():
                for name, value in own.items():
                    first, second = moments[name]
                    first.mul_(0.9).add_(found[name], alpha=0.1)
                    second.mul_(0.999).addcmul_(found[name], found[name], value=0.001)
                    value.addcdiv_(first, second.sqrt().add_(1e-8), value=-0.001)

    return job, int(sum(there.sum().item() for _, _, there in batches))


def _slot(
    torch: Any, words: Sequence[Words], order: Sequence[Any], slot: int, runs: int
) -> tuple[Any, Any, Any]:
    """The words that all networks have in a slot, of about the same length."""
    parts = [_padded(torch, one, [own[slot]]) for one, own in zip(words, order, strict=True)]
    longest = max(part[0].shape[1] for part in parts)
    pad = torch.nn.functional.pad
    symbols = torch.cat([pad(part[0], (0, longest - part[0].shape[1])) for part in parts])
    targets = torch.cat([pad(part[1], (0, 0, 0, longest - part[1].shape[1])) for part in parts])
    there = torch.cat([pad(part[2], (0, longest - part[2].shape[1])) for part in parts])
    shared = torch.arange(runs, device="cuda") % len(words)
    return symbols[shared], targets[shared], there[shared]


def _loss(torch: Any, own: dict[str, Any], symbols: Any, targets: Any, there: Any) -> Any:
    """The loss of one LSTM on one word, step by step."""
    hidden = own["rnn.weight_hh_l0"].shape[1]
    inputs = own["rnn.weight_ih_l0"].T[symbols] + own["rnn.bias_ih_l0"] + own["rnn.bias_hh_l0"]
    h = c = torch.zeros(hidden, device="cuda")
    states = []
    for x in inputs:
        i, f, g, o = (x + own["rnn.weight_hh_l0"] @ h).split(hidden)
        c = torch.sigmoid(f) * c + torch.sigmoid(i) * torch.tanh(g)
        h = torch.sigmoid(o) * torch.tanh(c)
        states.append(h)
    scores = torch.sigmoid(torch.stack(states) @ own["output.weight"].T + own["output.bias"])
    return (((scores - targets) ** 2).mean(-1) * there).sum() / there.sum()


def by_cudnn(torch: Any, words: Words, hidden: int) -> tuple[Callable[[], None], int]:
    """One network, padded batches: the job, and its symbols."""
    inputs = words.targets.shape[1]
    torch.manual_seed(0)
    rnn = torch.nn.LSTM(inputs, hidden, batch_first=True).cuda()
    output = torch.nn.Linear(hidden, inputs).cuda()
    adam = torch.optim.Adam([*rnn.parameters(), *output.parameters()], lr=0.001)
    order = np.argsort(words.lengths, kind="stable")
    batches = [_padded(torch, words, order[n : n + BATCH].tolist()) for n in range(0, len(order), BATCH)]
    eye = torch.eye(inputs, device="cuda")

    def job() -> None:
        for symbols, targets, there in batches:
            adam.zero_grad()
            error = (torch.sigmoid(output(rnn(eye[symbols])[0])) - targets) ** 2
            ((error.mean(-1) * there).sum() / there.sum()).backward()
            adam.step()

    return job, len(words.symbols)
