"""Formulas, gradients and training against PyTorch: its own cells, and small modules for the others."""

from __future__ import annotations

from dataclasses import replace
from itertools import product
from typing import Any

import numpy as np
import pytest

from abacist.cells import CELLS, MEMORIES, ZOO
from abacist.corpora import Window
from abacist.engine import train
from abacist.languages import language_named
from abacist.optimisers import Schedule
from tests.engine import pytorch
from tests.engine.cases import EVERY, any_words, layout_of, random_networks, small, thorough_but
from tests.requirements import need

pytestmark = need("torch")

LAYERS = [f"{name}_x{layers}" for name in CELLS for layers in (2, 3)]


@pytest.mark.parametrize(
    ("name", "hidden"),
    [*product(CELLS, range(1, 9)), *product(ZOO, (1, 6)), *product([*MEMORIES, *LAYERS], (3,))],
)
def test_the_formula_and_its_adjoint_are_the_module_s(name: str, hidden: int) -> None:
    language = "anbn" if name in CELLS and hidden % 2 else "dyck-2"
    scale, apart = {True: (2.0, 1e-9), False: (1.5, 1e-10)}[name in MEMORIES]
    networks = random_networks(layout_of(EVERY[name], hidden, language), 1, seed=hidden, scale=scale)
    pytorch.is_the_module_s(networks, any_words(language, [2, 25], seed=hidden), apart)


#: What differs from online training with Adam.
CHANGES: dict[str, dict[str, Any]] = {
    "online": {},
    "decay": {"rate": 0.01, "decay": 0.3},
    "batch of 4": {"batch": 4, "training": 98},
    "last": {"steps": "last"},
    "other Adam": {"rate": 0.01, "beta1": 0.8, "epsilon": 1e-3},
    "own order": {"order": "own"},
    "fixed order": {"order": "fixed"},
    "cosine": {"rate": 0.01, "schedule": Schedule("cosine", 2)},
    "step": {"optimiser": "sgd", "rate": 0.1, "decay": 0.1, "schedule": Schedule("step", 1, 0.3)},
    "a memory": {"rate": 0.01, "language": language_named("dyck-2")},
}
QUICK = [
    *product(CELLS, ("online", "decay")),
    ("peephole", "batch of 4"),
    ("gru_x2", "online"),
    *product(("rnn",), ("cosine", "step")),
]


@pytest.mark.parametrize(
    ("name", "change"),
    thorough_but(
        QUICK,
        dict.fromkeys([
            *QUICK,
            *product(CELLS, list(CHANGES)[2:-1]),
            *product([*ZOO, *LAYERS], ("online",)),
            *product(MEMORIES, ("a memory",)),
        ]),
    ),
)  # fmt: skip
def test_training_ends_at_the_module_s_weights(name: str, change: str) -> None:
    spec = small(EVERY[name], precision="float64", training=100, short=Window(2, 16), long=Window(18, 20))
    expected = pytorch.ends_at_the_module_s_weights(replace(spec, **CHANGES[change]))
    if change == "online" and name not in LAYERS:
        single = train(replace(spec, precision="float32"), [3, 4])
        assert single.networks.parameters.dtype == np.float32
        apart = 1e-3 if name == "slstm_open" else 1e-4  # Adam moves biases of no influence by their noise
        np.testing.assert_allclose(single.networks.parameters[1], expected, rtol=0, atol=apart)
