"""Compositions that a kind of value has its own way for, because it can say more than their operations do."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

_OWN_WAYS: dict[tuple[type, str], Callable[..., Any]] = {}


def own_way(kind: type, composition: Callable[..., Any], way: Callable[..., Any]) -> None:
    """Let a kind of value have its own way for a composition."""
    _OWN_WAYS[kind, composition.__name__] = way


def composition(composed: Callable[..., Any]) -> Callable[..., Any]:
    """A function made of operations, unless one of its arguments has its own way for it."""

    @wraps(composed)
    def chosen(*arguments: Any) -> Any:
        ways = (
            _OWN_WAYS[base, composed.__name__]
            for argument in arguments
            for base in type(argument).__mro__
            if (base, composed.__name__) in _OWN_WAYS
        )
        return next(ways, composed)(*arguments)

    return chosen
