"""Optimisers: how weights follow their gradients, one update as a formula each."""

from abacist.optimisers.formulas import MOMENTS, OPTIMISERS, Optimiser
from abacist.optimisers.rule import Rule

__all__ = ["MOMENTS", "OPTIMISERS", "Optimiser", "Rule"]
