"""Statements as text, for people: a line each."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import abacist.compiler.statements as st
from abacist.algebra import OPERATIONS


def statement_lines(statements: Iterable[st.Statement], indent: str = "") -> Iterator[str]:
    """A line for each statement; those of a loop over units u are indented.

    >>> loop = st.UnitLoop(2, ((1, st.Let("v", st.Load(st.Place("tape", "now", 3, 1)))),))
    >>> print("\\n".join(statement_lines([st.Zero("s", 2), loop])))
    s = 0, 2 units
    for u in 0 … 1:
        v = tape[now + 3 + u]
    """
    for statement in statements:
        match statement:
            case st.UnitLoop(size, body, spreads, first, filled):
                yield f"{indent}for u in {first} … {_last(size, filled)}:"
                yield from statement_lines((*(inner for _, inner in body), *spreads), f"{indent}    ")
            case st.Clear(place, size, filled, looked_at):
                last = _last(size, looked_at)
                yield f"{indent}for u in {_last(size, filled)} + 1 … {last}: {_place(place)} = 0"
            case _:
                yield indent + _line(statement)


def _line(statement: st.Statement) -> str:
    match statement:
        case st.Let(name, value):
            return f"{name} = {_text(value)}"
        case st.Store(place, value, ended):
            otherwise = "" if ended is None else f", after the word's end {_text(ended)}"
            return f"{_place(place)} = {_text(value)}{otherwise}"
        case st.HandOver(name, value):
            return f"hand over {name}: {_text(value)}"
        case st.Gather(vector, place, count):
            return f"{vector} = {_place(place)}, {count} units"
        case st.Zero(vector, count):
            return f"{vector} = 0, {count} units"
        case st.Spread(vector, row, value):
            return f"{vector} += {_place(row)}, … * {_text(value)}"
        case st.StoreAll(place, vector, _, ended):
            otherwise = "" if ended is None else f", after the word's end {_place(ended)}"
            return f"{_place(place)}, … = {vector}{otherwise}"
    raise TypeError(f"no statement: {statement!r}")


def _text(value: st.Expression) -> str:
    match value:
        case st.Constant(number):
            return repr(number)
        case st.Local(name) | st.Given(name):
            return name
        case st.Load(place):
            return _place(place)
        case st.Lookup(place):
            return f"{_place(place)}[symbol]"
        case st.Apply(operation, (left, right)) if operation in OPERATIONS and OPERATIONS[operation].sign:
            return f"({_text(left)} {OPERATIONS[operation].sign} {_text(right)})"
        case st.Apply(operation, arguments):
            return f"{operation}({', '.join(map(_text, arguments))})"
        case st.MultiplyAdd(a, b, c, negative):
            product = f"{_text(a)} * {_text(b)}"
            return f"({_text(c)} - {product})" if negative else f"({product} + {_text(c)})"
        case st.Dot(row, vector, start):
            return f"({_text(start)} + {_place(row)}, … · {vector})"
        case st.Total(place, count, step, filled):
            return f"total({_place(place)}, {_last(count, filled)} + 1 of them, step {step})"
    raise TypeError(f"no expression: {value!r}")


def _place(place: st.Place) -> str:
    unit = "u"
    if place.inner > 1:
        unit = f"({unit} // {place.inner})"
    if place.period:
        unit = f"({unit} % {place.period})"
    moving = f"{place.per_unit} * {unit}" if place.per_unit != 1 else unit
    terms = [place.base, str(place.offset) if place.offset else "", moving if place.per_unit else ""]
    return f"{place.array}[{' + '.join(filter(None, terms)) or '0'}]"


def _last(size: int, filled: st.Filled | None) -> str:
    """The last unit, of a vector or of the filled part of one."""
    if filled is None:
        return str(size - 1)
    return f"min({size}, {filled.start} + {filled.growth} * t) - 1"
