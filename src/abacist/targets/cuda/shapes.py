"""How a training program lies on a device: lanes of a run, blocks of a multiprocessor, and runs of a wave.

Registers hold weights and gradients, shared memory tables and the states of a word's first steps, the second
cache all else that is in flight: beyond it more at once is slower.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from abacist.cells import Layout
from abacist.errors import BadInput
from abacist.specs import Spec
from abacist.targets.cuda.driver import Limits, device
from abacist.targets.cuda.parameters import parameters_of
from abacist.targets.cuda.training_program import Shape, table_width, tape_width

#: Threads of a block; registers of a multiprocessor, and the most that a thread has.
_BLOCK, _REGISTERS, _MOST_REGISTERS = 64, 65_536, 255

#: Blocks that give each of a multiprocessor's four schedulers as much to do: two warps are a block.
_TOGETHER = 2

#: Numbers in the registers of a thread besides weights and gradients, about.
_OTHER_REGISTERS = 70

#: Weights and gradients that a lane has in registers at most, and lanes of a run.
_MOST_NUMBERS, _MOST_LANES = 185, 32

#: Bytes of shared memory that the device keeps of a block, and those that tables may take of it.
_SHARED_BY_OTHERS, _MOST_TABLES = 1_024, 28 << 10

#: Blocks that are had in any case, whatever fits the second cache, and the share of it that is used.
_FEWEST_BLOCKS, _SHARE_OF_CACHE = 4, 0.85

#: How much of the memory that is free a wave may take, and bytes that its words may take there.
_SHARE_OF_MEMORY, _MOST_WORDS = 0.8, 8 << 30


def lanes_for(layout: Layout) -> int:
    """How many threads share a run: one as long as its weights and gradients fit into registers, and its
    tables into shared memory beside others'."""
    lanes, most = 1, min(_MOST_LANES, layout.hidden)  # more have nothing to do
    while lanes < most and (
        _numbers(layout, lanes) > _MOST_NUMBERS or _tables(layout, lanes, "float32") > _MOST_TABLES
    ):
        lanes *= 2
    return lanes


def _numbers(layout: Layout, lanes: int) -> int:
    """How many weights, entries of tables and gradients a thread has in registers."""
    parameters = parameters_of(layout, lanes)
    tabled = parameters.table_rows * layout.inputs if parameters.few else 0
    return 2 * (len(parameters.register_slots) + tabled)


def _tables(layout: Layout, lanes: int, precision: str) -> int:
    """The shared memory that the tables of a block take."""
    return table_width(layout, lanes) * _BLOCK * np.dtype(precision).itemsize


def shape_for(layout: Layout, precision: str, longest: int, limits: Limits | None = None) -> Shape:
    """How a training program lies on a device, by default the one that is there, for words of some length.

    There are as many blocks as have room: their registers, their tables, and in the second cache what else
    they need. What is left of shared memory keeps the states of a word's first steps.
    """
    limits, lanes, size = limits or device().limits, lanes_for(layout), np.dtype(precision).itemsize
    numbers = (_numbers(layout, lanes) + _OTHER_REGISTERS) * size // 4
    tables = _tables(layout, lanes, precision) + _SHARED_BY_OTHERS
    if tables > limits.shared:
        raise BadInput(
            f"the target cuda has no room for tables of {layout.inputs} symbols and {layout.hidden} units; "
            "use the CPU"
        )
    most = min(_REGISTERS // (_BLOCK * min(_MOST_REGISTERS, numbers)), limits.shared // tables)
    step = tape_width(layout, lanes) * _BLOCK * size
    for blocks in (number for number in range(most, 0, -1) if number == 1 or number % _TOGETHER == 0):
        kept = (limits.shared // blocks - tables) // step
        shape = Shape(lanes, _BLOCK, blocks, None if kept >= longest else kept)
        far = _parameter_bytes(layout, precision, lanes) * _BLOCK // lanes
        far += tape_bytes(layout, precision, shape, longest)
        in_flight = far * blocks * limits.multiprocessors
        if blocks <= _FEWEST_BLOCKS or in_flight <= _SHARE_OF_CACHE * limits.cache:
            break
    return shape


def _parameter_bytes(layout: Layout, precision: str, lanes: int) -> int:
    """The memory for the weights and moments of a run."""
    return 3 * np.dtype(precision).itemsize * parameters_of(layout, lanes).slots * lanes


def shared_bytes(layout: Layout, precision: str, shape: Shape, longest: int) -> int:
    """The shared memory of a block: tables, and the states of the steps that it keeps."""
    steps = longest if shape.kept is None else shape.kept
    numbers = table_width(layout, shape.lanes) + steps * tape_width(layout, shape.lanes)
    return numbers * shape.block * np.dtype(precision).itemsize


def tape_bytes(layout: Layout, precision: str, shape: Shape, longest: int) -> int:
    """The memory for the states of a block's later steps."""
    steps = 0 if shape.kept is None else max(0, longest - shape.kept)
    return steps * tape_width(layout, shape.lanes) * shape.block * np.dtype(precision).itemsize


@lru_cache(maxsize=256)  # a block that was planned must still fit when others have taken memory
def wave(spec: Spec) -> int:
    """How many runs are trained at a time: those that are in flight at once, if there is memory for them.

    Each corpus may have words as long as any. Here words take several times the room that they take on
    the device, so there are fewer runs where each has words of its own.
    """
    layout, itemsize = spec.layout, np.dtype(spec.precision).itemsize
    split = spec.recipe(0).splits[0]
    shape = shape_for(layout, spec.precision, split.window.high)
    words = 4 * split.count * (split.window.high + 1 + itemsize // 4)
    tape = tape_bytes(layout, spec.precision, shape, split.window.high) * shape.lanes // shape.block
    run = _parameter_bytes(layout, spec.precision, shape.lanes) + tape
    in_flight = device().limits.multiprocessors * shape.blocks * shape.block // shape.lanes
    free = int(_SHARE_OF_MEMORY * device().free)
    if free < words + run:
        raise BadInput(f"CUDA: {device().name} has not the memory for a single run of {split.count:,} words")
    corpora = max(1, min(free, _MOST_WORDS) // words)
    if 0 < spec.pool <= corpora:
        return max(1, min(in_flight, (free - spec.pool * words) // run))
    return max(1, min(in_flight, corpora, free // (words + run)))
