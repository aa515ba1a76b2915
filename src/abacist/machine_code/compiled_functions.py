"""Functions of the package that Numba compiles at their first call, unless the cache has their code.

Numba keeps its code in files, and believes whatever lies there. So its files lie in a temporary folder only
while it reads or writes them. In between they are one authenticated file of the cache, under a name that
covers all that shapes the code: the text of the function and of the modules that it inlines, and the versions
and settings of Numba. Only Numba's documented interface is used.
"""

from __future__ import annotations

import functools
import hashlib
import inspect
import io
import secrets
import shutil
import threading
import zipfile
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from functools import lru_cache
from pathlib import Path
from time import time
from types import ModuleType
from typing import Any

import llvmlite
import numba
import numpy as np

from abacist.activity import busy
from abacist.errors import BadFile, BadInput
from abacist.files import reason
from abacist.machine_code.code_cache import cache_folder, kept_if_possible, load_code, save_code
from abacist.machine_code.private_files import private_folder

#: Settings of Numba's that shape no code; what is not known to be harmless is part of the code's name.
_HARMLESS = (
    "CACHE_",
    "COLOR_SCHEME",
    "CUDA_",
    "FUNCTION_CACHE_SIZE",
    "NUMBA_DEFAULT_NUM_THREADS",
    "NUMBA_NUM_THREADS",
    "RUNNING_UNDER_PROFILER",
    "THREADING_LAYER",
)

#: Seconds after which unfinished files are left over.
_LEFT_OVER = 3600


def surroundings() -> str:
    """All that shapes compiled code besides its text: versions, and settings of Numba, such as OPT."""
    values = vars(numba.config).items()
    settings = sorted((n, repr(v)) for n, v in values if n.isupper() and not n.startswith(_HARMLESS))
    return repr((numba.__version__, llvmlite.__version__, np.__version__, settings))


def digest(parts: Iterable[bytes]) -> str:
    """The checksum of a few texts, each kept apart from the next."""
    return hashlib.sha256(b"".join(hashlib.sha256(part).digest() for part in parts)).hexdigest()


def compiled(*inlined: ModuleType, **options: Any) -> Callable[[Callable[..., Any]], CompiledFunction]:
    """A function of the package, compiled with Numba's options and kept.

    Its code depends on the text of its own module and of those that it inlines. It is called from Python
    only: what compiled code calls is compiled with it, and needs no cache.
    """

    def decorate(function: Callable[..., Any]) -> CompiledFunction:
        files = [inspect.getfile(function), *(inspect.getfile(module) for module in inlined)]
        return CompiledFunction(function, [_text(path) for path in files], options)

    return decorate


@lru_cache(maxsize=64)
def _text(path: str) -> bytes:
    return Path(path).read_bytes()


class CompiledFunction:
    """A function that Numba compiles for the types of its arguments."""

    def __init__(self, function: Callable[..., Any], texts: Iterable[bytes], options: dict[str, Any]) -> None:
        functools.update_wrapper(self, function)
        self._title = function.__name__
        self.plain, self._options = function, options
        self._text = digest([*texts, repr(sorted(options.items())).encode()])
        self._lock, self._kinds = threading.RLock(), set[Any]()
        self._dispatcher: Any = None
        self._folder: Path | None = None

    def __call__(self, *arguments: Any) -> Any:
        kinds = tuple(map(_kind, arguments))
        if kinds in self._kinds:
            return self._dispatcher(*arguments)
        with self._lock, busy(f"compiling {self._title}"):
            result = self._first_call(arguments)
            self._kinds.add(kinds)
            return result

    def _first_call(self, arguments: tuple[Any, ...]) -> Any:
        """A call with arguments of types that are new in this process: Numba loads code, or compiles it."""
        settings: Any = numba.config
        if settings.DISABLE_JIT:
            raise BadInput("NUMBA_DISABLE_JIT must not be set: without its compiler Abacist computes nothing")
        results: list[Any] = []
        with kept_if_possible():
            results.append(self._with_files(arguments))
        if not results:
            self._dispatcher = numba.njit(**self._options)(self.plain)
            results.append(self._dispatcher(*arguments))
        return results[0]

    def _with_files(self, arguments: tuple[Any, ...]) -> Any:
        """A call during which Numba's files are there."""
        try:
            kept = self._restore()
            result = self._dispatcher(*arguments)
            self._keep(kept)
            return result
        except OSError as error:
            raise BadFile(f"{self._folder}: cannot be written, {reason(error)}") from None
        finally:
            self._remove()

    @property
    def _name(self) -> str:
        return f"{self._title}_{digest([self._text.encode(), surroundings().encode()])[:32]}"

    def _restore(self) -> bytes | None:
        """Lay out Numba's files in a folder that only this user can change; their archive."""
        kept = load_code(self._name)
        folder = private_folder(cache_folder())
        for path in folder.glob(f".{self._title}_*"):  # of processes that were killed
            with suppress(OSError):  # a process that goes on removes its own folder
                if time() - path.lstat().st_mtime > _LEFT_OVER:
                    shutil.rmtree(path, ignore_errors=True)
        if self._folder is None:
            self._folder = folder / f".{self._name}.{secrets.token_hex(8)}"
            with _numba_s_folder(self._folder):
                self._dispatcher = numba.njit(cache=True, **self._options)(self.plain)
        if kept is not None:
            with zipfile.ZipFile(io.BytesIO(kept)) as files:
                files.extractall(self._folder)
        return kept

    def _keep(self, kept: bytes | None) -> None:
        """Keep Numba's files, if there are new ones."""
        folder, archive = self._folder, io.BytesIO()
        if folder is None:
            return
        with zipfile.ZipFile(archive, "w") as files:
            for path in sorted(folder.rglob("*")):
                if path.is_file():
                    files.writestr(zipfile.ZipInfo(path.relative_to(folder).as_posix()), path.read_bytes())
        if archive.getvalue() != kept:
            save_code(self._name, archive.getvalue())

    def _remove(self) -> None:
        if self._folder is not None:
            shutil.rmtree(self._folder, ignore_errors=True)


def _kind(argument: Any) -> Any:
    """The type of an argument, as far as Numba distinguishes it."""
    if isinstance(argument, np.ndarray):
        return argument.dtype, argument.ndim, argument.flags.num
    if isinstance(argument, tuple):
        return tuple(map(_kind, argument))
    return type(argument)


@contextmanager
def _numba_s_folder(folder: Path) -> Iterator[None]:
    """Let Numba choose this folder for the files of a function that is decorated meanwhile."""
    settings: Any = numba.config
    before, settings.CACHE_DIR = settings.CACHE_DIR, str(folder)
    try:
        yield
    finally:
        settings.CACHE_DIR = before
