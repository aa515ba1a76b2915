"""Targets: what statements become, and what runs them. One folder each, behind one small protocol."""

from abacist.targets.target import PROCESSOR, TARGETS, Stepper, TrainingState, target_for, target_named

__all__ = ["PROCESSOR", "TARGETS", "Stepper", "TrainingState", "target_for", "target_named"]
