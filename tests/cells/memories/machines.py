"""The NTM, the NNPDA and RUSS in PyTorch, written down independently: memories are lists of rows."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from abacist.specs import Networks


def module_of(networks: Networks, run: int) -> Any:
    """The module of one network, in float64; its parameters are in the order of the layout."""
    import torch

    layout = networks.layout
    steps = {"ntm": _ntm, "nnpda": _nnpda, "russ": _russ}

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


def _ntm(torch: Any, w: Callable[[str], Any], inputs: list[Any]) -> list[Any]:
    def layer(name: str, x: Any) -> Any:
        return w(f"{name}.weight") @ x + w(f"{name}.bias")

    def address(head: str, h: Any, before: Any, memory: Any) -> Any:
        key = torch.tanh(layer(f"W_k_{head}", h))
        beta = torch.nn.functional.softplus(layer(f"W_beta_{head}", h))
        gate, shift = torch.sigmoid(layer(f"W_g_{head}", h)), torch.softmax(layer(f"W_s_{head}", h), 0)
        gamma = 1 + torch.nn.functional.softplus(layer(f"W_gamma_{head}", h))
        lengths = torch.sqrt((memory**2).sum(1) + 0.01) * torch.sqrt(key @ key + 0.01)
        mixed = gate * torch.softmax(beta * (memory @ key) / lengths, 0) + (1 - gate) * before
        powers = (shift @ torch.stack((mixed.roll(-1), mixed, mixed.roll(1))) + 1e-8) ** gamma
        return powers / powers.sum()

    memory, places = torch.zeros(32, 5).double(), [torch.eye(32).double()[0]] * 2
    h, read, found = torch.zeros(len(w("rnn.bias_hh_l0"))).double(), torch.zeros(5).double(), []
    for x in inputs:
        given = w("rnn.weight_ih_l0") @ torch.cat((x, read)) + w("rnn.bias_ih_l0")
        h = torch.tanh(given + w("rnn.weight_hh_l0") @ h + w("rnn.bias_hh_l0"))
        places = [
            address(head, h, place, memory) for head, place in zip(("read", "write"), places, strict=True)
        ]
        erase, add = torch.sigmoid(layer("W_e", h)), torch.tanh(layer("W_a", h))
        memory = memory * (1 - torch.outer(places[1], erase)) + torch.outer(places[1], add)
        read = places[0] @ memory
        found.append(torch.cat((h, read)))
    return found


def _nnpda(torch: Any, w: Callable[[str], Any], inputs: list[Any]) -> list[Any]:
    hidden, symbols = len(w("rnn.W_s")), len(inputs[0])
    sizes = (hidden, symbols, symbols + 1)
    of_state, of_action = w("rnn.W_s").reshape(hidden, *sizes), w("rnn.W_a").reshape(*sizes)
    second, action = w("rnn.V_s").reshape(hidden, *sizes[1:]), w("rnn.V_a").reshape(*sizes[1:])
    state, read = torch.zeros(hidden).double(), torch.zeros(symbols).double()
    stack: list[Any] = []  # of symbols and their strengths, the latest last
    found = []
    for x in inputs:
        reading = torch.cat((read, (1 - read.sum())[None]))
        amount = torch.einsum("jkl,j,k,l->", of_action, state, x, reading) + x @ action @ reading
        third = torch.einsum("ijkl,j,k,l->i", of_state, state, x, reading)
        state = torch.sigmoid(third + torch.einsum("ikl,k,l->i", second, x, reading))
        amount = torch.tanh(amount)
        if amount > 0:
            stack = [*stack, (x, amount)]
        kept: list[Any] = []
        left = torch.relu(-amount)
        for symbol, strength in reversed(stack):
            taken = torch.minimum(left, strength)
            left, kept = left - taken, [(symbol, strength - taken), *kept]
        stack = [(symbol, strength) for symbol, strength in kept if strength > 0]
        depth, read = 1 + 0 * amount, torch.zeros(symbols).double() + 0 * amount
        for symbol, strength in reversed(stack):
            seen = torch.minimum(depth, strength)
            depth, read = depth - seen, read + seen * symbol
        found.append(torch.cat((state, read)))
    return found


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
