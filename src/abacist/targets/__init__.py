"""Targets: what statements become, and what runs them. One folder each, behind one small protocol."""

from abacist.targets.target import (
    TARGETS,
    Array,
    Stepper,
    Target,
    Training,
    TrainingState,
    chosen_target,
    target_for,
    target_named,
    use_target,
)

__all__ = [
    "TARGETS",
    "Array",
    "Stepper",
    "Target",
    "Training",
    "TrainingState",
    "chosen_target",
    "target_for",
    "target_named",
    "use_target",
]
