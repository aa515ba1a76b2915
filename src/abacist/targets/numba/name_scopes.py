"""Which names of a printed program get a value once, and are asked for only where they have it."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

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
