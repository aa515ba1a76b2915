"""The same seed means the same in a browser: bits, words, labels, weights; bad input gets a sentence."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

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
from abacist.engine import epoch_order, slots_of
from abacist.languages import language_named
from abacist.specs import Networks
from abacist.targets.webassembly import drawing_tables, language_tables, program_name
from tests.engine.cases import small
from tests.requirements import need
from tests.targets.webassembly.node import in_node

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

SPEC = small(cell_named("lstm"))

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
return {
  refusals: [
    () => new abacist.Stream(-1, 0),
    () => new abacist.Stream(2 ** 53, 0),
    () => abacist.saturated(abacist.PROGRAMS[given.ungated], new Float32Array(9), 2),
    () => abacist.trace(program, new Float32Array(5), [0]),
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
  saturated: abacist.saturated(program, Float32Array.from(abacist.initialWeights(program, 0)), 4),
  orders: ["shared", "own", "fixed"].map((order) => given.seeds.map((seed) => {
    const { offsets } = abacist.drawWords(given.words, seed).training;
    const lengths = Uint32Array.from(offsets.subarray(1), (end, i) => end - offsets[i]);
    const epochs = [0, 2].map((epoch) => abacist.epochOrder(order, epoch, lengths.length));
    return { lengths, slots: abacist.slotsOf(order, seed, lengths), epochs };
  })),
};
"""


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
        "seeds": _SEEDS,
        "recipes": {name: drawing_tables(recipe) for name, recipe in RECIPES.items()},
        "readings": [
            {"tables": language_tables(language_named(name)), "words": _strings(name)} for name in LANGUAGES
        ],
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
    single = Networks.initial(SPEC.layout, _SEEDS, "float32")
    assert made["saturated"] == saturated(single, 4).parameters[0].tolist()


@pytest.mark.parametrize("order", ["shared", "own", "fixed"])
def test_orders_are_those_of_the_engine(order: str, made: Any) -> None:
    runs = made["orders"][("shared", "own", "fixed").index(order)]
    for seed, found in zip(_SEEDS, runs, strict=True):
        lengths = np.array(found["lengths"])
        assert found["slots"] == slots_of(order, seed, lengths).tolist()
        assert found["epochs"] == [epoch_order(len(lengths), epoch, order).tolist() for epoch in (0, 2)]


def test_bad_input_gets_a_sentence(made: Any) -> None:
    assert made["refusals"] == [
        "RangeError: seed must be a whole number from 0 to 2⁵³ − 1, got -1",
        "RangeError: seed must be a whole number from 0 to 2⁵³ − 1, got 9007199254740992",
        "RangeError: rnn_relu has no gates to sharpen",
        f"RangeError: lstm 2 3 2 has {SPEC.layout.size} weights, got 5",
        "RangeError: sorted begins with weights that are not drawn one by one",
    ]
    assert made["parsed"] == [[0, 0, 1, 1], None, []]
