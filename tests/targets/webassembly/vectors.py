"""Functions of numbers as a module of their own: each is applied to many vectors."""

from __future__ import annotations

from collections.abc import Callable

from abacist.targets.webassembly.assembler import I32, VECTOR, Code, load, mul, store


def over_vectors(function: Callable[..., bytes], arguments: int = 1) -> Code:
    """The code that applies a function to every vector between two addresses; a second argument is −x / 2."""
    code = Code({"from": I32, "to": I32, "end": I32})
    with code.until_equal("to", "end"):
        x = load(code.get("from"))
        operands = [x, mul(x, code.number(-0.5))][:arguments]
        code.emit(store(code.get("to"), function(code, *operands)))
        code.emit(code.move("from", VECTOR), code.move("to", VECTOR))
    return code
