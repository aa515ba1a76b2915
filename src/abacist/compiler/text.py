"""Building the text of a program, line by line."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from contextlib import contextmanager


class Text:
    """Lines with indentation."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self._depth = 0

    def __call__(self, line: str = "") -> None:
        self.lines.append("    " * self._depth + line if line else "")

    @contextmanager
    def block(self, head: str) -> Iterator[None]:
        """A head such as `for u in range(3):` and what it holds."""
        self(head)
        self._depth += 1
        yield
        self._depth -= 1

    def __str__(self) -> str:
        return "\n".join(self.lines) + "\n"


def at(base: str, offset: int) -> str:
    """The text of an index: base + offset, without a useless zero."""
    return f"{base} + {offset}" if offset else base


def for_unit(line: str, unit: int) -> str:
    """A line of a loop over units, for one of them: its number for `u`, and sums of numbers done."""
    return ast.unparse(_Unit(unit).visit(ast.parse(line)))


class _Unit(ast.NodeTransformer):
    def __init__(self, unit: int) -> None:
        self._unit = unit

    def visit_Name(self, node: ast.Name) -> ast.expr:
        return ast.Constant(self._unit) if node.id == "u" else node

    def visit_BinOp(self, node: ast.BinOp) -> ast.expr:
        self.generic_visit(node)
        match node:
            case ast.BinOp(ast.Constant(int(a)), ast.Mult(), ast.Constant(int(b))):
                return ast.Constant(a * b)
            case ast.BinOp(ast.Constant(int(a)), ast.Add(), ast.Constant(int(b))):
                return ast.Constant(a + b)
            case ast.BinOp(rest, ast.Add(), ast.Constant(0)):
                return rest
            case ast.BinOp(ast.BinOp(rest, ast.Add(), ast.Constant(int(a))), ast.Add(), ast.Constant(int(b))):
                return ast.BinOp(rest, ast.Add(), ast.Constant(a + b))
        return node
