"""Printed CUDA programs run without a device: as C++, the threads of a block by turns."""

from __future__ import annotations

import ctypes
import hashlib
import re
import subprocess
import tempfile
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from abacist.targets.cuda.emitter import functions
from tests.requirements import program

HEADER = Path(__file__).parent / "emulated.hpp"

#: How arguments are handed over, by the last word of their type.
_KINDS = {"int": ctypes.c_int, "double": ctypes.c_double}


@cache
def _folder() -> Path:
    return Path(tempfile.mkdtemp(prefix="abacist-emulated-"))


@cache
def _library(source: str, name: str) -> tuple[Any, tuple[str, ...]]:
    """A program as a library, and the types and names of its arguments."""
    plain = functions("float64").replace("double", "float", 1)
    source = source.replace(functions("float32"), plain)  # the hardware's are not here
    found = re.search(rf"\b{name}\((.*?)\) {{", source)
    assert found is not None
    arguments = tuple(part.strip() for part in found[1].split(","))
    parts = [_parts(argument) for argument in arguments]
    given = ", ".join(f"{kind} own_{own}" for kind, own in parts)
    keep = " ".join(f"{own}_ = own_{own};" for _, own in parts)
    text = "\n".join(
        (
            f'#include "{HEADER}"',
            source,
            *(f"static {kind} {own}_;" for kind, own in parts),
            f"static void all() {{ {name}({', '.join(f'{own}_' for _, own in parts)}); }}",
            f'extern "C" int launch({given}, int columns, int rows, int block) {{',
            f"  {keep} return run(all, columns, rows, block);",
            "}",
        )
    )
    stem = _folder() / hashlib.sha256(text.encode()).hexdigest()[:16]
    stem.with_suffix(".cpp").write_text(text)
    command = [program("g++"), "-std=c++17", "-O0", "-shared", "-fPIC", "-w", "-o"]
    subprocess.run([*command, f"{stem}.so", f"{stem}.cpp"], check=True)
    return ctypes.CDLL(f"{stem}.so"), arguments


def _parts(argument: str) -> tuple[str, str]:
    """The type of an argument, which may be changed, and its name."""
    plain = argument.replace("__restrict__", "").removeprefix("const ")
    name = re.findall(r"\w+", plain)[-1]
    return plain[: -len(name)].strip(), name


def emulate(source: str, name: str, grid: tuple[int, int], block: int, *given: Any) -> None:
    """Run a program: arrays are changed in place."""
    library, arguments = _library(source, name)
    values: list[Any] = []
    for argument, value in zip(arguments, given, strict=True):
        if isinstance(value, np.ndarray):
            values.append(ctypes.c_void_p(value.ctypes.data))
        else:
            values.append(_KINDS[argument.split()[0]](value))
    assert library.launch(*values, *grid, block) == 0, "threads of a warp have not met equally often"
