"""How wide vectors are: all that others ask of them before anything is compiled, so without Numba."""

from __future__ import annotations

#: How many lanes a register has in each precision.
LANES = {"float32": 16, "float64": 8}

#: How many registers a vector has where there are always enough lanes to fill several: words, and states.
JUDGING_REGISTERS, STEPPING_REGISTERS = 4, 2
