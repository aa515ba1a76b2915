"""The same seed means the same in JavaScript: bits, words, labels, weights, orders, whole trainings."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal
from typing import Any

import numpy as np
import pytest

from abacist.algebra import ROUNDING
from abacist.analysis import saturated
from abacist.cells import Layout, cell_named
from abacist.corpora import (
    CutOff,
    Grammar,
    Purpose,
    Recipe,
    Split,
    Uniform,
    Window,
    bit_generator,
    draw,
    label,
)
from abacist.corpora.packed import pack
from abacist.engine import epoch_order, slots_of, train
from abacist.languages import language_named
from abacist.specs import Networks
from abacist.targets.javascript import drawing_tables, language_tables, program_name
from tests.algebra.exact_activations import exactly
from tests.engine.cases import small
from tests.requirements import need
from tests.targets.javascript.node import in_node

pytestmark = need("node")

_SEEDS = (0, 7, 2**32 + 5, 2**53 - 1)


def _sorted(drawn: dict[str, Any]) -> dict[str, Any]:
    return {name: np.sort(array) for name, array in drawn.items()}


def _recipe(language: str, source: Any, *splits: Split, distinct: bool = True) -> Recipe:
    return Recipe(language_named(language), source, splits, 0, distinct)


_SHORT, _LONG = Split("short", Window(2, 20), 60), Split("long", Window(22, 40), 40)

#: Every way of drawing words.
RECIPES = {
    "grammar": _recipe("dyck-1", Grammar(), Split("short", Window(2, 16), 90), _LONG),
    "several pairs": _recipe("shuffle-6", Grammar(), _SHORT, _LONG),
    "another grammar": _recipe("dyck-2", Grammar("0.4", "0.3"), _LONG, _SHORT),  # type: ignore[arg-type]
    "cut off": _recipe("dyck-2", CutOff(), _SHORT, _LONG),
    "uniform": _recipe("shuffle-3", Uniform(Grammar()), _SHORT, _LONG),
    "uniform by count": _recipe("dyck-3", Uniform(), _SHORT, _LONG),
    "without crossings": _recipe("shuffle-2", Uniform(Grammar(), nested=True), _SHORT, _LONG),
    "blocks": _recipe("anbncn", Uniform(), Split("short", Window(3, 60), 20), distinct=False),
    "brackets and blocks": _recipe("dyck-2 || anbn", Uniform(), _SHORT, _LONG),
    "with repetitions": _recipe("dyck-1", Grammar(), Split("short", Window(2, 6), 80), distinct=False),
}

LANGUAGES = ("dyck-1", "dyck-3", "shuffle-2", "anbn", "anbncn", "dyck-1 || anbn")

#: What training from a seed alone is tried with.
SPEC = small(cell_named("lstm"), precision="float64")

#: What cannot be saturated.
_UNGATED = Layout(cell_named("rnn_relu"), 2, 3, 2)

#: Cells that begin with weights of their own, one of them with weights that depend on each other.
_BEGINNING = [Layout(cell_named(name), 4, 3, 2) for name in ("irnn", "irnn_x2", "stack_rnn")]
_SORTED = Layout(replace(cell_named("rnn"), name="sorted", initial=_sorted), 2, 3, 2)

_SCRIPT = """
const bits = (stream, count) => Array.from({ length: count }, () => {
  stream.next();
  return [stream.high, stream.low];
});
const refused = (work) => {
  try {
    return work();
  } catch (error) {
    return `${error.name}: ${error.message}`;
  }
};
const program = abacist.PROGRAMS[given.program], language = new abacist.Language(given.language);
const some = language.label({ symbols: new Uint8Array([0, 1]), offsets: new Uint32Array([0, 2]) });
const none = language.label({ symbols: new Uint8Array(), offsets: new Uint32Array([0]) });
return {
  refusals: [
    () => new abacist.Stream(-1, 0),
    () => new abacist.Stream(2 ** 53, 0),
    () => abacist.saturated(abacist.PROGRAMS[given.ungated], new Float64Array(9), 2),
    () => new abacist.Trainer(program, new Float64Array(program.parameters), none),
    () => new abacist.Trainer(program, new Float64Array(5), some),
    () => abacist.initialWeights(abacist.PROGRAMS[given.sorted], 0),
  ].map(refused),
  parsed: ["(())", "(a)", ""].map((text) => language.parse(text)),
  bits: given.seeds.map((seed) => [[3], [0, 1]].map((path) => bits(new abacist.Stream(seed, ...path), 40))),
  words: Object.fromEntries(Object.entries(given.recipes).map(
    ([name, tables]) => [name, given.seeds.map((seed) => abacist.drawWords(tables, seed))])),
  readings: given.readings.map(({ tables, words }) => {
    const known = new abacist.Language(tables);
    return words.map((word) => known.read(word));
  }),
  weights: given.seeds.map((seed) => abacist.initialWeights(program, seed)),
  begun: given.beginning.map(
    (name) => given.seeds.map((seed) => abacist.initialWeights(abacist.PROGRAMS[name], seed))),
  saturated: abacist.saturated(program, abacist.initialWeights(program, 0), 4),
  activations: given.arguments.map(
    (x) => [abacist.sigmoid(x), abacist.tanh(x), abacist.sigmoidTimesTanh(x, -x / 2)]),
  orders: ["shared", "own", "fixed"].map((order) => given.seeds.slice(0, 2).map((seed) => {
    const words = language.label(abacist.drawWords(given.words, seed).training);
    const weights = abacist.initialWeights(program, seed);
    const trainer = new abacist.Trainer(program, weights, words, { order, seed });
    const { visits, lengths } = trainer, losses = [];
    while (trainer.epochs < given.epochs) losses.push(trainer.advance(visits.length).loss / visits.length);
    return { visits, later: trainer.visits, lengths, weights, losses, epochs: trainer.epochs };
  })),
};
"""


def _arguments() -> list[float]:
    rng = np.random.default_rng(5)
    spread = np.concatenate([rng.uniform(-45, 45, 300), rng.normal(0, 2, 600), rng.normal(0, 1e-3, 100)])
    return [0.0, -0.0, 40.0, -40.0, 1e300, -1e300, 37.5, 19.1, *spread.tolist()]


def _strings(language: str) -> list[list[int]]:
    size = len(language_named(language).alphabet)
    rng = np.random.default_rng(9)
    return [rng.integers(0, size, n).tolist() for n in (0, *range(1, 9), *range(1, 9), 30)]


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """All that the tests look at, from one run of Node."""
    given = {
        "program": program_name(SPEC.layout),
        "ungated": program_name(_UNGATED),
        "sorted": program_name(_SORTED),
        "beginning": [program_name(layout) for layout in _BEGINNING],
        "language": language_tables(SPEC.language),
        "words": drawing_tables(SPEC.recipe(0)),
        "epochs": SPEC.epochs,
        "seeds": _SEEDS,
        "recipes": {name: drawing_tables(recipe) for name, recipe in RECIPES.items()},
        "readings": [
            {"tables": language_tables(language_named(name)), "words": _strings(name)} for name in LANGUAGES
        ],
        "arguments": _arguments(),
    }
    layouts = [SPEC.layout, _UNGATED, _SORTED, *_BEGINNING]
    return in_node(tmp_path_factory.mktemp("node"), layouts, _SCRIPT, given)


def test_bits_are_numpy_s(made: Any) -> None:
    for seed, streams in zip(_SEEDS, made["bits"], strict=True):
        for generator, halves in zip(
            (bit_generator(seed, Purpose.STRESS), bit_generator(seed, Purpose.CORPORA, 1)),
            streams,
            strict=True,
        ):
            assert [high << 32 | low for high, low in halves] == generator.random_raw(40).tolist()


@pytest.mark.parametrize("name", RECIPES)
def test_words_are_those_of_the_package(name: str, made: Any) -> None:
    for seed, drawn in zip(_SEEDS, made["words"][name], strict=True):
        corpora = draw(replace(RECIPES[name], seed=seed))
        assert list(drawn) == [corpus.split.name for corpus in corpora]
        for corpus in corpora:
            own = drawn[corpus.split.name]
            assert own["symbols"] == corpus.symbols.tolist()
            assert own["offsets"] == corpus.offsets.tolist()


@pytest.mark.parametrize("name", LANGUAGES)
def test_strings_are_read_as_the_package_reads_them(name: str, made: Any) -> None:
    language, strings = language_named(name), _strings(name)
    labels = label(language, *(packed := pack(language, strings)))
    readings = made["readings"][LANGUAGES.index(name)]
    bounds = zip(packed[1][:-1], packed[1][1:], strict=True)
    for (start, end), left_at, string, found in zip(bounds, labels.left_at, strings, readings, strict=True):
        assert found["targets"] == labels.targets[start:end].ravel().tolist()
        assert found["leftAt"] == left_at
        steps = language.read(string).steps
        assert found["depths"][: len(steps)] == [list(step.depths) for step in steps]


def test_initial_weights_are_those_of_the_package(made: Any) -> None:
    networks = Networks.initial(SPEC.layout, _SEEDS, "float64")
    assert made["weights"] == networks.parameters.tolist()
    for layout, weights in zip(_BEGINNING, made["begun"], strict=True):
        assert weights == Networks.initial(layout, _SEEDS, "float64").parameters.tolist()
    assert made["saturated"] == saturated(networks, 4).parameters[0].tolist()


@pytest.mark.parametrize("order", ["shared", "own", "fixed"])
def test_a_seed_trains_the_run_that_the_engine_trains(order: str, made: Any) -> None:
    seeds = _SEEDS[:2]
    trained = train(replace(SPEC, order=order), seeds)
    runs = made["orders"][("shared", "own", "fixed").index(order)]
    for place, (seed, found) in enumerate(zip(seeds, runs, strict=True)):
        lengths = np.array(found["lengths"])
        slots = slots_of(order, seed, lengths)
        assert found["visits"] == slots[epoch_order(len(lengths), 0, order)].tolist()
        assert found["later"] == slots[epoch_order(len(lengths), SPEC.epochs - 1, order)].tolist()
        assert found["epochs"] == SPEC.epochs
        np.testing.assert_allclose(found["weights"], trained.networks.parameters[place], rtol=0, atol=1e-9)
        np.testing.assert_allclose(found["losses"], trained.losses[place], rtol=1e-9)


def test_activations_keep_the_promise_about_rounding(made: Any) -> None:
    promise = ROUNDING["float64"]
    for x, (sigmoid, tanh, product) in zip(_arguments(), made["activations"], strict=True):
        assert abs(exactly("sigmoid", x) - Decimal(sigmoid)) <= promise.activation["sigmoid"]
        assert abs(exactly("tanh", x) - Decimal(tanh)) <= promise.activation["tanh"]
        both = exactly("sigmoid", x) * exactly("tanh", -x / 2)
        assert abs(both - Decimal(product)) <= promise.activation["sigmoid_times_tanh"]
        if x >= promise.sigmoid_one:
            assert sigmoid == 1
        if abs(x) >= promise.tanh_one:
            assert tanh == np.sign(x)
        if -promise.sigmoid_clamp <= x <= 0:
            assert sigmoid == pytest.approx(float(exactly("sigmoid", x)), rel=promise.sigmoid_relative)
        assert tanh * x >= 0


def test_bad_input_gets_a_sentence(made: Any) -> None:
    assert made["refusals"] == [
        "RangeError: seed must be a whole number from 0 to 2⁵³ − 1, got -1",
        "RangeError: seed must be a whole number from 0 to 2⁵³ − 1, got 9007199254740992",
        "RangeError: rnn_relu has no gates to sharpen",
        "RangeError: training needs at least one word, got none",
        f"RangeError: lstm 2 3 2 has {SPEC.layout.size} weights, got 5",
        "RangeError: sorted begins with weights that are not drawn one by one",
    ]
    assert made["parsed"] == [[0, 0, 1, 1], None, []]
