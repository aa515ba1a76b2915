"""The CUDA target: thousands of runs side by side on an NVIDIA device."""

from abacist.targets.cuda.target import TARGET

__all__ = ["TARGET"]
