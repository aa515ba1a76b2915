"""Memories: controllers with a memory beside them, each a formula in its paper's notation."""

from abacist.cells.memories.registry import MEMORIES

__all__ = ["MEMORIES"]
