"""Options out of the records of fields: a parameter `Annotated[Given, OptionsOf(Spec)]` stands for many.

Each field with help is an option, named and explained as its record says. The command gets the values of
those that the user gave, by field, read and checked; a refusal names the option.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import wraps
from inspect import Parameter, signature
from types import MappingProxyType, NoneType
from typing import Any, get_args

import typer

from abacist.errors import BadField, BadInput
from abacist.fields import records
from abacist.on_demand import on_demand
from abacist.records import Field

#: Imported where a command has such options: others need no specs.
_plain_values = on_demand("abacist.specs.plain_values")

#: Values of fields that were given, by their names; the default of parameters that stand for options.
Given = Mapping[str, Any]
NOTHING: Given = MappingProxyType({})

_CONTEXT = "context"


@dataclass(frozen=True)
class OptionsOf:
    """The options of a dataclass: of all fields with help, or of some; `usual` are other defaults here."""

    owner: type
    only: tuple[str, ...] = ()
    usual: tuple[tuple[str, Any], ...] = ()

    @property
    def fields(self) -> list[Field]:
        known = records(self.owner).values()
        return [own for own in known if own.help and (not self.only or own.name in self.only)]

    def parameter(self, own: Field) -> Parameter:
        """The option of a field, as Typer takes it. A flag says the opposite of the default."""
        usual = _plain_values.plain_value(dict(self.usual).get(own.name, own.default))
        kind = next(kind for kind in _plain_values.written_types(own.types) if kind is not NoneType)
        if kind is bool:
            usual = False
        option = typer.Option(
            usual, f"--{own.option}", metavar=own.metavar, help=own.help, show_default=own.usual or True
        )
        hint = kind | None if usual is None else kind
        return Parameter(own.name, Parameter.KEYWORD_ONLY, default=option, annotation=hint)

    def given(self, values: Mapping[str, Any], said: Iterable[str]) -> Given:
        """The values of the options that were said, and of those with another default here."""
        plain = {
            own.name: not own.default if own.types == (bool,) else values[own.name]
            for own in self.fields
            if own.name in said
        }
        given: Given = _plain_values.read_values(self.owner, dict(self.usual) | plain)
        return given


def with_field_options(function: Callable[..., None]) -> Callable[..., None]:
    """A command with an option for every field that its parameters stand for."""
    own = signature(function, eval_str=True)
    marked = {name: mark for name, one in own.parameters.items() if (mark := _mark(one.annotation))}
    if not marked:
        return function

    @wraps(function)
    def call(**named: Any) -> None:
        context = named.pop(_CONTEXT)
        said = {name for name in named if context.get_parameter_source(name).name != "DEFAULT"}
        values = {one.name: named.pop(one.name) for mark in marked.values() for one in mark.fields}
        try:
            given = {name: mark.given(values, said) for name, mark in marked.items()}
            function(**named, **given)
        except BadField as error:
            raise _naming_option(error, marked.values()) from None

    parameters = []
    for name, one in own.parameters.items():
        expanded = (
            [marked[name].parameter(field) for field in marked[name].fields] if name in marked else [one]
        )
        parameters += [further.replace(kind=Parameter.KEYWORD_ONLY) for further in expanded]
    parameters.append(Parameter(_CONTEXT, Parameter.KEYWORD_ONLY, annotation=typer.Context))
    plain: Any = call
    plain.__signature__ = own.replace(parameters=parameters)
    plain.__annotations__ = {one.name: one.annotation for one in parameters}
    return call


def _mark(annotation: Any) -> OptionsOf | None:
    return next((mark for mark in get_args(annotation) if isinstance(mark, OptionsOf)), None)


def _naming_option(error: BadField, marks: Iterable[OptionsOf]) -> BadInput:
    """A refusal of a field with the name of its option, if it has one."""
    for mark in marks:
        if mark.owner.__name__ == error.owner:
            option = next((own.option for own in mark.fields if own.name == error.field), None)
            return BadInput(error.sentence(error.field if option is None else f"--{option}"))
    return error
