"""Printed JavaScript computes what the formula says: forwards, on the way back, and in its decisions."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from abacist.cells import CELLS, MEMORIES, ZOO, Cell, stacked
from abacist.corpora import Words
from abacist.engine import first_mistakes, reference, trace
from abacist.languages import language_named
from abacist.specs import Networks, Spec
from abacist.targets.javascript import language_tables, program_name
from tests.cells.toys import TOYS, UNBOUNDED, bounded
from tests.engine.cases import any_words, each, layout_of, random_networks, train_on
from tests.requirements import need
from tests.targets.javascript.node import in_node

pytestmark = need("node")

_SCRIPT = """
return given.map(({ program, weights, language, words, strings, all }) => {
  const own = abacist.PROGRAMS[program], start = Float64Array.from(weights);
  const known = new abacist.Language(language), offsets = Uint32Array.from(words.offsets);
  const labelled = known.label({ symbols: Uint8Array.from(words.symbols), offsets });
  const each = Array.from(offsets.subarray(1), (end, i) => words.symbols.slice(offsets[i], end));
  const traces = each.map((word) => {
    let states = null;
    return word.map((symbol, t) => {
      const next = abacist.step(own, start, states, symbol, t);
      if (t % 50 === 7) {
        const whole = abacist.step(own, start, states, symbol);
        if (`${whole.states}` !== `${next.states}`) throw new Error(`step ${t} depends on its number`);
      }
      states = next.states;
      const named = Object.entries(next.values);
      return Object.fromEntries(all ? named : named.filter(([name]) => name in own.states || name === "y"));
    });
  });
  const mistakes = each.map((word) => abacist.firstMistake(own, start, word, known.read(word).targets));
  const accepted = abacist.accepted(own, start, labelled);
  const rejections = strings.map((word) => abacist.firstRejection(own, start, known, word));
  const after = start.slice();
  const trainer = new abacist.Trainer(own, after, labelled, { order: "fixed" });
  const losses = [10, 15, 25].map((count) => trainer.advance(count).loss);
  return { traces, mistakes, accepted, rejections, after, losses, updates: trainer.updates };
});
"""


_CELLS = [*CELLS.values(), *TOYS.values(), *UNBOUNDED.values(), bounded, stacked(CELLS["lstm"], 2)]
_CASES = [(cell, 3, "anbn") for cell in _CELLS] + [(cell, 6, "dyck-2") for cell in CELLS.values()]
_CASES.append((MEMORIES["stack_rnn"], 5, "dyck-2"))
_ZOO = [(cell, 3, "anbn") for cell in ZOO.values()] + [(cell, 3, "dyck-1") for cell in MEMORIES.values()]


@dataclass(frozen=True, eq=False)
class Case:
    """A network, words to follow and to train on, any strings, and what JavaScript makes of them."""

    networks: Networks
    language: str
    words: Words
    strings: list[list[int]]
    made: dict[str, Any]


@pytest.fixture(scope="module")
def cases(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Case]:
    return _made(tmp_path_factory.mktemp("node"), _CASES)


@pytest.fixture(scope="module")
def zoo(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Case]:
    return _made(tmp_path_factory.mktemp("zoo"), _ZOO)


def _made(folder: Path, chosen: list[tuple[Cell, int, str]]) -> dict[str, Case]:
    """Every case by its program's name, all of them from one run of Node."""
    rng, made, given = np.random.default_rng(3), [], []
    for number, (own, hidden, name) in enumerate(chosen):
        language, networks = (
            language_named(name),
            random_networks(layout_of(own, hidden, name), 1, seed=number),
        )
        longest = 120 if own in MEMORIES.values() else 10  # so that every row of a memory is reached
        words = any_words(name, [*(2 + n % 9 for n in range(49)), longest], seed=number)
        strings = [rng.integers(0, len(language.alphabet), n).tolist() for n in (0, 1, 1, 2, 3, 4, 5, 8, 12)]
        made.append((networks, name, words, strings))
        given.append(
            {
                "program": program_name(networks.layout),
                "weights": networks.parameters[0].tolist(),
                "language": language_tables(language),
                "words": {"symbols": words.symbols.tolist(), "offsets": words.offsets.tolist()},
                "strings": strings,
                "all": own in CELLS.values(),
            }
        )
    layouts = [networks.layout for networks, *_ in made]
    results = in_node(folder, layouts, _SCRIPT, given)
    return {
        values["program"]: Case(*own, result)
        for values, own, result in zip(given, made, results, strict=True)
    }


def _case_name(given: tuple[str, tuple[Cell, int, str]]) -> str:
    return f"{given[1][0].name}-{given[1][1]}"


@pytest.fixture(
    params=[
        *(("cases", one) for one in _CASES),
        *(pytest.param(("zoo", one), marks=pytest.mark.thorough) for one in _ZOO),
    ],
    ids=_case_name,
)
def case(request: pytest.FixtureRequest) -> Case:
    made, one = request.param
    found: Case = request.getfixturevalue(made)[program_name(layout_of(*one))]
    return found


def test_steps_are_those_of_the_numpy_reading(case: Case) -> None:
    for (word, _, _), steps in zip(each(case.words), case.made["traces"], strict=True):
        states, outputs = reference.forward(case.networks, 0, word)
        for name, values in {**states, "y": outputs}.items():
            found = np.array([step[name] for step in steps])
            np.testing.assert_allclose(found, values, rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("cell", CELLS.values(), ids=lambda cell: cell.name)
def test_every_gate_has_its_name(cell: Cell, cases: dict[str, Case]) -> None:
    case = cases[program_name(layout_of(cell, 6, "dyck-2"))]
    word, steps = each(case.words)[8][0], case.made["traces"][8]
    traced = trace(case.networks, 0, word)
    assert set(steps[0]) == set(traced.values)
    for name in traced.values:
        np.testing.assert_allclose([step[name] for step in steps], traced[name], rtol=1e-9, atol=1e-12)


#: The engine compiles a program for each.
compiled = pytest.mark.parametrize(
    "case",
    [
        *(("cases", one) for one in _CASES[: len(CELLS)]),
        *(pytest.param(("cases", one), marks=pytest.mark.thorough) for one in _CASES[len(CELLS) :]),
        *(pytest.param(("zoo", one), marks=pytest.mark.thorough) for one in _ZOO),
    ],
    ids=_case_name,
    indirect=True,
)


@compiled
def test_fifty_updates_are_those_of_the_engine(case: Case) -> None:
    layout = case.networks.layout
    spec = Spec(
        language_named(case.language),
        layout.cell,
        layout.hidden,
        precision="float64",
        epochs=1,
        order="fixed",
    )
    trained = train_on(spec, case.networks, [case.words])
    assert case.made["updates"] == trained.updates == 50
    np.testing.assert_allclose(case.made["after"], trained.networks.parameters[0], rtol=0, atol=1e-9)
    assert sum(case.made["losses"]) / 50 == pytest.approx(float(trained.losses[0, 0]), rel=1e-9)


@compiled
def test_decisions_are_those_of_the_engine(case: Case) -> None:
    mistakes = first_mistakes(case.networks, 0, case.words)
    assert case.made["mistakes"] == mistakes.tolist()
    assert case.made["accepted"] == int((mistakes < 0).sum())


def test_any_string_is_rejected_where_the_reference_rejects_it(case: Case) -> None:
    language = language_named(case.language)
    wanted = [reference.first_rejection(case.networks, 0, language, word) for word in case.strings]
    assert case.made["rejections"] == wanted
