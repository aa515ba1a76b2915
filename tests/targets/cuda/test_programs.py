"""Printed CUDA programs are right without a device: run as C++, and compiled by NVRTC."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from abacist.cells import CELLS, Cell, Layout
from abacist.corpora import Window, Words
from abacist.engine import Block, begin, epoch_order, slots_of, training_words
from abacist.languages import language_named
from abacist.specs import Networks, Spec
from abacist.targets import target_named
from abacist.targets.cuda.judging_program import judging_program
from abacist.targets.cuda.nvrtc import compile_for
from abacist.targets.cuda.parameters import parameters_of
from abacist.targets.cuda.training_program import Shape, tape_width, training_program
from abacist.targets.cuda.updating import numbers_of
from abacist.targets.cuda.words import LAYING_BLOCK, LAYING_PROGRAM, Slots, codes_of, slots_for
from tests.cells.toys import TOYS
from tests.engine.cases import random_networks
from tests.requirements import need
from tests.targets.cuda.able import FURTHER
from tests.targets.cuda.emulator import emulate

Array = NDArray[Any]

thorough = partial(pytest.param, marks=pytest.mark.thorough)

#: Those of the zoo that the target can compute, one of several layers, and cells that do not come with
#: Abacist are among the thorough tests.
EVERY = [*CELLS.values(), *map(thorough, (*FURTHER, *TOYS.values()))]
#: The same cells, all but one thorough: for tests that compile a program for each.
LSTM_OFTEN = [
    cell if cell.name == "lstm" else thorough(cell) for cell in (*CELLS.values(), *FURTHER, *TOYS.values())
]


def spec_for(cell: Cell, language: str, hidden: int, **values: Any) -> Spec:
    words = 4 if language == "anbn" else 12  # it has few words
    return Spec(
        language_named(language), cell, hidden=hidden, epochs=1, training=words, test=1,
        short=Window(2, 10), long=Window(12, 16), **{"precision": "float64", **values},
    )  # fmt: skip


def side_by_side(own: Slots) -> NDArray[np.uint32]:
    """Words as the device lays them, (step, corpus)."""
    codes = np.zeros((own.rows, len(own.corpora)), np.uint32)
    for batch in own.batches():
        slots, count = batch.begins.shape
        emulate(
            LAYING_PROGRAM, "lay", (-(-slots * count // LAYING_BLOCK), 1), LAYING_BLOCK, batch.codes,
            batch.begins, own.lengths, own.starts, codes, slots, len(own.corpora), batch.first, count,
        )  # fmt: skip
    return codes


def trained_by_emulation(
    spec: Spec, seeds: list[int], lanes: int, kept: int | None, begun: Array | None = None
) -> tuple[Array, Array, Array]:
    """Weights, the last moments of the optimiser and losses after an epoch, from weights that are `begun`."""
    words = [training_words(spec, seed) for seed in seeds]
    placed = [slots_of(spec.order, seed, own.lengths) for seed, own in zip(seeds, words, strict=True)]
    own = slots_for(words, placed, spec.precision)
    parameters, runs = parameters_of(spec.layout, lanes, spec.objective), len(seeds)
    shape = Shape(lanes, 32, 1, kept)
    initial = Networks.initial(spec.layout, seeds, spec.precision).parameters if begun is None else begun
    weights = parameters.spread(initial, shape.block)
    columns = len(weights)
    moments = np.zeros((*weights.shape, 2), spec.precision)
    slots = len(own.lengths)
    later = int(own.lengths.max()) - (kept or 0)
    room = later * tape_width(spec.layout, lanes) * columns * shape.block
    tape = np.full(room + 1_000, np.inf, spec.precision)
    losses = np.zeros(runs)
    emulate(
        training_program(spec.layout, spec.precision, shape, spec.optimiser, spec.objective),
        "train", (columns, 1), shape.block,
        side_by_side(own), own.lengths, own.scales, own.starts,
        epoch_order(slots, 0, spec.order).astype(np.int32), own.corpus_of,
        numbers_of(spec, 1, 1 + -(-slots // spec.batch)), weights, moments, tape, losses, runs,
        len(own.corpora), 0, slots, spec.batch,
    )  # fmt: skip
    assert np.isinf(tape[room:]).all()  # nothing is written beyond it
    found = parameters.gathered(weights, runs)
    found[:, parameters.unused] = initial[:, parameters.unused]
    last = len(spec.rule.formula.moments) - 1
    return found, parameters.gathered(moments[..., last], runs), losses / slots


def is_the_engine_s(spec: Spec, seeds: list[int], lanes: int, kept: int | None, apart: float = 1e-12) -> None:
    """What programs train, the last moments and the losses are what the engine trains."""
    weights, last, losses = trained_by_emulation(spec, seeds, lanes, kept)
    trained = Block(begin(spec, seeds), [training_words(spec, seed) for seed in seeds]).train(1)
    np.testing.assert_allclose(weights, trained.networks.parameters, rtol=0, atol=apart)
    moments = trained.moments[len(spec.rule.formula.moments) - 1]
    np.testing.assert_allclose(last, moments, rtol=1e3 * apart, atol=1e-3 * apart)
    np.testing.assert_allclose(losses, trained.losses[:, 0], rtol=1e-12)
    assert not np.allclose(weights, Networks.initial(spec.layout, seeds, "float64").parameters, atol=1e-6)


@pytest.mark.parametrize("lanes", [1, 2, 8])
@pytest.mark.parametrize("cell", LSTM_OFTEN, ids=lambda cell: cell.name)
def test_training_is_the_engine_s(cell: Cell, lanes: int) -> None:
    """Five units do not divide among the lanes, and six symbols are too many for registers."""
    is_the_engine_s(spec_for(cell, "shuffle-3", 5), [3, 4, 5], lanes, kept=4 if lanes == 2 else None)


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("values", "kept"),
    [
        ({"language": "dyck-1", "hidden": 3}, 0),
        ({"language": "dyck-1", "hidden": 3, "batch": 5, "decay": 0.1}, None),
        ({"language": "anbn", "hidden": 2, "order": "own"}, 5),
        ({"language": "dyck-2", "hidden": 4, "steps": "last"}, None),
        ({"language": "dyck-1", "hidden": 1, "order": "fixed"}, 3),
        ({"language": "recognise:dyck-1", "hidden": 3, "objective": "cross-entropy"}, None),
    ],
)
def test_so_it_is_with_other_settings(values: dict[str, Any], kept: int | None) -> None:
    is_the_engine_s(spec_for(CELLS["lstm"], **values), [0, 1], 1, kept)


def test_what_diverges_diverges_alone() -> None:
    """Runs of a warp go on to the end of the longest word, but what a run makes of that is nothing to it."""
    spec = spec_for(CELLS["rnn_relu"], "dyck-1", 1, order="own", precision="float32", rate=1e-6)
    spec = replace(spec, training=3, short=Window(2, 12), long=Window(14, 16))
    longest = {seed: int(training_words(spec, seed).lengths.max()) for seed in range(40)}
    short, long = min(longest, key=longest.__getitem__), max(longest, key=longest.__getitem__)
    assert longest[short] < longest[long] / 1.5
    growing = Networks.initial(spec.layout, [short, long], "float32").parameters.copy()
    for tensor, first in spec.layout.starts.items():
        if "weight" in tensor and "output" not in tensor:
            growing[0, first : first + 1 + ("ih" in tensor)] = 1.0 if "ih" in tensor else 1e4
    alone, _, _ = trained_by_emulation(spec, [short], 1, None, growing[:1])
    beside, _, _ = trained_by_emulation(spec, [short, long], 1, None, growing)
    assert np.isfinite(alone).all()
    np.testing.assert_array_equal(beside[0], alone[0])


@pytest.mark.parametrize("lanes", [1, 4])
@pytest.mark.parametrize(
    ("cell", "values"),
    [
        thorough("lstm", {"optimiser": "sgd", "rate": 0.1, "momentum": 0.9}),
        thorough("gru", {"optimiser": "sgd", "rate": 0.1, "decay": 0.1, "batch": 5}),
        ("rnn", {"optimiser": "rmsprop", "rate": 0.01, "momentum": 0.5, "smoothing": 0.9}),
        thorough("lstm", {"optimiser": "rmsprop", "decay": 0.1, "objective": "cross-entropy"}),
        thorough("gru", {"objective": "cross-entropy"}),
        ("rnn_relu", {"optimiser": "sgd", "objective": "cross-entropy", "steps": "last"}),
    ],
)
def test_so_it_is_with_other_optimisers_and_objectives(cell: str, values: dict[str, Any], lanes: int) -> None:
    spec = spec_for(CELLS[cell], "shuffle-2", 5, **values)
    apart = 1e-10 if spec.optimiser == "rmsprop" else 1e-12  # which divides by what is nearly zero
    is_the_engine_s(spec, [0, 1], lanes, kept=None, apart=apart)


@pytest.mark.thorough
@pytest.mark.parametrize("partial", [False, True])
@pytest.mark.parametrize(("language", "lanes"), [("dyck-1", 1), ("shuffle-3", 4), ("anbn", 2)])
@pytest.mark.parametrize("cell", EVERY, ids=lambda cell: cell.name)
def test_judging_is_the_engine_s(cell: Cell, language: str, lanes: int, partial: bool) -> None:
    chosen = language_named(language)
    networks = random_networks(Layout(cell, len(chosen.alphabet), 3, chosen.outputs), 3, seed=1, scale=3.0)
    drawn = training_words(spec_for(cell, language, 3), 7)
    words = Words.to_recognise(chosen, drawn.symbols, drawn.offsets) if partial else drawn
    count, rows = len(words.lengths), int(words.lengths.max())
    codes, either = np.zeros((rows, count), np.uint32), np.zeros((rows, count), np.uint32)
    free = ((words.targets == 2) << np.arange(chosen.outputs)).sum(axis=1)
    for number, (first, last) in enumerate(zip(words.offsets, words.offsets[1:], strict=False)):
        codes[: last - first, number] = codes_of(words)[first:last]
        either[: last - first, number] = free[first:last]
    spans = np.array([[0, count], [0, 0], [1, count - 1]], np.int32)  # of all words, of none, of some
    starts = np.cumsum([0, count, 0])
    verdicts = np.full(2 * count - 2, -9, np.int32)
    emulate(
        judging_program(networks.layout, "float64", lanes, 32, partial), "judge", (2, 3), 32,
        codes, either, words.lengths.astype(np.int32), networks.parameters.copy(), spans, starts,
        verdicts, count,
    )  # fmt: skip
    ready = target_named().judging(networks, words)
    np.testing.assert_array_equal(verdicts[:count], ready(0)())
    np.testing.assert_array_equal(verdicts[count:], ready(2)()[1:-1])
    assert (verdicts >= 0).any()


@pytest.mark.thorough
@pytest.mark.parametrize("precision", ["float32", "float64"])
@pytest.mark.parametrize("cell", EVERY, ids=lambda cell: cell.name)
def test_programs_compile_for_a_device(cell: Cell, precision: str) -> None:
    need("nvrtc")
    layout = Layout(cell, 12, 4, 12)
    shape = Shape(2, 64, 2, 7)
    for optimiser in ("sgd", "rmsprop"):
        compile_for(training_program(layout, precision, shape, optimiser, "cross-entropy"), "compute_80")
    sources = (
        training_program(layout, precision, shape),
        judging_program(layout, precision, 2, 128, True),
    )
    for source, name in zip(sources, (b"train", b"judge"), strict=True):
        assert b".visible .entry " + name in compile_for(source, "compute_80")


@pytest.mark.parametrize("lanes", [1, 2, 4, 8, 16])
@pytest.mark.parametrize("cell", EVERY, ids=lambda cell: cell.name)
def test_every_parameter_has_one_thread(cell: Cell, lanes: int) -> None:
    layout = Layout(cell, 3, 5, 4)
    own, rng = parameters_of(layout, lanes), np.random.default_rng(0)
    assert own.fits
    rows = rng.normal(size=(7, layout.size))
    rows[:, own.unused] = 0
    spread = own.spread(rows, 32)
    np.testing.assert_array_equal(own.gathered(spread, 7), rows)
    assert np.count_nonzero(spread) == np.count_nonzero(rows)
