"""Float32 numbers through the sigmoid and the tanh of PyTorch's recurrent layers, by kernel.

`python -m tests.bridge.every_float32_in_pytorch` takes every float where the functions move, from 2⁻³⁰ to
128 on both sides, and every 101st elsewhere; with 17 behind it, every 17th of these, it prints what
docs/pytorch-kernels.md shows.

An LSTM itself is the probe: with one input x, zero weights but a few, and states and biases that open or
shut gates exactly, it returns sigmoid(x) of three gates, tanh(x) of the candidate and of the cell, unrounded.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from typing import Any

import numpy as np
from numba import njit
from numpy.typing import NDArray

from abacist.algebra import ROUNDING
from tests.bridge.pytorch_kernels import KERNELS, in_kernels, settle

Array = NDArray[Any]

#: Where stretches of floats of one sign end, by their bits, and of which share each is taken.
_STRETCHES = ((0, 0x30800000, 101), (0x30800000, 0x43000000, 1), (0x43000000, 0x7F800000, 101))
_BLOCK = 2**18
_OPEN = 100.0  # sigmoid and tanh of it are exactly 1, and sigmoid of its negative is below 1e-40

#: Of the probe's five units, which place of h or c holds which function.
PROBES = {"f": ("c", 0), "i": ("c", 1), "o": ("h", 2), "g": ("c", 3), "tanh c": ("h", 4)}


def probe() -> tuple[Any, Any]:
    """The LSTM, and its first cell state: that of unit 4 has to be x."""
    import torch

    module: Any = torch.nn.LSTM(1, len(PROBES))
    weights, biases = np.zeros((4, 5), np.float32), np.zeros((4, 5), np.float32)  # gates i, f, g, o
    weights[1, 0] = 1  # c = f·1 + i·0
    weights[0, 1], biases[2, 1] = 1, _OPEN  # c = i·1 + f·0
    weights[3, 2], biases[1, 2] = 1, _OPEN  # h = o·tanh(100)
    weights[2, 3], biases[0, 3] = 1, _OPEN  # c = 1·g + f·0
    biases[1, 4] = biases[3, 4] = _OPEN  # c = 1·x + i·0, h = 1·tanh(c)
    with torch.no_grad():
        for weight in module.parameters():
            weight.zero_()
        module.weight_ih_l0.copy_(torch.from_numpy(weights.reshape(20, 1)))
        module.bias_ih_l0.copy_(torch.from_numpy(biases.reshape(20)))
    return module, torch.tensor([1.0, 0.0, _OPEN, 0.0, 0.0])


def values(module: Any, start: Any, x: Array) -> dict[str, Array]:
    """Each probe's function of x, and ATen's own functions of a whole vector."""
    import torch

    given = torch.from_numpy(x)
    first = start.repeat(len(x), 1)
    first[:, 4] = given
    h, (_, c) = module(given[None, :, None], (torch.zeros(1, len(x), 5), first[None]))
    found = {"h": h[0].detach().numpy(), "c": c[0].detach().numpy()}
    own = {name: np.ascontiguousarray(found[state][:, unit]) for name, (state, unit) in PROBES.items()}
    return own | {"sigmoid": torch.sigmoid(given).numpy(), "tanh": torch.tanh(given).numpy()}


@njit(error_model="numpy")
def truth(x: Array) -> tuple[Array, Array]:
    """Sigmoid and tanh in float64."""
    sigmoids, tanhs = np.empty(len(x)), np.empty(len(x))
    for place in range(len(x)):
        size = abs(np.float64(x[place]))
        if size < 1e-9:
            sigmoids[place], tanhs[place] = 0.5 + 0.25 * x[place], x[place]
            continue
        small = np.exp(-size) if size < 700 else 0.0
        sigmoids[place] = 1 / (1 + small) if x[place] > 0 else small / (1 + small)
        tanhs[place] = (1 - small * small) / (1 + small * small) * (1 if x[place] > 0 else -1)
    return sigmoids, tanhs


@njit
def sigmoid_errors(x: Array, found: Array, exact: Array, one: float, clamp: float, far: float) -> Any:
    """The largest absolute error, the largest relative one from −clamp to 0, and how many break a rule."""
    error, relative, broken = 0.0, 0.0, 0
    for place in range(len(x)):
        value, true = np.float64(found[place]), exact[place]
        error = max(error, abs(value - true))
        if -clamp <= x[place] <= 0:
            relative = max(relative, abs(value - true) / true)
        kept = 0 <= value <= 1
        kept &= value >= 0.5 if x[place] >= 0 else value <= 0.5
        kept &= (x[place] != 0) | (value == 0.5)
        kept &= (x[place] < one) | (value == 1)
        kept &= (x[place] >= -clamp) | (value <= far)
        broken += not kept
    return error, relative, broken


@njit
def tanh_errors(x: Array, found: Array, exact: Array, one: float) -> Any:
    """The largest absolute error, 0, and how many break a rule."""
    error, broken = 0.0, 0
    for place in range(len(x)):
        value = np.float64(found[place])
        error = max(error, abs(value - exact[place]))
        kept = (abs(value) <= 1) & (value * x[place] >= 0) & ((x[place] != 0) | (value == 0))
        kept &= (abs(x[place]) < one) | (abs(value) == 1)
        broken += not kept
    return error, 0.0, broken


def measured(every: int) -> dict[str, list[float]]:
    """By function: the largest error, the largest relative one, and how many values break a rule."""
    promise = ROUNDING["float32"]
    far = (1 + promise.sigmoid_relative) / (1 + np.exp(promise.sigmoid_clamp))
    module, start = probe()
    results: dict[str, list[float]] = {}
    for x in blocks(every):
        sigmoids, tanhs = truth(x)
        for name, found in values(module, start, x).items():
            if name in ("f", "i", "o", "sigmoid"):
                limits = promise.sigmoid_one, promise.sigmoid_clamp, far
                now = sigmoid_errors(x, found, sigmoids, *limits)
            else:
                now = tanh_errors(x, found, tanhs, promise.tanh_one)
            error, relative, broken = results.get(name, [0.0, 0.0, 0])
            results[name] = [max(error, now[0]), max(relative, now[1]), broken + now[2]]
    return results


def blocks(every: int) -> Iterator[Array]:
    """Floats of both signs, the ends of all stretches among them."""
    for sign in (0, 2**31):
        for begin, end, share in _STRETCHES:
            step = share * every
            for first in range(begin, end, _BLOCK * step):
                bits = np.arange(first, min(first + _BLOCK * step, end), step, dtype=np.uint32)
                yield (np.append(bits, np.uint32(end - 1)) + np.uint32(sign)).view(np.float32)


def main() -> None:
    """For all kernels in turn; or, with --kernels, the results for those as JSON."""
    if sys.argv[1:2] == ["--kernels"]:
        settle(sys.argv[2])
        print(json.dumps(measured(int(sys.argv[3]))))
        return
    given = int(sys.argv[1]) if len(sys.argv) > 1 else 1
    for kernels in KERNELS:
        every = max(
            given, 101 if "training" in kernels else 1
        )  # it has the functions of SSE4.1, AVX2, AVX-512
        results = json.loads(in_kernels(kernels, __spec__.name, str(every)))
        gates, tanhs = ([results[name] for name in names] for names in (("f", "i", "o"), ("g", "tanh c")))
        for name, kind in (("LSTM", (gates, tanhs)), ("ATen", ([results["sigmoid"]], [results["tanh"]]))):
            if name == "LSTM" or kernels.startswith("ATen"):
                error, relative, _ = map(max, zip(*kind[0], strict=True))
                broken = sum(result[2] for part in kind for result in part)
                tanh = max(result[0] for result in kind[1])
                print(
                    f"{kernels}, {'within an LSTM' if name == 'LSTM' else 'of a whole vector'}: "
                    f"sigmoid {error:.3e}, relative {relative:.3e}; tanh {tanh:.3e}; {broken} break a rule",
                    flush=True,
                )


if __name__ == "__main__":
    main()
