"""A small assembler: instructions as bytes, the code of functions, and the bytes of a module.

WebAssembly is a stack machine: an instruction takes its operands from a stack. So a value is the code that
leaves it there: that of its operands, then one instruction.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from itertools import groupby

#: The types of values: whole numbers, also addresses, numbers, and vectors of four numbers.
I32, F32, V128 = 0x7F, 0x7D, 0x7B

#: Bytes of a vector of numbers.
VECTOR = 16

#: A value by those of its operands.
Instruction = Callable[..., bytes]


def _unsigned(value: int) -> bytes:
    """A whole number as LEB128 writes it: seven bits a byte, the lowest first."""
    result = bytearray()
    while value > 0x7F:
        result.append(value & 0x7F | 0x80)
        value >>= 7
    return bytes((*result, value))


def _signed(value: int) -> bytes:
    """A whole number that may be negative."""
    result = bytearray()
    while not -64 <= value < 64:
        result.append(value & 0x7F | 0x80)
        value >>= 7
    return bytes((*result, value & 0x7F))


def _on_numbers(opcode: int) -> Instruction:
    return lambda *operands: b"".join(operands) + bytes((opcode,))


def _on_vectors(opcode: int) -> Instruction:
    return lambda *operands: b"".join(operands) + b"\xfd" + _unsigned(opcode)


select, differs, below, above = map(_on_numbers, (0x1B, 0x47, 0x48, 0x4A))
i32_add, i32_sub, i32_mul, i32_div, i32_rem = map(_on_numbers, (0x6A, 0x6B, 0x6C, 0x6E, 0x70))

splat_integer, splat = map(_on_vectors, (0x11, 0x13))
equal_integers, below_integers = map(_on_vectors, (0x37, 0x39))
shift_left, shift_right, add_integers, sub_integers = map(_on_vectors, (0xAB, 0xAC, 0xAE, 0xB1))
equal, less, greater, at_least = map(_on_vectors, (0x41, 0x43, 0x44, 0x46))
both, bitselect = map(_on_vectors, (0x4E, 0x52))
absolute, negative, sqrt = map(_on_vectors, (0xE0, 0xE1, 0xE3))
add, sub, mul, div = map(_on_vectors, (0xE4, 0xE5, 0xE6, 0xE7))
minimum, maximum = map(_on_vectors, (0xE8, 0xE9))  # NaN if one of them is
first_or_less, first_or_more = map(_on_vectors, (0xEA, 0xEB))  # the first one if it is NaN
as_numbers, _widen_bytes, _widen_shorts = map(_on_vectors, (0xFA, 0x89, 0xA9))


def integer(value: int) -> bytes:
    return b"\x41" + _signed(value)


def _from_memory(opcode: bytes) -> Instruction:
    return lambda address, offset=0: address + opcode + _unsigned(offset)


#: What lies at an address, plus an offset: a vector; a number, in all lanes; four bytes.
load, load_everywhere, _load_lanes = map(_from_memory, (b"\xfd\x00\x04", b"\xfd\x09\x02", b"\xfd\x5c\x02"))


def load_symbols(address: bytes, offset: int = 0) -> bytes:
    """Four bytes as whole numbers, one a lane."""
    return _widen_shorts(_widen_bytes(_load_lanes(address, offset)))


def load_bytes(address: bytes, offset: int = 0) -> bytes:
    """Four bytes as numbers, one a lane."""
    return as_numbers(load_symbols(address, offset))


def store(address: bytes, value: bytes, offset: int = 0) -> bytes:
    """Keep a vector at an address, plus an offset."""
    return address + value + b"\xfd\x0b\x04" + _unsigned(offset)


class Code:
    """The code of a function that returns nothing; its parameters and local variables go by names."""

    def __init__(self, parameters: Mapping[str, int]) -> None:
        self.parameters = tuple(parameters.values())
        self._types = dict(parameters)
        self._numbers = {name: number for number, name in enumerate(parameters)}
        self._before, self._code = bytearray(), bytearray()

    def emit(self, *code: bytes) -> None:
        for part in code:
            self._code += part

    def get(self, name: str) -> bytes:
        return b"\x20" + _unsigned(self._numbers[name])

    def set(self, name: str, value: bytes, kind: int = V128) -> bytes:
        """Code that sets a local variable, a new one where its name is new."""
        self._types.setdefault(name, kind)
        return value + b"\x21" + _unsigned(self._numbers.setdefault(name, len(self._numbers)))

    def number(self, value: float) -> bytes:
        """The same number in all lanes: a local variable that is set before everything else."""
        name = f"{value!r} everywhere"
        if name not in self._types:
            self._before += self.set(name, splat(b"\x43" + struct.pack("<f", value)))
        return self.get(name)

    def move(self, name: str, distance: int) -> bytes:
        """Code that moves an address in a local variable."""
        return self.set(name, i32_add(self.get(name), integer(distance)))

    @contextmanager
    def until_equal(self, name: str, other: str, perhaps_never: bool = False) -> Iterator[None]:
        """What is done again and again until two addresses are equal, at least once or perhaps never."""
        with self.unless_equal(name, other) if perhaps_never else nullcontext():
            self.emit(b"\x03\x40")
            yield
            self.emit(differs(self.get(name), self.get(other)), b"\x0d\x00\x0b")

    @contextmanager
    def unless_equal(self, name: str, other: str) -> Iterator[None]:
        """What is done unless two addresses are equal."""
        self.emit(differs(self.get(name), self.get(other)), b"\x04\x40")
        yield
        self.emit(b"\x0b")

    def __bytes__(self) -> bytes:
        local_types = list(self._types.values())[len(self.parameters) :]
        groups = [_unsigned(len(list(same))) + bytes((kind,)) for kind, same in groupby(local_types)]
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


def _sized(whole: bytes) -> bytes:
    return _unsigned(len(whole)) + whole


def _listed(parts: Sequence[bytes]) -> bytes:
    return _unsigned(len(parts)) + b"".join(parts)
