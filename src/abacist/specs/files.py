"""Networks as files: safetensors, one network under PyTorch's names or many runs in a folder."""

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
from abacist.fields import check_fields, checked, short_repr
from abacist.files import absence, new_folder, refusal, write_whole
from abacist.specs.networks import Networks
from abacist.untrusted import read_json
from abacist.wording import json_text

_NETWORKS, _RECORD = "networks.safetensors", "run.json"

#: What files call the threshold of a layout.
_THRESHOLD = "threshold"


@checked
def save_network(networks: Networks, run: int, path: Path, *, about: Mapping[str, str] | None = None) -> None:
    """Write one network as `torch.nn` would name it.

    The file says which cell it is of, and what else is told `about` it, such as its language, seed and key.
    """
    write_whole(path, _encoded(networks.tensors(run), networks.layout, about or {}))


def _encoded(tensors: dict[str, Any], layout: Layout, about: Mapping[str, str]) -> bytes:
    """Tensors, the cell they belong to and the threshold, if any; the same bytes in every process."""
    threshold = {} if layout.threshold is None else {_THRESHOLD: repr(layout.threshold)}
    data = encode(tensors, {**about, **threshold, "format": "pt", "cell": written_cell(layout.cell)})
    end = 8 + int.from_bytes(data[:8], "little")
    header = read_json(data[8:end])
    header["__metadata__"] = dict(sorted(header["__metadata__"].items()))  # the library has them in any order
    text = json.dumps(header, separators=(",", ":"), ensure_ascii=False).encode()
    text += b" " * (-len(text) % 8)
    return len(text).to_bytes(8, "little") + text + data[end:]


@dataclass(frozen=True)
class NetworkFile:
    """One network, and what its file says about it: its cell, and perhaps its language, seed and key."""

    networks: Networks
    about: dict[str, str]

    def __post_init__(self) -> None:
        check_fields(self)

    @classmethod
    @checked
    def load(cls, path: Path, cell: Cell | None = None) -> NetworkFile:
        """Read a file; `cell` is that of a file that does not say it, as those of PyTorch do not."""
        try:
            tensors, about = _decode(path)
            networks = _checked(tensors, _cell_of(about.get("cell"), cell))
            return cls(_with_threshold(networks, about.get(_THRESHOLD)), about)
        except BadInput as error:
            raise BadFile(f"{path}: {error}") from None


def _cell_of(written: str | None, cell: Cell | None) -> Cell:
    """The cell of a network, which its file says, or the user, or both of them alike."""
    if cell is None:
        if written is None:
            raise BadInput("does not say what its cell is, so name it with --cell")
        return cell_written(written)
    if written not in (None, cell.name, written_cell(cell)):
        raise BadInput(f"its cell is {written}, not {written_cell(cell)}")
    return cell


def _checked(tensors: dict[str, Any], cell: Cell) -> Networks:
    """The network of some tensors, all of whose weights are finite."""
    for name, tensor in tensors.items():
        if not np.isfinite(tensor).all():
            raise BadInput(f"{name} has values that are not finite")
    return Networks.from_tensors(cell, tensors)


def _with_threshold(networks: Networks, text: str | None) -> Networks:
    """Networks whose outputs are probabilities, if what is written down says so."""
    if text is None:
        return networks
    try:
        threshold = float(text)
    except ValueError:
        raise BadInput(f"its threshold must be a number, got {short_repr(text)}") from None
    return Networks(replace(networks.layout, threshold=threshold), networks.parameters)


def _decode(path: Path) -> tuple[dict[str, Any], dict[str, str]]:
    """The tensors of a file, and what it says about them."""
    try:
        data = path.read_bytes()
        header = read_json(data[8 : 8 + int.from_bytes(data[:8], "little")])
        return dict(decode(data)), dict(header.get("__metadata__", {}))
    except OSError as error:
        raise refusal(path, "cannot be read", error) from None
    except (SafetensorError, ValueError, KeyError, AttributeError):
        raise BadFile(f"{path}: is not a safetensors file, or is damaged") from None


@checked
def is_folder_of_networks(path: Path) -> bool:
    """Whether a folder holds networks as files, with or without a store beside them."""
    return (path / _RECORD).is_file()


@dataclass(frozen=True)
class Folder:
    """A folder of networks: their parameters, and a record of how they came about in plain values.

    The record's `language` is None for networks that came without one.
    """

    networks: Networks
    record: dict[str, Any]

    def __post_init__(self) -> None:
        check_fields(self)
        if not len(self.networks):
            raise BadInput("Folder: at least one network is needed, got none")

    @checked
    def save(self, path: Path) -> None:
        """Write a new folder; the record goes last, so that a folder with a record is whole."""
        layout = self.networks.layout
        tensors = {
            name: np.stack([self.networks.tensors(r)[name] for r in range(len(self.networks))])
            for name in layout.shapes
        }
        data = _encoded(tensors, layout, {})
        record = self.record | {
            "cell": written_cell(layout.cell),
            "runs": len(self.networks),
            "sha256": hashlib.sha256(data).hexdigest(),
        }
        text = json_text(record, indent=2) + "\n"
        with new_folder(path):
            write_whole(path / _NETWORKS, data)
            write_whole(path / _RECORD, text.encode())

    @classmethod
    @checked
    def load(cls, path: Path) -> Folder:
        """Read a folder back."""
        try:
            record = read_json((path / _RECORD).read_bytes())
            cell = cell_written(record["cell"])
            tensors, about = _decode(path / _NETWORKS)
            if hashlib.sha256((path / _NETWORKS).read_bytes()).hexdigest() != record["sha256"]:
                raise BadInput(f"{_NETWORKS} is not the file that its record describes, or is damaged")
            runs = range(int(record["runs"]))
            if any(len(tensor) != len(runs) for tensor in tensors.values()):
                raise BadInput("its record and its networks disagree on the number of runs")
            rows = [Networks.from_tensors(cell, {n: t[run] for n, t in tensors.items()}) for run in runs]
            layout: Layout = rows[0].layout
            networks = Networks(layout, np.concatenate([row.parameters for row in rows]))
            return cls(_with_threshold(networks, about.get(_THRESHOLD)), record)
        except FileNotFoundError as error:
            missing = f"it has no {Path(error.filename).name}"
            why = missing if path.is_dir() else "there is no such folder"
            raise absence(path, f"is not a folder of networks, {why}") from None
        except OSError as error:
            raise refusal(path, "is not a folder of networks", error) from None
        except BadFile:
            raise
        except (ValueError, KeyError, IndexError, TypeError, AttributeError) as error:
            why = str(error) if isinstance(error, AbacistError) else "its record is damaged"
            raise BadFile(f"{path}: {why}") from None
