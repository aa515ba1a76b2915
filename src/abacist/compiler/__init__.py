"""The compiler: from a cell's formula to a graph, its adjoint, a plan, and statements."""

from abacist.compiler.adjoint import Band, Gradient
from abacist.compiler.cost import boxes_work, judging_work, training_work
from abacist.compiler.plan import (
    ForwardPlan,
    TrainingPlan,
    plan_judging,
    plan_recomputing,
    plan_tracing,
    plan_training,
)
from abacist.compiler.stepping import SteppingPlan, plan_boxes, plan_stepping, reached_numbers
from abacist.compiler.steps import (
    backward_statements,
    forward_statements,
    only_forward_statements,
    recomputed_backward,
    recomputed_forward,
    shrink_statements,
    update_statements,
)

__all__ = [
    "Band",
    "ForwardPlan",
    "Gradient",
    "SteppingPlan",
    "TrainingPlan",
    "backward_statements",
    "boxes_work",
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
    "shrink_statements",
    "training_work",
    "update_statements",
]
