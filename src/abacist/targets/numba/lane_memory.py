"""Vectors of lanes in memory, and products of whole rows of them.

An array of numbers is read as vectors: index i means the lanes at i·count. Arrays begin
at a multiple of 64 bytes (`aligned`). Tuples of vectors stay in registers.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic
from numpy.typing import NDArray

from abacist.machine_code.compiled_functions import processor
from abacist.targets.numba.lanes import (
    SINGLE,
    Lanes,
    broadcast,
    call,
    lanes_of,
    multiply_add,
    register_by_register,
)
from abacist.targets.numba.widths import LANES


def aligned(shape: tuple[int, ...], dtype: Any) -> NDArray[Any]:
    """An array of zeros that begins at a multiple of 64 bytes."""
    kind = np.dtype(dtype)
    size = int(np.prod(shape)) * kind.itemsize
    raw = np.zeros(size + 64, np.uint8)
    start = -raw.ctypes.data % 64
    array: NDArray[Any] = raw[start : start + size].view(kind).reshape(shape)
    return array


def data_of(context: Any, builder: Any, array_type: Any, array: Any) -> Any:
    """A pointer to the first number of an array."""
    return builder.extract_value(array, context.data_model_manager[array_type].get_field_position("data"))


def place_of(context: Any, builder: Any, array_type: Any, array: Any, index: Any, vector: Any) -> Any:
    """A pointer to vector number `index` of an array."""
    data = data_of(context, builder, array_type, array)
    place = builder.gep(data, [builder.mul(index, ir.Constant(index.type, vector.count))])
    return builder.bitcast(place, vector.as_pointer())


def _step(builder: Any, place: Any, steps: int) -> Any:
    return builder.gep(place, [ir.Constant(ir.IntType(64), steps)])


def read_at(builder: Any, place: Any, align: int = 64) -> Any:
    value = builder.load(place)
    value.align = align
    return value


def _write(builder: Any, value: Any, place: Any) -> None:
    builder.store(value, place).align = 64


def _tuple(context: Any, builder: Any, kind: Any, values: Any) -> Any:
    return context.make_tuple(builder, kind, values)


def loads_into(registers: int) -> tuple[Any, Any, Any]:
    """Make `load`, `load_shared` and `load_all` for vectors of so many registers."""

    @intrinsic
    def load(typing: Any, array: Any, index: Any) -> Any:
        """Vector number `index` of an array."""
        lanes = lanes_of(array.dtype, registers)

        def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
            return read_at(builder, place_of(context, builder, sig.args[0], args[0], args[1], lanes.vector))

        return lanes(array, types.intp), generate

    @intrinsic
    def load_shared(typing: Any, array: Any, index: Any) -> Any:
        """Number `index` of an array, the same in every lane."""
        lanes = lanes_of(array.dtype, registers)

        def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
            data = data_of(context, builder, sig.args[0], args[0])
            return broadcast(builder, lanes, builder.load(builder.gep(data, [args[1]])))

        return lanes(array, types.intp), generate

    @intrinsic(prefer_literal=True)
    def load_all(typing: Any, array: Any, index: Any, count: Any) -> Any:
        """A tuple of `count` vectors from place `index` on."""
        lanes = lanes_of(array.dtype, registers)
        kind = types.UniTuple(lanes, count.literal_value)

        def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
            place = place_of(context, builder, sig.args[0], args[0], args[1], lanes.vector)
            values = [read_at(builder, _step(builder, place, n)) for n in range(kind.count)]
            return _tuple(context, builder, kind, values)

        return kind(array, types.intp, count), generate

    return load, load_shared, load_all


load, load_shared, load_all = loads_into(1)


@intrinsic
def store(typing: Any, array: Any, index: Any, value: Any) -> Any:
    """Put a vector into an array at place `index`."""

    def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        _write(builder, args[2], place_of(context, builder, sig.args[0], args[0], args[1], value.vector))
        return context.get_dummy_value()

    return types.void(array, types.intp, value), generate


@intrinsic
def load_bytes(typing: Any, array: Any, index: Any, like: Any) -> Any:
    """Small whole numbers, a byte a lane, as a vector like `like`."""

    def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        small = ir.VectorType(ir.IntType(8), like.count)
        value = read_at(builder, place_of(context, builder, sig.args[0], args[0], args[1], small), like.count)
        return builder.uitofp(builder.zext(value, like.integers), like.vector)

    return like(array, types.intp, like), generate


def has_lookup(precision: str, symbols: int) -> bool:
    """Whether a table of so many numbers fits into a register that the processor can look up in."""
    return "+avx512f" in processor()[1] and symbols <= LANES[precision]


@intrinsic
def lookup(typing: Any, array: Any, index: Any, code: Any) -> Any:
    """In each lane, the number at place `code` of register number `index` of an array."""
    one = lanes_of(array.dtype)
    name = "llvm.x86.avx512.permvar." + ("sf.512" if one is SINGLE else "df.512")

    def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        table = read_at(builder, place_of(context, builder, sig.args[0], args[0], args[1], one.vector))
        places = builder.fptoui(args[2], code.integers)

        def found(own: Any) -> Any:
            return call(builder, name, one.vector, table, own)

        return register_by_register(builder, code, found, places)

    return code(array, types.intp, code), generate


@intrinsic(prefer_literal=True)
def zeros(typing: Any, count: Any, like: Any) -> Any:
    """A tuple of zero vectors like `like`."""
    kind = types.UniTuple(like, count.literal_value)

    def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        return _tuple(context, builder, kind, [like.constant(0.0)] * kind.count)

    return kind(count, like), generate


@intrinsic(prefer_literal=True)
def one_hot(typing: Any, code: Any, count: Any) -> Any:
    """A tuple: in each lane, one at the place that the code says and zero at all others."""
    kind = types.UniTuple(code, count.literal_value)

    def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        one, zero = code.constant(1.0), code.constant(0.0)
        hot = [builder.fcmp_ordered("==", args[0], code.constant(float(n))) for n in range(kind.count)]
        return _tuple(context, builder, kind, [builder.select(h, one, zero) for h in hot])

    return kind(code, count), generate


@intrinsic
def store_all(typing: Any, array: Any, index: Any, values: Any) -> Any:
    """Put a tuple of vectors into an array from place `index` on."""

    def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        place = place_of(context, builder, sig.args[0], args[0], args[1], values.dtype.vector)
        for n, value in enumerate(cgutils.unpack_tuple(builder, args[2])):
            _write(builder, value, _step(builder, place, n))
        return context.get_dummy_value()

    return types.void(array, types.intp, values), generate


@intrinsic
def choose(typing: Any, mask: Any, chosen: Any, other: Any) -> Any:
    """`select` for tuples."""

    def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        pairs = zip(*(cgutils.unpack_tuple(builder, a) for a in args[1:]), strict=True)
        return _tuple(context, builder, chosen, [builder.select(args[0], a, b) for a, b in pairs])

    return chosen(mask, chosen, chosen), generate


@intrinsic
def dot(typing: Any, array: Any, index: Any, vector: Any, start: Any) -> Any:
    """start + Σₙ array[index + n]·vector[n]: a row of weights, one set a lane, times a vector."""

    def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        place = place_of(context, builder, sig.args[0], args[0], args[1], start.vector)
        total = args[3]
        for n, value in enumerate(cgutils.unpack_tuple(builder, args[2])):
            total = multiply_add(builder, start, read_at(builder, _step(builder, place, n)), value, total)
        return total

    return start(array, types.intp, vector, start), generate


@intrinsic
def dot_shared(typing: Any, array: Any, index: Any, vector: Any, start: Any) -> Any:
    """The same with weights that all lanes share, a number each."""

    def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        data = data_of(context, builder, sig.args[0], args[0])
        place, total = builder.gep(data, [args[1]]), args[3]
        for n, value in enumerate(cgutils.unpack_tuple(builder, args[2])):
            weight = broadcast(builder, start, builder.load(_step(builder, place, n)))
            total = multiply_add(builder, start, weight, value, total)
        return total

    return start(array, types.intp, vector, start), generate


@intrinsic
def spread(typing: Any, array: Any, index: Any, value: Any, totals: Any) -> Any:
    """totals[n] + array[index + n]·value for every n: a row's part in a transposed product."""

    def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        place = place_of(context, builder, sig.args[0], args[0], args[1], value.vector)
        after = [
            multiply_add(builder, value, read_at(builder, _step(builder, place, n)), args[2], total)
            for n, total in enumerate(cgutils.unpack_tuple(builder, args[3]))
        ]
        return _tuple(context, builder, totals, after)

    return totals(array, types.intp, value, totals), generate


@intrinsic
def outer(typing: Any, rows: Any, columns: Any, totals: Any) -> Any:
    """totals[r·columns + c] + rows[r]·columns[c]: a tile of an outer product, summed."""

    def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        left, right, sums = (cgutils.unpack_tuple(builder, a) for a in args)
        lanes: Lanes = totals.dtype
        pairs = [(a, b) for a in left for b in right]
        after = [multiply_add(builder, lanes, a, b, s) for (a, b), s in zip(pairs, sums, strict=True)]
        return _tuple(context, builder, totals, after)

    return totals(rows, columns, totals), generate


@intrinsic(prefer_literal=True)
def load_tile(typing: Any, array: Any, index: Any, stride: Any, rows: Any, columns: Any, like: Any) -> Any:
    """A tuple of rows × columns vectors, the rows `stride` apart."""
    height, width = rows.literal_value, columns.literal_value
    kind = types.UniTuple(like, height * width)

    def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        place = place_of(context, builder, sig.args[0], args[0], args[1], like.vector)
        places = [r * stride.literal_value + c for r in range(height) for c in range(width)]
        return _tuple(context, builder, kind, [read_at(builder, _step(builder, place, n)) for n in places])

    return kind(array, types.intp, stride, rows, columns, like), generate


@intrinsic(prefer_literal=True)
def store_tile(typing: Any, array: Any, index: Any, stride: Any, columns: Any, values: Any) -> Any:
    """Put a tile back, `columns` vectors a row, the rows `stride` apart."""

    def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        place = place_of(context, builder, sig.args[0], args[0], args[1], values.dtype.vector)
        for n, value in enumerate(cgutils.unpack_tuple(builder, args[4])):
            row, column = divmod(n, columns.literal_value)
            _write(builder, value, _step(builder, place, row * stride.literal_value + column))
        return context.get_dummy_value()

    return types.void(array, types.intp, stride, columns, values), generate
