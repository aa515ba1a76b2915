"""The LLVM target: statements as vectors of lanes, compiled for this processor."""

#: How many lanes a register has in each precision.
LANES = {"float32": 16, "float64": 8}

#: How many registers a vector has where there are always enough lanes to fill several: words, and states.
JUDGING_REGISTERS, STEPPING_REGISTERS = 4, 2
