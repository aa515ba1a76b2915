"""Whether what is proved of an imported network also holds where PyTorch itself computes it.

PyTorch's float32 kernels of RNN, GRU and LSTM on a CPU keep the promise that proofs rest on, for one-hot
inputs; `docs/pytorch-kernels.md` says why, and which of them were tested.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from abacist.analysis.certificates.certificate import Certificate
from abacist.bridge.folding import Convention, is_recurrent
from abacist.cells import CELLS, STARTED
from abacist.cells.layers import of_layer
from abacist.cells.parameters import BIAS_HH, BIAS_IH, WEIGHT_HH, WEIGHT_IH
from abacist.specs import Networks

#: What files of imported networks call the parts that were computed anew on import, and what if none was.
FOLDED, _NONE = "folded", "nothing"

#: The version of PyTorch whose kernels were tested.
TESTED = "2.13"

#: 1 less a sigmoid of at most this is above 2.7 units of rounding, the sigmoid's own error taken away.
_OPEN = 15.0

_PARTS = ("embedding", "start symbol", "outputs")


def folded_parts(
    tensors: Mapping[str, NDArray[Any]], convention: Convention, networks: Networks
) -> str | None:
    """Which parts of a model have other numbers in its network; None if its cell is none of PyTorch's."""
    if not {networks.layout.cell.layer.name} & {*CELLS, *STARTED}:
        return None
    matrices = sum(array.ndim == 2 and not is_recurrent(name) for name, array in tensors.items())
    outputs = convention.head != "sigmoid" or convention.threshold not in (None, 0.5)
    there = (matrices > 1, convention.start_symbol, outputs)
    return ", ".join(part for part, is_there in zip(_PARTS, there, strict=True) if is_there) or _NONE


def may_saturate(networks: Networks) -> bool:
    """Whether an update gate of a GRU could get an argument above `_OPEN`, by its weights."""
    hidden = networks.layout.hidden
    for run in range(len(networks)):
        for layer in range(networks.layout.cell.count):
            tensors = networks.tensors(run)
            names = (WEIGHT_IH, WEIGHT_HH, BIAS_IH, BIAS_HH)
            own = [np.abs(tensors[of_layer(name, layer)][hidden : 2 * hidden], dtype=float) for name in names]
            inputs = own[0].sum(axis=1) if layer else own[0].max(axis=1)  # of one-hot ones, only one is 1
            if (inputs + own[1].sum(axis=1) + own[2] + own[3]).max() > _OPEN:
                return True
    return False


def said_of_pytorch(networks: Networks, about: Mapping[str, str], *proofs: object) -> str | None:
    """A sentence about what is proved of a network, by what its file says; None if it was not imported.

    The proofs are certificates, if they are about words of any length.
    """
    folded = about.get(FOLDED, "").split(", ")
    parts = [part for part in _PARTS if part in folded]
    if not parts and folded != [_NONE]:
        return None
    why = ""
    if parts:
        why = f"the import computed its {' and '.join(parts)} anew"
    elif networks.parameters.dtype != "float32":
        why = "only its float32 kernels were tested"
    elif networks.layout.cell.layer.name == "gru" and (
        may_saturate(networks) or any(isinstance(proof, Certificate) for proof in proofs)
    ):
        why = "its GRU computes n + z(h - n), which need not be h where z is 1"
    if why:
        return f"what is proved is not claimed for PyTorch itself: {why} (docs/pytorch-kernels.md)"
    return (
        "what is proved also holds in PyTorch itself, for its float32 kernels on a CPU as tested with "
        f"version {TESTED}, not for those on a GPU (docs/pytorch-kernels.md)"
    )
