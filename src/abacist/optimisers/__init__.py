"""Optimisers: how weights follow their gradients, one update as a formula each, and at what rate."""

from abacist.optimisers.formulas import MOMENTS, OPTIMISERS, Optimiser
from abacist.optimisers.rule import Rule
from abacist.optimisers.schedule import Schedule

__all__ = ["MOMENTS", "OPTIMISERS", "Optimiser", "Rule", "Schedule"]
