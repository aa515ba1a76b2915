"""The zoo: cells of the literature beside those of the paper, each a formula in its paper's notation."""

from abacist.cells.definition import Cell
from abacist.cells.zoo.by_input import (
    diagonal,
    diagonal_signed,
    mingru,
    minlstm,
    minlstm_unscaled,
    qrnn,
    selective,
)
from abacist.cells.zoo.exponential_gates import mlstm, slstm
from abacist.cells.zoo.gated import cifg, irnn, janet, lstm_1997, peephole, ugrnn

# fmt: off
#: Cells by name. A further one is a formula in a file here, and its name in this list.
ZOO: dict[str, Cell] = {
    one.name: one
    for one in (
        lstm_1997, peephole, cifg, janet, ugrnn, irnn, mingru, minlstm, minlstm_unscaled, qrnn, diagonal,
        diagonal_signed, selective, slstm, mlstm,
    )
}
# fmt: on

__all__ = ["ZOO"]
