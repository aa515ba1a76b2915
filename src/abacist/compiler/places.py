"""Where the values of a step are, and what it takes to look at other units of a vector than its own."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from abacist.algebra import Symbol
from abacist.compiler.statements import (
    Constant,
    Expression,
    HandOver,
    Load,
    Local,
    Parameter,
    Place,
    Store,
)
from abacist.compiler.tables import InputTable
from abacist.errors import BadInput


@dataclass
class Places:
    """Where the values of a step are.

    `memory` says where a symbol's vector begins, `elements` what stands for unit u of a symbol that is
    not in memory, `vectors` which local holds a whole vector. `kept` says what becomes of unit u of a
    symbol once it is computed: its value is put in place of `Local("")`. Sums with a table are looked up.
    """

    memory: dict[Symbol, Place] = field(default_factory=dict)
    elements: dict[Symbol, Expression] = field(default_factory=dict)
    vectors: dict[Symbol, str] = field(default_factory=dict)
    kept: dict[Symbol, list[Store | HandOver]] = field(default_factory=dict)
    tables: dict[Symbol, InputTable] = field(default_factory=dict)

    def keep(self, symbol: Symbol, place: Place, ended: Expression | None = None) -> None:
        """Store a symbol; where its word has ended, `ended` instead."""
        self.kept.setdefault(symbol, []).append(Store(of_unit(place), Local(""), ended))

    def hand_over(self, symbol: Symbol, name: str) -> None:
        self.kept.setdefault(symbol, []).append(HandOver(name, Local("")))


def of_unit(place: Place) -> Place:
    """The place of unit u of a vector that begins at a place."""
    return replace(place, per_unit=1)


def there(part: Symbol) -> range:
    """The units at which a part of a vector is within it."""
    size, first = part.detail
    return range(max(0, -first), max(0, -first, min(size, part.arguments[0].size - first)))


def moved(value: Expression, units: int) -> Expression:
    """What stands for the unit so many further on."""
    match value:
        case Load(place) | Parameter(place):
            return replace(value, place=replace(place, offset=place.offset + units * place.per_unit))
        case Constant():
            return value
    raise BadInput(f"a formula can only look at vectors in memory, got {value}")


def repeated(value: Expression, inner: int, period: int) -> Expression:
    """What stands for unit u // inner, modulo a period if there is one."""
    match value:
        case Load(place) | Parameter(place):
            return replace(value, place=replace(place, inner=inner, period=period))
    raise BadInput(f"a formula can only repeat vectors in memory, got {value}")


def whole_place(value: Expression) -> Place:
    """Where a vector is, given what stands for its unit u."""
    if isinstance(value, Load):
        return value.place
    raise BadInput(f"a formula can only sum vectors in memory, got {value}")
