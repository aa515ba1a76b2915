"""Printed programs as files, compiled once and for all processes.

A program lies in the user's cache folder under a name made of its content, of everything
that its meaning depends on (the vector type's source, the versions of Numba, LLVM and
Python, the processor), so that Numba's own cache can be trusted to fit. What Numba wrote
is used only while its checksums are those that were noted when it was written.
"""

from __future__ import annotations

import hashlib
import importlib.util
import json
import os
import sys
from collections.abc import Callable, Sequence
from functools import lru_cache
from pathlib import Path
from threading import RLock
from typing import Any

import llvmlite
import numba
import platformdirs

from abacist.cells import Layout
from abacist.errors import BadFile
from abacist.files import reason, write_whole
from abacist.targets.numba.lanes import processor

_lock = RLock()


def cache_folder() -> Path:
    """Where programs are kept: ABACIST_CACHE, or the user's cache folder."""
    if chosen := os.environ.get("ABACIST_CACHE"):
        return Path(chosen) / "programs"
    return platformdirs.user_cache_path("abacist") / "programs"


@lru_cache(maxsize=1)
def _surroundings() -> str:
    """What shapes the compiled program besides its text."""
    folder, (cpu, features) = Path(__file__).parent, processor()
    sources = b"".join((folder / name).read_bytes() for name in _VECTOR_SOURCES)
    parts = (
        hashlib.sha256(sources).hexdigest()[:16],
        f"numba {numba.__version__}",
        f"llvmlite {llvmlite.__version__}",
        f"python {sys.version_info.major}.{sys.version_info.minor}",
        cpu,
        hashlib.sha256(features.encode()).hexdigest()[:16],
    )
    return ", ".join(parts)


_VECTOR_SOURCES = (
    "widths.py",
    "lanes.py",
    "lane_functions.py",
    "lane_memory.py",
    "wide_vectors.py",
    "programs.py",
)


class Program:
    """A printed program: its text, its file, and its compiled function."""

    def __init__(self, text: str) -> None:
        self.text = f"{text}\n# Made for {_surroundings()}.\n"
        function = text.partition("\ndef ")[2].partition("(")[0]
        self.function = function
        digest = hashlib.sha256(self.text.encode()).hexdigest()[:20]
        self.path = cache_folder() / f"{function}_{digest}.py"

    def load(self) -> Callable[..., Any]:
        """The compiled function; it is compiled at its first call, or taken from the cache."""
        with _lock:
            self._write()
            self._distrust()
            name = f"abacist_program_{self.path.stem}"
            spec = importlib.util.spec_from_file_location(name, self.path)
            assert spec is not None
            assert spec.loader is not None
            module = importlib.util.module_from_spec(spec)
            sys.modules[name] = module  # Numba's cache looks it up there
            spec.loader.exec_module(module)
            function: Callable[..., Any] = getattr(module, self.function)
        return function

    def _write(self) -> None:
        """Write the file unless it is there with just this text."""
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise BadFile(f"{self.path.parent}: programs cannot be kept there, {reason(error)}") from None
        if not (self.path.is_file() and self.path.read_bytes() == self.text.encode()):
            write_whole(self.path, self.text.encode())

    def _compiled(self) -> list[Path]:
        return sorted(self.path.parent.glob(f"__pycache__/{self.path.stem}.*.nb[ic]"))

    def _checksums(self) -> dict[str, str]:
        return {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in self._compiled()}

    @property
    def _note(self) -> Path:
        return self.path.with_suffix(".sha256")

    def _distrust(self) -> None:
        """Remove what Numba left unless it is just what was noted."""
        try:
            noted = json.loads(self._note.read_text())
        except (OSError, ValueError):
            noted = None
        if noted != self._checksums():
            self.forget()

    def forget(self) -> None:
        """Remove what Numba left."""
        for path in self._compiled():
            path.unlink(missing_ok=True)

    def note(self) -> None:
        """Note the checksums of what Numba wrote, once the function has been compiled."""
        with _lock:
            write_whole(self._note, (json.dumps(self._checksums()) + "\n").encode())


class Kernel:
    """A compiled function, called with its arguments by name; it notes its cache after the first call."""

    def __init__(self, program: Program, arguments: Sequence[str]) -> None:
        self._program, self._arguments = program, tuple(arguments)
        self._function = program.load()
        self._noted = False

    def __call__(self, **values: Any) -> Any:
        arguments = [values[name] for name in self._arguments]
        if self._noted:
            return self._function(*arguments)
        with _lock:  # one thread compiles, the others wait for it
            try:
                result = self._function(*arguments)
            except Exception:  # only loading or compiling can fail, before the kernel has begun
                self._program.forget()
                self._function = self._program.load()
                result = self._function(*arguments)
            if not self._noted:
                self._program.note()
                self._noted = True
        return result


@lru_cache(maxsize=64)
def kernel(
    printer: Callable[..., str], arguments: tuple[str, ...], layout: Layout, precision: str, *options: Any
) -> Kernel:
    """The kernel that a printer makes for a layout."""
    return Kernel(Program(printer(layout, precision, *options)), arguments)
