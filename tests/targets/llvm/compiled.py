"""Compiled functions for tests: operations over whole arrays, and functions written by hand."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import llvmlite.binding as llvm
import numpy as np
from numpy.typing import NDArray

from abacist.targets.llvm import LANES
from abacist.targets.llvm.machine import NUMBERS, WHOLE, Function, Program, processor
from abacist.targets.llvm.packing import aligned
from abacist.targets.llvm.vectors import Vectors, integer

Array = NDArray[Any]

#: A function of `Vectors` and operands, as operations are.
Operation = Callable[..., Any]


def vectors(build: Any, precision: str, registers: int = 1) -> Vectors:
    """Vectors for this processor."""
    return Vectors(build, precision, registers, processor()[1])


def by_hand(
    name: str, precision: str, arguments: Mapping[str, str], emit: Callable[[Any, dict[str, Any]], None]
) -> Function:
    """A compiled function: `emit` writes it with a builder and with the arguments by name."""
    program = Program(name, precision, arguments)
    emit(program.build, program.arguments)
    return Function(program.finished())


@cache
def _over_arrays(
    operations: tuple[Operation, ...], operands: int, precision: str, registers: int
) -> Function:
    """The function that applies some operations to arrays, vector by vector."""
    names = [f"operand{n}" for n in range(operands)]

    def emit(build: Any, own: dict[str, Any]) -> None:
        v = vectors(build, precision, registers)
        with v.loop(integer(0), own["groups"]) as (group, _):
            values = [v.load(own[name], group) for name in names]
            for n, operation in enumerate(operations):
                place = v.sum_of(v.times(len(operations), group), n)
                v.store(own["results"], place, operation(v, *values))

    arguments = dict.fromkeys((*names, "results"), NUMBERS) | {"groups": WHOLE}
    return by_hand("apply", precision, arguments, emit)


def applied(operations: tuple[Operation, ...], precision: str, *operands: Array, registers: int = 1) -> Array:
    """What operations make of numbers: (operation, number)."""
    count, lanes = len(operands[0]), registers * LANES[precision]
    groups = -(-count // lanes)
    rooms = [aligned((groups * lanes,), precision) for _ in operands]
    with np.errstate(over="ignore"):
        for room, operand in zip(rooms, operands, strict=True):
            room[:count] = operand
    results = aligned((groups * len(operations) * lanes,), precision)
    function = _over_arrays(operations, len(operands), precision, registers)
    named = {f"operand{n}": room for n, room in enumerate(rooms)}
    function(**named, results=results, groups=groups)
    rows = results.reshape(groups, len(operations), lanes).swapaxes(0, 1).reshape(len(operations), -1)
    return np.asarray(rows[:, :count])


def on_generic_processor(script: str, folder: Path) -> None:
    """Run a script in a process, folder and cache of its own; it calls `use_generic_processor` first."""
    root = Path(__file__).parents[3]
    paths = os.pathsep.join(str(root / part) for part in ("src", ""))
    environment = os.environ | {"ABACIST_CACHE": str(folder), "PYTHONPATH": paths}
    command = [sys.executable, "-c", script]
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def use_generic_processor() -> None:
    """Compile for a processor that has no wide registers, nor fused multiply-adds, from now on.

    For a process of its own, before anything is compiled.
    """
    llvm.get_host_cpu_name = lambda: "generic"
    llvm.get_host_cpu_features = llvm.FeatureMap
    processor.cache_clear()
    assert processor() == ("generic", "")
