"""Machine code: LLVM's IR, compiled for this processor, kept as object files, and called by pointer.

An object file is named by its IR, LLVM's version and the processor. The IR lies beside it for people: nothing
reads it.
"""

from __future__ import annotations

import ctypes
import hashlib
import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import count
from typing import Any

import llvmlite.binding as llvm
import numpy as np

from abacist.compiler.statements import Statement
from abacist.machine_code.code_cache import keep_text, load_code, save_code
from abacist.progress import busy
from abacist.threads import interruptibly

_TYPES: dict[str, Any] = {"whole": ctypes.c_int64, "real": ctypes.c_double}
_ELEMENTS = {"bytes": np.dtype(np.uint8), "integers": np.dtype(np.int64)}
_numbers = count()
_lock = threading.RLock()


@cache
def processor() -> tuple[str, str]:
    """The processor's name, and its features, such as +avx512f."""
    return llvm.get_host_cpu_name(), llvm.get_host_cpu_features().flatten()


@cache
def _machine() -> Any:
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    name, features = processor()
    target = llvm.Target.from_triple(llvm.get_process_triple())
    return target.create_target_machine(cpu=name, features=features, opt=3, reloc="pic", codemodel="small")


@cache
def _linker() -> Any:
    return llvm.create_lljit_compiler(_machine(), use_jit_link=True)


def object_code(ir: str) -> bytes:
    """IR, compiled. It is optimised once, and without a search for vectors: they are there already."""
    module = llvm.parse_assembly(ir)
    module.triple, module.data_layout = _machine().triple, str(_machine().target_data)
    options = llvm.create_pipeline_tuning_options(speed_level=3)
    options.loop_vectorization = options.slp_vectorization = False
    passes = llvm.create_pass_builder(_machine(), options)
    passes.getModulePassManager().run(module, passes)
    return bytes(_machine().emit_object(module))


@dataclass(frozen=True)
class Source:
    """The IR of a program, its title for people, its arguments' kinds by name, its plan and its statements.

    Equal layouts may have formulas with other names, and then plans with other places of named values.
    """

    title: str
    function: str
    precision: str
    arguments: Mapping[str, str]
    ir: str
    plan: Any = None
    statements: Mapping[str, Sequence[Statement]] = field(default_factory=dict)


class Function:
    """A compiled function; it is called with its arguments by name, without the interpreter lock.

    `pointer` takes plain numbers in order, of arrays their addresses: where a function is called often, names
    would take longer than the call.
    """

    def __init__(self, source: Source) -> None:
        self.plan, name = source.plan, source.function
        version = ".".join(map(str, llvm.llvm_version_info))
        made_for = f"; {source.title}\n; LLVM {version}, {', '.join(processor())}\n"
        key = f"{name}_{hashlib.sha256((made_for + source.ir).encode()).hexdigest()[:32]}"
        keep_text(f"{key}.ll", made_for + source.ir)
        with busy(f"compiling {source.title}"):
            self._library = interruptibly(_loaded, key, name, source.ir)
        kinds = [_TYPES.get(kind, ctypes.c_void_p) for kind in source.arguments.values()]
        self.pointer = ctypes.CFUNCTYPE(ctypes.c_int64, *kinds)(self._library[name])
        elements = _ELEMENTS | {"numbers": np.dtype(source.precision)}
        self._arguments = [(own, elements.get(kind)) for own, kind in source.arguments.items()]

    def __call__(self, **values: Any) -> int:
        given = (
            values[name] if element is None else address(values[name], element)
            for name, element in self._arguments
        )
        return int(self.pointer(*given))


def address(array: Any, element: Any) -> int:
    """Where the numbers of an array begin; it must be whole, and of the element's type."""
    if array.dtype != element or not array.flags.c_contiguous:
        raise TypeError(f"a program takes whole arrays of {element}, got {array.dtype}")
    return int(array.ctypes.data)


def _loaded(key: str, name: str, ir: str) -> Any:
    """The library of a function: from the cache, or compiled."""
    with _lock:
        code = load_code(key)
        if code is None:
            code = object_code(ir)
            save_code(key, code)
        builder = llvm.JITLibraryBuilder().add_object_img(code).add_current_process().export_symbol(name)
        return builder.link(_linker(), f"{key}_{next(_numbers)}")
