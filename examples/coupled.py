"""A plugin: an LSTM whose input gate is what its forget gate leaves, by its own few lines.

    abacist cells --plugin examples/coupled.py
    abacist train dyck-1 coupled --hidden 2 --runs 10 --plugin examples/coupled.py --out results-coupled
    abacist table --results results-coupled
    abacist horizon --results results-coupled --plugin examples/coupled.py

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


if __name__ == "__main__":  # as a script: ten networks on Dyck-1
    from statistics import median

    from abacist.engine import judge, train
    from abacist.languages import language_named
    from abacist.specs import Spec

    spec = Spec(language_named("dyck-1"), coupled, hidden=2, epochs=20, training=4_000, test=500)
    seeds = range(10)
    accuracies = judge(spec, seeds, train(spec, seeds).networks)
    for name in ("short", "long"):
        print(f"{name} set: median accuracy {100 * median(accuracies.of(name)):.1f} % of ten networks")
    print(
        "abacist train dyck-1 coupled --hidden 2 --runs 10 --plugin examples/coupled.py --out results-coupled"
    )
