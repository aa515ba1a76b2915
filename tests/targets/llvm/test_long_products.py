"""Products with long vectors: loops that compile however long they are, with the bits of those in full."""

from __future__ import annotations

import re
from collections.abc import Callable

import numpy as np
import pytest

from abacist.cells import Layout, cell_named
from abacist.specs import Networks
from abacist.targets import target_named
from abacist.targets.llvm import emitter, launching
from abacist.targets.llvm.forward import judging_program, stepping_program, tracing_program
from abacist.targets.llvm.machine import Program

WORDS = [(0, 1), (0, 2, 1, 3), (0, 0, 2, 1, 3, 1)]


def traced(networks: Networks) -> list[bytes]:
    """All values of a network on some words."""
    traces = target_named("llvm").tracing(networks, 0, WORDS)
    return [trace[name].tobytes() for trace in traces for name in sorted(trace)]


def stepped(networks: Networks) -> list[bytes]:
    """What a symbol makes of some boxes."""
    stepper = target_named("llvm").stepping(networks, 0, True)
    before, after = stepper.rows(3, stepper.width), stepper.rows(3, stepper.results)
    before[:] = np.linspace(-0.5, 0.5, before.size).reshape(before.shape)
    stepper(2, before, after, 3)
    return [after[:, :3].tobytes()]


@pytest.mark.parametrize(
    ("cell", "values"),
    [
        ("rnn", traced),
        pytest.param("rnn", stepped, marks=pytest.mark.thorough),
        pytest.param("lstm", traced, marks=pytest.mark.thorough),
        pytest.param("lstm", stepped, marks=pytest.mark.thorough),
    ],
)
def test_the_bits_are_the_same(
    cell: str, values: Callable[[Networks], list[bytes]], monkeypatch: pytest.MonkeyPatch
) -> None:
    networks = Networks.initial(Layout(cell_named(cell), 4, 5, 4), [0])
    short = values(networks)
    monkeypatch.setattr(emitter, "_LONGEST_UNROLLED_DOT", 1)
    monkeypatch.setattr(launching, "_compiled", launching._compiled.__wrapped__)
    assert values(networks) == short


def source(program: Callable[..., Program], units: int) -> str:
    options = (False,) if program is stepping_program else ()
    return program(Layout(cell_named("lstm"), 2, units, 2), "float32", *options).ir


@pytest.mark.parametrize("program", [judging_program, tracing_program, stepping_program])
def test_programs_do_not_grow_with_the_units(program: Callable[..., Program]) -> None:
    """No vector of more than 256 units is taken apart: as many instructions for 300 as for 1,000."""
    small, large = (source(program, units) for units in (300, 1_000))
    assert re.sub("[0-9]+", "n", large) == re.sub("[0-9]+", "n", small)
    written_out = source(program, 256)
    assert 256 < large.count(" load ") + 256 < written_out.count(" load ")
