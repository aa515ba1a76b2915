"""The compiler: from a cell's formula to a graph, its adjoint, and printed programs."""

from abacist.compiler.adjoint import Adjoint, Gradient, differentiate
from abacist.compiler.graph import StepGraph, in_order, step_graph
from abacist.compiler.judging_program import (
    judging_program,
    judging_tables,
    room_width,
    trace_tape,
    tracing_program,
)
from abacist.compiler.operations import Operations, judging_operations, training_operations
from abacist.compiler.schedule import Loop, Schedule, schedule
from abacist.compiler.training_program import tape_width, training_program

__all__ = [
    "Adjoint",
    "Gradient",
    "Loop",
    "Operations",
    "Schedule",
    "StepGraph",
    "differentiate",
    "in_order",
    "judging_operations",
    "judging_program",
    "judging_tables",
    "room_width",
    "schedule",
    "step_graph",
    "tape_width",
    "trace_tape",
    "tracing_program",
    "training_operations",
    "training_program",
]
