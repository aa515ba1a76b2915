"""Compiled functions: Numba compiles them at their first call, unless the cache has the code.

The code is kept under a name that covers all that shapes it: the text of the function and of what
it inlines, the types of its arguments, the versions of Numba, LLVM, NumPy and Python, the processor, and
Numba's settings, such as NUMBA_OPT.
While one thread compiles or loads a function, Numba lets the others wait. The main thread compiles nothing
itself, so that Ctrl-C interrupts it at once; what was begun is finished behind its back, and kept.
"""

from __future__ import annotations

import hashlib
import inspect
import pickle
import sys
from collections.abc import Callable, Iterable
from functools import lru_cache, partial
from pathlib import Path
from types import ModuleType
from typing import Any

import llvmlite
import numba
import numpy
from numba.core.compiler import CompileResult
from numba.core.compiler_lock import global_compiler_lock
from numba.core.registry import cpu_target
from numba.core.serialize import dumps
from numba.extending import is_jitted

from abacist.activity import busy
from abacist.errors import BadInput
from abacist.machine_code.code_cache import load_code, save_code
from abacist.threads import interruptibly


def processor() -> tuple[str, str]:
    """The processor that Numba compiles for, and its features, such as +avx512f."""
    _, name, features = cpu_target.target_context.codegen().magic_tuple()
    return name, features


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


def _settings() -> str:
    """The settings of Numba's that shape code, such as OPT, BOUNDSCHECK and SLP_VECTORIZE."""
    values = vars(numba.config).items()
    return repr(sorted((n, repr(v)) for n, v in values if n.isupper() and not n.startswith(_HARMLESS)))


def surroundings() -> str:
    """What shapes compiled code besides its text."""
    cpu, features = processor()
    parts = (
        f"numba {numba.__version__}",
        f"llvmlite {llvmlite.__version__}",
        f"numpy {numpy.__version__}",
        f"python {sys.version_info.major}.{sys.version_info.minor}",
        cpu,
        digest([features.encode(), _settings().encode()])[:16],
    )
    return ", ".join(parts)


def digest(parts: Iterable[bytes]) -> str:
    """The checksum of a few texts, each kept apart from the next."""
    return hashlib.sha256(b"".join(hashlib.sha256(part).digest() for part in parts)).hexdigest()


def compiled(*inlined: ModuleType, **options: Any) -> Callable[[Callable[..., Any]], Any]:
    """A function of the package, compiled with Numba's options and kept.

    Its code depends on the text of its own module and of those that it inlines. It is called from Python
    only: what compiled code calls is compiled with it, and needs no cache.
    """

    def decorate(function: Callable[..., Any]) -> Any:
        files = [inspect.getfile(function), *(inspect.getfile(module) for module in inlined)]
        texts = [*(_text(path) for path in files), repr(sorted(options.items())).encode()]
        return keep(numba.njit(**options)(function), texts)

    return decorate


def keep(function: Any, texts: Iterable[bytes], title: str = "") -> Any:
    """Let a function of Numba's take its code from the cache, and put it there; `title` says what it is."""
    settings: Any = numba.config
    if settings.DISABLE_JIT:
        raise BadInput("NUMBA_DISABLE_JIT must not be set: without its compiler Abacist computes nothing")
    dispatcher: Any = function
    dispatcher._cache = _KeptCode(dispatcher.__name__, digest(texts))
    if is_jitted(function):
        dispatcher.compile = partial(_compile, dispatcher.compile, title or dispatcher.__name__)
    return dispatcher


def _compile(compile_now: Callable[[Any], Any], title: str, types: Any) -> Any:
    """Compile a function for arguments of some types, or load its code."""
    lock: Any = global_compiler_lock
    if lock.is_locked():  # by this thread, which no other could wait for
        return compile_now(types)
    with busy(f"compiling {title}"):
        return interruptibly(compile_now, types)


@lru_cache(maxsize=64)
def _text(path: str) -> bytes:
    return Path(path).read_bytes()


class _KeptCode:
    """What Numba asks for the code of a function, and gives it to: its own caches have these methods, too."""

    cache_path = None

    def __init__(self, function: str, text: str) -> None:
        self._function, self._text = function, text

    def _name(self, types: Any) -> str:
        whole = digest([self._text.encode(), surroundings().encode(), repr(types).encode()])
        return f"{self._function}_{whole[:32]}"

    def load_overload(self, types: Any, context: Any) -> Any:
        """The code for arguments of some types, None if it must be compiled."""
        context.refresh()
        content = load_code(self._name(types))
        if content is None:
            return None
        try:
            return CompileResult._rebuild(context, *pickle.loads(content))  # type: ignore[no-untyped-call]
        except Exception:  # written by us, bit for bit, yet of a Numba that is not quite this one
            return None

    def save_overload(self, types: Any, result: Any) -> None:
        """Keep what was compiled for arguments of some types."""
        if not result.library.has_dynamic_globals:  # else it has addresses of this process
            save_code(self._name(types), dumps(result._reduce()))  # type: ignore[no-untyped-call]

    def flush(self) -> None:
        """Numba asks for this before it compiles again; what it then saves takes the old one's place."""
