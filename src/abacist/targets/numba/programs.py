"""Printed programs: their texts lie in the cache folder for people to read, their code is kept there.

What runs is compiled from the text in memory. The file beside it is never read as a program, and
Python's byte code is not kept at all: it would be trusted by its date and size.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from functools import lru_cache
from pathlib import Path
from types import ModuleType
from typing import Any

from numba.core.compiler_lock import global_compiler_lock
from numba.extending import is_jitted

from abacist.cells import Layout
from abacist.machine_code import code_cache
from abacist.machine_code.compiled_functions import digest, keep, surroundings
from abacist.targets.numba.translation import translated

_VECTOR_SOURCES = (
    "widths.py",
    "lanes.py",
    "lane_functions.py",
    "exponentials.py",
    "bound_functions.py",
    "lane_memory.py",
    "lane_sums.py",
    "judging_vectors.py",
    "stepping_vectors.py",
    "name_scopes.py",
    "optimisation.py",
    "translation.py",
    "../powers.py",
)


def cache_folder() -> Path:
    """Where the texts of programs lie."""
    return code_cache.cache_folder() / "programs"


@lru_cache(maxsize=1)
def _vectors() -> str:
    """The checksum of the vector type, which every program inlines."""
    return digest((Path(__file__).parent / name).read_bytes() for name in _VECTOR_SOURCES)


class Program:
    """A printed program: its text, its file, and its compiled function."""

    def __init__(self, text: str) -> None:
        self.text = f"{text}\n# Made for vectors {_vectors()[:16]}, {surroundings()}.\n"
        self.title = text.partition("Abacist: ")[2].partition('."')[0]
        self.function = text.partition("\ndef ")[2].partition("(")[0]
        self.path = cache_folder() / f"{self.function}_{digest([self.text.encode()])[:20]}.py"

    def load(self) -> Callable[..., Any]:
        """The function; at its first call it is compiled, or its code is taken from the cache."""
        code_cache.keep_text(self.path, self.text)
        module = ModuleType(f"abacist_program_{self.path.stem}")
        module.__file__ = str(self.path)
        sys.modules[module.__name__] = module  # compiled code names the module that it belongs to
        exec(compile(self.text, self.path, "exec"), module.__dict__)
        function: Callable[..., Any] = getattr(module, self.function)
        if is_jitted(function):
            function = translated(module, self.text, self.function)
        kept: Callable[..., Any] = keep(function, [self.text.encode()], self.title)
        return kept


class Kernel:
    """A compiled function, called with its arguments by name.

    `function` itself takes them in order: where it is called often, names would take longer than the call.
    """

    def __init__(self, program: Program, arguments: Sequence[str]) -> None:
        self.function, self._arguments = program.load(), tuple(arguments)

    def __call__(self, **values: Any) -> Any:
        return self.function(*map(values.__getitem__, self._arguments))


def kernel(
    printer: Callable[..., str], arguments: tuple[str, ...], layout: Layout, precision: str, *options: Any
) -> Kernel:
    """The kernel that a printer makes for a layout, the same one for all threads."""
    with global_compiler_lock:
        return _kernel(printer, arguments, layout, precision, *options)


@lru_cache(maxsize=64)
def _kernel(
    printer: Callable[..., str], arguments: tuple[str, ...], layout: Layout, precision: str, *options: Any
) -> Kernel:
    return Kernel(Program(printer(layout, precision, *options)), arguments)
