"""Functions of numbers as a module of their own: each is applied to many vectors."""

from __future__ import annotations

from abacist.targets.webassembly.assembler import I32, VECTOR, Code, load, mul, store
from abacist.targets.webassembly.lanes import applied


def over_vectors(operation: str, arguments: int = 1) -> Code:
    """Code that applies an operation to every vector between two addresses; a second argument is −x / 2."""
    code = Code({"from": I32, "to": I32, "end": I32})
    with code.until_equal("to", "end"):
        x = load(code.get("from"))
        operands = [x, mul(x, code.number(-0.5))][:arguments]
        code.emit(store(code.get("to"), applied(code, operation, operands)))
        code.emit(code.move("from", VECTOR), code.move("to", VECTOR))
    return code
