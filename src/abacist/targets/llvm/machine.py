"""Programs: LLVM functions under construction, compiled for this processor, kept as object files.

An object file is named by its IR, LLVM's version and the processor. The IR lies beside it for people: nothing
reads it.
"""

from __future__ import annotations

import ctypes
import hashlib
import threading
from collections.abc import Mapping, Sequence
from functools import cache
from itertools import count
from typing import Any

import llvmlite.binding as llvm
import numpy as np
from llvmlite import ir

from abacist.cells import Layout
from abacist.compiler.statements import Statement
from abacist.machine_code.code_cache import keep_text, load_code, save_code
from abacist.progress import busy
from abacist.targets.llvm.vectors import BYTE, INTEGER, Vectors, integer
from abacist.threads import interruptibly

#: The kinds of arguments: arrays of the network's numbers, of bytes and of whole numbers; a whole number.
NUMBERS, BYTES, INTEGERS, WHOLE = "numbers", "bytes", "integers", "whole"

#: Up to so many vectors are set to zero one by one, more of them in a loop.
_UNROLLED_ZEROS = 512

_ELEMENTS = {BYTES: np.dtype(np.uint8), INTEGERS: np.dtype(np.int64)}
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


class Program:
    """A function with named arguments: its arguments and the vectors to write it with, then its IR.

    `statements` are what listings show, by their titles. Equal layouts may have formulas with other names,
    and then a `plan` with other places of named values.
    """

    ir: str

    def __init__(
        self,
        name: str,
        precision: str,
        arguments: Mapping[str, str],
        registers: int = 1,
        *,
        layout: Layout | None = None,
        plan: Any = None,
    ) -> None:
        self.title = f"{name}, {precision}"
        if layout is not None:
            sizes = f"{layout.inputs} inputs, {layout.hidden} hidden, {layout.outputs} outputs"
            self.title = f"{name} {layout.cell.name}, {sizes}, {precision}"
        self.name, self.precision, self.kinds, self.plan = name, precision, arguments, plan
        self.statements: dict[str, Sequence[Statement]] = {}
        number = ir.FloatType() if precision == "float32" else ir.DoubleType()
        types = {NUMBERS: number.as_pointer(), BYTES: BYTE.as_pointer(), INTEGERS: INTEGER.as_pointer()}
        self._module = ir.Module(name=self.title)
        kind = ir.FunctionType(INTEGER, [types.get(value_kind, INTEGER) for value_kind in arguments.values()])
        function = ir.Function(self._module, kind, name)
        for argument, label in zip(function.args, arguments, strict=True):
            argument.name = label
        self.arguments = dict(zip(arguments, function.args, strict=True))
        self.build = ir.IRBuilder(function.append_basic_block("entry"))
        self.v = Vectors(self.build, precision, registers, processor()[1])

    def noted(self, title: str, statements: Sequence[Statement]) -> Sequence[Statement]:
        """Statements, which listings show under a title."""
        self.statements[title] = statements
        return statements

    def number(self, array: str, index: Any) -> Any:
        """A number of an array of whole numbers."""
        return self.build.load(self.build.gep(self.arguments[array], [index]))

    def store_zeros(self, array: str, count: int) -> None:
        """Set the first vectors of an array to zero."""
        zero, place = self.v.constant(0.0), self.arguments[array]
        if count <= _UNROLLED_ZEROS:
            for n in range(count):
                self.v.store(place, integer(n), zero)
            return
        with self.v.loop(integer(0), integer(count)) as (number, _):
            self.v.store(place, number, zero)

    def one_hot(self, code: Any, count: int) -> list[Any]:
        """In each lane, one at the place of the code and zero at all others."""
        one, zero = self.v.constant(1.0), self.v.constant(0.0)
        hot = (self.build.fcmp_ordered("==", code, self.v.constant(float(n))) for n in range(count))
        return [self.build.select(mask, one, zero) for mask in hot]

    def finished(self, result: Any = None) -> Program:
        """The program with its IR; it returns a whole number."""
        self.build.ret(integer(0) if result is None else result)
        self.ir = str(self._module)
        return self


class Function:
    """A compiled function: it takes its arguments by name, ignores others, and releases the interpreter lock.

    `pointer` takes plain numbers in order, of arrays their addresses: where a function is called often, names
    would take longer than the call.
    """

    def __init__(self, program: Program) -> None:
        self.plan, name = program.plan, program.name
        version = ".".join(map(str, llvm.llvm_version_info))
        made_for = f"; {program.title}\n; LLVM {version}, {', '.join(processor())}\n"
        key = f"{name}_{hashlib.sha256((made_for + program.ir).encode()).hexdigest()[:32]}"
        keep_text(f"{key}.ll", made_for + program.ir)
        with busy(f"compiling {program.title}"):
            self._library = interruptibly(_loaded, key, name, program.ir)
        kinds = [ctypes.c_int64 if kind == WHOLE else ctypes.c_void_p for kind in program.kinds.values()]
        self.pointer = ctypes.CFUNCTYPE(ctypes.c_int64, *kinds)(self._library[name])
        elements = _ELEMENTS | {NUMBERS: np.dtype(program.precision)}
        self._arguments = [(argument, elements.get(kind)) for argument, kind in program.kinds.items()]

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
