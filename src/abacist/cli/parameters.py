"""How the parameters of a verb become options: fields of a spec, groups, and the option --plugin."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import wraps
from inspect import Parameter, signature
from pathlib import Path
from types import MappingProxyType, NoneType
from typing import Annotated, Any, get_args

import typer

from abacist.cli.screen import say
from abacist.errors import BadField, BadInput
from abacist.fields import records
from abacist.on_demand import on_demand
from abacist.records import Field

#: Imported where a command has such options: others need no specs.
_plain_values = on_demand("abacist.specs.plain_values")

#: Values of fields that were given, by their names; the default of parameters that stand for options.
Given = Mapping[str, Any]
NOTHING: Given = MappingProxyType({})

#: The parameter that says which options were given, and what those for former names begin with.
_CONTEXT, _FORMERLY = "context", "formerly_"


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

    def parameters(self) -> Iterator[Parameter]:
        """The options as Typer takes them. A flag says the opposite of the default."""
        for own in self.fields:
            usual = _plain_values.plain_value(dict(self.usual).get(own.name, own.default))
            kind = next(kind for kind in _plain_values.written_types(own.types) if kind is not NoneType)
            if kind is bool:
                usual = False
            shown: dict[str, Any] = {
                "metavar": own.metavar,
                "help": own.help,
                "show_default": own.usual or True,
            }
            hint, former = kind | None if usual is None else kind, _FORMERLY + own.name
            yield _parameter(own.name, hint, typer.Option(usual, f"--{own.option}", **shown))
            if own.formerly:
                yield _parameter(former, kind | None, typer.Option(None, f"--{own.formerly}", hidden=True))

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
    signed = signature(function, eval_str=True)
    marked = {name: mark for name, one in signed.parameters.items() if (mark := _mark(one.annotation))}
    if not marked:
        return function

    @wraps(function)
    def call(**named: Any) -> None:
        context = named.pop(_CONTEXT)
        said = {name for name in named if context.get_parameter_source(name).name != "DEFAULT"}
        for own in (one for mark in marked.values() for one in mark.fields if one.formerly):
            old = named.pop(_FORMERLY + own.name)
            if old is not None:
                say(f"--{own.formerly} is now called --{own.option}")
                named[own.name] = old
                said.add(own.name)
        values = {one.name: named.pop(one.name) for mark in marked.values() for one in mark.fields}
        try:
            given = {name: mark.given(values, said) for name, mark in marked.items()}
            function(**named, **given)
        except BadField as error:
            raise _naming_option(error, marked.values()) from None

    parameters = list[Parameter]()
    for name, one in signed.parameters.items():
        mark = marked.get(name)
        parameters += [one.replace(kind=Parameter.KEYWORD_ONLY)] if mark is None else mark.parameters()
    parameters.append(_parameter(_CONTEXT, typer.Context))
    plain: Any = call
    plain.__signature__ = signed.replace(parameters=parameters)
    plain.__annotations__ = {one.name: one.annotation for one in parameters}
    return call


def _parameter(name: str, hint: Any, default: Any = Parameter.empty) -> Parameter:
    return Parameter(name, Parameter.KEYWORD_ONLY, default=default, annotation=hint)


def _mark(annotation: Any) -> OptionsOf | None:
    return next((mark for mark in get_args(annotation) if isinstance(mark, OptionsOf)), None)


def _naming_option(error: BadField, marks: Iterable[OptionsOf]) -> BadInput:
    """A refusal of a field with the name of its option, if it has one."""
    for mark in marks:
        if mark.owner.__name__ == error.owner:
            option = next((own.option for own in mark.fields if own.name == error.field), None)
            return BadInput(error.sentence(error.field if option is None else f"--{option}"))
    return error


_plugins = on_demand("abacist.cells.plugins")

PluginOption = Annotated[
    list[Path] | None,
    typer.Option(help="A Python file with cells or languages of yours; may be repeated."),
]

_PLUGIN = "plugin"


def _is_loaded() -> bool:
    return "abacist.cells.plugins" in sys.modules


def with_plugins(function: Callable[..., None]) -> Callable[..., None]:
    """A command that first loads the files of its further option --plugin."""

    @wraps(function)
    def call(**named: Any) -> None:
        files = named.pop(_PLUGIN) or ()
        if (
            files or "abacist.cells.plugins" in sys.modules
        ):  # else there is nothing to forget, and no need to import it
            _plugins.load_plugins(files, anew=True)
        function(**named)

    own = signature(function, eval_str=True)
    further = Parameter(_PLUGIN, Parameter.KEYWORD_ONLY, default=None, annotation=PluginOption)
    plain: Any = call
    plain.__signature__ = own.replace(parameters=[*own.parameters.values(), further])
    plain.__annotations__ = {name: one.annotation for name, one in plain.__signature__.parameters.items()}
    return call
