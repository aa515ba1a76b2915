"""Optimisers: how weights follow their gradients.

`formulas` are the updates, Adam's among them; `rule` adds decay and clipping; `schedule` is the rate of each
epoch, which `engine/training.py` asks for.
"""

from abacist.optimisers.formulas import MOMENTS, OPTIMISERS, Optimiser
from abacist.optimisers.rule import Rule
from abacist.optimisers.schedule import Schedule

__all__ = ["MOMENTS", "OPTIMISERS", "Optimiser", "Rule", "Schedule"]
