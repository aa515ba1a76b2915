"""The text of a printed program depends on the formula, the sizes and the precision, and on nothing else."""

from __future__ import annotations

import cProfile
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from abacist.algebra import tanh
from abacist.cells import CELLS, Cell, Layout
from abacist.compiler import step_graph
from abacist.engine import first_mistakes
from abacist.engine.reference import forward
from abacist.specs import Networks
from abacist.targets.numba.forward_programs import judging_program, tracing_program
from abacist.targets.numba.programs import Program
from abacist.targets.numba.training_program import training_program
from tests.engine.cases import any_words, cells, each, layout_of, random_networks

PRINTERS: dict[str, Callable[..., str]] = {
    "train": training_program,
    "judge": judging_program,
    "trace": tracing_program,
}


@pytest.mark.parametrize("verb", PRINTERS)
@pytest.mark.parametrize("cell", cells, ids=lambda cell: cell.name)
def test_printing_twice_gives_the_same_text(cell: Cell, verb: str) -> None:
    layout = layout_of(cell, 5, "dyck-2")
    text = PRINTERS[verb](layout, "float32")
    assert PRINTERS[verb](layout, "float32") == text
    compile(text, verb, "exec")
    assert f"{verb} {cell.name}, 4 inputs, 5 hidden, 4 outputs, float32" in text.splitlines()[0]


@pytest.mark.parametrize("verb", PRINTERS)
def test_the_name_changes_with_all_that_a_program_depends_on(verb: str) -> None:
    def other(w: Any, x: Any, h: Any) -> Any:
        return tanh(w.h(x, h)) + 0

    base = Layout(CELLS["rnn"], 2, 3, 4)
    shapes = [base, Layout(base.cell, 5, 3, 4), Layout(base.cell, 2, 5, 4), Layout(base.cell, 2, 3, 5)]
    shapes += [replace(base, cell=CELLS["rnn_relu"]), replace(base, cell=replace(base.cell, step=other))]
    texts = [PRINTERS[verb](shape, "float32") for shape in shapes] + [PRINTERS[verb](base, "float64")]
    names = [Program(text).path.name for text in texts]
    assert len(set(names)) == len(names) == 7
    assert names[0] == Program(texts[0]).path.name


def test_another_layout_gets_another_kernel() -> None:
    """Kernels are shared between calls by layout; a cell with the same name is not the same cell."""

    def rnn(w: Any, x: Any, h: Any) -> Any:
        return tanh(0.0 - w.h(x, h))

    words = any_words("dyck-1", [5, 9], seed=3)
    for cell in (CELLS["rnn"], replace(CELLS["rnn"], step=rnn)):
        networks = random_networks(layout_of(cell, 1), 1, seed=8, scale=5.0)
        verdicts = first_mistakes(Networks(networks.layout, networks.parameters.copy()), 0, words)
        for verdict, (word, targets, _) in zip(verdicts, each(words), strict=True):
            wrong = ((forward(networks, 0, word)[1] > 0.5) != (targets > 0.5)).any(axis=1)
            assert verdict == (int(np.argmax(wrong)) if wrong.any() else -1)


def test_a_profiler_of_the_callers_goes_on() -> None:
    """The compiler learns a formula's names by watching it, and must not disturb others that watch."""
    profile = cProfile.Profile()
    profile.enable()
    try:
        names = set(step_graph(layout_of(CELLS["lstm"], 2)).names.values())
        sum([1, 2])
    finally:
        profile.disable()
    assert {"i", "f", "g", "o", "c", "h", "y"} <= names
    assert any("sum" in str(entry.code) for entry in profile.getstats())
