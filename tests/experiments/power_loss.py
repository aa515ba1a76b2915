"""A loss of power: a process's changes to a folder are recorded, and replayed up to any moment.

At a cut all that was synced is there; of the rest, writes are dropped, kept, torn or kept out of
order, as a disk may do. Names of files are kept in order, and surely once their folder was synced.
"""

from __future__ import annotations

import os
import random
import struct
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

_SOURCE = Path(__file__).with_name("power_loss.c")
_HEAD = struct.Struct("<cQQII")
_SECTOR = 512


@dataclass(frozen=True)
class Change:
    """One thing that a process did: C(reate), W(rite), T(runcate), S(ync), D (sync of the folder),
    U(nlink), R(ename), L(ink), or M(ark), which it said itself."""

    kind: str
    file: int
    offset: int
    name: str
    content: bytes


def build(folder: Path) -> Path:
    """The shim that records, compiled into a folder."""
    library = folder / "power_loss.so"
    command = ["gcc", "-shared", "-fPIC", "-O1", "-o", str(library), str(_SOURCE), "-ldl", "-lpthread"]
    subprocess.run(command, check=True)
    return library


def recorded(library: Path, folder: Path, script: str, *arguments: str) -> list[Change]:
    """Run a script of Python, and give all that it did to the files of a folder.

    The script is handed `mark`, with which it says what it has finished.
    """
    log = library.with_name(f"{folder.name}.log")
    told = {"LD_PRELOAD": str(library), "POWER_FOLDER": f"{folder}", "POWER_LOG": str(log)}
    marking = "import ctypes\nmark = lambda text: ctypes.CDLL(None).mark(str(text).encode())\n"
    command = [sys.executable, "-c", marking + script, str(folder), *arguments]
    subprocess.run(command, check=True, env=os.environ | told)
    return list(_changes(log.read_bytes()))


def _changes(log: bytes) -> Iterator[Change]:
    place = 0
    while place < len(log):
        kind, file, offset, first, second = _HEAD.unpack_from(log, place)
        middle = place + _HEAD.size + first
        name, content = log[place + _HEAD.size : middle], log[middle : middle + second]
        yield Change(kind.decode(), file, offset, name.decode(), content)
        place = middle + second


@dataclass
class _Disk:
    """What is surely on the disk, and what has been asked for since."""

    files: dict[int, bytearray] = field(default_factory=dict)
    names: dict[str, int] = field(default_factory=dict)
    unsynced: dict[int, list[Change]] = field(default_factory=dict)
    unnamed: list[Change] = field(default_factory=list)

    def take(self, change: Change) -> None:
        if change.kind == "C":
            self.files[change.file] = bytearray()
            self.unsynced[change.file] = []
        if change.kind in "CURL":
            self.unnamed.append(change)
        elif change.kind in "WT":
            self.unsynced.setdefault(change.file, []).append(change)
        elif change.kind == "S":
            for write in self.unsynced.pop(change.file, []):
                self.write(write)
        elif change.kind == "D":
            self.rename(len(self.unnamed))

    def write(self, change: Change) -> None:
        content = self.files.setdefault(change.file, bytearray())
        if change.kind == "T":
            del content[change.offset :]
            content.extend(bytes(change.offset - len(content)))
        else:
            content.extend(bytes(max(0, change.offset - len(content))))
            content[change.offset : change.offset + len(change.content)] = change.content

    def rename(self, count: int) -> None:
        """Let the first changes of names come true."""
        for change in self.unnamed[:count]:
            match change.kind:
                case "C":
                    self.names[change.name] = change.file
                case "U":
                    self.names.pop(change.name, None)
                case "L" if change.name in self.names:
                    self.names[change.content.decode()] = self.names[change.name]
                case "R" if change.name in self.names:
                    self.names[change.content.decode()] = self.names.pop(change.name)
        del self.unnamed[:count]


def after(changes: list[Change], chance: random.Random) -> dict[str, bytes]:
    """The files as they may be when the power goes after some changes: content by name."""
    disk = _Disk()
    for change in changes:
        disk.take(change)
    for writes in disk.unsynced.values():
        fate = chance.choice(["dropped", "kept", "reordered", "torn"])
        for write in writes:
            if fate == "kept" or (fate != "dropped" and chance.random() < 0.5):
                if fate == "torn" and write.kind == "W":
                    for piece in _sectors(write):
                        if chance.random() < 0.5:
                            disk.write(piece)
                else:
                    disk.write(write)
    disk.rename(chance.randrange(len(disk.unnamed) + 1))
    return {name: bytes(disk.files[file]) for name, file in disk.names.items() if not name.endswith("-shm")}


def _sectors(write: Change) -> Iterator[Change]:
    for start in range(0, len(write.content), _SECTOR):
        yield Change("W", write.file, write.offset + start, "", write.content[start : start + _SECTOR])
