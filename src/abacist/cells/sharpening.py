"""Which weights of a cell are those of its gates: what enters a σ, a tanh or a softmax, and nothing else.

They are what can be sharpened: with these multiplied, σ and tanh come closer to steps. It is read off the
formula. A value knows in which rows of the parameters it is linear; where it meets σ, tanh or softmax, these
are rows of gates, and anywhere else, in a ReLU, an exponential, a state that is handed on, they are not. What
is multiplied by a further matrix before it enters a gate is not a gate's: the matrix is. A state that does
nothing but enter gates, at the next step, is a part of their inputs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from abacist.algebra import OPERATIONS, linear, part, register, sigmoid, softmax, spread, tanh, total
from abacist.algebra.operation import Operation
from abacist.algebra.own_ways import own_way
from abacist.cells.parameters import Shapes

#: Some rows of a tensor: its name, the first row and how many; or a state, by its number.
Rows = tuple[str, int, int]
_Slot = Rows | int

_add, _subtract, _multiply, _divide = (OPERATIONS[n] for n in ("add", "subtract", "multiply", "divide"))

#: Operations whose results are linear in what their arguments are linear in.
_LINEAR = (_add, _subtract, part, spread, total)


@dataclass
class _Ledger:
    """What has entered a gate so far, and what has gone elsewhere."""

    gates: set[_Slot] = field(default_factory=set)
    elsewhere: set[_Slot] = field(default_factory=set)


@dataclass(frozen=True, eq=False)
class _Matrix:
    """Rows of a tensor, (rows, columns)."""

    slot: Rows


@dataclass(frozen=True, eq=False)
class _Linear:
    """A vector that is linear in some rows of the parameters, and in some states."""

    ledger: _Ledger
    size: int
    slots: frozenset[_Slot] = frozenset()

    @property
    def shape(self) -> tuple[int]:
        return (self.size,)

    def __add__(self, other: Any) -> Any:
        return _add(self, other)

    def __radd__(self, other: Any) -> Any:
        return _add(other, self)

    def __sub__(self, other: Any) -> Any:
        return _subtract(self, other)

    def __rsub__(self, other: Any) -> Any:
        return _subtract(other, self)

    def __mul__(self, other: Any) -> Any:
        return _multiply(self, other)

    def __rmul__(self, other: Any) -> Any:
        return _multiply(other, self)

    def __truediv__(self, other: Any) -> Any:
        return _divide(self, other)

    def __rtruediv__(self, other: Any) -> Any:
        return _divide(other, self)

    def __neg__(self) -> Any:
        return 0 - self


def _read(operation: Operation, arguments: Sequence[Any]) -> Any:
    vectors = [a for a in arguments if isinstance(a, _Linear)]
    ledger, slots = vectors[0].ledger, frozenset[_Slot]().union(*(v.slots for v in vectors))
    if operation is linear:
        matrix, vector = arguments
        ledger.elsewhere |= vector.slots
        return _Linear(ledger, matrix.slot[2], frozenset((matrix.slot,)))
    size = arguments[operation.arity] if operation.sizes else max(v.size for v in vectors)
    if operation in (sigmoid, tanh):
        ledger.gates |= slots
        return _Linear(ledger, size)
    if operation is _multiply and all(v.slots for v in vectors) and len(vectors) == 2:
        slots = _times(ledger, *vectors)
    elif operation is not _multiply and operation not in _LINEAR:
        ledger.elsewhere |= slots
        slots = frozenset()
    return _Linear(ledger, size, slots)


def _times(ledger: _Ledger, a: _Linear, b: _Linear) -> frozenset[_Slot]:
    """What a product is linear in: the rows of one factor, if the other is made of states alone."""
    rows = [frozenset(slot for slot in v.slots if not isinstance(slot, int)) for v in (a, b)]
    kept = frozenset[_Slot]().union(*rows) if not all(rows) else frozenset[_Slot]()
    ledger.elsewhere |= (a.slots | b.slots) - kept
    return kept


def _softmax(x: _Linear) -> _Linear:
    x.ledger.gates |= x.slots
    return _Linear(x.ledger, x.size)


register(_Linear, _read)
register(_Matrix, _read)
own_way(_Linear, softmax, _softmax)


def gate_rows(
    bind: Callable[[Callable[[str, int, int], Any]], Any],
    step: Callable[..., Any],
    shapes: Shapes,
    sizes: Iterable[int],
    inputs: int,
) -> tuple[Rows, ...]:
    """The rows of a cell's tensors that enter its gates and nothing else, in the order of the tensors.

    `bind` makes what a formula calls `w` of parts of the tensors, `sizes` are those of the states.
    """
    ledger, bound = _Ledger(), dict[Rows, None]()

    def of(tensor: str, first: int, rows: int) -> Any:
        slot = (tensor, first, rows)
        bound[slot] = None
        vector = len(shapes[tensor]) == 1
        return _Linear(ledger, rows, frozenset((slot,))) if vector else _Matrix(slot)

    weights = bind(of)
    states = [_Linear(ledger, size, frozenset((number,))) for number, size in enumerate(sizes)]
    after = step(weights, _Linear(ledger, inputs), *states)
    outlets = after if isinstance(after, tuple) else (after,)
    handed = [outlet.slots for outlet in outlets]
    whole = frozenset[_Slot]().union(*handed)
    only_gates = {n for n in range(len(states)) if n in ledger.gates - ledger.elsewhere - whole}
    for number, slots in enumerate(handed):
        if number in only_gates:
            ledger.gates |= slots
        else:
            ledger.elsewhere |= slots
    return tuple(slot for slot in bound if slot in ledger.gates and not _overlaps(slot, ledger.elsewhere))


def without_gates(name: str) -> str:
    """Why a cell cannot be sharpened."""
    return f"{name} has no gates to sharpen: no weights of it enter only a σ, a tanh or a softmax"


def _overlaps(slot: Rows, others: Iterable[_Slot]) -> bool:
    tensor, first, rows = slot
    return any(
        not isinstance(other, int)
        and other[0] == tensor
        and max(first, other[1]) < min(first + rows, other[1] + other[2])
        for other in others
    )
