"""Networks come back from their files bit for bit; files that are damaged or none are refused by name."""

from __future__ import annotations

import hashlib
import json
import os
import struct
import subprocess
import sys
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from safetensors.numpy import save_file

from abacist.cells import CELLS, Cell
from abacist.errors import BadFile
from abacist.languages import language_values, regular
from abacist.specs import Networks
from abacist.specs.files import NetworkFile, save_folder, save_network
from tests.engine.cases import cells, in_precision, layout_of, random_networks

LSTM = CELLS["lstm"]


def networks_of(cell: Cell = LSTM, runs: int = 3, precision: str = "float32") -> Networks:
    return in_precision(random_networks(layout_of(cell, 2), runs, seed=9), precision)


@pytest.mark.parametrize("precision", ["float32", "float64"])
@pytest.mark.parametrize("cell", cells, ids=lambda cell: cell.name)
def test_saved_and_loaded(cell: Cell, precision: str, tmp_path: Path) -> None:
    networks = networks_of(cell, 3, precision)
    save_network(networks, 1, tmp_path / "one.safetensors")
    one = NetworkFile.load(tmp_path / "one.safetensors", cell).networks
    assert one == Networks(networks.layout, networks.parameters[1:2].copy())
    about = {"language": "dyck-1", "note": "⟨ ⟩"}
    save_folder(networks, tmp_path / "new" / "folder", about=about)
    folder = NetworkFile.load_folder(tmp_path / "new" / "folder")
    assert folder.networks == networks
    assert about.items() <= folder.about.items()
    assert (folder.about["cell"], folder.about["runs"]) == (cell.name, "3")


def old_folder(networks: Networks, folder: Path, **record: Any) -> None:
    """A folder as older versions wrote it: what is said about the networks is in a record beside them."""
    folder.mkdir()
    rows = [networks.tensors(run) for run in range(len(networks))]
    file = folder / "networks.safetensors"
    save_file({name: np.stack([row[name] for row in rows]) for name in rows[0]}, file, {"threshold": "0.25"})
    record |= {"cell": networks.layout.cell.name, "runs": len(networks)}
    checksum = hashlib.sha256(file.read_bytes()).hexdigest()
    (folder / "run.json").write_text(json.dumps(record | {"sha256": checksum}))


def test_folders_of_older_versions_are_read(tmp_path: Path) -> None:
    networks, own = networks_of(), language_values(regular("(ab)*"))
    networks = Networks(replace(networks.layout, threshold=0.25), networks.parameters)
    for number, (language, text) in enumerate((("dyck-1", "dyck-1"), (None, None), (own, json.dumps(own)))):
        folder = tmp_path / str(number)
        old_folder(networks, folder, language=language, spec={"steps": "last"})
        read = NetworkFile.load_folder(folder)
        assert read.networks == networks
        written = read.about.get("language")
        assert written == text or json.loads(str(written)) == own
        assert read.about["steps"] == "last"


def test_networks_that_are_not_finite_come_back_too(tmp_path: Path) -> None:
    rows = networks_of().parameters.copy()
    rows[0, 0], rows[1, 1], rows[2, 2] = np.nan, np.inf, -np.inf
    save_folder(Networks(networks_of().layout, rows), tmp_path)
    assert NetworkFile.load_folder(tmp_path).networks.parameters.tobytes() == rows.tobytes()


def test_that_outputs_are_probabilities_is_in_the_file(tmp_path: Path) -> None:
    networks = Networks(replace(networks_of().layout, threshold=1 / 30), networks_of().parameters)
    save_network(networks, 0, tmp_path / "one.safetensors")
    assert NetworkFile.load(tmp_path / "one.safetensors", LSTM).networks.layout == networks.layout
    save_folder(networks, tmp_path / "folder")
    assert NetworkFile.load_folder(tmp_path / "folder").networks == networks
    save_network(networks_of(), 0, tmp_path / "none.safetensors")
    assert NetworkFile.load(tmp_path / "none.safetensors", LSTM).networks.layout.threshold is None
    for text, why in (
        ("high", "its threshold must be a number, got 'high'"),
        ("2", "threshold must be above 0"),
    ):
        save_network(networks_of(), 0, tmp_path / "odd.safetensors", about={"threshold": text})
        assert why in refuses(tmp_path / "odd.safetensors")


def test_a_file_of_any_other_module_is_read(tmp_path: Path) -> None:
    tensors = {f"encoder.{name.partition('.')[2]}": t for name, t in networks_of().tensors(0).items()}
    save_file(tensors, tmp_path / "m.safetensors")
    expected = Networks(networks_of().layout, networks_of().parameters[:1].copy())
    assert NetworkFile.load(tmp_path / "m.safetensors", LSTM).networks == expected


def refuses(path: Path, cell: Cell = LSTM) -> str:
    with pytest.raises(BadFile) as refusal:
        NetworkFile.load(path, cell)
    message = str(refusal.value)
    assert message.startswith(f"{path}: ")
    assert "\n" not in message
    return message


def test_files_that_are_no_networks_are_refused_by_name(tmp_path: Path) -> None:
    path = tmp_path / "n.safetensors"
    assert "no such file" in refuses(path)
    assert "directory" in refuses(tmp_path)
    for content in (b"", b"{}", b"\0" * 8, b"\xff" * 100, json.dumps({"a": 1}).encode()):
        path.write_bytes(content)
        assert "damaged" in refuses(path)
    save_network(networks_of(CELLS["gru"]), 0, path)
    assert "its cell is gru, not lstm" in refuses(path)
    save_file({"weight": np.zeros((2, 2), np.float32)}, path)
    assert "one linear layer" in refuses(path)
    save_file(networks_of().tensors(0) | {"rnn.weight_ih_l0": np.ones((), np.float32)}, path)
    refuses(path)


@settings(max_examples=40)
@given(st.data())
def test_a_file_that_was_cut_is_refused(tmp_path_factory: Any, data: st.DataObject) -> None:
    path = tmp_path_factory.mktemp("cut") / "n.safetensors"
    save_network(networks_of(), 0, path)
    whole = path.read_bytes()
    path.write_bytes(whole[: data.draw(st.integers(0, len(whole) - 1))])
    assert "damaged" in refuses(path)


@settings(max_examples=150)
@given(st.data())
def test_a_bit_flipped_in_the_header_is_refused_or_changes_nothing(
    tmp_path_factory: Any, data: st.DataObject
) -> None:
    path = tmp_path_factory.mktemp("flip") / "n.safetensors"
    save_network(networks_of(), 0, path)
    content = bytearray(path.read_bytes())
    header = 8 + struct.unpack("<Q", content[:8])[0]
    content[data.draw(st.integers(0, header - 1))] ^= 1 << data.draw(st.integers(0, 7))
    path.write_bytes(content)
    try:
        found = NetworkFile.load(path, LSTM).networks
    except BadFile as refusal:
        assert str(refusal).startswith(f"{path}: ")  # noqa: PT017
    else:
        assert found == Networks(networks_of().layout, networks_of().parameters[:1].copy())


def test_a_bit_flipped_in_a_folder_is_refused_or_changes_nothing(tmp_path: Path) -> None:
    """In its weights, in what is said about them, or in the file of an older one."""
    save_folder(networks_of(), tmp_path / "new", about={"language": "dyck-1", "steps": "last"})
    old_folder(networks_of(), tmp_path / "old")
    for folder, places in ((tmp_path / "new", range(0, 900, 7)), (tmp_path / "old", (40, -3))):
        path, whole = folder / "networks.safetensors", NetworkFile.load_folder(folder)
        content = path.read_bytes()
        for place in (*places, -3):
            flipped = bytearray(content)
            flipped[place] ^= 1
            path.write_bytes(flipped)
            with suppress(BadFile):
                read = NetworkFile.load_folder(folder)
                assert (read.networks, read.about) == (whole.networks, whole.about)
                assert place != -3


@pytest.mark.parametrize(
    "record",
    [
        b"", b"{", b"null", b"[]", b"3", b"\xff", b"{}", b'{"cell": "lstm"}', b'{"cell": 3, "runs": 3}',
        b'{"cell": "lstmm", "runs": 3}', b'{"cell": "gru", "runs": 3}', b'{"cell": "lstm", "runs": 4}',
        b'{"cell": "lstm", "runs": 2}', b'{"cell": "lstm", "runs": 0}', b'{"cell": "lstm", "runs": -1}',
        b'{"cell": "lstm", "runs": "many"}', b'{"cell": "lstm", "runs": null}',
    ],
)  # fmt: skip
def test_a_damaged_record_is_refused(record: bytes, tmp_path: Path) -> None:
    old_folder(networks_of(), tmp_path / "old")
    (tmp_path / "old" / "run.json").write_bytes(record)
    with pytest.raises(BadFile) as refusal:
        NetworkFile.load_folder(tmp_path / "old")
    assert str(tmp_path) in str(refusal.value)
    assert "\n" not in str(refusal.value)


def test_a_folder_that_is_missing_or_lacks_a_part_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadFile, match="nowhere: is not a folder of networks, there is no such folder"):
        NetworkFile.load_folder(tmp_path / "nowhere")
    save_folder(networks_of(), tmp_path / "a")
    (tmp_path / "a" / "networks.safetensors").unlink()
    with pytest.raises(BadFile, match=r"a: is not a folder of networks, it has no networks\.safetensors"):
        NetworkFile.load_folder(tmp_path / "a")
    (tmp_path / "file").write_text("")
    with pytest.raises(BadFile, match="folder: cannot be created, not a directory"):
        save_folder(networks_of(), tmp_path / "file" / "folder")
    with pytest.raises(BadFile, match=r"one\.safetensors: cannot be written"):
        save_network(networks_of(), 0, tmp_path / "nowhere" / "one.safetensors")


_SAVING = """
import sys
from pathlib import Path
from abacist.specs.files import NetworkFile, save_folder, save_network
from tests.specs.test_network_files import networks_of
save_network(networks_of(), 1, Path(sys.argv[1]) / "one.safetensors")
save_folder(networks_of(), Path(sys.argv[1]) / "folder", about={"language": "dyck-1"})
"""


@pytest.mark.thorough
def test_the_same_networks_are_the_same_bytes_in_every_process(tmp_path: Path) -> None:
    """With other hashes the order of what a file says about itself could be another one."""
    found = []
    for seed in range(2):
        folder = tmp_path / str(seed)
        folder.mkdir()
        environment = os.environ | {"PYTHONHASHSEED": str(seed)}
        subprocess.run([sys.executable, "-c", _SAVING, str(folder)], check=True, env=environment)
        paths = sorted(path for path in folder.rglob("*") if path.is_file())
        found.append({path.relative_to(folder): path.read_bytes() for path in paths})
    assert len(found[0]) == 2
    assert all(files == found[0] for files in found)
    for _ in range(10):
        save_network(networks_of(), 1, tmp_path / "again.safetensors")
        assert (tmp_path / "again.safetensors").read_bytes() == found[0][Path("one.safetensors")]
    assert NetworkFile.load(tmp_path / "0" / "one.safetensors", LSTM).networks == Networks(
        networks_of().layout, networks_of().parameters[1:2].copy()
    )


@pytest.mark.parametrize("place", ["new", "empty"])
def test_a_folder_that_cannot_be_completed_leaves_nothing_in_the_way(
    place: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / place
    if place == "empty":
        folder.mkdir()

    def full_disk(path: Path, data: bytes) -> None:
        if path.name == "networks.safetensors":
            raise BadFile(f"{path}: cannot be written, no space left on device")
        path.write_bytes(data)

    with monkeypatch.context() as disk:
        disk.setattr("abacist.specs.files.write_whole", full_disk)
        with pytest.raises(BadFile, match="no space left"):
            save_folder(networks_of(), folder)
    assert folder.exists() == (place == "empty")
    save_folder(networks_of(), folder)
    assert NetworkFile.load_folder(folder).networks == networks_of()
