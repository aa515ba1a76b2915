"""Functions of numbers as a module of their own: each is applied to many vectors."""

from __future__ import annotations

from collections.abc import Callable

from abacist.targets.webassembly.assembler import I32, Code
from abacist.targets.webassembly.memory import VECTOR


def over_vectors(function: Callable[[Code], None], arguments: int = 1) -> Code:
    """The code that applies a function to every vector between two addresses; a second argument is −x / 2."""
    code = Code({"from": I32, "to": I32, "end": I32})
    with code.until_equal("to", "end"):
        code.get("to")
        code.load("from")
        if arguments == 2:
            code.load("from")
            code.number(-0.5)
            code("f32x4.mul")
        function(code)
        code.store()
        code.move("from", VECTOR)
        code.move("to", VECTOR)
    return code
