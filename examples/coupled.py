"""A plugin: an LSTM whose input gate is what its forget gate leaves, by its own few lines.

    abacist cells --plugin examples/coupled.py
    abacist train dyck-1 coupled --hidden 2 --runs 10 --plugin examples/coupled.py --out kept
    abacist table --results kept
    abacist horizon --results kept --plugin examples/coupled.py

See docs/own-cells.md.
"""

from typing import Any

from abacist.algebra import sigmoid, tanh
from abacist.cells import cell


@cell(gates="f g o")
def coupled(w: Any, x: Any, h: Any, c: Any) -> Any:
    """The coupled LSTM of Greff et al. (2017): i = 1 - f."""
    f = sigmoid(w.f(x, h))
    g = tanh(w.g(x, h))
    o = sigmoid(w.o(x, h))
    c = f * c + (1 - f) * g
    return o * tanh(c), c
