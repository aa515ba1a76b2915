"""TensorBoard's event files: losses, accuracies and learning rates by epoch, written while runs are trained.

A file is a row of records, each with its length and two checksums; a record is a message of TensorFlow's
`Event`, of whose fields the first five are written: time, step, version, and a summary of named numbers.
"""

from __future__ import annotations

import re
import struct
import time
from collections.abc import Mapping
from pathlib import Path

import numpy as np

from abacist.experiments import Epoch, run_key
from abacist.files import make_folder, refusal
from abacist.specs import Spec
from abacist.wording import plural

#: The polynomial of CRC-32C, its bits reversed, and what is added to a checksum that stands beside its data.
_POLYNOMIAL, _MASK = 0x82F63B78, 0xA282EAD8

#: The largest number in single precision: what is beyond it, or is none, is left out.
_LARGEST = float(np.finfo(np.float32).max)

#: How much of a name, and how many digits of a key, a folder's name has.
_NAME, _DIGITS = 40, 8

#: The types of fields in messages.
_VARINT, _DOUBLE, _BYTES, _FLOAT = 0, 1, 2, 5


def _table_entry(byte: int) -> int:
    for _ in range(8):
        byte = byte >> 1 ^ (_POLYNOMIAL if byte & 1 else 0)
    return byte


_TABLE = tuple(map(_table_entry, range(256)))


def checksum(data: bytes) -> int:
    """The CRC-32C of some bytes.

    >>> hex(checksum(b"123456789"))
    '0xe3069283'
    """
    value = 0xFFFFFFFF
    for byte in data:
        value = value >> 8 ^ _TABLE[(value ^ byte) & 0xFF]
    return value ^ 0xFFFFFFFF


def record(data: bytes) -> bytes:
    """Data as a record of a file."""
    length = struct.pack("<Q", len(data))
    return length + _masked(length) + data + _masked(data)


def _masked(data: bytes) -> bytes:
    value = checksum(data)
    return struct.pack("<I", ((value >> 15 | value << 17) + _MASK) & 0xFFFFFFFF)


def _varint(value: int) -> bytes:
    digits = bytearray()
    while value > 0x7F:
        digits.append(value & 0x7F | 0x80)
        value >>= 7
    return bytes((*digits, value))


def _field(number: int, kind: int, value: bytes) -> bytes:
    """A field of a message."""
    return bytes([number << 3 | kind]) + (_varint(len(value)) if kind == _BYTES else b"") + value


def _event(seconds: float, rest: bytes) -> bytes:
    return record(_field(1, _DOUBLE, struct.pack("<d", seconds)) + rest)


def version_event(seconds: float) -> bytes:
    """The first record of a file."""
    return _event(seconds, _field(3, _BYTES, b"brain.Event:2"))


def scalars_event(seconds: float, step: int, scalars: Mapping[str, float]) -> bytes:
    """A record with some numbers at a step."""
    values = (
        _field(1, _BYTES, name.encode()) + _field(2, _FLOAT, struct.pack("<f", value))
        for name, value in scalars.items()
    )
    summary = b"".join(_field(1, _BYTES, value) for value in values)
    return _event(seconds, _field(2, _VARINT, _varint(step)) + _field(5, _BYTES, summary))


class EventFiles:
    """A callback of training that writes what it is given for TensorBoard, into a folder for each run.

    Folders are called after cell, language, units, seed and key: `lstm-dyck-1-4-units-seed-0-0123abcd`.
    """

    def __init__(self, folder: str | Path) -> None:
        self._folder = Path(folder)
        self._files: dict[str, Path] = {}
        make_folder(self._folder)

    def __call__(self, epoch: Epoch) -> None:
        for row, seed in enumerate(epoch.seeds):
            rate = epoch.spec.schedule.rate(epoch.spec.rate, epoch.epoch - 1)
            loss = epoch.losses[row]
            numbers = {"loss": loss} | ({} if np.isnan(loss) else {"rate": rate})
            numbers |= {f"accuracy/{name}": shares[row] for name, shares in epoch.accuracies.items()}
            known = {name: float(number) for name, number in numbers.items() if abs(number) <= _LARGEST}
            self._add(_folder_name(epoch.spec, seed), epoch.epoch, known)

    def _add(self, run: str, step: int, scalars: Mapping[str, float]) -> None:
        """Add a record to the file of a run; one that is trained again later has a further file."""
        now = time.time()
        event = scalars_event(now, step, scalars)
        if run not in self._files:
            make_folder(self._folder / run)
            self._files[run] = self._folder / run / f"events.out.tfevents.{now:.6f}.abacist"
            event = version_event(now) + event
        try:
            with self._files[run].open("ab") as file:
                file.write(event)
        except OSError as error:
            raise refusal(self._files[run], "cannot be written", error) from None


def _folder_name(spec: Spec, seed: int) -> str:
    """What a run is, in signs that every file system takes, and the beginning of its key."""
    names = (re.sub(r"[^\w.-]+", "_", name)[:_NAME] for name in (spec.cell.name, spec.language.name))
    units = plural(spec.hidden, "unit").replace(" ", "-")
    return "-".join((*names, units, f"seed-{seed}", run_key(spec, seed)[:_DIGITS]))
