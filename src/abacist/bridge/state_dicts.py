"""Networks of PyTorch as they are: files of `torch.save`, an embedding, symbols in any order.

An embedding multiplies a matrix with one-hot symbols, so it is folded into the input weights of the first
layer; the product is computed in float64 and rounded once. Inputs and outputs are brought into the order of
the language's alphabet.
"""

from __future__ import annotations

import pickle
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from safetensors import SafetensorError
from safetensors.numpy import load as safetensors

from abacist.cells import Cell, cell_named
from abacist.errors import BadFile, BadInput
from abacist.fields import checked, short_repr
from abacist.files import refusal
from abacist.languages import Language, Recogniser
from abacist.on_demand import needed
from abacist.specs import Networks
from abacist.wording import plural

Array = NDArray[Any]

#: The endings of files that `torch.save` writes.
TORCH_FILES = (".pt", ".pth", ".bin", ".ckpt")

#: Under which names files keep a state_dict beside other things.
_WITHIN = ("state_dict", "model_state_dict", "model")

_RECURRENT = ("weight_ih", "weight_hh", "bias_ih", "bias_hh")


#: The cell of a layer by how many rows its weights have for every unit.
_CELLS = {4: "lstm", 3: "gru"}


@checked
def load_network(
    path: Path, cell: Cell | None = None, language: Language[Any] | None = None, symbols: str = ""
) -> Networks:
    """The network of a file of PyTorch; left out, its cell is told by the shape of its weights."""
    try:
        tensors = folded(load_state_dict(path), language, symbols)
        if odd := [name for name, array in tensors.items() if not np.isfinite(array).all()]:
            raise BadInput(f"{odd[0]} has values that are not finite")
        return Networks.from_tensors(cell or _cell_of(tensors), tensors)
    except BadInput as error:
        raise BadFile(f"{path}: {error}".replace(f"{path}: {path}: ", f"{path}: ")) from None


def _cell_of(arrays: Mapping[str, Array]) -> Cell:
    rows, hidden = next(a.shape for n, a in arrays.items() if n.rpartition(".")[2].startswith("weight_hh"))
    if rows % hidden or rows // hidden not in _CELLS:
        raise BadInput(
            "its cell cannot be told from its weights, so name it with --cell, such as rnn or rnn_relu"
        )
    return cell_named(_CELLS[rows // hidden])


@checked
def load_state_dict(path: Path) -> dict[str, Array]:
    """The tensors of a file that `torch.save` wrote, or of a .safetensors file; no code in it is run."""
    if path.suffix == ".safetensors":
        try:
            return dict(safetensors(path.read_bytes()))
        except OSError as error:
            raise refusal(path, "cannot be read", error) from None
        except (SafetensorError, KeyError):  # the latter of a kind of numbers that NumPy has not
            raise BadFile(f"{path}: is damaged, or has numbers other than float32 and float64") from None
    needed("torch", f"{path.name}: reading a file of PyTorch")
    import torch  # slow to import

    try:
        content = torch.load(path, map_location="cpu", weights_only=True)
    except OSError as error:
        raise refusal(path, "cannot be read", error) from None
    except pickle.UnpicklingError as error:
        if "global" not in str(error).lower():
            raise BadFile(f"{path}: is not a file of torch.save, or is damaged") from None
        raise BadFile(
            f"{path}: holds more than tensors, and reading it would run its code; "
            "save model.state_dict() instead of the model"
        ) from None
    except (RuntimeError, ValueError, KeyError, EOFError):
        raise BadFile(f"{path}: is not a file of torch.save, or is damaged") from None
    for name in _WITHIN:
        if isinstance(content, Mapping) and isinstance(content.get(name), Mapping):
            content = content[name]
    if not isinstance(content, Mapping) or not all(isinstance(t, torch.Tensor) for t in content.values()):
        raise BadFile(f"{path}: holds no state_dict, but {short_repr(type(content).__name__)}")
    try:
        return {str(name): tensor.detach().numpy() for name, tensor in content.items()}
    except (TypeError, RuntimeError, NotImplementedError):
        raise BadFile(f"{path}: has tensors other than plain ones of float32 or float64") from None


@checked
def folded(
    tensors: Mapping[str, Any], language: Language[Any] | None = None, symbols: str = ""
) -> dict[str, Array]:
    """Tensors without their embedding, inputs and outputs in the order of a language's alphabet.

    `symbols` are the model's symbols in its own order; those that the language does not have, such as
    padding, are left out.

    >>> layer = {"weight_ih_l0": np.eye(2), "weight_hh_l0": np.eye(2), "head.weight": np.eye(2)}
    >>> folded(layer | {"embedding.weight": np.array([[0.0, 1.0], [1.0, 0.0]])})["weight_ih_l0"]
    array([[0., 1.],
           [1., 0.]])
    """
    arrays = {name: np.asarray(value) for name, value in tensors.items()}
    first = _first_layer(arrays)
    if (embedding := _embedding(arrays, first)) is not None:
        table = arrays.pop(embedding).astype(np.float64)
        weights = arrays[first]
        arrays[first] = (weights.astype(np.float64) @ table.T).astype(weights.dtype)
    if language is None or not symbols:
        return arrays
    glyphs, listed = language.alphabet.glyphs, list(symbols)
    if missing := [glyph for glyph in glyphs if listed.count(glyph) != 1]:
        raise BadInput(f"{language.name}: symbols must name {missing[0]!r} once, got {symbols!r}")
    if (inputs := arrays[first].shape[1]) != len(listed):
        raise BadInput(f"the network has {plural(inputs, 'input')}, and symbols name {len(listed)}")
    arrays[first] = arrays[first][:, [listed.index(glyph) for glyph in glyphs]]
    if isinstance(language, Recogniser):  # its output is none of the symbols
        return arrays
    head = [name for name in arrays if not name.rpartition(".")[2].startswith(_RECURRENT)]
    if sorted(arrays[name].ndim for name in head) not in ([2], [1, 2]):
        raise BadInput(
            f"one linear layer is needed beside the recurrent ones, got {', '.join(head) or 'none'}"
        )
    shown, further = [glyph for glyph in listed if glyph in glyphs], language.outputs - len(glyphs)
    for name in head:
        rows = next((own for own in (listed, shown) if len(own) + further == len(arrays[name])), None)
        if rows is None:
            raise BadInput(f"{name}: must have {len(shown) + further} outputs, got {len(arrays[name])}")
        places = [rows.index(glyph) for glyph in glyphs]  # what follows the symbols is the end of a word
        arrays[name] = arrays[name][[*places, *range(len(rows), len(rows) + further)]]
    return arrays


def _first_layer(arrays: Mapping[str, Array]) -> str:
    """The name of the input weights of the first layer."""
    for name in arrays:
        if name.rpartition(".")[2] in ("weight_ih_l0", "weight_ih"):
            return name
    raise BadInput(f"there is no recurrent layer of PyTorch among {', '.join(arrays) or 'no tensors'}")


def _embedding(arrays: Mapping[str, Array], first: str) -> str | None:
    """The name of the embedding, if any: a matrix called emb…, as wide as the first layer's inputs."""
    if arrays[first].ndim != 2:
        raise BadInput(f"{first}: must be a matrix, got shape {arrays[first].shape}")
    wide = [n for n, a in arrays.items() if a.ndim == 2 and a.shape[1] == arrays[first].shape[1]]
    named = [n for n in wide if "emb" in n.lower() and not n.rpartition(".")[2].startswith(_RECURRENT)]
    if len(named) > 1:
        raise BadInput(f"only one embedding can be read, but there are {', '.join(named)}")
    return named[0] if named else None
