"""What a cell is: one time step as a formula, its states and its parameters."""

from __future__ import annotations

import inspect
import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from abacist.cells.content import content_of, unused_parameters
from abacist.cells.parameters import Gates, Initial, Parameters
from abacist.cells.sharpening import Rows, gates_of
from abacist.errors import BadCell, BadInput
from abacist.field_names import keywords_answered
from abacist.fields import check_fields, checked, expect, short_repr
from abacist.labels import give_label
from abacist.registry import written


@keywords_answered
@dataclass(frozen=True)
class State:
    """A vector that a cell hands on from step to step.

    It has `per_unit` numbers for each hidden unit, `per_input` for each input, and `fixed` more.
    """

    name: str
    per_unit: int = 1
    fixed: int = 0
    per_input: int = 0

    def __post_init__(self) -> None:
        check_fields(self)
        if self.name == "y":
            raise BadInput("State: y is the name of the outputs, a state needs another")
        counts = (self.per_unit, self.per_input, self.fixed)
        if min(counts) < 0 or sum(counts) == 0:
            raise BadInput(
                f"State {self.name}: it must have at least one number, got {self.per_unit} per unit, "
                f"{self.per_input} per input and {self.fixed} more"
            )

    @property
    def key_text(self) -> str:
        """How a cell's content, and so run keys, have it: this never changes."""
        return f"State(name={self.name!r}, per_unit={self.per_unit}, fixed={self.fixed})"

    def size(self, hidden: int, inputs: int) -> int:
        return self.per_unit * hidden + self.per_input * inputs + self.fixed

    def above(self, below: State) -> State:
        """The same of a layer whose inputs are the numbers of another state."""
        return replace(
            self,
            per_unit=self.per_unit + self.per_input * below.per_unit,
            per_input=self.per_input * below.per_input,
            fixed=self.fixed + self.per_input * below.fixed,
        )


@dataclass(frozen=True)
class Memory(State):
    """A state that is so many `rows`, one after the other, the first row on top."""

    rows: int = 1

    def __post_init__(self) -> None:
        super().__post_init__()
        counts = (self.per_unit, self.per_input, self.fixed)
        if self.rows < 1 or any(count % self.rows for count in counts):
            raise BadInput(
                f"Memory {self.name}: all its rows must be equally long, got {self.rows} rows for "
                f"{' + '.join(map(str, counts))} numbers"
            )

    @property
    def key_text(self) -> str:
        return f"Memory{super().key_text.removeprefix('State')[:-1]}, rows={self.rows})"


@dataclass(frozen=True, eq=False)
class Cell:
    """A recurrent cell.

    `step(w, x, h, …)` takes weights, input and states and returns the new states, the hidden state
    h first: that is the one the output layer reads. It knows neither batch, nor seed, nor gradient.
    Two cells are equal where their formulas compute the same, however they are written. `initial` changes
    the weights that are drawn for it, where its paper says how a network begins.
    """

    name: str
    parameters: Parameters
    states: tuple[State, ...]
    step: Callable[..., Any]
    initial: Initial | None = None

    def __post_init__(self) -> None:
        check_fields(self)
        names = self.state_names
        if names[:1] != ("h",):
            raise BadCell(self.name, f"h must be its first state, got {', '.join(names) or 'none'}")
        if len(set(names)) < len(names):
            raise BadCell(self.name, f"states need different names, got {', '.join(names)}")

    def __repr__(self) -> str:
        gates = f"gates {' '.join(self.parameters.names)}, " if isinstance(self.parameters, Gates) else ""
        return f"<cell {self.name}: {gates}states {' '.join(self.state_names)}>"

    @property
    def state_names(self) -> tuple[str, ...]:
        return tuple(state.name for state in self.states)

    @property
    def layer(self) -> Cell:
        """The cell of each layer; of a cell of one layer, itself."""
        return getattr(self.parameters, "cell", self)

    @property
    def count(self) -> int:
        """How many layers it has."""
        return getattr(self.parameters, "count", 1)

    @property
    def absence(self) -> str | None:
        """The sentence with which its formula is refused; None where it is at hand."""
        return None

    @property
    def plain_states(self) -> tuple[str, ...]:
        """The names of the states that are no memories."""
        return tuple(state.name for state in self.states if not isinstance(state, Memory))

    @property
    def begins_anywhere(self) -> bool:
        """Whether a word can begin with other states than zero: each is a vector of hidden units, and none
        says that a word begins, as that of started cells does."""
        return all(state == State(state.name) and state.name != "begun" for state in self.states)

    def gate_rows(self, inputs: int, hidden: int) -> tuple[Rows, ...]:
        """The rows of its tensors that enter gates and nothing else: what can be sharpened."""
        return gates_of(self, inputs, hidden)[0]

    @cached_property
    def gated(self) -> bool:
        """Whether it has gates, which can be sharpened; the tanh of a plain RNN is none."""
        return gates_of(self, 2, 2)[1]

    @cached_property
    def sharpens(self) -> bool:
        """Whether any of its weights can be sharpened, be it those of a tanh."""
        return bool(self.gate_rows(2, 2))

    @cached_property
    def content(self) -> str:
        """A checksum over all that it is, in hexadecimal digits: another formula has another one."""
        return content_of(self)

    def check_unchanged(self) -> None:
        """Refuse a formula that uses something of its module or notebook that has changed since."""
        if content_of(self) != self.content:
            raise BadCell(
                self.name,
                "its formula computes something else than when it was defined; define the cell again",
            )

    def __eq__(self, other: object) -> bool:
        if self is other or not isinstance(other, Cell):
            return self is other
        alike = (self.name, self.states, self.parameters) == (other.name, other.states, other.parameters)
        return alike and self.content == other.content

    def __hash__(self) -> int:
        """That of its content: a formula that cannot be read is refused here, so no cache ever holds one."""
        return hash(self.content)

    def __copy__(self) -> Cell:
        return self

    def __deepcopy__(self, _: Any) -> Cell:
        return self

    def advance(self, w: Any, x: Any, states: tuple[Any, ...]) -> tuple[Any, ...]:
        """The states after one more input, as many as `content` has found that the formula returns."""
        result = self.step(w, x, *states)
        return result if isinstance(result, tuple) else (result,)


#: The cells that this process has defined or met, as they are written: whoever has a text finds its cell.
MET: dict[str, Cell] = {}


def remember(cell: Cell) -> Cell:
    """Keep a cell, so that it can be found by its content; the one that is kept of that content."""
    return MET.setdefault(written(cell), cell)


@checked
def cell(
    gates: str | Sequence[str] | Callable[..., Any] | None = None,
    *,
    parameters: Parameters | None = None,
    states: Mapping[str, State] | None = None,
    initial: Initial | None = None,
    label: str | None = None,
) -> Callable[[Callable[..., Any]], Cell]:
    """Make a cell of a formula `name(w, x, h, …)`.

    `gates` are the gates' names in PyTorch's order, "f n"; `parameters` any other kind of parameters. A state
    has as many numbers as there are hidden units, unless `states` says otherwise of it. Weights are drawn
    uniformly, as PyTorch does; `initial(drawn)` gives those tensors that shall begin otherwise. The formula
    is read at once: one that cannot be read is refused, and a warning names gates or tensors that it never
    uses. Stores know it by its content. Tables and figures call it by its `label`, if it has one.
    """
    if callable(gates):
        raise BadInput('cell: write @cell(gates="f n"), with the names of the gates, in place of @cell')
    if (gates is None) == (parameters is None):
        raise BadInput("cell: give either gates or parameters, and not both")
    names = gates.split() if isinstance(gates, str) else gates
    chosen = parameters if names is None else Gates(tuple(names))
    assert chosen is not None
    for name, state in (states or {}).items():
        expect(f"cell: state {name}", state, State)

    def make(formula: Callable[..., Any]) -> Cell:
        if not callable(formula):
            raise BadInput(f"cell: the formula must be a function, got {short_repr(formula)}")
        named = tuple(inspect.signature(formula).parameters)[2:]
        sizes = {name: State(name) for name in named} | dict(states or {})
        name = getattr(formula, "__name__", type(formula).__name__)
        if unknown := set(sizes) - set(named):
            raise BadCell(name, f"its formula has no state {sorted(unknown)[0]!r}")
        result = Cell(name.rstrip("_"), chosen, tuple(sizes[name] for name in named), formula, initial)
        remember(result)  # a formula that cannot be read is refused here
        if unused := ", ".join(unused_parameters(result)):
            why = f"Cell {result.name}: its formula never uses {unused}, whose parameters still count"
            warnings.warn(why, stacklevel=2)
        if label is not None:
            give_label(result.name, label)
        return result

    return make
