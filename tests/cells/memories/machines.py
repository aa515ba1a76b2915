"""RUSS in PyTorch, written down independently: memories are lists of rows."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from abacist.specs import Networks


def module_of(networks: Networks, run: int) -> Any:
    """The module of one network, in float64; its parameters are in the order of the layout."""
    import torch

    layout = networks.layout
    steps = {"russ": _russ}

    class Module(torch.nn.Module):
        """Tensors of any shapes, and a function that goes through a word with them."""

        def __init__(self) -> None:
            super().__init__()
            for name, tensor in networks.state_dict(run).items():
                self.register_parameter(name.replace(".", "__"), torch.nn.Parameter(tensor.double()))

        def follow(self: Any, word: Sequence[int]) -> tuple[Any, Any]:
            weights = {name.replace("__", "."): tensor for name, tensor in self.named_parameters()}
            inputs = [torch.eye(layout.inputs).double()[symbol] for symbol in word]
            found = torch.stack(steps[layout.cell.name](torch, weights.__getitem__, inputs))
            return found, torch.sigmoid(found @ weights["output.weight"].T + weights["output.bias"])

    return Module()


def _russ(torch: Any, w: Callable[[str], Any], inputs: list[Any]) -> list[Any]:
    stack, tops = [torch.zeros(len(w("rnn.W_e"))).double()] * 104, []
    for x in inputs:
        v = w("rnn.W_e") @ x
        both = torch.cat((w("rnn.W_s"), w("rnn.W_v")), 1) @ torch.cat((stack[0], v))
        stay, pop, push = torch.softmax(both + w("rnn.b_a"), 0)
        above, below = [v, *stack[:-1]], [*stack[1:], torch.zeros_like(v)]
        rows = zip(stack, below, above, strict=True)
        stack = [stay * own + pop * under + push * over for own, under, over in rows]
        tops.append(stack[0])
    return tops
