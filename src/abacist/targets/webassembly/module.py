"""Programs as text: bytes as letters, and what runs them, to stand behind a text of the JavaScript target."""

from __future__ import annotations

import json
from collections.abc import Sequence
from importlib.resources import files
from typing import Any

from abacist.cells import Layout
from abacist.compiler import plan_training
from abacist.errors import BadInput
from abacist.fields import expect
from abacist.targets.javascript import program_name
from abacist.targets.javascript.module import without_exports, without_imports
from abacist.targets.webassembly.programs import program_bytes


def lanes_text(layouts: Sequence[Layout]) -> str:
    """What follows `module_text` of the JavaScript target in one module: several runs at once.

    It exports `LaneTrainer`, `followLanes`, and `LANES`, the programs by name, such as `lstm 2 3 2`.
    """
    for layout in layouts:
        expect("lanes_text: a layout", layout, Layout)
    named = {program_name(layout): layout for layout in layouts}
    if len(named) < len(set(layouts)):
        raise BadInput("lanes_text: cells need different names to stand in one module")
    path = files("abacist.targets.webassembly") / "runtime" / "lanes.js"
    runtime = without_imports(path.read_text(encoding="utf-8"))
    head = "/** @type {Record<string, LaneProgram>} */\nexport const LANES = {"
    programs = (
        f"{json.dumps(name)}: {json.dumps(_program(layout), ensure_ascii=False)},"
        for name, layout in named.items()
    )
    return "\n".join([runtime, head, *programs, "};", ""])


def lanes_script_text(layouts: Sequence[Layout]) -> str:
    """The same without exports, to follow `script_text`."""
    return without_exports(lanes_text(layouts))


def _program(layout: Layout) -> dict[str, Any]:
    """All that the runtime has to know of a layout."""
    plan = plan_training(layout)
    spans = zip(layout.cell.state_names, layout.state_starts, layout.state_sizes, strict=True)
    values = {name: [plan.tape.width + start, size] for name, start, size in spans}
    return {
        "name": program_name(layout),
        "inputs": layout.inputs,
        "outputs": layout.outputs,
        "parameters": layout.size,
        "tape": plan.tape.width,
        "adjoint": plan.scratch.width,
        "values": values | {"y": [plan.on_tape(plan.graph.y), layout.outputs]},
        "code": program_bytes(layout).decode("latin-1"),  # which deflates to two thirds of base64
    }
