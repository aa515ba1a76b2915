"""The cells of the zoo by name."""

from __future__ import annotations

from abacist.cells.definition import Cell
from abacist.cells.zoo.cifg import cifg
from abacist.cells.zoo.diagonal import diagonal
from abacist.cells.zoo.diagonal_signed import diagonal_signed
from abacist.cells.zoo.irnn import irnn
from abacist.cells.zoo.janet import janet
from abacist.cells.zoo.lstm_1997 import lstm_1997
from abacist.cells.zoo.mingru import mingru
from abacist.cells.zoo.minlstm import minlstm
from abacist.cells.zoo.minlstm_unscaled import minlstm_unscaled
from abacist.cells.zoo.mlstm import mlstm
from abacist.cells.zoo.peephole import peephole
from abacist.cells.zoo.qrnn import qrnn
from abacist.cells.zoo.selective import selective
from abacist.cells.zoo.slstm import slstm
from abacist.cells.zoo.ugrnn import ugrnn

#: Cells by name. A further one is a further file, and a further line.
ZOO: dict[str, Cell] = {
    c.name: c
    for c in (
        lstm_1997,
        peephole,
        cifg,
        janet,
        ugrnn,
        irnn,
        mingru,
        minlstm,
        minlstm_unscaled,
        qrnn,
        diagonal,
        diagonal_signed,
        selective,
        slstm,
        mlstm,
    )
}
