"""The LLVM target: statements as vectors of lanes, compiled for this processor."""
