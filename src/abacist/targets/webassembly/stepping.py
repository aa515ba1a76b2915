"""The program of single steps: up to four words of one network, a word in each lane.

A step keeps every value that has a name, and the sums whose signs decide.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache

import abacist.targets.webassembly.assembler as wasm
from abacist.cells import Layout
from abacist.compiler import ForwardPlan, only_forward_statements, plan_tracing
from abacist.compiler.places import Tape
from abacist.errors import BadInput
from abacist.targets.webassembly.assembler import I32, VECTOR, Code, module_bytes
from abacist.targets.webassembly.emitter import LaneEmitter, one_hot, refusal


def steps_bytes(layouts: Mapping[str, Layout]) -> bytes:
    """The bytes of a WebAssembly module with a function for each of some layouts, by name.

    It imports a memory, `abacist.memory`. A function takes addresses of weights (parameter,), of the room
    (vector, lane) and of symbols, a byte a lane, and t, the number of symbols before. The states before the
    step lie at the beginning of the room, those after it behind its end.
    """
    return module_bytes({name: _step(layout)[1] for name, layout in layouts.items()})


def plan_step(layout: Layout) -> ForwardPlan:
    """The plan of tracing, with the sums: the one that the program of a layout was made by."""
    return _step(layout)[0]


@lru_cache(maxsize=512)
def _step(layout: Layout) -> tuple[ForwardPlan, Code]:
    """A plan and its program. Equal layouts may have formulas with other names, so both are kept together."""
    if reason := refusal(layout):
        raise BadInput(reason)
    plan = plan_tracing(layout)
    plan = replace(plan, room=Tape.of((*plan.room.offsets, plan.graph.sums)))
    code = Code(dict.fromkeys(("weights", "room", "symbols", "t"), I32))
    bases = {"weights": ("weights", 0), "now": ("room", 0), "after": ("room", VECTOR * plan.room.width)}
    emitter = LaneEmitter(code, bases, unrolled=1, shared=True)
    code.emit(code.set("symbol", wasm.load_symbols(code.get("symbols"))))
    emitter.vectors["x"] = one_hot(code, layout.inputs)
    emitter.emit(only_forward_statements(plan, "room"))
    return plan, code
