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
import os
import re
import tempfile
import threading
import zipfile
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from types import ModuleType
from typing import Any

import llvmlite
import numba
import numpy as np

from abacist.errors import BadFile, BadInput
from abacist.files import reason
from abacist.machine_code.code_cache import kept_if_possible, load_code, save_code
from abacist.machine_code.private_files import private_folder
from abacist.progress import busy
from abacist.threads import interruptibly

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


def check_features(features: str) -> None:
    """Refuse what LLVM does not read as features of a processor: it would end the process.

    >>> check_features("+avx2,-sse4a")
    """
    if not re.fullmatch(r"([+-][\w.-]+(,[+-][\w.-]+)*)?", features):
        raise BadInput(f"NUMBA_CPU_FEATURES must be features such as +avx2,-sse4a, got {features!r}")


# Numba reads them when the first function is decorated.
check_features(getattr(numba.config, "CPU_FEATURES", None) or "")


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
        return CompiledFunction(function, [Path(path).read_bytes() for path in files], options)

    return decorate


class CompiledFunction:
    """A function that Numba compiles for the types of its arguments."""

    def __init__(self, function: Callable[..., Any], texts: Iterable[bytes], options: dict[str, Any]) -> None:
        functools.update_wrapper(self, function)
        self._title = function.__name__
        self.plain, self._options = function, options
        self._text = digest([*texts, repr(sorted(options.items())).encode()])
        self._lock = threading.Lock()
        #: Numba's function for each combination of types.
        self._dispatchers: dict[Any, Any] = {}

    def __call__(self, *arguments: Any) -> Any:
        kinds = tuple(map(_kind, arguments))
        dispatcher = self._dispatchers.get(kinds)
        if dispatcher is not None:
            return dispatcher(*arguments)
        # Numba calls back into Python while it compiles: a Ctrl-C that is raised there would be lost.
        return interruptibly(self._first_call, kinds, arguments)

    def _first_call(self, kinds: Any, arguments: tuple[Any, ...]) -> Any:
        """A call with arguments of types that are new in this process: Numba loads code, or compiles it."""
        settings: Any = numba.config
        if settings.DISABLE_JIT:
            raise BadInput("NUMBA_DISABLE_JIT must not be set: without its compiler Abacist computes nothing")
        with self._lock, busy(f"compiling {self._title}"):
            results: list[Any] = []
            with kept_if_possible(), _temporary_folder() as folder:
                kept = load_code(self._name)
                dispatcher = self._cached_dispatcher(folder)
                place = Path(dispatcher.stats.cache_path)
                if kept is not None:
                    _unpack(kept, place)
                results.append(dispatcher(*arguments))
                self._dispatchers[kinds] = dispatcher
                if (archive := _packed(place)) != kept:
                    save_code(self._name, archive)
            if not results:
                dispatcher = numba.njit(**self._options)(self.plain)
                results.append(dispatcher(*arguments))
                self._dispatchers[kinds] = dispatcher
            return results[0]

    @property
    def _name(self) -> str:
        return f"{self._title}_{digest([self._text.encode(), surroundings().encode()])[:32]}"

    def _cached_dispatcher(self, folder: Path) -> Any:
        """Numba's function, with its files in a folder.

        Numba makes folders there with the rights that the umask leaves, and takes another place for its files
        where these do not suffice. The second time, the folders are there, with all rights.
        """
        settings: Any = numba.config
        before, settings.CACHE_DIR = settings.CACHE_DIR, str(folder)
        try:
            for _ in range(2):
                dispatcher = None
                with suppress(RuntimeError):  # "no locator available"
                    dispatcher = numba.njit(cache=True, **self._options)(self.plain)
                for place in folder.iterdir():
                    place.chmod(0o700)
                if dispatcher and Path(dispatcher.stats.cache_path).is_relative_to(folder):
                    return dispatcher
        finally:
            settings.CACHE_DIR = before
        raise BadFile(f"{folder}: Numba cannot keep files there")


def _unpack(archive: bytes, folder: Path) -> None:
    """Lay out Numba's files where it looks for them."""
    with zipfile.ZipFile(io.BytesIO(archive)) as files:
        for name in files.namelist():
            path = folder / Path(name).name
            path.write_bytes(files.read(name))
            path.chmod(0o600)  # whatever the umask takes away


def _packed(folder: Path) -> bytes:
    """An archive of Numba's files."""
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w") as files:
        for path in sorted(folder.iterdir()):
            path.chmod(0o600)
            files.writestr(zipfile.ZipInfo(f"{folder.name}/{path.name}"), path.read_bytes())
    return archive.getvalue()


@contextmanager
def _temporary_folder() -> Iterator[Path]:
    """A folder that only this user can change, for a moment: the cache itself may be read-only."""
    try:
        with tempfile.TemporaryDirectory(prefix="abacist-", ignore_cleanup_errors=True) as place:
            os.chmod(place, 0o700)  # whatever the umask takes away
            yield private_folder(Path(place))
    except OSError as error:
        where = error.filename or "a temporary folder"
        raise BadFile(f"{where}: cannot be written, {reason(error)}") from None


def _kind(argument: Any) -> Any:
    """The type of an argument, as far as Numba distinguishes it."""
    if isinstance(argument, np.ndarray):
        return argument.dtype, argument.ndim, argument.flags.num
    if isinstance(argument, tuple):
        return tuple(map(_kind, argument))
    return type(argument)
