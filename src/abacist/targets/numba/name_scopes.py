"""The names of a printed program: where their values are, and which get one only once, and need no place."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from numba import types
from numba.core import cgutils

#: A value: its type, and what it is in LLVM.
Value = tuple[Any, Any]

#: The blocks of statements around a place, by number, the outermost first.
_Blocks = tuple[int, ...]


def names_within(definition: ast.FunctionDef) -> frozenset[str]:
    """The names that need no place in memory: they have one value, in one block, and are used only in there,
    and only after they have got it.

    Arguments are given values at the beginning; a loop gives its name one inside.
    """
    given: dict[str, list[_Blocks]] = {own.arg: [()] for own in definition.args.args}
    used: dict[str, list[_Blocks]] = {}
    early: set[str] = set()
    for node, blocks in _walk(definition.body, ()):
        match node:
            case ast.Name(name, ast.Store()):
                given.setdefault(name, []).append(blocks)
            case ast.Name(name):
                used.setdefault(name, []).append(blocks)
                early |= {name} - given.keys()
    return frozenset(
        name
        for name, where in given.items()
        if len(where) == 1
        and name not in early
        and all(own[: len(where[0])] == where[0] for own in used.get(name, ()))
    )


def _walk(statements: Sequence[ast.stmt], blocks: _Blocks) -> Iterator[tuple[ast.AST, _Blocks]]:
    """Every node below some statements, with the blocks around it, in the order in which they are met."""
    for statement in statements:
        match statement:
            case ast.For(target, values, body):
                inner = (*blocks, id(statement))
                yield from ((node, blocks) for node in ast.walk(values))
                yield target, inner
                yield from _walk(body, inner)
            case ast.If(test, body):
                yield from ((node, blocks) for node in ast.walk(test))
                yield from _walk(body, (*blocks, id(statement)))
            case ast.Assign(targets, value):
                yield from ((node, blocks) for part in (value, *targets) for node in ast.walk(part))
            case ast.AugAssign(ast.Name(name), _, value):
                yield from ((ast.Name(name, use), blocks) for use in (ast.Load(), ast.Store()))
                yield from ((node, blocks) for node in ast.walk(value))
            case _:
                yield from ((node, blocks) for node in ast.walk(statement))


def plain(kind: Any) -> Any:
    """A type, whatever the value is."""
    return types.unliteral(kind)  # type: ignore[no-untyped-call]


class Names:
    """The values of names where a builder stands: those that are `steady` as they are, others in memory.

    A name may be given values of another type, such as a tuple after a vector: each type has a place of its
    own, and the name means the last one, within the block of statements in which it was given.
    """

    def __init__(self, context: Any, builder: Any, steady: frozenset[str]) -> None:
        self._context, self._builder, self._steady = context, builder, steady
        self._values: dict[str, Value] = {}
        self._places: dict[str, Value] = {}
        self._rooms: dict[tuple[str, Any], Any] = {}
        self._retyped: dict[str, _Blocks] = {}
        self._blocks: _Blocks = ()

    def __contains__(self, name: str) -> bool:
        return name in self._values or name in self._places

    @contextmanager
    def within(self, statements: Sequence[ast.stmt]) -> Iterator[None]:
        """Be in a block of statements."""
        around, self._blocks = self._blocks, (*self._blocks, id(statements))
        yield
        self._blocks = around

    def give(self, name: str, value: Value) -> None:
        """Give a name a value from here on."""
        kind, own = plain(value[0]), value[1]
        if name in self._steady:
            self._values[name] = kind, own
            return
        before = self._places.get(name, (kind, None))[0]
        if before != kind and self._context.typing_context.can_convert(kind, before) is not None:
            raise TypeError(f"{name} is of type {before} and {kind} in one program")
        if (name, kind) not in self._rooms:
            self._rooms[name, kind] = self.room(kind, name)
        if before != kind or not self._is_within(self._retyped.get(name, ())):
            self._retyped[name] = self._blocks
        self._places[name] = kind, self._rooms[name, kind]
        self._builder.store(own, self._rooms[name, kind])

    def value(self, name: str) -> Value:
        """The value that a name has here."""
        if name in self._values:
            return self._values[name]
        kind, place = self._places[name]
        if not self._is_within(self._retyped.get(name, ())):
            raise TypeError(f"{name} is of several types in one program, and may be {kind} or not")
        return kind, self._builder.load(place)

    def room(self, kind: Any, name: str) -> Any:
        """A place in memory, for a while: optimisation puts it into a register."""
        size = self._context.get_value_type(kind)
        return cgutils.alloca_once(self._builder, size, name=name)  # type: ignore[no-untyped-call]

    def _is_within(self, blocks: _Blocks) -> bool:
        return self._blocks[: len(blocks)] == blocks
