"""Networks as files: safetensors with metadata, of one network under PyTorch's names or many in a folder."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from safetensors import SafetensorError
from safetensors.numpy import load as decode
from safetensors.numpy import save as encode

from abacist.cells import Cell, Layout, cell_written, written_cell
from abacist.errors import AbacistError, BadFile, BadInput
from abacist.fields import Checked, checked, short_repr
from abacist.files import absence, new_folder, refusal, write_whole
from abacist.languages import language_from_values, language_text
from abacist.specs.networks import Networks
from abacist.untrusted import read_json

#: The file of a folder of networks, and what older versions kept beside it.
_NETWORKS, _RECORD = "networks.safetensors", "run.json"

#: What files call the threshold of a layout, the number of their networks, and their checksum.
_THRESHOLD, _RUNS, _CHECKSUM = "threshold", "runs", "sha256"


#: What is wrong with other files; those of `torch.save` are ZIP archives.
_NO_FILE = "is not a safetensors file, or is damaged"
_TORCH, _OF_TORCH = b"PK\3\4", "is a PyTorch file: import it with `abacist import`, in Python `network_of`"


@checked
def save_network(networks: Networks, run: int, path: Path, *, about: Mapping[str, str] | None = None) -> None:
    """Write one network as `torch.nn` would name it.

    The file says which cell it is of, and what else is told `about` it, such as its language, seed and key.
    """
    write_whole(path, _encoded(networks.tensors(run), networks.layout, about or {}))


@checked
def save_folder(networks: Networks, folder: Path, *, about: Mapping[str, str] | None = None) -> None:
    """Write networks into a new folder: one file, in which each tensor has those of all networks."""
    rows = [networks.tensors(run) for run in range(len(networks))]
    if not rows:
        raise BadInput("save_folder: at least one network is needed, got none")
    tensors = {name: np.stack([row[name] for row in rows]) for name in rows[0]}
    data = _encoded(tensors, networks.layout, {**(about or {}), _RUNS: str(len(rows))})
    with new_folder(folder):
        write_whole(folder / _NETWORKS, data)


def _encoded(tensors: dict[str, Any], layout: Layout, about: Mapping[str, str]) -> bytes:
    """Tensors, the cell they belong to and the threshold, if any; the same bytes in every process."""
    threshold = {} if layout.threshold is None else {_THRESHOLD: repr(layout.threshold)}
    metadata = {**about, **threshold, "format": "pt", "cell": written_cell(layout.cell)}
    if _RUNS in about:
        metadata[_CHECKSUM] = _checksum(tensors, metadata)
    data = encode(tensors, metadata)
    end = 8 + int.from_bytes(data[:8], "little")
    header = read_json(data[8:end])
    header["__metadata__"] = dict(sorted(header["__metadata__"].items()))  # the library has them in any order
    text = json.dumps(header, separators=(",", ":"), ensure_ascii=False).encode()
    text += b" " * (-len(text) % 8)
    return len(text).to_bytes(8, "little") + text + data[end:]


def _checksum(tensors: Mapping[str, Any], metadata: Mapping[str, str]) -> str:
    """The SHA-256 of some tensors and of all else that a file says."""
    texts = sorted((name, text) for name, text in metadata.items() if name != _CHECKSUM)
    shapes = sorted((name, str(tensor.dtype), tensor.shape) for name, tensor in tensors.items())
    checksum = hashlib.sha256(repr((texts, shapes)).encode())
    for name, *_ in shapes:
        checksum.update(tensors[name].tobytes())
    return checksum.hexdigest()


@dataclass(frozen=True)
class NetworkFile(Checked):
    """Networks of one shape, mostly one, and what their file says about them: their cell, and perhaps their
    language, which steps count, seed and key."""

    networks: Networks
    about: dict[str, str]

    @classmethod
    @checked
    def load(cls, path: Path, cell: Cell | None = None) -> NetworkFile:
        """Read a file; `cell` is that of a file that does not say it, as those of PyTorch do not."""
        try:
            tensors, about = _decode(path)
            if _RUNS in about and _checksum(tensors, about) != about.get(_CHECKSUM):
                raise BadInput("is damaged, its checksum does not match")
            return cls(_networks(tensors, about, cell), about)
        except BadInput as error:
            raise BadFile(f"{path}: {error}") from None

    @classmethod
    @checked
    def load_folder(cls, path: Path) -> NetworkFile:
        """Read a folder of networks."""
        if not is_folder_of_networks(path):
            why = f"it has no {_NETWORKS}" if path.is_dir() else "there is no such folder"
            raise absence(path, f"is not a folder of networks, {why}")
        if not (path / _RECORD).exists():
            return cls.load(path / _NETWORKS)
        try:
            tensors, metadata = _decode(path / _NETWORKS)
            about = metadata | _older_about(path)
            return cls(_networks(tensors, about, None), about)
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            why = str(error) if isinstance(error, AbacistError) else "its record is damaged"
            raise BadFile(f"{path}: {why}") from None


def _older_about(path: Path) -> dict[str, str]:
    """What older versions wrote into a record beside the networks of a folder."""
    record = read_json((path / _RECORD).read_bytes())
    if hashlib.sha256((path / _NETWORKS).read_bytes()).hexdigest() != record["sha256"]:
        raise BadInput(f"{_NETWORKS} is not the file that its record describes, or is damaged")
    about = {"cell": record["cell"], _RUNS: str(record["runs"])}
    if (language := record.get("language")) is not None:
        about["language"] = language_text(language_from_values(language))
    return about | {"steps": record.get("spec", {}).get("steps", "all")}


def _networks(tensors: dict[str, Any], about: Mapping[str, str], cell: Cell | None) -> Networks:
    """The networks of some tensors: one, all of whose weights are finite, or as many as the file says."""
    cell = _cell_of(about.get("cell"), cell)
    if (text := about.get(_RUNS)) is None:
        for name, tensor in tensors.items():
            if not np.isfinite(tensor).all():
                raise BadInput(f"{name} has values that are not finite")
        networks = Networks.from_tensors(cell, tensors)
    else:
        counts = {str(tensor.shape[:1]) for tensor in tensors.values()}
        if counts != {f"({text},)"} or text == "0":
            raise BadInput(f"must have {short_repr(text)} networks, which its tensors do not have")
        rows = [Networks.from_tensors(cell, {n: t[r] for n, t in tensors.items()}) for r in range(int(text))]
        networks = Networks(rows[0].layout, np.concatenate([row.parameters for row in rows]))
    if (written := about.get(_THRESHOLD)) is None:
        return networks
    try:
        threshold = float(written)
    except ValueError:
        raise BadInput(f"its threshold must be a number, got {short_repr(written)}") from None
    return Networks(replace(networks.layout, threshold=threshold), networks.parameters)


def _cell_of(written: str | None, cell: Cell | None) -> Cell:
    """The cell of a network, which its file says, or the user, or both of them alike."""
    if cell is None:
        if written is None:
            raise BadInput("does not say what its cell is, so name it with --cell")
        return cell_written(written)
    if written not in (None, cell.name, written_cell(cell)):
        raise BadInput(f"its cell is {written}, not {written_cell(cell)}")
    return cell


def _decode(path: Path) -> tuple[dict[str, Any], dict[str, str]]:
    """The tensors of a file, and what it says about them."""
    about = metadata_of(path)
    try:
        return dict(decode(path.read_bytes())), about
    except (SafetensorError, KeyError):
        raise BadFile(f"{path}: {_NO_FILE}") from None


@checked
def metadata_of(path: Path) -> dict[str, str]:
    """What a .safetensors file says about its tensors: those of PyTorch say nothing."""
    try:
        data = path.read_bytes()
        return dict(read_json(data[8 : 8 + int.from_bytes(data[:8], "little")]).get("__metadata__", {}))
    except OSError as error:
        raise refusal(path, "cannot be read", error) from None
    except (ValueError, AttributeError):
        raise BadFile(f"{path}: {_OF_TORCH if data.startswith(_TORCH) else _NO_FILE}") from None


@checked
def is_folder_of_networks(path: Path) -> bool:
    """Whether a folder holds networks as files, with or without a store beside them."""
    return (path / _NETWORKS).is_file() or (path / _RECORD).is_file()
