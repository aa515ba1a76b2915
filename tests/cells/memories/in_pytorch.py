"""The cells with memories as modules of PyTorch, written down independently, a symbol at a time."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from abacist.specs import Networks
from tests.cells.memories import machines, neural


def module_of(networks: Networks, run: int) -> Any:
    """The module of one network, in float64; its parameters are in the order of the layout."""
    import torch

    torch.set_num_threads(1)
    if networks.layout.cell.name.startswith("neural_"):
        return neural.module_of(networks, run)
    if networks.layout.cell.name in ("ntm", "nnpda", "russ"):
        return machines.module_of(networks, run)
    layout, name = networks.layout, networks.layout.cell.name.removesuffix("_1")
    width = layout.state_sizes[-1] // 104
    kind = {"stack_rnn": _stack(2), "stack_rnn_no_op": _stack(3), "stack_lstm": _stack(2), "baby_ntm": _tape}

    class Module(torch.nn.Module):
        """h̃ = W₀ m₀ + h, a step of the recurrent layer, and what becomes of the memory."""

        def __init__(self) -> None:
            super().__init__()
            recurrent = torch.nn.LSTM if name == "stack_lstm" else torch.nn.RNN
            parts = [part for part in layout.shapes if part.endswith(".weight")]
            setattr(self, "lstm" if name == "stack_lstm" else "rnn", recurrent(layout.inputs, layout.hidden))
            for part in parts:
                outputs, inputs = layout.shapes[part]
                setattr(self, part.split(".")[0], torch.nn.Linear(inputs, outputs))

        def follow(self: Any, word: Sequence[int]) -> tuple[Any, Any]:
            memory, states = torch.zeros(104, width).double(), []
            read = self.W_m if name == "baby_ntm" else self.W_sh
            layer = self.lstm if name == "stack_lstm" else self.rnn
            zeros = torch.zeros(1, layout.hidden).double()
            h, c = zeros, zeros
            for symbol in word:
                x = torch.eye(layout.inputs).double()[symbol][None]
                h = h + read(memory[0])[None]
                _, hidden = layer(x, (h, c) if name == "stack_lstm" else h)
                h, c = hidden if name == "stack_lstm" else (hidden, zeros)
                actions = torch.softmax(self.W_a(h[0]), 0)
                memory = kind[name](torch, actions, memory, torch.sigmoid(self.W_n(h)))
                states.append(h[0])
            found = torch.stack(states)
            return found, torch.sigmoid(self.output(found))

    module = Module().double()
    module.load_state_dict({key: value.double() for key, value in networks.state_dict(run).items()})
    return module


def _stack(actions: int) -> Any:
    def moved(torch: Any, a: Any, stack: Any, n: Any) -> Any:
        push = torch.cat((n, stack[:-1]))
        pop = torch.cat((stack[1:], torch.zeros_like(n)))
        return a[0] * push + a[1] * pop + (a[2] * stack if actions == 3 else 0)

    return moved


def _tape(torch: Any, a: Any, tape: Any, n: Any) -> Any:
    size = len(tape)
    identity = torch.eye(size).double()
    left, right = identity.roll(1, 1), identity.roll(1, 0)
    dropping_right, dropping_left = right.clone(), left.clone()
    dropping_right[0], dropping_left[-1] = 0, 0
    moves = (left, right, identity, dropping_right, dropping_left)
    moved = sum(weight * (move @ tape) for weight, move in zip(a, moves, strict=True))
    return torch.cat((moved[:1] + n, moved[1:]))
