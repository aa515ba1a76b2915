"""Declared types and rules, checked at birth and refused in one sentence.

A dataclass declares the types of its fields once, as annotations, and so does a function those of
its arguments; what comes from Python, JSON or TOML is checked against these. An annotation
`Annotated[int, Field("Hidden units.", Range(least=1))]` says more of a field: its rule, and what options,
tables and files call it. `records` has all of that in one place.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import MISSING, dataclass, field, fields, replace
from functools import cache, wraps
from inspect import signature
from math import inf
from numbers import Integral, Real
from types import NoneType, UnionType
from typing import Any, ParamSpec, TypeVar, Union, get_args, get_origin, get_type_hints

from abacist.calls import called_name, called_right
from abacist.errors import BadField, BadInput
from abacist.wording import one_of
from abacist.wording import short_repr as short_repr

_Arguments = ParamSpec("_Arguments")
_Result = TypeVar("_Result")

#: What a type is called in a message, by its name; others are called by their names.
_WORDS = {
    "int": "a whole number",
    "float": "a number",
    "bool": "true or false",
    "str": "text",
    "tuple": "a tuple",
    "Integral": "a whole number",
    "Real": "a number",
    "Sequence": "a list or tuple",
    "Iterable": "a list",
    "Mapping": "a dictionary",
    "dict": "a dictionary",
    "frozenset": "a set",
    "Callable": "a function",
    "ndarray": "an array",
    "Path": "a path, such as Path('results')",
    "Language": "a language, such as language_named('dyck-1')",
    "Cell": "a cell, such as cell_named('lstm')",
    "Schedule": "a schedule, such as 'cosine', 'cosine:20' or 'step:10:0.5'",
    "Initialisation": "an initialisation, such as 'orthogonal' or 'forget:1'",
    "Source": "a source of words, such as Grammar() or Uniform()",
    "Window": "a Window, such as Window(2, 50)",
    "Networks": "Networks (PyTorch: network_of), such as trained.networks",
    "Words": "Words, such as those of pack_texts",
    "Outcome": "an Outcome",
    "Run": "a run, such as results[0]",
    "Parameters": "parameters, such as those of tensors",
    "Compared": "a comparison",
    "TraceReading": "a trace",
    "Store": "a Store, such as Store('results')",
    "Results": "Results, such as Results.of(store)",
    "Experiment": "an Experiment, such as experiment_named('table-3')",
}


@dataclass(frozen=True)
class Range:
    """A rule for numbers, which must be finite.

    >>> str(Range(least=1)), str(Range(above=0)), str(Range(least=0, below=1)), str(Range(1, 1000))
    ('at least 1', 'positive and finite', 'at least 0 and below 1', 'from 1 to 1,000')
    """

    least: float = -inf
    most: float = inf
    above: float = -inf
    below: float = inf

    def allows(self, value: Any) -> bool:
        return bool(self.least <= value <= self.most and self.above < value < self.below)

    def __str__(self) -> str:
        if self.most < inf:
            return f"from {self.least:,} to {self.most:,}"
        if self.above == 0 and self.below == inf:
            return "positive and finite"
        if self.above > -inf:
            return f"above {self.above:g} and below {self.below:g}"
        finite = " and finite" if isinstance(self.least, float) else ""
        return f"at least {self.least:g}" + (f" and below {self.below:g}" if self.below < inf else finite)


@dataclass(frozen=True)
class Choice:
    """A rule for names: one of those there are."""

    names: Collection[str]

    def allows(self, value: Any) -> bool:
        return value in self.names

    def __str__(self) -> str:
        return one_of(self.names)


@dataclass(frozen=True)
class Field:
    """What is known of a field of a dataclass; `records` adds its name, its types, what `each` element of its
    list or tuple is, and its default.

    `help` is what its option says; a field without it has none. The option is called as the field is, or
    `option`; what it was `formerly` called works for a version. `metavar` and `usual` are its value and its
    default as help shows them. `column` is its name in tables, frames and conditions where that is not its
    option's, `heading` in the report where it is not the field's.

    Of a spec's: all `first` fields are part of a run's key, others only where they differ from their
    default, which must then never change; so keys of older runs stay. A field that `trains` says how networks
    are made and trained, and nothing of a model from outside, where it has its default, or the value
    `outside`. `filled` gives what None stands for, out of a run's recipe.
    """

    help: str = ""
    rule: Range | Choice | None = None
    option: str = ""
    formerly: str = ""
    metavar: str | None = None
    usual: str = ""
    column: str = ""
    heading: str = ""
    first: bool = False
    trains: bool = False
    outside: Any = None
    filled: Callable[[Any], Any] | None = None
    name: str = ""
    types: tuple[type, ...] = ()
    each: type | None = None
    default: Any = field(default_factory=lambda: MISSING)

    def check_rule(self, owner: str, value: Any) -> None:
        """Refuse a value that the rule forbids."""
        if self.rule is not None and value is not None and not self.rule.allows(value):
            got = f"{value:,}" if isinstance(value, int) else repr(value)
            raise BadField(owner, self.name, f"must be {self.rule}", got)


def _cached(function: Callable[_Arguments, _Result]) -> Callable[_Arguments, _Result]:
    """The same as `cache`, for classes that say how their things are hashed, too."""
    return cache(function)  # type: ignore[return-value]


def check_type(owner: str, record: Field, value: Any) -> None:
    """Refuse a value of another type than its field has."""
    if not fits(value, record.types):
        raise BadField(owner, record.name, f"must be {in_words(record.types)}", _got(value, record.types))


@_cached
def records(cls: Any) -> dict[str, Field]:
    """The record of every field of a dataclass, by its name."""
    hints, annotated, result = get_type_hints(cls), get_type_hints(cls, include_extras=True), {}
    for declared in fields(cls):
        name, hint = declared.name, hints[declared.name]
        said = getattr(annotated[name], "__metadata__", ())
        record = next((one for one in said if isinstance(one, Field)), Field())
        result[name] = replace(
            record,
            name=name,
            types=_types(hint),
            each=_each(hint),
            default=declared.default,
            option=record.option or name.replace("_", "-"),
            column=record.column or (record.option or name).replace("-", "_"),
            heading=record.heading or name,
        )
    return result


def _types(hint: Any) -> tuple[type, ...]:
    """The types that a hint allows; `int | None` allows (int, NoneType)."""
    while (named := getattr(get_origin(hint) or hint, "__value__", None)) is not None:
        hint = named  # a type under another name, as NumPy's arrays are from 2.5 on
    if get_origin(hint) in (Union, UnionType):
        return tuple(kind for part in get_args(hint) for kind in _types(part))
    return (object,) if hint is Any else (get_origin(hint) or hint,)


def fits(value: object, kinds: tuple[type, ...]) -> bool:
    """Whether a value has one of some types: a whole number is a number, but true and false are not.

    Text is not a list.
    """
    return _type_fits(type(value), kinds)


@_cached  # large stores ask a million times, and abstract types are slow to ask
def _type_fits(kind: type, kinds: tuple[type, ...]) -> bool:
    """Whether values of a type have one of some types."""
    if issubclass(kind, bool):
        return bool in kinds or object in kinds
    if issubclass(kind, str):  # it is a sequence of texts, but never meant as one
        return str in kinds or object in kinds
    return issubclass(kind, (*kinds, int) if float in kinds else kinds)


def in_words(kinds: tuple[type, ...]) -> str:
    """What has one of some types, as a message calls it."""
    names = [kind.__name__ for kind in kinds if kind is not NoneType]
    words = [_WORDS.get(name, f"a {name}") for name in names]
    return words[0] if len(words) == 1 else one_of(text.partition(", such as ")[0] for text in words)


def expect(what: str, value: object, *kinds: type) -> None:
    """Refuse a value of another type than the stated ones."""
    if not fits(value, kinds):
        raise BadInput(f"{what} must be {in_words(kinds)}, got {_got(value, kinds)}")


def _got(value: object, kinds: tuple[type, ...]) -> str:
    """A value that is refused; several values in a list where there can be one."""
    several = isinstance(value, list | tuple) and value and all(fits(one, kinds) for one in value)
    return short_repr(value) + "; give one value: loop, or write an experiment file" * bool(several)


def check_fields(thing: object) -> None:
    """Refuse a dataclass with a field of another type than it declares, or against its rule.

    NumPy's scalars become Python's.
    """
    cls: Any = type(thing)
    for name, record in records(cls).items():
        value = getattr(thing, name)
        if not fits(value, record.types) and (plain := _without_numpy(value)) is not value:
            object.__setattr__(thing, name, plain)
            value = plain
        check_type(cls.__name__, record, value)
        record.check_rule(cls.__name__, value)
        if record.each is not None:
            expect_each(f"{cls.__name__}: each of {name}", value, record.each)


def normalise_fields(thing: object) -> None:
    """Give every value of a dataclass the plain type that its field declares; refuse one that cannot have it.

    NumPy's scalars become Python's, 1 becomes 1.0 where a number is declared, and -0.0 becomes 0.0. So equal
    things are written alike, and have equal keys.
    """
    cls: Any = type(thing)
    for name, record in records(cls).items():
        value = getattr(thing, name)
        try:
            plain = _normal(value, record.types)
        except OverflowError:
            raise BadField(cls.__name__, name, "must be a number below 1.8e308", short_repr(value)) from None
        if plain is not value:
            object.__setattr__(thing, name, plain)
    check_fields(thing)


class Checked:
    """A dataclass that refuses fields of other types than it declares."""

    __slots__ = ()

    def __post_init__(self) -> None:
        check_fields(self)


class Normalised:
    """A dataclass whose fields have the plain types that it declares."""

    __slots__ = ()

    def __post_init__(self) -> None:
        normalise_fields(self)


def _without_numpy(value: Any) -> Any:
    """A value; where it is a scalar of NumPy's, the plain number or text."""
    is_scalar = type(value).__module__ == "numpy" and getattr(value, "ndim", 1) == 0
    return value.item() if is_scalar else value


def _normal(value: Any, kinds: tuple[type, ...]) -> Any:
    """A value as its field has it, if it is a number or text, or a list where a tuple is declared."""
    value = _without_numpy(value)
    if isinstance(value, bool):
        return value
    if isinstance(value, int | float) and float in kinds and int not in kinds:
        return float(value) + 0.0
    if isinstance(value, int):
        return int(value)
    if isinstance(value, str):
        return value if type(value) is str else "".join(value)
    return tuple(value) if isinstance(value, list) and tuple in kinds else value


def expect_each(what: str, values: object, *kinds: type) -> None:
    """Refuse a list or tuple with something of another type in it."""
    if isinstance(values, list | tuple):
        if all(_type_fits(kind, kinds) for kind in set(map(type, values))):
            return
        for value in values:
            expect(what, value, *kinds)


def checked(function: Callable[_Arguments, _Result]) -> Callable[_Arguments, _Result]:
    """A function that refuses arguments of other types than it declares; NumPy's numbers are numbers.

    Missing, unknown and misplaced arguments are answered, too.
    """
    names, owner = tuple(signature(function).parameters), called_name(function)
    bare: Any = function
    answered = called_right(function)

    @wraps(function)
    def call(*arguments: _Arguments.args, **named: _Arguments.kwargs) -> _Result:
        declared = _declared(bare)
        for name, value in (*zip(names, arguments, strict=False), *named.items()):
            types, each = declared.get(name, ((object,), None))
            if not _type_fits(type(value), types):
                expect(f"{owner}: {name}", value, *types)
            if each is not None:
                expect_each(f"{owner}: each of {name}", value, each)
        return answered(*arguments, **named)

    return call


#: What passes for a number where it is not written down.
_NUMBERS: dict[type, type] = {int: Integral, float: Real}


@_cached
def _declared(function: Any) -> dict[str, tuple[tuple[type, ...], type | None]]:
    """The types of a function's arguments, where they say anything, and what each element of a list is."""
    declared = {}
    for name, hint in get_type_hints(function).items():
        types, each = _types(hint), _each(hint)
        if all(isinstance(kind, type) for kind in types):
            declared[name] = (
                tuple(_NUMBERS.get(kind, kind) for kind in types),
                each and _NUMBERS.get(each, each),
            )
    return declared


def _each(hint: Any) -> type | None:
    """What each element is of the lists and tuples that a hint allows; None if it allows none, or any."""
    for one in get_args(hint) if get_origin(hint) in (Union, UnionType) else (hint,):
        kinds = [kind for element in get_args(one) if element is not Ellipsis for kind in _types(element)]
        if get_origin(one) in (tuple, list, Sequence) and len(kinds) == 1 and isinstance(kinds[0], type):
            return kinds[0]
    return None
