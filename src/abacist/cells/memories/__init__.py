"""Memories: controllers with a memory beside them, each a formula in its paper's notation."""

from abacist.cells.definition import Cell
from abacist.cells.memories.actions import (
    baby_ntm,
    baby_ntm_1,
    russ,
    stack_lstm,
    stack_lstm_1,
    stack_rnn,
    stack_rnn_1,
    stack_rnn_no_op,
    stack_rnn_no_op_1,
)
from abacist.cells.memories.strengths import neural_deque, neural_queue, neural_stack, nnpda
from abacist.cells.memories.turing_machine import ntm

# fmt: off
#: Cells by name, with rows of five numbers, or of one where the name says so. A further one is a formula in a
#: file here, and its name in this list.
MEMORIES: dict[str, Cell] = {
    one.name: one
    for one in (
        stack_rnn, stack_rnn_1, stack_rnn_no_op, stack_rnn_no_op_1, stack_lstm, stack_lstm_1, baby_ntm,
        baby_ntm_1, neural_stack, neural_queue, neural_deque, ntm, nnpda, russ,
    )
}
# fmt: on

__all__ = ["MEMORIES"]
