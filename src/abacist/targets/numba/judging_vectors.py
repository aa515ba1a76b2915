"""Vectors of several registers side by side, for the words of judging.

What takes its type from its arguments is the same for all vectors; only what makes vectors
out of numbers and arrays is made anew here.
"""

from __future__ import annotations

from abacist.targets.numba.lane_memory import loads_into
from abacist.targets.numba.lanes import splat_into
from abacist.targets.numba.widths import JUDGING_REGISTERS

splat = splat_into(JUDGING_REGISTERS)
load, load_shared, load_all = loads_into(JUDGING_REGISTERS)
