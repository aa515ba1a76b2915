"""Networks with a memory against PyTorch: a Stack-RNN, a symbol a call, as in its authors' code."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

import abacist.bench.torch_peer as torch_peer
from abacist.bench.measure import Missing, Row, rate, side_by_side
from abacist.cells import cell_named
from abacist.corpora import Words
from abacist.engine import Block, begin, training_words
from abacist.languages import language_named
from abacist.specs import Spec

_RUNS, _HIDDEN, _ROWS, _WIDTH = 16, 8, 104, 5

#: Words of a run, and words that PyTorch is timed on.
_WORDS, _TIMED = 2_000, 10


def rows() -> Iterator[Row]:
    """Training sixteen Stack-RNNs on one core."""
    what = "training 16 Stack-RNNs (dyck-2, 8 units, 104 × 5 stack), against PyTorch, a symbol per call"
    torch = torch_peer.torch_or_none()
    if torch is None:
        yield Row(what, "", "", Missing("torch is not installed"), 300)
        return
    spec = Spec(language_named("dyck-2"), cell_named("stack_rnn"), _HIDDEN, epochs=1, training=_WORDS)
    words = [training_words(spec, seed) for seed in range(_RUNS)]
    block, tokens = Block(begin(spec, range(_RUNS)), words), sum(len(one.symbols) for one in words)
    job, peers = symbol_by_symbol(torch, words[0], _TIMED)

    def train() -> None:
        block.train(block.epochs + 1)

    train()
    job()
    ours, theirs = side_by_side(5, train, job)
    ratio = (tokens / ours) / (peers / theirs)
    yield Row(what, rate(tokens / ours), rate(peers / theirs), ratio, 300)


def symbol_by_symbol(torch: Any, words: Words, count: int) -> tuple[Callable[[], None], int]:
    """One word per update; the job, and how many symbols it trains on."""
    inputs = words.targets.shape[1]
    torch.manual_seed(0)
    layers = stack_layers(torch, inputs, _HIDDEN)
    adam, eye = torch.optim.Adam(layers.parameters(), lr=0.001), torch.eye(inputs)
    spans = [slice(words.offsets[number], words.offsets[number + 1]) for number in range(count)]
    pairs = [
        (eye[words.symbols[span].tolist()], torch.from_numpy(words.targets[span].astype(np.float32)))
        for span in spans
    ]

    def job() -> None:
        for x, target in pairs:
            adam.zero_grad()
            torch.nn.functional.mse_loss(stack_scores(torch, layers, x), target).backward()
            adam.step()

    return job, sum(len(x) for x, _ in pairs)


def stack_layers(torch: Any, inputs: int, hidden: int) -> Any:
    """The layers of a Stack-RNN, under its authors' names."""
    linear = torch.nn.Linear
    return torch.nn.ModuleDict(
        {
            "rnn": torch.nn.RNN(inputs, hidden),
            "W_n": linear(hidden, _WIDTH),
            "W_a": linear(hidden, 2),
            "W_sh": linear(_WIDTH, hidden),
            "W_y": linear(hidden, inputs),
        }
    )


def stack_scores(torch: Any, layers: Any, x: Any) -> Any:
    """The scores of every step, (time, output), given the inputs, (time, symbol)."""
    hidden, stack = torch.zeros(1, layers["rnn"].hidden_size).to(x), torch.zeros(_ROWS, _WIDTH).to(x)
    scores = []
    for step in x:
        above = hidden + layers["W_sh"](stack[0])
        _, hidden = layers["rnn"](step[None], above)
        scores.append(torch.sigmoid(layers["W_y"](hidden)))
        actions = torch.softmax(layers["W_a"](hidden[0]), 0)
        new = torch.sigmoid(layers["W_n"](hidden))
        push, pop = torch.cat((new, stack[:-1])), torch.cat((stack[1:], torch.zeros_like(new)))
        stack = actions[0] * push + actions[1] * pop
    return torch.cat(scores)
