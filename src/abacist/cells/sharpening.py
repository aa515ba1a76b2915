"""Which weights of a cell are those of its gates: what enters a σ, a tanh or a softmax, and nothing else.

They are what can be sharpened: with these multiplied, σ and tanh come closer to steps. It is read off the
formula. A value knows in which rows of the parameters it is linear; where it meets σ, tanh or softmax, these
are rows of a gate, and anywhere else, in a ReLU, an exponential, the hidden state, they are not. A gate is
sharpened whole, but for numbers in the formula, or not at all: rows that are added to one another, or to what
is not multiplied, share their fate. What is multiplied by a further matrix before it enters a gate is not a
gate's: the matrix is. A state that does nothing but enter gates, at a later step, is a part of their inputs.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from abacist.algebra import (
    OPERATIONS,
    linear,
    part,
    register,
    repeat,
    segment_sum,
    sigmoid,
    softmax,
    tanh,
)
from abacist.algebra.operation import Operation, specialise
from abacist.algebra.operations import Operators
from abacist.errors import BadInput

#: Some rows of a tensor: its name, the first row and how many; or a state, by its number.
Rows = tuple[str, int, int]
_Slot = Rows | int

_add, _subtract, _multiply, _divide = (OPERATIONS[n] for n in ("add", "subtract", "multiply", "divide"))

#: Operations whose results are linear in what their arguments are linear in.
_LINEAR = (_add, _subtract, part, repeat, segment_sum)


@dataclass
class _Ledger:
    """What has entered gates so far, together, and what has gone elsewhere; `gated`, once there was a σ, a
    softmax, or a tanh that multiplies another value."""

    gated: bool = False
    together: list[frozenset[_Slot]] = field(default_factory=list)
    elsewhere: set[_Slot] = field(default_factory=set)

    def enters(self, value: _Linear, gated: bool) -> _Linear:
        """What a gate, or a tanh that is none yet, makes of a value."""
        self.gated |= gated
        if value.mixed:
            self.elsewhere |= value.slots
        self.together.append(value.slots)
        return _Linear(self, value.size, squashed=True)

    def settle(self) -> None:
        """Let all that is together with something that has gone elsewhere go there, too."""
        while lost := [
            slot
            for group in self.together
            if any(_among(slot, self.elsewhere) for slot in group)
            for slot in group - self.elsewhere
        ]:
            self.elsewhere.update(lost)


@dataclass(frozen=True, eq=False)
class _Matrix:
    """Rows of a tensor, (rows, columns)."""

    slot: Rows


@dataclass(frozen=True, eq=False)
class _Linear(Operators):
    """A vector that is linear in some rows of the parameters, and in some states; `mixed`, if something else
    than a number is added to them; `squashed`, if it comes from a σ, a tanh or a softmax."""

    ledger: _Ledger
    size: int
    slots: frozenset[_Slot] = frozenset()
    mixed: bool = False
    squashed: bool = False

    @property
    def shape(self) -> tuple[int]:
        return (self.size,)


def _read(operation: Operation, arguments: Sequence[Any]) -> Any:
    vectors = [a for a in arguments if isinstance(a, _Linear)]
    ledger, slots = vectors[0].ledger, frozenset[_Slot]().union(*(v.slots for v in vectors))
    if operation is linear:
        matrix, vector = arguments
        ledger.elsewhere |= vector.slots
        return _Linear(ledger, matrix.slot[2], frozenset((matrix.slot,)))
    squashed = any(v.squashed for v in vectors)
    ledger.gated |= operation is _multiply and squashed and len(vectors) == 2
    size = arguments[operation.arity] if operation.sizes else max(v.size for v in vectors)
    if operation in (sigmoid, tanh):
        return ledger.enters(vectors[0], operation is sigmoid)
    mixed = any(v.mixed for v in vectors) or (
        operation in (_add, _subtract) and bool(slots) and not all(v.slots for v in vectors)
    )
    if operation is _multiply and all(v.slots for v in vectors) and len(vectors) == 2:
        return _times(ledger, size, *vectors)
    by_factor = operation is _divide and not (isinstance(arguments[1], _Linear) and arguments[1].slots)
    if operation not in (*_LINEAR, _multiply) and not by_factor:
        ledger.elsewhere |= slots
        slots = frozenset()
    return _Linear(ledger, size, slots, mixed and bool(slots), squashed and operation in _LINEAR)


def _times(ledger: _Ledger, size: int, *factors: _Linear) -> _Linear:
    """A product is linear in the rows of one factor, if the other is made of states alone."""
    rows = [frozenset(slot for slot in v.slots if not isinstance(slot, int)) for v in factors]
    kept, mixed = frozenset[_Slot](), False
    if not all(rows):
        kept = frozenset[_Slot]().union(*rows)
        mixed = any(v.mixed for v, of_tensors in zip(factors, rows, strict=True) if of_tensors)
    for factor in factors:
        ledger.elsewhere |= factor.slots - kept
    return _Linear(ledger, size, kept, mixed)


register(_Linear, _read)
register(_Matrix, _read)
specialise(_Linear, softmax, lambda value: value.ledger.enters(value, gated=True))


def gates_of(cell: Any, inputs: int, hidden: int) -> tuple[tuple[Rows, ...], bool]:
    """The rows of a cell's tensors that enter gates alone, in the order of the tensors, for a network of some
    size; and whether the cell has gates: a σ, a softmax, or a tanh that multiplies another value."""
    ledger, bound, shapes = _Ledger(), dict[Rows, None](), cell.parameters.shapes(inputs, hidden)

    def rows_of(tensor: str, first: int, rows: int) -> Any:
        slot = (tensor, first, rows)
        bound[slot] = None
        vector = len(shapes[tensor]) == 1
        return _Linear(ledger, rows, frozenset((slot,))) if vector else _Matrix(slot)

    weights = cell.parameters.bind(rows_of, hidden)
    sizes = (state.size(hidden, inputs) for state in cell.states)
    states = tuple(_Linear(ledger, size, frozenset((number,))) for number, size in enumerate(sizes))
    ledger.elsewhere.add(0)  # the hidden state, which the output layer reads
    for number, outlet in enumerate(cell.advance(weights, _Linear(ledger, inputs), states)):
        ledger.together.append(outlet.slots | {number})
        if outlet.mixed or not outlet.slots:
            ledger.elsewhere.add(number)
    ledger.settle()
    gates = frozenset[_Slot]().union(*ledger.together)
    rows = tuple(slot for slot in bound if slot in gates and not _among(slot, ledger.elsewhere))
    return rows, bool(rows) and ledger.gated


def without_gates(name: str, tanh_only: bool = False) -> str:
    """Why a cell cannot be sharpened."""
    if tanh_only:
        return f"{name} has no gates to sharpen: its weights enter a tanh that multiplies nothing"
    return f"{name} has no gates to sharpen: no weights of it enter only a σ, a tanh or a softmax"


def check_gates(cell: Any) -> None:
    """Refuse to sharpen the gates of a cell that has none."""
    if not cell.gated:
        raise BadInput(without_gates(cell.name, tanh_only=cell.sharpens))


def _among(slot: _Slot, others: Iterable[_Slot]) -> bool:
    """Whether a state is one of some others, or rows overlap with theirs."""
    if isinstance(slot, int) or slot in others:
        return slot in others
    tensor, first, rows = slot
    return any(
        not isinstance(other, int)
        and other[0] == tensor
        and max(first, other[1]) < min(first + rows, other[1] + other[2])
        for other in others
    )
