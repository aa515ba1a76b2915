"""The neural stack, queue and deque in PyTorch, as the paper has them: lists of rows that grow."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from abacist.specs import Networks


def module_of(networks: Networks, run: int) -> Any:
    """The module of one network, in float64; its parameters are in the order of the layout."""
    import torch

    layout = networks.layout
    ends = ["_top", "_bottom"] if layout.cell.name == "neural_deque" else [""]

    class Module(torch.nn.Module):
        """An Elman network that is given what was read, and whose hidden state moves the memory."""

        def __init__(self) -> None:
            super().__init__()
            self.rnn = torch.nn.RNN(layout.inputs + 5 * len(ends), layout.hidden)
            for part in (part for part in layout.shapes if part.endswith(".weight")):
                outputs, inputs = layout.shapes[part]
                setattr(self, part.split(".")[0], torch.nn.Linear(inputs, outputs))

        def follow(self: Any, word: Sequence[int]) -> tuple[Any, Any]:
            h, reads = torch.zeros(1, layout.hidden).double(), [torch.zeros(5).double()] * len(ends)
            rows: list[Any] = []
            strengths: list[Any] = []
            states = []
            for symbol in word:
                x = torch.eye(layout.inputs).double()[symbol]
                _, h = self.rnn(torch.cat((x, *reads))[None], h)
                d, u, v = (
                    [function(getattr(self, f"{name}{end}")(h[0])) for end in ends]
                    for name, function in (
                        ("W_d", torch.sigmoid),
                        ("W_u", torch.sigmoid),
                        ("W_v", torch.tanh),
                    )
                )
                sides = [layout.cell.name != "neural_queue", False][: len(ends)]
                for amount, latest in zip(u, sides, strict=True):
                    strengths = _popped(torch, strengths, amount, latest)
                rows, strengths = [*rows, v[0]], [*strengths, d[0]]
                if len(ends) == 2:
                    rows, strengths = [v[1], *rows], [d[1], *strengths]
                reads = [_read(torch, rows, strengths, latest) for latest in sides]
                every = sum(one.sum() for one in (*d, *u, *v))
                states.append(h[0] + 0 * every)  # Adam passes over weights without a gradient
            found = torch.stack(states)
            return found, torch.sigmoid(self.output(found))

    module = Module().double()
    module.load_state_dict({key: value.double() for key, value in networks.state_dict(run).items()})
    return module


def _before(strengths: list[Any], place: int, latest: bool) -> Any:
    """What was pushed later than a row, if the latest come first, or earlier."""
    others = strengths[place + 1 :] if latest else strengths[:place]
    return sum(others) if others else 0 * strengths[place]


def _popped(torch: Any, strengths: list[Any], amount: Any, latest: bool) -> list[Any]:
    return [
        torch.relu(own - torch.relu(amount - _before(strengths, place, latest)))
        for place, own in enumerate(strengths)
    ]


def _read(torch: Any, rows: list[Any], strengths: list[Any], latest: bool) -> Any:
    weights = [
        torch.minimum(own, torch.relu(1 - _before(strengths, place, latest)))
        for place, own in enumerate(strengths)
    ]
    return sum(weight * row for weight, row in zip(weights, rows, strict=True))
