"""WebAssembly computes what the formula says: steps, decisions and training, each lane on its own."""

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
from abacist.targets.webassembly import language_tables, program_name
from tests.cells.toys import TOYS, UNBOUNDED, bounded
from tests.engine.cases import any_words, each, in_precision, layout_of, random_networks, train_on
from tests.engine.reference import first_rejection
from tests.requirements import need
from tests.targets.webassembly.node import in_node

pytestmark = need("node")

#: Not all lanes of the second vector have a run.
_RUNS = 6

_SCRIPT = """
const typed = ({ symbols, offsets, targets, counted }) => ({
  symbols: Uint8Array.from(symbols), offsets: Uint32Array.from(offsets),
  targets: Uint8Array.from(targets), counted: Uint8Array.from(counted),
});
return given.map(({ name, weights, runs, words, strings, language, all }) => {
  const program = abacist.PROGRAMS[name], code = abacist.TRAINING[name], own = runs.map(typed);
  const known = new abacist.Language(language);
  const traces = words.map((word) => abacist.trace(program, weights[0], word));
  // A step from the states before it is that of the whole word, in every lane.
  const apart = words.filter((word, number) => {
    const states = traces[number].map(({ values }) => program.states.flatMap((own) => [...values[own]]));
    return word.some((symbol, t) => {
      const before = t === 0 ? null : Float32Array.from(states[t - 1]);
      const found = abacist.stepAll(program, weights[0], [before, null, before, null, before], symbol, t);
      return [0, 2, 4].some((place) => `${found[place].states}` !== `${states[t]}`);
    });
  });
  const fifty = (chosen, start = weights) => {
    const begun = chosen.map((run) => start[run]), words = chosen.map((run) => own[run]);
    const trainer = new abacist.Trainer(program, code, begun, words, { order: "fixed" });
    const parts = [10, 15, 25].map((count) => trainer.advance(count));
    const losses = chosen.map((_, run) => parts.reduce((sum, part) => sum + part.losses[run], 0));
    const symbols = parts.reduce((sum, part) => sum + part.symbols, 0);
    return { after: chosen.map((_, run) => trainer.weights(run)), losses, symbols, updates: trainer.updates };
  };
  const wild = weights.map((own, run) => run === 2 ? own : own.map((_, place) => place % 2 ? NaN : 1e30));
  return {
    apart: apart.length,
    traces: traces.map((steps) => steps.map(({ values, predicted }) => {
      const shown = Object.entries(values).filter(([n]) => all || n === "y" || program.states.includes(n));
      return { values: Object.fromEntries(shown), predicted };
    })),
    mistakes: own.map((run) => abacist.firstMistakes(program, weights[0], run)),
    accepted: own.map((run) => abacist.accepted(program, weights[0], run)),
    rejections: strings.map((word) => abacist.firstRejection(program, weights[0], known, word)),
    trained: fifty(runs.map((_, run) => run)),
    others: [[2], [5, 2], [3, 4, 1, 0, 0, 5, 2]].map((chosen) => fifty(chosen).after.at(-1)),
    wild: fifty([0, 1, 2, 3], wild).after[2],
  };
});
"""

_CELLS = [*CELLS.values(), *TOYS.values(), *UNBOUNDED.values(), bounded, stacked(CELLS["lstm"], 2)]
_CASES = [(cell, 3, "anbn") for cell in _CELLS] + [(cell, 6, "dyck-2") for cell in _CELLS]
_ZOO = [(cell, 3, "anbn") for cell in ZOO.values()] + [(cell, 3, "dyck-1") for cell in MEMORIES.values()]

#: How far weights may be off: some gradients of these cells vanish but for rounding, and Adam makes steps of
#: that. The engine in float32 is as far off.
_APART = dict.fromkeys(("slstm", "slstm_open", "mlstm", "mlstm_open"), 5e-4)


@dataclass(frozen=True, eq=False)
class Case:
    """Networks, the words that each is trained on, words to follow, and what WebAssembly makes of them."""

    networks: Networks
    language: str
    runs: list[Words]
    words: list[tuple[int, ...]]
    strings: list[list[int]]
    made: dict[str, Any]


def _words_of(run: int, language: str, seed: int, longest: int) -> Words:
    """Fifty words of other lengths than the same words of other runs have."""
    lengths = [*(2 + (3 * run + n) % 9 for n in range(49)), longest - run]
    return any_words(language, lengths, seed=10 * seed + run)


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
        drawn = random_networks(layout_of(own, hidden, name), _RUNS, seed=number)
        networks = in_precision(drawn, "float32")
        longest = 120 if own in MEMORIES.values() else 10  # so that every row of a memory is reached
        runs = [_words_of(run, name, number, longest) for run in range(_RUNS)]
        words = [word for word, _, _ in each(any_words(name, range(1, 11), seed=number))]
        language = language_named(name)
        strings = [rng.integers(0, len(language.alphabet), n).tolist() for n in (0, 1, 1, 2, 3, 4, 5, 8, 12)]
        made.append((networks, name, runs, words, strings))
        listed = [
            {
                "symbols": own.symbols.tolist(),
                "offsets": own.offsets.tolist(),
                "targets": own.targets.ravel().tolist(),
                "counted": own.counted.tolist(),
            }
            for own in runs
        ]
        given.append(
            {
                "name": program_name(networks.layout),
                "weights": networks.parameters.tolist(),
                "runs": listed,
                "words": words,
                "strings": strings,
                "language": language_tables(language),
                "all": own in CELLS.values(),
            }
        )
    layouts = [networks.layout for networks, *_ in made]
    results = in_node(folder, layouts, _SCRIPT, given)
    return {
        values["name"]: Case(*own, result) for values, own, result in zip(given, made, results, strict=True)
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
    for word, steps in zip(case.words, case.made["traces"], strict=True):
        states, outputs = reference.forward(case.networks, 0, word)
        for name, values in {**states, "y": outputs}.items():
            rough = 5e-6 if case.networks.layout.cell.name == "ntm" else 1e-6  # it has powers in it
            found = [step["values"][name] for step in steps]
            np.testing.assert_allclose(found, values, rtol=rough, atol=rough)


def test_a_step_from_any_states_is_that_of_the_word(case: Case) -> None:
    assert case.made["apart"] == 0


@pytest.mark.parametrize("cell", CELLS.values(), ids=lambda cell: cell.name)
def test_every_gate_has_its_name(cell: Cell, cases: dict[str, Case]) -> None:
    case = cases[program_name(layout_of(cell, 6, "dyck-2"))]
    word, steps = case.words[8], case.made["traces"][8]
    traced = trace(case.networks, 0, word)
    assert set(steps[0]["values"]) == set(traced.values)
    for name in traced.values:
        found = [step["values"][name] for step in steps]
        np.testing.assert_allclose(found, traced[name], rtol=1e-5, atol=1e-6)


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
def test_decisions_are_those_of_the_engine(case: Case) -> None:
    for words, found, count in zip(case.runs, case.made["mistakes"], case.made["accepted"], strict=True):
        mistakes = first_mistakes(case.networks, 0, words)
        assert found == mistakes.tolist()
        assert count == int((mistakes < 0).sum())


def test_any_string_is_rejected_where_the_reference_rejects_it(case: Case) -> None:
    language = language_named(case.language)
    wanted = [first_rejection(case.networks, 0, language, word) for word in case.strings]
    assert case.made["rejections"] == wanted


@compiled
def test_fifty_updates_are_those_of_the_engine(case: Case) -> None:
    layout = case.networks.layout
    language = language_named(case.language)
    spec = Spec(language, layout.cell, layout.hidden, precision="float64", epochs=1, order="fixed")
    trained = train_on(spec, in_precision(case.networks, "float64"), case.runs)
    made = case.made["trained"]
    assert made["updates"] == trained.updates == 50
    assert made["symbols"] == sum(len(words.symbols) for words in case.runs)
    apart = _APART.get(layout.cell.name, 1e-5)
    np.testing.assert_allclose(made["after"], trained.networks.parameters, rtol=0, atol=apart)
    np.testing.assert_allclose(np.array(made["losses"]) / 50, trained.losses[:, 0], rtol=1e-5)


def test_a_run_is_the_same_whatever_the_others_are(case: Case) -> None:
    for after in (*case.made["others"], case.made["wild"]):
        assert after == case.made["trained"]["after"][2]
