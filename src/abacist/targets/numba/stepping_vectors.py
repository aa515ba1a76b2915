"""Vectors of several registers side by side, for steps of states and boxes.

What takes its type from its arguments is the same for all vectors; only what makes vectors
out of numbers and arrays is made anew here.
"""

from __future__ import annotations

from abacist.targets.numba.lane_memory import loads_into
from abacist.targets.numba.lanes import splat_into
from abacist.targets.numba.widths import STEPPING_REGISTERS

splat = splat_into(STEPPING_REGISTERS)
load, load_shared, load_all = loads_into(STEPPING_REGISTERS)
