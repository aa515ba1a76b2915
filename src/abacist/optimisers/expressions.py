"""What an update of weights is written with, and its two readings.

NumPy arrays and plain numbers compute at once. A `Term`, a name, a number or an operation on other terms,
grows a tree, which a target prints as its program has it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

#: How tightly a sign binds what stands beside it.
_BINDING = {"+": 1, "-": 1, "*": 2, "/": 2, "negative": 3, "**": 4}
_ATOM = 9


@dataclass(frozen=True, eq=False)
class Term:
    """A name or a number in `detail`, or an operation on other terms."""

    operation: str
    arguments: tuple[Term, ...] = ()
    detail: Any = None

    def __add__(self, other: Any) -> Term:
        return _made("+", self, other)

    def __radd__(self, other: Any) -> Term:
        return _made("+", other, self)

    def __sub__(self, other: Any) -> Term:
        return _made("-", self, other)

    def __rsub__(self, other: Any) -> Term:
        return _made("-", other, self)

    def __mul__(self, other: Any) -> Term:
        return _made("*", self, other)

    def __rmul__(self, other: Any) -> Term:
        return _made("*", other, self)

    def __truediv__(self, other: Any) -> Term:
        return _made("/", self, other)

    def __rtruediv__(self, other: Any) -> Term:
        return _made("/", other, self)

    def __pow__(self, other: Any) -> Term:
        return _made("**", self, other)

    def __neg__(self) -> Term:
        return _made("negative", self)


def named(name: str) -> Term:
    """What a program knows by a name."""
    return Term("name", (), name)


def root(x: Any) -> Any:
    """The square root."""
    return _made("root", x) if isinstance(x, Term) else np.sqrt(x)


def multiply_add(a: Any, b: Any, c: Any) -> Any:
    """a·b + c, rounded once where a program can."""
    return _made("multiply_add", a, b, c) if _grows(a, b, c) else a * b + c


def at_most(limit: Any, x: Any) -> Any:
    """The smaller of both; NaN if x is."""
    return _made("at_most", limit, x) if _grows(limit, x) else np.minimum(limit, x)


def at_least(limit: Any, x: Any) -> Any:
    """The larger of both; NaN if x is."""
    return _made("at_least", limit, x) if _grows(limit, x) else np.maximum(limit, x)


def _grows(*values: Any) -> bool:
    return any(isinstance(value, Term) for value in values)


def _made(operation: str, *values: Any) -> Term:
    terms = (value if isinstance(value, Term) else Term("number", (), float(value)) for value in values)
    return Term(operation, tuple(terms))


def in_order_of_need(terms: dict[str, Term]) -> list[tuple[str, Term]]:
    """Terms by name, those first that others are made of."""

    def inside(term: Term, other: Term) -> bool:
        return term is other or any(inside(argument, other) for argument in term.arguments)

    def waits_for(name: str) -> int:
        return sum(inside(terms[name], other) for other in terms.values())

    return sorted(terms.items(), key=lambda pair: waits_for(pair[0]))


@dataclass(frozen=True)
class TermPrinter:
    """Prints terms: `functions` says how a function is called, `numbers` how a number is written.

    A term in `known` is printed as the name that it has there.
    """

    functions: Mapping[str, str]
    numbers: Callable[[float], str] = repr

    def text(self, term: Term, known: Mapping[Term, str] | None = None) -> str:
        return self._text(term, known or {})[0]

    def _text(self, term: Term, known: Mapping[Term, str]) -> tuple[str, int]:
        """A term's text, and how tightly it holds together."""
        if term in known:
            return known[term], _ATOM
        if term.operation == "name":
            return term.detail, _ATOM
        if term.operation == "number":
            return self.numbers(term.detail), _ATOM
        parts = [self._text(argument, known) for argument in term.arguments]
        if term.operation in self.functions:
            return self.functions[term.operation].format(*(text for text, _ in parts)), _ATOM
        own = _BINDING[term.operation]
        shown = [
            f"({text})" if tight < own + (place > 0) else text for place, (text, tight) in enumerate(parts)
        ]
        if term.operation == "negative":
            return f"-{shown[0]}", own
        sign = "**" if term.operation == "**" else f" {term.operation} "
        return sign.join(shown), own
