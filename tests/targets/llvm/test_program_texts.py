"""The IR of a program depends on the formula, the sizes and the precision, and on nothing else."""

from __future__ import annotations

import cProfile
import os
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import llvmlite.binding as llvm
import numpy as np
import pytest

from abacist.algebra import tanh
from abacist.cells import CELLS, Cell, Layout
from abacist.compiler.graph import step_graph
from abacist.engine import first_mistakes
from abacist.engine.reference import forward
from abacist.optimisers import Rule
from abacist.specs import Networks
from abacist.targets.llvm import machine
from abacist.targets.llvm.forward import judging_program, stepping_program, tracing_program
from abacist.targets.llvm.machine import Function, Program
from abacist.targets.llvm.training import training_program
from tests.engine.cases import any_words, cells, each, layout_of, random_networks

PROGRAMS: dict[str, Callable[[Layout, str], Program]] = {
    "train": training_program,
    "judge": judging_program,
    "trace": tracing_program,
    "step": lambda layout, precision: stepping_program(layout, precision, False),
    "step_boxes": lambda layout, precision: stepping_program(layout, precision, True),
}


@pytest.mark.parametrize("verb", PROGRAMS)
@pytest.mark.parametrize("cell", cells, ids=lambda cell: cell.name)
def test_emitting_twice_gives_the_same_text(cell: Cell, verb: str) -> None:
    layout = layout_of(cell, 5, "dyck-2")
    source = PROGRAMS[verb](layout, "float32")
    assert PROGRAMS[verb](layout, "float32").ir == source.ir
    llvm.parse_assembly(source.ir).verify()
    assert source.title == f"{verb} {cell.name}, 4 inputs, 5 hidden, 4 outputs, float32"
    assert source.title in source.ir.splitlines()[0]


#: Programs after so many other objects: sets of symbols are ordered by where these lie in memory.
SCRIPT = """
import sys
from abacist.cells import Layout, cell_named
from tests.targets.llvm.test_program_texts import PROGRAMS
others = [object() for _ in range(int(sys.argv[1]))]
for emit in PROGRAMS.values():
    print(emit(Layout(cell_named("lstm"), 4, 5, 4), "float32").ir)
print(PROGRAMS["step_boxes"](Layout(cell_named("stack_rnn"), 2, 1, 2), "float32").ir)
"""


@pytest.mark.thorough
def test_every_process_emits_the_same_text() -> None:
    """Whatever the order of its sets is; else compiled code would be found in the cache now and then."""
    root, texts = Path(__file__).parents[3], set()
    environment = os.environ | {"PYTHONPATH": os.pathsep.join([str(root), *sys.path])}
    for others in range(0, 8_000, 1_000):
        command = [sys.executable, "-c", SCRIPT, str(others)]
        hashing = environment | {"PYTHONHASHSEED": str(others)}
        done = subprocess.run(command, env=hashing, cwd=root, text=True, capture_output=True, check=True)
        texts.add(done.stdout)
    assert len(texts) == 1


@pytest.fixture
def name_of(monkeypatch: pytest.MonkeyPatch) -> Callable[[Program], str]:
    """The name of the object file of a program; nothing is compiled, and nothing is written."""
    names: list[str] = []

    def loaded(key: str, name: str, ir: str) -> dict[str, int]:
        names.append(key)
        return {name: 0}

    monkeypatch.setattr(machine, "_loaded", loaded)
    monkeypatch.setattr(machine, "keep_text", lambda name, text: None)

    def name_of(source: Program) -> str:
        Function(source)
        return names[-1]

    return name_of


@pytest.mark.parametrize("verb", PROGRAMS)
def test_the_name_changes_with_all_that_a_program_depends_on(
    verb: str, name_of: Callable[[Program], str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def other(w: Any, x: Any, h: Any) -> Any:
        return tanh(w.h(x, h)) + 0

    base = Layout(CELLS["rnn"], 2, 3, 4)
    shapes = [base, Layout(base.cell, 5, 3, 4), Layout(base.cell, 2, 5, 4), Layout(base.cell, 2, 3, 5)]
    shapes += [replace(base, cell=CELLS["rnn_relu"]), replace(base, cell=replace(base.cell, step=other))]
    sources = [PROGRAMS[verb](shape, "float32") for shape in shapes] + [PROGRAMS[verb](base, "float64")]
    names = [name_of(source) for source in sources]
    assert all(name.startswith(f"{verb}_") for name in names)
    assert names[0] == name_of(PROGRAMS[verb](base, "float32"))
    for patched, value in (("processor", lambda: ("abacus", "")), ("processor", lambda: ("generic", "+fma"))):
        with monkeypatch.context() as patch:
            patch.setattr(machine, patched, value)
            names.append(name_of(sources[0]))
    monkeypatch.setattr(llvm, "llvm_version_info", (1, 2, 3))
    names.append(name_of(sources[0]))
    assert len(set(names)) == len(names) == 10


def test_options_of_a_program_are_part_of_it(name_of: Callable[[Program], str]) -> None:
    layout = layout_of(CELLS["lstm"], 3)
    rules = [Rule(), Rule("sgd"), Rule(decays=True), Rule(clips_norm=True), Rule(clips_value=True)]
    sources = [training_program(layout, "float32", rule) for rule in rules]
    sources.append(training_program(layout, "float32", objective="cross-entropy"))
    sources += [
        judging_program(layout, "float32", tables, partial)
        for tables in (False, True)
        for partial in (False, True)
    ]
    assert len({name_of(source) for source in sources}) == len(sources)
    assert training_program(layout, "float32").ir == sources[0].ir


def test_another_layout_gets_another_program() -> None:
    """Programs are shared between calls by layout; a cell with the same name is not the same cell."""

    def rnn(w: Any, x: Any, h: Any) -> Any:
        return tanh(0.0 - w.h(x, h))

    words = any_words("dyck-1", [5, 9], seed=3)
    for cell in (CELLS["rnn"], replace(CELLS["rnn"], step=rnn)):
        networks = random_networks(layout_of(cell, 1), 1, seed=8, scale=5.0)
        verdicts = first_mistakes(Networks(networks.layout, networks.parameters.copy()), 0, words)
        for verdict, (word, targets, _) in zip(verdicts, each(words), strict=True):
            wrong = ((forward(networks, 0, word)[1] > 0.5) != (targets > 0.5)).any(axis=1)
            assert verdict == (int(np.argmax(wrong)) if wrong.any() else -1)


@pytest.mark.parametrize("verb", PROGRAMS)
def test_no_variable_of_a_compiled_program_stays_in_memory(
    verb: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is optimised once, and no vectors are looked for."""
    modules: list[Any] = []
    options: list[Any] = []
    parse, tune = llvm.parse_assembly, llvm.create_pipeline_tuning_options

    def parsed(ir: str) -> Any:
        modules.append(parse(ir))
        return modules[-1]

    def tuned(**values: Any) -> Any:
        options.append(tune(**values))
        return options[-1]

    monkeypatch.setattr(llvm, "parse_assembly", parsed)
    monkeypatch.setattr(llvm, "create_pipeline_tuning_options", tuned)
    source = PROGRAMS[verb](layout_of(CELLS["lstm"], 3), "float32")
    machine.object_code(source.ir)
    assert (len(modules), len(options)) == (1, 1)
    assert not options[0].loop_vectorization
    assert not options[0].slp_vectorization
    assert " alloca " not in str(modules[0])


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
