"""Memories: controllers with a memory beside them, each a formula in its paper's notation."""

from abacist.cells.definition import Cell
from abacist.cells.memories.actions import STACKS_AND_TAPES, russ
from abacist.cells.memories.strengths import neural_deque, neural_queue, neural_stack, nnpda
from abacist.cells.memories.turing_machine import ntm

#: Cells by name, with rows of five numbers, or of one where the name says so. A further one is a formula in a
#: file here, and its name in this list.
_CELLS = (*STACKS_AND_TAPES, neural_stack, neural_queue, neural_deque, ntm, nnpda, russ)
MEMORIES: dict[str, Cell] = {one.name: one for one in _CELLS}

__all__ = ["MEMORIES"]
