"""Calls with missing, unknown or misplaced arguments, answered in one sentence."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from functools import wraps
from inspect import Parameter, signature
from typing import Any, NoReturn, ParamSpec, TypeVar

from abacist.errors import BadInput, UnknownName
from abacist.wording import a_few, did_you_mean, plural, short_repr

_Arguments = ParamSpec("_Arguments")
_Result = TypeVar("_Result")


def refuse_keyword(called: str, name: str, names: Iterable[str]) -> NoReturn:
    """Refuse a keyword that is none of some names, and say what was probably meant."""
    listed = sorted(names)
    meant = did_you_mean(name, listed) or f"; keywords are {a_few(listed) or 'none'}"
    raise UnknownName(f"{called}: there is no keyword {name!r}{meant}")


def check_call(function: Callable[..., Any], arguments: Sequence[Any], named: Collection[str]) -> None:
    """Refuse arguments that a function's signature does not allow."""
    owner = called_name(function)
    parameters = list(signature(function).parameters.values())
    if parameters and parameters[0].name in ("self", "cls"):
        parameters, arguments = parameters[1:], arguments[1:]
    kinds = {one.kind for one in parameters}
    both, only = Parameter.POSITIONAL_OR_KEYWORD, Parameter.KEYWORD_ONLY
    by_place = [one.name for one in parameters if one.kind is both]
    by_keyword = [*by_place, *(one.name for one in parameters if one.kind is only)]
    for name in named:
        if name not in by_keyword and Parameter.VAR_KEYWORD not in kinds:
            refuse_keyword(owner, name, by_keyword)
        if name in by_place[: len(arguments)]:
            raise BadInput(f"{owner}: {name} is given twice")
    if len(arguments) > len(by_place) and Parameter.VAR_POSITIONAL not in kinds:
        extra, rest = short_repr(arguments[len(by_place)]), by_keyword[len(by_place) :]
        if rest:
            raise BadInput(f"{owner}: {extra} needs its keyword, one of {a_few(rest)}")
        raise BadInput(f"{owner}: takes {plural(len(by_place), 'argument')}, got {len(arguments)}")
    for one in parameters:
        given = one.name in (*by_place[: len(arguments)], *named)
        if not given and one.kind in (both, only) and one.default is Parameter.empty:
            raise BadInput(f"{owner}: {one.name} is missing")


def called_name(function: Callable[..., Any]) -> str:
    """What a message calls a function: a class by its name alone."""
    return function.__qualname__.removesuffix(".__init__")


def called_right(function: Callable[_Arguments, _Result]) -> Callable[_Arguments, _Result]:
    """A function that answers missing, unknown and misplaced arguments in one sentence."""

    @wraps(function)
    def call(*arguments: _Arguments.args, **named: _Arguments.kwargs) -> _Result:
        try:
            return function(*arguments, **named)
        except TypeError:
            check_call(function, arguments, named)
            raise

    return call
