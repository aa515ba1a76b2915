"""A small assembler: the code of functions, instruction by instruction, and the bytes of a module.

WebAssembly is a stack machine: an instruction takes its operands from a stack, where those before it have
left them. So the code of an expression is that of its operands, then one instruction.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import groupby

#: The types of values: whole numbers, which addresses are, numbers, and vectors of four numbers.
I32, F32, V128 = 0x7F, 0x7D, 0x7B

#: The instructions that have no further parts; 0xFD begins those on vectors.
_OPCODES = {
    "select": (0x1B,), "i32.ne": (0x47,), "i32.lt_s": (0x48,), "i32.gt_s": (0x4A,), "i32.add": (0x6A,),
    "i32.sub": (0x6B,), "i32.mul": (0x6C,), "i32.div_u": (0x6E,), "i32.rem_u": (0x70,),
    "i32x4.splat": (0xFD, 0x11), "f32x4.splat": (0xFD, 0x13), "i32x4.eq": (0xFD, 0x37),
    "i32x4.lt_s": (0xFD, 0x39), "f32x4.eq": (0xFD, 0x41), "f32x4.lt": (0xFD, 0x43), "f32x4.gt": (0xFD, 0x44),
    "f32x4.ge": (0xFD, 0x46), "v128.and": (0xFD, 0x4E), "v128.bitselect": (0xFD, 0x52),
    "i16x8.extend_low_i8x16_u": (0xFD, 0x89), "i32x4.extend_low_i16x8_u": (0xFD, 0xA9),
    "i32x4.shl": (0xFD, 0xAB), "i32x4.shr_s": (0xFD, 0xAC), "i32x4.add": (0xFD, 0xAE),
    "i32x4.sub": (0xFD, 0xB1), "f32x4.abs": (0xFD, 0xE0), "f32x4.neg": (0xFD, 0xE1),
    "f32x4.sqrt": (0xFD, 0xE3), "f32x4.add": (0xFD, 0xE4), "f32x4.sub": (0xFD, 0xE5),
    "f32x4.mul": (0xFD, 0xE6), "f32x4.div": (0xFD, 0xE7), "f32x4.min": (0xFD, 0xE8),
    "f32x4.max": (0xFD, 0xE9), "f32x4.pmin": (0xFD, 0xEA), "f32x4.pmax": (0xFD, 0xEB),
    "f32x4.convert_i32x4_s": (0xFD, 0xFA),
}  # fmt: skip


def _unsigned(value: int) -> bytes:
    """A whole number as LEB128 writes it: seven bits a byte, the lowest first."""
    found = bytearray()
    while value > 0x7F:
        found.append(value & 0x7F | 0x80)
        value >>= 7
    return bytes((*found, value))


def _signed(value: int) -> bytes:
    """A whole number that may be negative."""
    found = bytearray()
    while not -64 <= value < 64:
        found.append(value & 0x7F | 0x80)
        value >>= 7
    return bytes((*found, value & 0x7F))


class Code:
    """The code of a function that returns nothing; its parameters and local variables go by names."""

    def __init__(self, parameters: Mapping[str, int]) -> None:
        self.parameters = tuple(parameters.values())
        self._types = dict(parameters)
        self._numbers = {name: number for number, name in enumerate(parameters)}
        self._before, self._code = bytearray(), bytearray()

    def __call__(self, *instructions: str) -> None:
        for name in instructions:
            self._code += _opcode(name)

    def get(self, *names: str) -> None:
        for name in names:
            self._code += b"\x20" + _unsigned(self._numbers[name])

    def set(self, name: str, kind: int = V128) -> None:
        self._code += b"\x21" + self._declared(name, kind)

    def _declared(self, name: str, kind: int) -> bytes:
        """The number of a local variable, which is new where its name is."""
        self._types.setdefault(name, kind)
        return _unsigned(self._numbers.setdefault(name, len(self._numbers)))

    def integer(self, value: int) -> None:
        self._code += b"\x41" + _signed(value)

    def number(self, value: float) -> None:
        """The same number in all lanes: a local variable that is set before everything else."""
        name = f"{value!r} everywhere"
        if name not in self._types:
            self._before += b"\x43" + struct.pack("<f", value) + _opcode("f32x4.splat")
            self._before += b"\x21" + self._declared(name, V128)
        self.get(name)

    def load(self, base: str, offset: int = 0) -> None:
        """The vector at an address in a local variable, plus an offset."""
        self.get(base)
        self._code += b"\xfd\x00\x04" + _unsigned(offset)

    def load_bytes(self, base: str, offset: int = 0) -> None:
        """Four bytes as whole numbers, one a lane."""
        self.get(base)
        self._code += b"\xfd\x5c\x02" + _unsigned(offset)
        self("i16x8.extend_low_i8x16_u", "i32x4.extend_low_i16x8_u")

    def store(self, offset: int = 0) -> None:
        """Keep a vector at the address below it on the stack, plus an offset."""
        self._code += b"\xfd\x0b\x04" + _unsigned(offset)

    def move(self, name: str, distance: int) -> None:
        """Move an address in a local variable."""
        self.get(name)
        self.integer(distance)
        self("i32.add")
        self.set(name)

    @contextmanager
    def until_equal(self, name: str, other: str) -> Iterator[None]:
        """What is done again and again until two addresses are equal, at least once."""
        self._code += b"\x03\x40"
        yield
        self.get(name, other)
        self("i32.ne")
        self._code += b"\x0d\x00\x0b"

    @contextmanager
    def unless_equal(self, name: str, other: str) -> Iterator[None]:
        """What is done unless two addresses are equal."""
        self.get(name, other)
        self("i32.ne")
        self._code += b"\x04\x40"
        yield
        self._code += b"\x0b"

    def __bytes__(self) -> bytes:
        own = list(self._types.values())[len(self.parameters) :]
        groups = [_unsigned(len(list(same))) + bytes((kind,)) for kind, same in groupby(own)]
        return _sized(_listed(groups) + self._before + self._code + b"\x0b")


def module_bytes(functions: Mapping[str, Code]) -> bytes:
    """A module that imports its memory as `abacist.memory` and exports functions."""
    codes = list(functions.values())
    kinds = [b"\x60" + _sized(bytes(code.parameters)) + b"\x00" for code in codes]
    memory = _sized(b"abacist") + _sized(b"memory") + b"\x02\x00\x01"
    exports = [_sized(name.encode()) + b"\x00" + _unsigned(n) for n, name in enumerate(functions)]
    numbers = [_unsigned(n) for n in range(len(codes))]
    sections = {1: kinds, 2: [memory], 3: numbers, 7: exports, 10: [bytes(code) for code in codes]}
    return b"\0asm\1\0\0\0" + b"".join(
        bytes((number,)) + _sized(_listed(parts)) for number, parts in sections.items()
    )


def _opcode(name: str) -> bytes:
    first, *rest = _OPCODES[name]
    return bytes((first,)) + b"".join(map(_unsigned, rest))


def _sized(whole: bytes) -> bytes:
    return _unsigned(len(whole)) + whole


def _listed(parts: Sequence[bytes]) -> bytes:
    return _unsigned(len(parts)) + b"".join(parts)
