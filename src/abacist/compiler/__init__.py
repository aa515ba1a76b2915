"""The compiler: from a cell's formula to a graph, its adjoint, a plan, and statements."""

from abacist.compiler.adjoint import Adjoint, Band, Gradient, differentiate
from abacist.compiler.cost import Work, boxes_work, judging_work, training_work
from abacist.compiler.graph import StepGraph, step_graph
from abacist.compiler.plan import ForwardPlan, TrainingPlan, plan_judging, plan_tracing, plan_training
from abacist.compiler.recomputing import (
    RecomputingPlan,
    plan_recomputing,
    recomputed_backward,
    recomputed_forward,
    recomputed_judging,
)
from abacist.compiler.scheduling import Loop, Schedule, schedule
from abacist.compiler.stepping import SteppingPlan, plan_boxes, plan_stepping, reached_numbers
from abacist.compiler.steps import (
    backward_statements,
    forward_statements,
    only_forward_statements,
    shrink_statements,
    update_statements,
)

__all__ = [
    "Adjoint",
    "Band",
    "ForwardPlan",
    "Gradient",
    "Loop",
    "RecomputingPlan",
    "Schedule",
    "StepGraph",
    "SteppingPlan",
    "TrainingPlan",
    "Work",
    "backward_statements",
    "boxes_work",
    "differentiate",
    "forward_statements",
    "judging_work",
    "only_forward_statements",
    "plan_boxes",
    "plan_judging",
    "plan_recomputing",
    "plan_stepping",
    "plan_tracing",
    "plan_training",
    "reached_numbers",
    "recomputed_backward",
    "recomputed_forward",
    "recomputed_judging",
    "schedule",
    "shrink_statements",
    "step_graph",
    "training_work",
    "update_statements",
]
