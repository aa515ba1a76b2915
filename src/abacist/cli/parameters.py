"""How the parameters of a verb become options: one parameter may stand for many.

`Annotated[Given, OptionsOf(Spec)]` is the fields of a spec: each field with help is an option, named and
explained as its record says. The verb gets the values of those that the user gave, by field, read and
checked; a refusal names the option. A dataclass whose fields are annotated for Typer is an option for each,
and the verb gets the dataclass. `Annotated[int, "How many words.", Range(1)]` is an option with that help
and that rule; a second text is its default as help shows it, and `Annotated[int, Field(…)]`, `Option(…)` or,
of what is given by its place, `Argument(…)` say more. Every verb also has --plugin, and takes options by
their former names.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import MISSING, dataclass, fields, is_dataclass, replace
from functools import wraps
from inspect import Parameter, signature
from pathlib import Path
from types import MappingProxyType, NoneType
from typing import Annotated, Any, get_args, get_origin, get_type_hints

import typer

from abacist.cli.mistakes import check_read, number_reader
from abacist.cli.screen import say
from abacist.errors import BadField, BadInput
from abacist.fields import Choice, Field, Range, records

#: Values of fields that were given, by their names; the default of parameters that stand for options.
Given = Mapping[str, Any]
NOTHING: Given = MappingProxyType({})

_PluginOption = Annotated[
    list[Path] | None, "A Python file with cells or languages of yours; may be repeated."
]

#: Numbers, as help calls their values.
_METAVARS: dict[type, str] = {int: "<int>", float: "<float>"}

#: Further parameters: which options were given, and the files of --plugin.
_CONTEXT, _PLUGIN = "context", "plugin"


@dataclass(frozen=True)
class Argument(Field):
    """What is known of an argument: it is given by its place."""


@dataclass(frozen=True)
class Option(Field):
    """What is known of an option that has further names, or whose value is checked as no rule does."""

    also: tuple[str, ...] = ()
    check: Callable[[Any], object] | None = None


@dataclass(frozen=True)
class OptionsOf:
    """The options of a dataclass: of all fields with help, or of some; `usual` are other defaults here."""

    owner: type
    only: tuple[str, ...] = ()
    usual: tuple[tuple[str, Any], ...] = ()

    @property
    def fields(self) -> list[Field]:
        every = records(self.owner).values()
        return [record for record in every if record.help and (not self.only or record.name in self.only)]

    def parameters(self) -> Iterator[Parameter]:
        """A parameter for each option. A flag says the opposite of the default."""
        from abacist.specs.spec import plain_value, written_types

        for record in self.fields:
            usual = plain_value(dict(self.usual).get(record.name, record.default))
            kind: Any = next(kind for kind in written_types(record.types) if kind is not NoneType)
            usual = False if kind is bool else usual
            yield _parameter(record.name, Annotated[kind | None if usual is None else kind, record], usual)

    def value(self, arguments: dict[str, Any], given: set[str]) -> Given:
        """Take the values of the options that were given, and of those with another default here."""
        from abacist.specs.spec import read_values

        plain = dict(self.usual)
        for record in self.fields:
            value = arguments.pop(record.name)
            if record.name in given:
                plain[record.name] = not record.default if record.types == (bool,) else value
        return read_values(self.owner, plain)


@dataclass(frozen=True)
class _Group:
    """The options of a dataclass whose fields are annotated as Typer has it."""

    owner: Any

    def parameters(self) -> Iterator[Parameter]:
        """A parameter for each field whose annotation says more than a type."""
        hints = get_type_hints(self.owner, include_extras=True)
        for field in fields(self.owner):
            default = Parameter.empty if field.default is MISSING else field.default
            if get_origin(hints[field.name]) is Annotated:
                yield _parameter(field.name, hints[field.name], default)

    def value(self, arguments: dict[str, Any], given: set[str]) -> Any:
        """Take the values of the options, as the dataclass."""
        return self.owner(**{one.name: arguments.pop(one.name) for one in self.parameters()})


def with_options(function: Callable[..., None]) -> Callable[..., None]:
    """A verb with --plugin and an option for everything that its parameters stand for.

    Its attribute `new_names` has the names of options by their former ones.
    """
    signed = signature(function, eval_str=True)
    marks = {name: mark for name, one in signed.parameters.items() if (mark := _mark(one.annotation))}
    parameters = list[Parameter]()
    for name, one in signed.parameters.items():
        by_name = one.replace(kind=Parameter.KEYWORD_ONLY)
        parameters += marks[name].parameters() if name in marks else [by_name]
    parameters += [_parameter(_CONTEXT, typer.Context), _parameter(_PLUGIN, _PluginOption, None)]
    options = {one.name: _record(one) for one in parameters}

    @wraps(function)
    def call(**arguments: Any) -> None:
        context, files = arguments.pop(_CONTEXT), arguments.pop(_PLUGIN)
        # without any there is nothing to forget, and no need to import it
        if files or "abacist.cells.plugins" in sys.modules:
            from abacist.cells.plugins import load_plugins

            load_plugins(files or (), anew=True)
        chosen = {name for name in arguments if context.get_parameter_source(name).name != "DEFAULT"}
        for name, record in options.items():
            value = arguments[name] if name in chosen else None
            for one in value if isinstance(value, list) else (value,):
                check_read(record.name, one)
                record.check_rule("", one)
            if isinstance(record, Option) and record.check is not None:
                record.check(value)
        try:
            function(**{name: mark.value(arguments, chosen) for name, mark in marks.items()}, **arguments)
        except BadField as error:
            raise _naming_option(error, marks.values()) from None

    parameters = [_as_option(one, options[one.name]) for one in parameters]
    verb: Any = call
    verb.__signature__ = signed.replace(parameters=parameters)
    verb.__annotations__ = {one.name: one.annotation for one in parameters}
    verb.new_names = {f"--{one.formerly}": one.name for one in options.values() if one.formerly}
    return call


def renamed(words: Sequence[str], new_names: Mapping[str, str]) -> list[str]:
    """Words of a command line with new names in place of former ones, each of which it says."""
    names = [word.partition("=")[0] for word in words]
    for name in names:
        if name in new_names:
            if (new := new_names[name]) in names:
                raise BadInput(f"{new} must be given once, got it as {name}, too")
            say(f"{name} is now called {new}")
    return [new_names.get(n, n) + word.removeprefix(n) for n, word in zip(names, words, strict=True)]


def _parameter(name: str, hint: Any, default: Any = Parameter.empty) -> Parameter:
    return Parameter(name, Parameter.KEYWORD_ONLY, default=default, annotation=hint)


def _record(one: Parameter) -> Field:
    """What an annotation says of an option: as a record, or as texts and a rule."""
    marks = getattr(one.annotation, "__metadata__", ())
    help_, usual = (*(mark for mark in marks if isinstance(mark, str)), "", "")[:2]
    rule = next((mark for mark in marks if isinstance(mark, Range | Choice)), None)
    record = next((mark for mark in marks if isinstance(mark, Field)), Field(help_, rule, usual=usual))
    option = record.option or one.name.replace("_", "-")
    return replace(record, option=option, name=one.name if isinstance(record, Argument) else f"--{option}")


def _as_option(one: Parameter, record: Field) -> Parameter:
    """A parameter as Typer takes it; one without help is not listed."""
    kind, *marks = get_args(one.annotation) or (None,)
    if not any(isinstance(mark, str | Field) for mark in marks):
        return one
    further = record.also if isinstance(record, Option) else ()
    number = next((one for one in _METAVARS if one in (kind, *get_args(kind))), None)
    is_argument = isinstance(record, Argument)
    shown: dict[str, Any] = {
        "metavar": record.metavar or (None if is_argument or number is None else _METAVARS[number]),
        "parser": None if number is None else number_reader(number),
        "help": record.help,
        "show_default": record.usual or True,
        "hidden": not record.help,
    }
    mark = typer.Argument(**shown) if is_argument else typer.Option(f"--{record.option}", *further, **shown)
    return one.replace(annotation=Annotated[kind, mark])


def _mark(annotation: Any) -> OptionsOf | _Group | None:
    if is_dataclass(annotation):
        return _Group(annotation)
    return next((mark for mark in get_args(annotation) if isinstance(mark, OptionsOf)), None)


def _naming_option(error: BadField, marks: Iterable[OptionsOf | _Group]) -> BadInput:
    """A refusal of a field with the name of its option, if it has one."""
    for mark in marks:
        if isinstance(mark, OptionsOf) and mark.owner.__name__ == error.owner:
            option = next((record.option for record in mark.fields if record.name == error.field), None)
            return BadInput(error.sentence(error.field if option is None else f"--{option}"))
    return error
