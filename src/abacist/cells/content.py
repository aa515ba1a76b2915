"""What a formula computes, read as symbols: its content, and a sentence where it cannot be read."""

from __future__ import annotations

import hashlib
from pathlib import Path
from traceback import walk_tb
from typing import Any

from abacist.algebra import FORMER_NAMES, Matrix, Symbol, in_order, leaf
from abacist.algebra.instead import NoFormula
from abacist.cells.parameters import Gates, described
from abacist.errors import BadCell, UnknownName
from abacist.wording import did_you_mean, in_a_sentence, plural

_WRITTEN_WITH = "formulas have + - * / and the functions of abacist.algebra, and cannot ask for values"

#: Inputs and hidden units of the networks as which a formula is read to know its content.
_READ_AS = ((2, 1), (2, 2), (3, 5))


def content_of(cell: Any) -> str:
    """A checksum over all that a cell is: its name, its states, its tensors and what its formula computes.

    Two formulas that are written differently and compute the same operations have the same content. Run keys
    have it in them, so what it is made of must never change. A formula that cannot be read is refused.
    """
    states = [state.key_text for state in cell.states]
    lines = [f"({cell.name!r}, ({', '.join(states)}{',' if len(states) == 1 else ''}))"]
    # The largest is read first: there, inputs and hidden units differ in number from each other and from 1,
    # so that a message about sizes says which is which.
    readings = {sizes: _lines(cell, *sizes) for sizes in reversed(_READ_AS)}
    for sizes in _READ_AS:
        lines += readings[sizes]
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()


def _lines(cell: Any, inputs: int, hidden: int) -> list[str]:
    """A formula as numbered operations, for a network of some size, and how its weights begin."""
    shapes, after = read_formula(cell, inputs, hidden)
    symbols = in_order(after)
    number = {symbol: place for place, symbol in enumerate(symbols)}
    lines = [repr({name: tuple(map(int, shape)) for name, shape in shapes.items()})]
    for symbol in symbols:
        arguments = [number[argument] for argument in symbol.arguments]
        operation = FORMER_NAMES.get(symbol.operation, symbol.operation)
        lines.append(f"({operation!r}, {arguments}, {symbol.size}, {_detail(symbol.detail)})")
    lines.append(repr([number[state] for state in after]))
    return lines if cell.initial is None else [*lines, described(cell.initial, shapes)]


def _detail(detail: Any) -> str:
    """The detail of a symbol as text, that of a matrix as run keys have always had it."""
    if not isinstance(detail, Matrix):
        return repr(detail)
    return (
        f"Matrix(tensor={detail.tensor!r}, first_row={detail.first_row}, rows={detail.rows}, "
        f"columns={detail.columns})"
    )


def read_formula(cell: Any, inputs: int, hidden: int) -> tuple[dict[str, Any], tuple[Symbol, ...]]:
    """The shapes of a cell's tensors, and the states that its formula returns."""
    if not hasattr(cell.step, "__code__"):
        raise BadCell(
            cell.name,
            f"its formula must be a function written with def, whose variables have names, got {cell.step!r}",
        )
    sizes = tuple(state.size(hidden, inputs) for state in cell.states)
    states = tuple(leaf("state", size, number) for number, size in enumerate(sizes))
    weights = None
    try:
        shapes = cell.parameters.shapes(inputs, hidden)
        weights = cell.parameters.bind(symbols_of(shapes), hidden)
        result = cell.step(weights, leaf("input", inputs), *states)
        return shapes, checked_states(cell, result, sizes)
    except UnknownName:
        raise
    except Exception as error:
        why = f"its formula cannot be read, {in_a_sentence(error)}"
        if isinstance(error, AttributeError) and weights is not None and error.obj is weights:
            why = _no_such_weight(weights, str(error.name), isinstance(cell.parameters, Gates))
        elif isinstance(error, BadCell):
            why = error.reason
        elif isinstance(error, NoFormula):
            why = f"its {str(error).removeprefix('a ')}"
        elif "Symbol" in why:
            why += f"; {_WRITTEN_WITH}"
        if any(sign.isdigit() for sign in why) and not isinstance(error, NoFormula):
            why += f" (read for {plural(inputs, 'input')} and {plural(hidden, 'hidden unit')})"
        raise BadCell(cell.name, f"{why} ({_place(cell.step.__code__, error)})") from None


def _no_such_weight(weights: Any, name: str, gates: bool) -> str:
    """What is said of a formula that asks for a gate or tensor that its cell does not declare."""
    kind, names = "gate" if gates else "tensor", list(getattr(weights, "__dict__", ()))
    return f"it has no {kind} {name!r}{did_you_mean(name, names)}; its {kind}s are {', '.join(names)}"


def _place(code: Any, error: Exception) -> str:
    """Where in the file of a formula an error came up: a notebook's is not worth a name."""
    frames = walk_tb(error.__traceback__)
    lines = [line for frame, line in frames if frame.f_code.co_filename == code.co_filename]
    file = Path(code.co_filename)
    return (f"{file.name}, " if file.is_file() else "") + f"line {(lines or [code.co_firstlineno])[-1]}"


def symbols_of(shapes: dict[str, Any]) -> Any:
    """The parts of tensors of some shapes in the reading of symbols."""

    def part(tensor: str, first: int, rows: int) -> Any:
        shape = shapes[tensor]
        whole = len(shape) > 1
        return Matrix(tensor, first, rows, shape[1]) if whole else leaf("parameter", rows, (tensor, first))

    return part


def checked_states(cell: Any, result: Any, sizes: tuple[int, ...]) -> tuple[Symbol, ...]:
    """The states that a formula returns as symbols, of the sizes that they must have."""
    after = result if isinstance(result, tuple) else (result,)
    if not all(isinstance(state, Symbol) for state in after):
        kinds = ", ".join(type(state).__name__ for state in after)
        raise BadCell(cell.name, f"its formula must return its states as vectors, got {kinds}")
    returned = tuple(state.size for state in after)
    if returned != sizes:
        wanted = ", ".join(f"{state.name} {size}" for state, size in zip(cell.states, sizes, strict=True))
        raise BadCell(
            cell.name,
            f"its formula must return {plural(len(sizes), 'state')} of these sizes "
            f"({wanted}), got {', '.join(map(str, returned)) or 'none'}",
        )
    return after


def unused_parameters(cell: Any) -> list[str]:
    """The gates that a formula never uses, or of other parameters the tensors, by name."""
    inputs, hidden = _READ_AS[-1]
    shapes, after = read_formula(cell, inputs, hidden)
    used = set()
    for symbol in in_order(after):
        if isinstance(symbol.detail, Matrix):
            used.add((symbol.detail.tensor, symbol.detail.first_row))
        elif symbol.operation == "parameter":
            used.add(symbol.detail)
    if isinstance(cell.parameters, Gates):
        begins = {first // hidden for _, first in used}
        return [f"gate {name}" for place, name in enumerate(cell.parameters.names) if place not in begins]
    tensors = {tensor for tensor, _ in used}
    return [f"tensor {name.removeprefix('rnn.')}" for name in shapes if name not in tensors]
