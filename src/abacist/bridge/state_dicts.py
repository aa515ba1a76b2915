"""Files of PyTorch, of `torch.save` or safetensors: their tensors, and networks made of them."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from operator import itemgetter
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from safetensors import SafetensorError, deserialize

from abacist.bridge.folding import Convention, as_arrays, network_of, refuse_kind
from abacist.cells import Cell
from abacist.errors import BadFile, BadInput
from abacist.fields import checked, short_repr
from abacist.files import refusal
from abacist.languages import Language
from abacist.on_demand import needed
from abacist.specs import Networks

Array = NDArray[Any]

#: Under which names files keep a state_dict beside other things.
_WITHIN = ("state_dict", "model_state_dict", "model")

#: What safetensors calls the kinds of numbers that PyTorch trains with.
_KINDS = {"F64": "float64", "F32": "float32", "F16": "float16", "BF16": "bfloat16"}


@checked
def load_network(
    path: Path,
    cell: Cell | None = None,
    language: Language[Any] | None = None,
    convention: Convention | None = None,
) -> Networks:
    """The network of a file of PyTorch; left out, its cell is told by the shape of its weights."""
    try:
        return network_of(load_state_dict(path), language, convention, cell=cell)
    except BadInput as error:
        raise BadFile(f"{path}: {error}") from None


@checked
def load_state_dict(path: Path) -> dict[str, Array]:
    """The tensors of a file that `torch.save` wrote, or of a .safetensors file; no code in it is run."""
    try:
        return as_arrays(_safetensors(path) if path.suffix == ".safetensors" else _torch(path))
    except OSError as error:
        raise refusal(path, "cannot be read", error) from None
    except BadInput as error:
        raise BadFile(f"{path}: {error}") from None


def _safetensors(path: Path) -> dict[str, Array]:
    try:
        tensors = deserialize(path.read_bytes())  # type: ignore[no-untyped-call]
    except SafetensorError:
        raise BadFile(f"{path}: is not a safetensors file, or is damaged") from None
    arrays = {}
    for name, tensor in sorted(tensors, key=itemgetter(0)):
        kind = _KINDS.get(tensor["dtype"], tensor["dtype"])
        if kind not in ("float32", "float64"):
            if tensor["shape"]:
                refuse_kind(name, kind)
            kind, tensor["data"] = "uint8", b"\0"  # a count, such as that of a layer of normalisation
        arrays[name] = np.frombuffer(tensor["data"], kind).reshape(tensor["shape"])
    return arrays


def _torch(path: Path) -> Mapping[str, Any]:
    needed("torch", f"{path.name}: reading a file of PyTorch")
    import torch  # slow to import

    try:
        with warnings.catch_warnings(action="ignore"):  # what it says of other files is said here
            content = torch.load(path, map_location="cpu", weights_only=True)
    except OSError:
        raise
    except Exception as error:  # a damaged file can lead PyTorch to any
        if not any(word in str(error).lower() for word in ("global", "torchscript")):
            raise BadFile(f"{path}: is not a file of torch.save, or is damaged") from None
        raise BadFile(
            f"{path}: holds a whole model, or other objects, and reading them would run their code; "
            f'save its weights alone: torch.save(model.state_dict(), "{path.stem}.pt")'
        ) from None
    for name in _WITHIN:
        if isinstance(content, Mapping) and isinstance(content.get(name), Mapping):
            content = content[name]
    if not isinstance(content, Mapping) or not all(isinstance(t, torch.Tensor) for t in content.values()):
        kind = short_repr(type(content).__name__)
        raise BadFile(f'{path}: holds no state_dict, but {kind}; save torch.save(model.state_dict(), "…")')
    return content
