"""Event files as a small reader reads them, and TensorBoard's where it is installed."""

from __future__ import annotations

import re
import struct
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from abacist.errors import BadFile
from abacist.experiments import Epoch, RunProgress, Task, run_key
from abacist.languages import language_asked_for
from abacist.optimisers import Schedule
from abacist.report.event_files import EventFiles, checksum, scalars_event, version_event
from tests.cli.command import refused, shown
from tests.experiments.cases import ran, runs_in, small
from tests.requirements import need

#: Numbers by step and name.
Scalars = dict[tuple[int, str], float]


def records(data: bytes) -> Iterator[bytes]:
    """The records of a file, whose checksums are right."""
    while data:
        (length,) = struct.unpack("<Q", data[:8])
        content, end = data[12 : 12 + length], data[12 + length : 16 + length]
        for part, stored in ((data[:8], data[8:12]), (content, end)):
            value = (struct.unpack("<I", stored)[0] - 0xA282EAD8) % 2**32
            assert checksum(part) == (value << 15 | value >> 17) % 2**32
        yield content
        data = data[16 + length :]


def fields(message: bytes) -> Iterator[tuple[int, Any]]:
    """The numbers and values of a message's fields."""
    place = 0

    def varint() -> int:
        nonlocal place
        value = shift = 0
        while True:
            byte = message[place]
            value, shift, place = value | (byte & 0x7F) << shift, shift + 7, place + 1
            if byte < 0x80:
                return value

    while place < len(message):
        tag = varint()
        if tag & 7 == 0:
            yield tag >> 3, varint()
        else:
            size = varint() if tag & 7 == 2 else {1: 8, 5: 4}[tag & 7]
            yield tag >> 3, message[place : place + size]
            place += size


def scalars_in(path: Path) -> Scalars:
    """The numbers in a file, which begins with its version."""
    version, *events = (dict(fields(record)) for record in records(path.read_bytes()))
    assert version[3] == b"brain.Event:2"
    found: Scalars = {}
    for event in events:
        assert struct.unpack("<d", event[1]) >= struct.unpack("<d", version[1])
        for value in (dict(fields(value)) for _, value in fields(event[5])):
            key = (event[2], value[1].decode())
            assert key not in found
            (found[key],) = struct.unpack("<f", value[2])
    return found


def scalars_in_tensorboard(path: Path) -> Scalars:
    """The same as TensorBoard reads it."""
    from tensorboard.backend.event_processing.event_accumulator import EventAccumulator

    read = EventAccumulator(str(path))
    read.Reload()
    return {
        (event.step, name): event.value for name in read.Tags()["scalars"] for event in read.Scalars(name)
    }


@pytest.fixture
def written(tmp_path: Path) -> dict[Path, Scalars]:
    """The files of some runs, and what the store knows of these."""
    task = Task(
        "tiny",
        small(epochs=200, training=4, schedule=Schedule("step", 100, 0.5)),
        (0, 1, 5),
        at_epochs=(2, 130),
    )
    ran([task], tmp_path / "store", progress=RunProgress(callback=EventFiles(tmp_path / "events")))
    files = {path.parent.name: path for path in (tmp_path / "events").glob("*/*tfevents*")}
    runs = runs_in(tmp_path / "store")
    names = {run.key: f"rnn-dyck-1-2-units-seed-{run.seed}-{run.key[:8]}" for run in runs}
    assert set(files) == set(names.values())
    return {
        files[names[run.key]]: {
            (n, "loss"): float(np.float32(loss)) for n, loss in enumerate(run.outcome.losses, 1)
        }
        | {(n, "rate"): float(np.float32(0.001 * 0.5 ** ((n - 1) // 100))) for n in range(1, 201)}
        | {
            (n, f"accuracy/{name}"): float(np.float32(share))
            for name, shares in run.outcome.accuracy.items()
            for n, share in shares.items()
        }
        for run in runs
    }


def test_files_have_what_the_store_has(written: dict[Path, Scalars]) -> None:
    for path, expected in written.items():
        assert {step for step, _ in expected} == set(range(1, 201))
        assert scalars_in(path) == expected


@need("tensorboard")
def test_tensorboard_reads_them_so(written: dict[Path, Scalars]) -> None:
    for path, expected in written.items():
        assert scalars_in_tensorboard(path) == expected


@pytest.mark.parametrize(
    ("data", "sum_"),
    [
        (b"", 0),
        (b"123456789", 0xE3069283),
        (bytes(32), 0x8A9136AA),
        (b"\xff" * 32, 0x62A8AB43),
        (bytes(range(32)), 0x46DD794E),
    ],
)
def test_checksums_are_those_of_rfc_3720(data: bytes, sum_: int) -> None:
    assert checksum(data) == sum_


def test_an_event_is_the_message_that_its_definition_says() -> None:
    """Byte by byte: field numbers and types of `event.proto` and `summary.proto`."""
    time = struct.pack("<d", 1.5)
    (version,) = records(version_event(1.5))
    assert version == b"\x09" + time + b"\x1a\x0dbrain.Event:2"
    (event,) = records(scalars_event(1.5, 300, {"loss": 0.25, "é": 2.0}))
    values = b"\x0a\x0b\x0a\x04loss\x15\x00\x00\x80\x3e" + b"\x0a\x09\x0a\x02\xc3\xa9\x15\x00\x00\x00\x40"
    assert event == b"\x09" + time + b"\x10\xac\x02\x2a" + bytes([len(values)]) + values


def test_what_is_no_number_is_left_out_and_a_full_disk_is_one_sentence(tmp_path: Path) -> None:
    events, spec = EventFiles(tmp_path), small()
    losses = np.array([np.nan, 0.5])
    events(Epoch(spec, (3, 4), 1, losses, {"long": np.array([0.25, 1e39])}))
    events(Epoch(spec, (3, 4), 2, losses, {}))
    files = [scalars_in(path) for path in tmp_path.glob("*/*")]
    known = [(1, "loss"), (1, "rate"), (2, "loss"), (2, "rate")]
    assert sorted(map(sorted, files)) == [[(1, "accuracy/long")], known]
    (tmp_path / "file").write_bytes(b"")
    with pytest.raises(BadFile, match="file"):
        EventFiles(tmp_path / "file")


def test_folders_are_named_so_that_every_file_system_takes_them(tmp_path: Path) -> None:
    spec = replace(small(), language=language_asked_for("regex:(a(bc)*d|x/y)*" + "z" * 200))
    EventFiles(tmp_path)(Epoch(spec, (3,), 1, np.array([0.5]), {}))
    (folder,) = tmp_path.iterdir()
    assert re.fullmatch(r"[\w.-]+", folder.name)
    assert len(folder.name) < 120
    assert folder.name.endswith(f"-2-units-seed-3-{run_key(spec, 3)[:8]}")


def test_commands_write_them(tmp_path: Path) -> None:
    sizes = "--train-words 20 --test-words 10 --train-lengths 2:12 --long-lengths 14:20 --epochs 2 --hidden 1"
    where = ["--out", str(tmp_path / "store"), "--events", str(tmp_path / "events")]
    shown("train", "dyck-1", "rnn", "--runs", "2", *sizes.split(), *where)
    assert len(list((tmp_path / "events").glob("*/events.out.tfevents.*"))) == 2
    said = refused("train", "dyck-1", "rnn", "--cluster", "local:1", *where)
    assert "--events is for this machine" in said
