"""Targets: what statements become, and what runs them. One folder each, behind one small protocol.

`target` is the protocol, `emitter` walks statements for all of them, `functions` are polynomials for sigmoid
and others, `tiles` the order of sums, `word_kernels` pack words.
"""

from abacist.targets.target import (
    DEVICES,
    PROCESSOR,
    TARGETS,
    Stepper,
    TrainingState,
    target_for,
    target_named,
    target_of_device,
)

__all__ = [
    "DEVICES", "PROCESSOR", "TARGETS", "Stepper", "TrainingState", "target_for", "target_named",
    "target_of_device",
]  # fmt: skip
