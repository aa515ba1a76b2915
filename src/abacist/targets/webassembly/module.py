"""The whole text: the runtime, which is the same for every cell, and the programs of some layouts."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from importlib.resources import files
from importlib.resources.abc import Traversable
from itertools import groupby
from typing import Any

import numpy as np

from abacist.cells import Layout
from abacist.compiler import plan_training
from abacist.errors import BadInput
from abacist.fields import expect
from abacist.targets.webassembly.programs import step_program, steps_bytes, training_bytes

#: The files of the runtime, each importing only from those before it: for all, and for training.
RUNTIME = ("languages.js", "networks.js")
TRAINING_RUNTIME = ("random.js", "words.js", "training.js")


def program_name(layout: Layout) -> str:
    """What a layout is called in JavaScript: `lstm 2 3 2` has 2 inputs, 3 units and 2 outputs."""
    return f"{layout.cell.name} {layout.inputs} {layout.hidden} {layout.outputs}"


def module_text(layouts: Sequence[Layout]) -> str:
    """The text of a JavaScript module that follows and judges networks of some layouts.

    It imports nothing. Beside what the files of the runtime export, it has `PROGRAMS`, the programs by name,
    such as `lstm 2 3 2` for 2 inputs, 3 units and 2 outputs, and `ready`, which is to be awaited before them.
    """
    named = _by_name("module_text", layouts)
    programs = {name: _sizes(layout) for name, layout in named.items()}
    return "\n".join(
        [
            _runtime(RUNTIME),
            f"/** @type {{Record<string, Program>}} */\nexport const PROGRAMS = {json.dumps(programs)};",
            f"export const ready = start({letters(steps_bytes(named))}, PROGRAMS);\n",
        ]
    )


def training_text(layouts: Sequence[Layout]) -> str:
    """What follows `module_text` in one module where networks of some layouts are trained.

    Beside what the files of the runtime export, it has `TRAINING`, the code of a `Trainer` by name.
    """
    named = _by_name("training_text", layouts)
    codes = (f"{json.dumps(name)}: {letters(training_bytes(layout))}," for name, layout in named.items())
    head = "/** @type {Record<string, string>} */\nexport const TRAINING = {"
    return "\n".join([_runtime(TRAINING_RUNTIME), head, *codes, "};", ""])


def joined(folder: Traversable, names: Sequence[str]) -> str:
    """Modules of a folder as one, without what they import; each may import only from those before it."""
    text = "\n".join((folder / name).read_text(encoding="utf-8") for name in names)
    return re.sub(r"^import [^;]*;\n|^/\*\* @import .*\n", "", text, flags=re.MULTILINE)


def without_exports(text: str) -> str:
    """A module's text as a plain script: pages opened from a file load no module into a worker."""
    return re.sub(r"^export ", "", text, flags=re.MULTILINE)


def _runtime(names: Sequence[str]) -> str:
    return joined(files("abacist.targets.webassembly") / "runtime", names)


def _by_name(what: str, layouts: Sequence[Layout]) -> dict[str, Layout]:
    for layout in layouts:
        expect(f"{what}: a layout", layout, Layout)
    named = {program_name(layout): layout for layout in layouts}
    if len(named) < len(set(layouts)):
        raise BadInput(f"{what}: cells need different names to stand in one module")
    return named


def letters(code: bytes) -> str:
    """Bytes as a JavaScript text: the lowest eight bits of each letter. It deflates to two thirds of base64.

    What text would have to escape is 256 higher.

    >>> letters(b"a\\1\\n")
    '"aāĊ"'
    """
    escaped = {byte: byte + 256 for byte in (*range(32), *b'"\\')}
    return f'"{code.decode("latin-1").translate(escaped)}"'


def _sizes(layout: Layout) -> dict[str, Any]:
    """All that the runtime has to know of a layout."""
    training, (plan, _), cell = plan_training(layout), step_program(layout), layout.cell
    return {
        "name": program_name(layout),
        "cell": cell.name,
        "inputs": layout.inputs,
        "outputs": layout.outputs,
        "parameters": layout.size,
        "gates": layout.gate_spans,
        "bound": layout.initial_bound,
        "begins": beginning_of(layout),
        "states": cell.state_names,
        "stateSize": sum(layout.state_sizes),
        "values": plan.values,
        "sums": plan.room.offsets[plan.graph.sums],
        "room": plan.room.width,
        "tape": training.tape.width,
        "adjoint": training.scratch.width,
    }


def beginning_of(layout: Layout) -> list[tuple[int, float, float]] | None:
    """How many weights, in order, begin as a factor times what was drawn, plus an offset.

    Empty where all begin as they were drawn; None where a weight depends on others, or in another way.
    It is found out by trying.
    """
    if layout.cell.initial is None:
        return []
    drawn = np.random.default_rng(0).uniform(-layout.initial_bound, layout.initial_bound, layout.size)
    offsets = layout.initial_parameters(np.zeros(layout.size))
    factors = layout.initial_parameters(np.ones(layout.size)) - offsets
    if not np.allclose(layout.initial_parameters(drawn), factors * drawn + offsets, rtol=1e-12, atol=1e-15):
        return None
    pairs = zip(factors.tolist(), offsets.tolist(), strict=True)
    return [(len(list(same)), factor, offset) for (factor, offset), same in groupby(pairs)]
