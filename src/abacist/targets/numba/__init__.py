"""The Numba target: sixteen runs, or sixty-four words, in the lanes of vectors, on one core each."""

from abacist.targets.numba.target import TARGET

__all__ = ["TARGET"]
