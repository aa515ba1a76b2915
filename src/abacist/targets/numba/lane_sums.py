"""Sums of many vectors of lanes in memory, in loops: what is printed term by term takes long to compile."""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

from abacist.targets.numba.lane_memory import data_of, place_of, read_at
from abacist.targets.numba.lanes import broadcast, multiply_add

#: How many sums are added up side by side.
_SUMS = 4


@intrinsic(prefer_literal=True)
def total(typing: Any, array: Any, index: Any, count: Any, step: Any, like: Any) -> Any:
    """Σₙ array[index + n·step] over `count` vectors, by four sums that do not wait for each other."""
    stride = step.literal_value

    def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        place = place_of(context, builder, sig.args[0], args[0], args[1], like.vector)
        sums = [cgutils.alloca_once_value(builder, like.constant(0.0)) for _ in range(_SUMS)]  # type: ignore[no-untyped-call]
        whole = builder.and_(args[2], ir.Constant(args[2].type, -_SUMS))

        def add(number: Any, sum_place: Any) -> None:
            found = builder.gep(place, [builder.mul(number, ir.Constant(number.type, stride))])
            builder.store(builder.fadd(builder.load(sum_place), read_at(builder, found)), sum_place)

        with cgutils.for_range_slice(builder, whole.type(0), whole, whole.type(_SUMS)) as (number, _):
            for n, own in enumerate(sums):
                add(builder.add(number, ir.Constant(number.type, n)), own)
        with cgutils.for_range_slice(builder, whole, args[2], whole.type(1)) as (number, _):
            add(number, sums[0])
        first, second, third, fourth = (builder.load(own) for own in sums)
        return builder.fadd(builder.fadd(first, second), builder.fadd(third, fourth))

    return like(array, types.intp, types.intp, step, like), generate


@intrinsic
def long_dot(typing: Any, weights: Any, index: Any, array: Any, first: Any, count: Any, start: Any) -> Any:
    """start + Σₙ weights[index + n]·array[first + n]: `dot_shared` with vectors that stay in memory.

    Terms are added in the same order, so the bits are the same.
    """

    def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        row = builder.gep(data_of(context, builder, sig.args[0], args[0]), [args[1]])
        place = place_of(context, builder, sig.args[2], args[2], args[3], start.vector)
        sum_place = cgutils.alloca_once_value(builder, args[5])  # type: ignore[no-untyped-call]
        with cgutils.for_range(builder, args[4]) as loop:
            weight = broadcast(builder, start, builder.load(builder.gep(row, [loop.index])))
            value = read_at(builder, builder.gep(place, [loop.index]))
            builder.store(multiply_add(builder, start, weight, value, builder.load(sum_place)), sum_place)
        return builder.load(sum_place)

    return start(weights, types.intp, array, types.intp, types.intp, start), generate
