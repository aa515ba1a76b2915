"""NVIDIA's compiler as a library, NVRTC: from CUDA C to what a device can load. It needs no device itself."""

from __future__ import annotations

import ctypes
from ctypes import byref, c_char_p, c_int, c_size_t, c_void_p
from functools import cache
from importlib.util import find_spec
from pathlib import Path

from abacist.errors import BadInput

#: Where the library is looked for: in NVIDIA's packages, then where the toolkit usually is.
_PACKAGES = ("nvidia.cu13", "nvidia.cuda_nvrtc")
_FOLDERS = ("/usr/local/cuda/lib64", "/usr/local/cuda/targets/x86_64-linux/lib")

_HOW = "pip install '.[cuda]' in Abacist's folder brings it"


@cache
def _library() -> ctypes.CDLL:
    for path in (*_candidates(), "libnvrtc.so.13", "libnvrtc.so.12", "libnvrtc.so"):
        try:
            return ctypes.CDLL(str(path))
        except OSError:
            continue
    raise BadInput(f"CUDA: the compiler library NVRTC is not installed; {_HOW}")


def _candidates() -> list[Path]:
    folders = [Path(folder) for folder in _FOLDERS]
    for package in _PACKAGES:
        try:
            spec = find_spec(package)
        except ModuleNotFoundError:
            continue
        places = [] if spec is None else list(spec.submodule_search_locations or ())
        folders = [*(Path(place) / "lib" for place in places), *folders]
    return [path for folder in folders for path in sorted(folder.glob("libnvrtc.so*"))]


def compiler_version() -> str:
    """The version of NVRTC."""
    major, minor = c_int(), c_int()
    _library().nvrtcVersion(byref(major), byref(minor))
    return f"{major.value}.{minor.value}"


def compile_for(source: str, architecture: str) -> bytes:
    """A program for an architecture: machine code for `sm_90`, for `compute_90` PTX, for later ones, too."""
    library, program = _library(), c_void_p()
    code = library.nvrtcCreateProgram(byref(program), source.encode(), b"program.cu", 0, None, None)
    _refuse(code, "")
    try:
        options = [f"--gpu-architecture={architecture}", "--std=c++17", "-default-device"]
        given = (c_char_p * len(options))(*(option.encode() for option in options))
        if code := library.nvrtcCompileProgram(program, len(options), given):
            _refuse(code, _bytes(program, "ProgramLog").rstrip(b"\0").decode(errors="replace"))
        kind = "CUBIN" if architecture.startswith("sm_") else "PTX"
        return _bytes(program, kind)
    finally:
        library.nvrtcDestroyProgram(byref(program))


def _refuse(code: int, log: str) -> None:
    if code:
        first = next((line for line in log.splitlines() if "error" in line), log[:200])
        raise BadInput(f"CUDA: a program could not be compiled (NVRTC error {code}): {first}")


def _bytes(program: c_void_p, what: str) -> bytes:
    library, size = _library(), c_size_t()
    getattr(library, f"nvrtcGet{what}Size")(program, byref(size))
    buffer = ctypes.create_string_buffer(size.value)
    getattr(library, f"nvrtcGet{what}")(program, buffer)
    return buffer.raw
