"""A plugin: a sum of what is read, a diagonal recurrence that cannot leak.

abacist run examples/leak.toml --results results-leak
"""

from abacist.algebra import linear
from abacist.cells import cell, tensors


@cell(parameters=tensors(W="hidden inputs", b="hidden"))
def sums(w, x, h):
    return h + linear(w.W, x) + w.b


if __name__ == "__main__":  # as a script: how far a network of it counts, trained on aⁿbⁿ with n up to 50
    from abacist.analysis import Search, horizon
    from abacist.corpora import Window
    from abacist.engine import train
    from abacist.languages import language_named
    from abacist.specs import Spec

    words = {"short": Window(2, 100), "long": Window(102, 400), "distinct": False, "test": 10}
    spec = Spec(language_named("anbn"), sums, hidden=2, rate=0.003, epochs=30, training=1_000, **words)
    networks = train(spec, [0]).networks
    print(f"a network of two sums on aⁿbⁿ: {horizon(networks, 0, spec.language, Search(to=1_000, budget=1))}")
    print("abacist run examples/leak.toml --results results-leak compares 64 of each kind, in five minutes")
