"""The cells with memories by name, with rows of five numbers, or of one where the name says so."""

from __future__ import annotations

from abacist.cells.definition import Cell
from abacist.cells.memories.baby_ntm import baby_ntm, baby_ntm_1
from abacist.cells.memories.neural_deque import neural_deque
from abacist.cells.memories.neural_stack import neural_queue, neural_stack
from abacist.cells.memories.nnpda import nnpda
from abacist.cells.memories.ntm import ntm
from abacist.cells.memories.russ import russ
from abacist.cells.memories.stack_lstm import stack_lstm, stack_lstm_1
from abacist.cells.memories.stack_rnn import stack_rnn, stack_rnn_1, stack_rnn_no_op, stack_rnn_no_op_1

#: Cells by name. A further one is a further file, and a further line.
MEMORIES: dict[str, Cell] = {
    c.name: c
    for c in (
        stack_rnn,
        stack_rnn_1,
        stack_rnn_no_op,
        stack_rnn_no_op_1,
        stack_lstm,
        stack_lstm_1,
        baby_ntm,
        baby_ntm_1,
        neural_stack,
        neural_queue,
        neural_deque,
        ntm,
        nnpda,
        russ,
    )
}
