"""The CUDA driver through its C interface: a device, its memory, programs that run on it."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Sequence
from ctypes import byref, c_char_p, c_float, c_int, c_size_t, c_uint64, c_void_p
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from abacist.errors import BadInput
from abacist.targets.cuda.nvrtc import compile_for

Array = NDArray[Any]

#: Numbers of the driver's interface: attributes of a device, and of a function.
_MULTIPROCESSORS, _CACHE, _MAJOR, _MINOR, _SHARED = 16, 38, 75, 76, 81
_MOST_SHARED = 8

#: The same of a pool of memory: what is kept of it when nobody uses it, what it has, and what is used.
_KEPT, _RESERVED, _USED = 4, 5, 7


@cache
def _library() -> ctypes.CDLL:
    for name in ("libcuda.so.1", "libcuda.so", "nvcuda.dll"):
        try:
            return ctypes.CDLL(name)
        except OSError:
            continue
    raise BadInput("CUDA: there is no NVIDIA driver here, so no device either")


def _call(name: str, *arguments: Any) -> None:
    """Call the driver; one sentence where it refuses."""
    library = _library()
    if code := getattr(library, name)(*arguments):
        text = c_char_p()
        library.cuGetErrorString(code, byref(text))
        reason = (text.value or b"unknown error").decode()
        raise BadInput(f"CUDA: {reason} ({name}, error {code})")


class Buffer:
    """Memory of the device, given back when it is no longer used.

    It is taken and given back in the order of what the device is told to do, so that nobody waits for it.
    """

    def __init__(self, size: int) -> None:
        self.size, self.address = size, c_void_p()
        _call("cuMemAllocAsync", byref(self.address), c_size_t(max(size, 1)), None)

    @classmethod
    def of(cls, array: Array) -> Buffer:
        """A copy of an array."""
        buffer = cls(array.nbytes)
        buffer.fill(array)
        return buffer

    @classmethod
    def zeros(cls, size: int) -> Buffer:
        buffer = cls(size)
        _call("cuMemsetD8_v2", buffer.address, ctypes.c_ubyte(0), c_size_t(size))
        return buffer

    def fill(self, array: Array) -> None:
        whole = np.ascontiguousarray(array)
        if whole.nbytes:
            _call("cuMemcpyHtoD_v2", self.address, c_void_p(whole.ctypes.data), c_size_t(whole.nbytes))

    def read(self, shape: tuple[int, ...], kind: Any) -> Array:
        array = np.empty(shape, kind)
        if array.nbytes:
            _call("cuMemcpyDtoH_v2", c_void_p(array.ctypes.data), self.address, c_size_t(array.nbytes))
        return array

    def __del__(self) -> None:
        if self.address and _library is not None:
            _library().cuMemFreeAsync(self.address, None)
            self.address = c_void_p()


class Kernel:
    """A function of a program that is on the device."""

    def __init__(self, image: bytes, name: str, shared: int = 0) -> None:
        self._module, self._function = c_void_p(), c_void_p()
        _call("cuModuleLoadData", byref(self._module), image)
        _call("cuModuleGetFunction", byref(self._function), self._module, name.encode())
        self._shared = shared
        if shared > 48 << 10:
            _call("cuFuncSetAttribute", self._function, _MOST_SHARED, shared)

    def __call__(self, grid: int | tuple[int, int], block: int, arguments: Sequence[Any]) -> None:
        values = [a.address if isinstance(a, Buffer) else a for a in arguments]
        pointers = (c_void_p * len(values))(*(ctypes.cast(byref(v), c_void_p) for v in values))
        columns, rows = grid if isinstance(grid, tuple) else (grid, 1)
        shape = columns, rows, 1, block, 1, 1
        _call("cuLaunchKernel", self._function, *shape, self._shared, None, pointers, None)


@dataclass(frozen=True)
class Limits:
    """What a device has: multiprocessors, bytes of shared memory of each, and bytes of its second cache."""

    multiprocessors: int
    shared: int
    cache: int


class Device:
    """The first CUDA device."""

    def __init__(self) -> None:
        _call("cuInit", 0)
        self._number, context = c_int(), c_void_p()
        _call("cuDeviceGet", byref(self._number), 0)
        _call("cuDevicePrimaryCtxRetain", byref(context), self._number)
        self._context = context
        self.use()
        name = ctypes.create_string_buffer(200)
        _call("cuDeviceGetName", name, 200, self._number)
        self.name = name.value.decode()
        self.architecture = f"sm_{self._attribute(_MAJOR)}{self._attribute(_MINOR)}"
        self.limits = Limits(*map(self._attribute, (_MULTIPROCESSORS, _SHARED, _CACHE)))
        self._pool = c_void_p()
        _call("cuDeviceGetDefaultMemPool", byref(self._pool), self._number)
        _call("cuMemPoolSetAttribute", self._pool, _KEPT, byref(c_uint64(2**64 - 1)))

    def use(self) -> None:
        """Make it the device of this thread."""
        _call("cuCtxSetCurrent", self._context)

    def _attribute(self, number: int) -> int:
        value = c_int()
        _call("cuDeviceGetAttribute", byref(value), number, self._number)
        return value.value

    @property
    def free(self) -> int:
        """Bytes of memory that nobody has, or that this process only keeps for later."""
        free, total = c_size_t(), c_size_t()
        _call("cuMemGetInfo_v2", byref(free), byref(total))
        return free.value + self._of_pool(_RESERVED) - self._of_pool(_USED)

    def _of_pool(self, number: int) -> int:
        value = c_uint64()
        _call("cuMemPoolGetAttribute", self._pool, number, byref(value))
        return value.value

    @property
    def driver(self) -> str:
        version = c_int()
        _call("cuDriverGetVersion", byref(version))
        return f"{version.value // 1000}.{version.value % 1000 // 10}"


def seconds_of(job: Callable[[], object]) -> float:
    """The device's own time for a job; what it gives is kept until the clock has stopped."""
    begun, ended, elapsed = c_void_p(), c_void_p(), c_float()
    for event in (begun, ended):
        _call("cuEventCreate", byref(event), 0)
    _call("cuEventRecord", begun, None)
    _kept = job()
    _call("cuEventRecord", ended, None)
    _call("cuEventSynchronize", ended)
    _call("cuEventElapsedTime", byref(elapsed), begun, ended)
    return elapsed.value / 1000


_device = cache(Device)


def device() -> Device:
    """The device that there is, as that of this thread; one sentence where there is none."""
    current = _device()
    current.use()
    return current


@lru_cache(maxsize=64)
def kernel(source: str, name: str, shared: int = 0) -> Kernel:
    """A function of a program in CUDA C, compiled for the device; `shared` is its shared memory in bytes."""
    return Kernel(compile_for(source, device().architecture), name, shared)
