"""Declared types, checked at birth and refused in one sentence.

A dataclass declares the types of its fields once, as annotations; what is built from
Python, JSON or TOML is checked against these.
"""

from __future__ import annotations

from dataclasses import fields
from functools import cache
from types import NoneType, UnionType
from typing import Any, Union, get_args, get_origin, get_type_hints

from abacist.errors import BadInput

#: What a type is called in a message, by its name; others are called by their names.
_WORDS = {
    "int": "a whole number",
    "float": "a number",
    "bool": "true or false",
    "str": "text",
    "tuple": "a tuple",
    "Sequence": "text or a sequence of symbols",
    "ndarray": "an array",
    "Language": "a language, such as language_named('dyck-1')",
    "Cell": "a cell, such as cell_named('lstm')",
    "Source": "a source of words, such as Grammar() or Uniform()",
    "Window": "a Window, such as Window(2, 50)",
}


def declared(cls: Any) -> dict[str, tuple[type, ...]]:
    """The types that every field of a dataclass may have; `int | None` is (int, NoneType)."""
    return _declared(cls)


@cache
def _declared(cls: Any) -> dict[str, tuple[type, ...]]:
    hints = get_type_hints(cls)
    return {field.name: _types(hints[field.name]) for field in fields(cls)}


def _types(hint: Any) -> tuple[type, ...]:
    if get_origin(hint) in (Union, UnionType):
        return tuple(kind for part in get_args(hint) for kind in _types(part))
    return (get_origin(hint) or hint,)


def fits(value: object, kinds: tuple[type, ...]) -> bool:
    """Whether a value has one of some types: a whole number is a number, but true and false are not."""
    if isinstance(value, bool):
        return bool in kinds
    return isinstance(value, (*kinds, int) if float in kinds else kinds)


def in_words(kinds: tuple[type, ...]) -> str:
    """What has one of some types, as a message calls it."""
    names = [kind.__name__ for kind in kinds if kind is not NoneType]
    return " or ".join(_WORDS.get(name, f"a {name}") for name in names)


def expect(what: str, value: object, *kinds: type) -> None:
    """Refuse a value of another type than the stated ones."""
    if not fits(value, kinds):
        raise BadInput(f"{what} must be {in_words(kinds)}, got {shown(value)}")


def shown(value: object) -> str:
    """A value in a message: one line, cut off where it is long."""
    text = " ".join(repr(value).split())
    return text if len(text) <= 100 else f"{text[:99]}…"


def check_fields(thing: object) -> None:
    """Refuse a dataclass with a field of another type than it declares."""
    for name, kinds in declared(type(thing)).items():
        expect(f"{type(thing).__name__}: {name}", getattr(thing, name), *kinds)
