"""The same seed trains the same runs; activations keep their promise; bad input gets a sentence."""

from __future__ import annotations

from base64 import b64encode
from dataclasses import replace
from decimal import Decimal
from typing import Any

import numpy as np
import pytest

from abacist.algebra import ROUNDING
from abacist.cells import cell_named
from abacist.engine import train
from abacist.targets.webassembly import drawing_tables, language_tables, program_name
from abacist.targets.webassembly.assembler import module_bytes
from tests.algebra.exact_activations import exactly
from tests.engine.cases import small
from tests.requirements import need
from tests.targets.webassembly.node import in_node
from tests.targets.webassembly.vectors import over_vectors

pytestmark = need("node")

_SEEDS = (0, 1, 7, 2**32 + 5, 2**53 - 1)

_ORDERS = ("shared", "own", "fixed")

SPEC = small(cell_named("lstm"), precision="float32")

_SCRIPT = """
const program = abacist.PROGRAMS[given.name], code = abacist.TRAINING[given.name];
const language = new abacist.Language(given.language);
const words = given.seeds.map((seed) => language.label(abacist.drawWords(given.words, seed).training));
const weights = given.seeds.map((seed) => abacist.initialWeights(program, seed));
const orders = given.orders.map((order) => {
  const trainer = new abacist.Trainer(program, code, weights, words, { order, seeds: given.seeds });
  const { length } = trainer.visits, losses = [];
  while (trainer.epochs < given.epochs) {
    losses.push(trainer.advance(length).losses.map((loss) => loss / length));
  }
  return { losses, after: weights.map((_, run) => trainer.weights(run)), epochs: trainer.epochs };
});
const memory = new WebAssembly.Memory({ initial: 16 }), numbers = new Float32Array(memory.buffer);
const bytes = Uint8Array.from(atob(given.functions.code), (letter) => letter.charCodeAt(0));
const { exports } = new WebAssembly.Instance(new WebAssembly.Module(bytes), { abacist: { memory } });
const size = 4 * given.arguments.length;
numbers.set(given.arguments.map((x) => x ?? NaN));
const activations = given.functions.names.map((name) => {
  exports[name](0, size, 2 * size);
  return numbers.slice(size / 4, size / 2);
});
const refused = (work) => {
  try {
    return work();
  } catch (error) {
    return `${error.name}: ${error.message}`;
  }
};
const none = language.label({ symbols: new Uint8Array(), offsets: new Uint32Array([0]) });
const some = language.label({ symbols: new Uint8Array([0, 1]), offsets: new Uint32Array([0, 2]) });
const refusals = [
  () => new abacist.Trainer(program, code, [], []),
  () => new abacist.Trainer(program, code, [weights[0], new Float64Array(5)], [some, some]),
  () => new abacist.Trainer(program, code, weights, [some]),
  () => new abacist.Trainer(program, code, [weights[0]], [none]),
  () => new abacist.Trainer(program, code, weights.slice(0, 2), [some, words[0]]),
].map(refused);
const empty = [abacist.trace(program, weights[0], []), abacist.firstMistake(program, weights[0], [], [])];
return { orders, activations, refusals, empty };
"""


#: The operations that are tried; the product takes x and −x / 2.
_OPERATIONS = ("sigmoid", "tanh", "sigmoid_times_tanh")


def _arguments() -> list[float]:
    """Numbers of float32, as many as fill vectors."""
    rng = np.random.default_rng(5)
    spread = (rng.uniform(-45, 45, 700), rng.normal(0, 2, 1_400), rng.normal(0, 1e-3, 200))
    corners = [0.0, -0.0, 40.0, -40.0, 1e38, -1e38, 17.4, -17.4, 9.1, -9.1, 20.0, -20.0]
    return [float(x) for x in np.concatenate([corners, *spread]).astype(np.float32)]


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """All that the tests look at, from one run of Node."""
    codes = {name: over_vectors(name, 1 + ("_times_" in name)) for name in _OPERATIONS}
    given = {
        "name": program_name(SPEC.layout),
        "language": language_tables(SPEC.language),
        "words": drawing_tables(SPEC.recipe(0)),
        "epochs": SPEC.epochs,
        "seeds": _SEEDS,
        "orders": _ORDERS,
        "arguments": [*_arguments(), None, None, None, None],
        "functions": {"names": list(codes), "code": b64encode(module_bytes(codes)).decode()},
    }
    return in_node(tmp_path_factory.mktemp("node"), [SPEC.layout], _SCRIPT, given)


@pytest.mark.parametrize("order", _ORDERS)
def test_a_seed_trains_the_run_that_the_engine_trains(order: str, made: Any) -> None:
    trained = train(replace(SPEC, order=order), _SEEDS)
    runs = made["orders"][_ORDERS.index(order)]
    assert runs["epochs"] == SPEC.epochs
    np.testing.assert_allclose(runs["after"], trained.networks.parameters, rtol=0, atol=1e-5)
    np.testing.assert_allclose(np.transpose(runs["losses"]), trained.losses, rtol=1e-5)


def test_activations_keep_the_promise_about_rounding(made: Any) -> None:
    promise = ROUNDING["float32"]
    for x, *found in zip(_arguments(), *made["activations"], strict=False):
        exact = [exactly("sigmoid", x), exactly("tanh", x)]
        exact.append(exact[0] * exactly("tanh", float(np.float32(-x / 2))))
        for name, value, right in zip(_OPERATIONS, found, exact, strict=True):
            assert abs(right - Decimal(value)) <= promise.activation[name]
        if x >= promise.sigmoid_one:
            assert found[0] == 1
        if abs(x) >= promise.tanh_one:
            assert found[1] == np.sign(x)
        if -promise.sigmoid_clamp <= x <= 0:
            assert found[0] == pytest.approx(float(exact[0]), rel=promise.sigmoid_relative)
        assert found[1] * x >= 0


def test_what_is_nan_stays_nan(made: Any) -> None:
    for found in made["activations"]:
        assert None not in found[:-4]
        assert found[-4:] == [None] * 4


def test_a_word_without_symbols_has_no_steps(made: Any) -> None:
    assert made["empty"] == [[], -1]


def test_bad_input_gets_a_sentence(made: Any) -> None:
    assert made["refusals"] == [
        "RangeError: training needs at least one run, got none",
        f"RangeError: lstm 2 3 2 has {SPEC.layout.size} weights, got 5",
        "RangeError: every run needs words, got 1 sets for 5 runs",
        "RangeError: training needs at least one word, got none",
        "RangeError: runs at once need equally many words, got 1 and 40",
    ]
