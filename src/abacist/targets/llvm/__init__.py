"""The LLVM target: statements as vectors of lanes, compiled for this processor."""

from abacist.targets.llvm.target import TARGET

__all__ = ["TARGET"]
