"""Plain Python, which JavaScript is compared with, computes what the engine computes."""

from __future__ import annotations

import numpy as np

from abacist.bench.plain_peer import PlainLstm, in_lists, in_matrices
from abacist.cells import cell_named
from abacist.engine import reference
from abacist.languages import language_named
from abacist.specs import Networks, Spec
from tests.engine.cases import any_words, each, train_on


def test_it_trains_as_the_engine_does() -> None:
    spec = Spec(
        language_named("dyck-1"), cell_named("lstm"), hidden=3, precision="float64", epochs=1, order="fixed"
    )
    words = any_words("dyck-1", [3 + n % 7 for n in range(20)], seed=4)
    networks = Networks.initial(spec.layout, [2], "float64")
    plain, listed = PlainLstm(in_matrices(networks, 0)), in_lists(words, 20)
    word, targets, counted = each(words)[0]
    loss, _ = plain.gradient(*listed[0])
    assert abs(loss - reference.loss(networks, 0, word, targets, counted)) < 1e-14
    trained = train_on(spec, networks, [words])
    assert abs(plain.train(listed) / 20 - trained.losses[0, 0]) < 1e-12
    flat = np.concatenate([np.ravel(tensor) for tensor in plain.tensors])
    np.testing.assert_allclose(flat, trained.networks.parameters[0], rtol=0, atol=1e-9)
