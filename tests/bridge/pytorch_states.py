"""What PyTorch's kernels make of states: run by `in_kernels`, in a process where those are chosen."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from abacist.cells import CELLS, Layout, stacked
from abacist.specs import Networks
from tests.bridge.pytorch_kernels import in_kernels, settle

Array = NDArray[Any]

_NAMES = ("weight_ih", "weight_hh", "bias_ih", "bias_hh")

#: Stands where a way to ask does not hand a number out; a NaN is one that was computed.
HIDDEN = -7.25e30

#: How many places are also computed one by one.
_ALONE = 3


@dataclass(frozen=True, eq=False)
class Case:
    """Networks of one shape, states of each, (network, place, number), and a word for each place.

    Words are (time, place), the same for all networks.
    """

    networks: Networks
    words: Array
    states: Array

    def save(self) -> dict[str, Any]:
        layout = self.networks.layout
        sizes = np.array([layout.cell.count, layout.inputs, layout.hidden, layout.outputs])
        parts = {"parameters": self.networks.parameters, "words": self.words, "states": self.states}
        return {"cell": np.array(layout.cell.layer.name), "sizes": sizes} | parts

    @classmethod
    def load(cls, arrays: dict[str, Array]) -> Case:
        layers, *sizes = arrays["sizes"].tolist()
        layout = Layout(stacked(CELLS[str(arrays["cell"])], layers), *sizes)
        return cls(Networks(layout, arrays["parameters"]), arrays["words"], arrays["states"])


def states_in(kernels: str, cases: Sequence[Case], folder: Path) -> list[dict[str, Array]]:
    """What some kernels compute in each case, by the way in which they are asked.

    The states after each symbol and the sums of the output layer, (network, time, place, number).
    """
    given, answer = folder / "given.npz", folder / "answer.npz"
    np.savez(
        given, **{f"{n} {name}": part for n, case in enumerate(cases) for name, part in case.save().items()}
    )
    in_kernels(kernels, "tests.bridge.pytorch_states", str(given), str(answer))
    return _unpacked(answer)


def _unpacked(file: Path) -> list[dict[str, Array]]:
    with np.load(file) as arrays:
        count = 1 + max(int(name.partition(" ")[0]) for name in arrays)
        parts = [name.partition(" ")[::2] for name in arrays]
        return [{name: arrays[f"{n} {name}"] for n, name in parts if n == str(case)} for case in range(count)]


def modules_of(networks: Networks, run: int) -> tuple[Any, Any, Any]:
    """PyTorch's layers, its cell for single steps of one, and the output layer, in float32."""
    import torch

    layout, tensors = networks.layout, networks.state_dict(run)
    name, layers = layout.cell.layer.name, layout.cell.count
    kind = {"lstm": "LSTM", "gru": "GRU"}.get(name, "RNN")
    more = {"nonlinearity": "relu"} if name == "rnn_relu" else {}
    body = getattr(torch.nn, kind)(layout.inputs, layout.hidden, num_layers=layers, **more)
    recurrent = {name.removeprefix("rnn."): tensor for name, tensor in tensors.items() if name[:4] == "rnn."}
    body.load_state_dict(recurrent)
    cell = getattr(torch.nn, f"{kind}Cell")(layout.inputs, layout.hidden, **more)
    cell.load_state_dict({name: recurrent[f"{name}_l0"] for name in _NAMES})
    output = torch.nn.Linear(layout.hidden, layout.outputs)
    output.load_state_dict({name: tensors[f"output.{name}"] for name in ("weight", "bias")})
    return body, cell, output


def computed(networks: Networks, run: int, words: Array, states: Array) -> dict[str, Array]:
    """Of one network, by way: a sequence of many places, of one, a packed one, steps, and cells' steps."""
    import torch

    body, cell, output = modules_of(networks, run)
    layout, places = networks.layout, len(states)
    x = torch.eye(layout.inputs)[torch.from_numpy(words)]
    parts = np.split(states, layout.state_starts[1:], axis=1)
    begin = tuple(torch.from_numpy(np.ascontiguousarray(part)) for part in parts)
    kinds = len(layout.cell.layer.states)  # h, and c
    upwards = [*range(1, layout.cell.count), 0]  # here, the states of the topmost layer come first

    def whole(given: Any, first: tuple[Any, ...]) -> list[tuple[Any, ...]]:
        """In one call, which hands out h of the topmost layer, and only of the last step the rest."""
        start = [torch.stack([first[kinds * layer + kind] for layer in upwards]) for kind in range(kinds)]
        outputs, last = body(given, tuple(start) if kinds > 1 else start[0])
        if isinstance(outputs, torch.nn.utils.rnn.PackedSequence):
            outputs, _ = torch.nn.utils.rnn.pad_packed_sequence(outputs)
        last = last if kinds > 1 else (last,)
        rest = [torch.full_like(outputs[0], HIDDEN)] * (len(first) - 1)
        end = tuple(state[upwards.index(layer)] for layer in range(len(upwards)) for state in last)
        return [*((h, *rest) for h in outputs[:-1]), (outputs[-1], *end[1:])]

    def by_cell(symbols: Any, now: tuple[Any, ...]) -> tuple[Any, ...]:
        return tuple(cell(symbols, now)) if kinds > 1 else (cell(symbols, now[0]),)

    def stepped(step: Callable[..., tuple[Any, ...]]) -> list[tuple[Any, ...]]:
        now, steps = begin, []
        for symbols in x:
            now = step(symbols, now)
            steps.append(now)
        return steps

    def joined(steps: list[tuple[Any, ...]]) -> Array:
        return np.array([torch.cat([*now, output(now[0])], dim=1).detach().numpy() for now in steps])

    one = np.full((len(words), places, states.shape[1] + layout.outputs), HIDDEN, np.float32)
    for place in range(_ALONE):
        alone = tuple(part[place : place + 1] for part in begin)
        one[:, place : place + 1] = joined(whole(x[:, place : place + 1], alone))
    packed = torch.nn.utils.rnn.pack_padded_sequence(x, torch.full((places,), len(words)))
    ways = {
        "sequence": joined(whole(x, begin)),
        "alone": one,
        "packed": joined(whole(packed, begin)),
        "steps": joined(stepped(lambda symbols, now: whole(symbols[None], now)[0])),
    }
    return ways if layout.cell.count > 1 else ways | {"cell": joined(stepped(by_cell))}


def main() -> None:
    """Read cases, and write what is computed in each."""
    settle(sys.argv[2])
    results = dict[str, Any]()
    for number, arrays in enumerate(_unpacked(Path(sys.argv[3]))):
        case = Case.load(arrays)
        own = case.networks
        ways = [computed(own, run, case.words, case.states[run]) for run in range(len(own))]
        results |= {f"{number} {way}": np.array([one[way] for one in ways]) for way in ways[0]}
    np.savez(sys.argv[4], **results)


if __name__ == "__main__":
    main()
