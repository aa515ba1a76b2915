"""The compiler: from a cell's formula to a graph, its adjoint, a plan, and statements.

`graph` reads a step as symbols and `adjoint` derives the way back; `scheduling` orders them in loops,
`filling` says how much of memories is worked on. `plan` puts this together for training, judging and tracing,
`stepping` for single steps of states and of boxes. `lowering` writes a schedule as `statements`, by the
`places` of its values; `steps` has those of every step and update. `cost` counts operations, `magnitudes`
bounds numbers.
"""

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
    "Band", "ForwardPlan", "Gradient", "SteppingPlan", "TrainingPlan", "backward_statements",
    "boxes_work", "forward_statements", "judging_work", "only_forward_statements", "plan_boxes",
    "plan_judging", "plan_recomputing", "plan_stepping", "plan_tracing", "plan_training",
    "reached_numbers", "recomputed_backward", "recomputed_forward", "shrink_statements", "training_work",
    "update_statements",
]  # fmt: skip
