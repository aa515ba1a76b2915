"""How the parameters of a verb become options: one parameter may stand for many.

`Annotated[Given, OptionsOf(Spec)]` is the fields of a spec: each field with help is an option, named and
explained as its record says. The verb gets the values of those that the user gave, by field, read and
checked; a refusal names the option. A dataclass whose fields are annotated for Typer is an option for each,
and the verb gets the dataclass. `Annotated[int, "How many words."]` is an option with that help; a second
text is its default as help shows it. Verbs about cells, languages, stores or networks also have --plugin.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import MISSING, dataclass, fields, is_dataclass
from functools import wraps
from inspect import Parameter, signature
from pathlib import Path
from types import MappingProxyType, NoneType
from typing import Annotated, Any, get_args, get_origin, get_type_hints

import typer

from abacist.cli.screen import say
from abacist.errors import BadField, BadInput
from abacist.fields import Field, records
from abacist.on_demand import on_demand

#: Imported where a command has such options: others need no specs.
_plain_values = on_demand("abacist.specs.spec")
_plugins = on_demand("abacist.cells.plugins")

#: Values of fields that were given, by their names; the default of parameters that stand for options.
Given = Mapping[str, Any]
NOTHING: Given = MappingProxyType({})

_PluginOption = Annotated[
    list[Path] | None, "A Python file with cells or languages of yours; may be repeated."
]

#: Further parameters: which options were given, and the files of --plugin; those for former names begin so.
_CONTEXT, _PLUGIN, _FORMERLY = "context", "plugin", "formerly_"


@dataclass(frozen=True)
class OptionsOf:
    """The options of a dataclass: of all fields with help, or of some; `usual` are other defaults here."""

    owner: type
    only: tuple[str, ...] = ()
    usual: tuple[tuple[str, Any], ...] = ()

    @property
    def fields(self) -> list[Field]:
        every = records(self.owner).values()
        return [own for own in every if own.help and (not self.only or own.name in self.only)]

    def parameters(self) -> Iterator[Parameter]:
        """The options as Typer takes them. A flag says the opposite of the default."""
        for own in self.fields:
            usual = _plain_values.plain_value(dict(self.usual).get(own.name, own.default))
            kind = next(kind for kind in _plain_values.written_types(own.types) if kind is not NoneType)
            if kind is bool:
                usual = False
            option = typer.Option(
                usual,
                f"--{own.option}",
                metavar=own.metavar,
                help=own.help,
                show_default=own.usual or True,
            )
            yield _parameter(own.name, kind | None if usual is None else kind, option)
            if own.formerly:
                hidden = typer.Option(None, f"--{own.formerly}", hidden=True)
                yield _parameter(_FORMERLY + own.name, kind | None, hidden)

    def value(self, named: dict[str, Any], said: set[str]) -> Given:
        """Take the values of the options that were said, and of those with another default here."""
        plain = {}
        for own in self.fields:
            value, old = named.pop(own.name), named.pop(_FORMERLY + own.name, None)
            if old is not None:
                say(f"--{own.formerly} is now called --{own.option}")
                plain[own.name] = old
            elif own.name in said:
                plain[own.name] = not own.default if own.types == (bool,) else value
        given: Given = _plain_values.read_values(self.owner, dict(self.usual) | plain)
        return given


@dataclass(frozen=True)
class _Group:
    """The options of a dataclass whose fields are annotated as Typer has it."""

    owner: Any

    def parameters(self) -> Iterator[Parameter]:
        hints = get_type_hints(self.owner, include_extras=True)
        for own in fields(self.owner):
            default = Parameter.empty if own.default is MISSING else own.default
            yield _parameter(own.name, hints[own.name], default)

    def value(self, named: dict[str, Any], said: set[str]) -> Any:
        """Take the values of the options, as the dataclass."""
        return self.owner(**{own.name: named.pop(own.name) for own in fields(self.owner)})


def with_options(function: Callable[..., None], *, plugins: bool) -> Callable[..., None]:
    """A verb with an option for everything that its parameters stand for, and --plugin if it may need it."""
    signed = signature(function, eval_str=True)
    marks = {name: mark for name, one in signed.parameters.items() if (mark := _mark(one.annotation))}

    @wraps(function)
    def call(**named: Any) -> None:
        context, files = named.pop(_CONTEXT), named.pop(_PLUGIN, None)
        # without any there is nothing to forget, and no need to import it
        if files or (plugins and "abacist.cells.plugins" in sys.modules):
            _plugins.load_plugins(files or (), anew=True)
        said = {name for name in named if context.get_parameter_source(name).name != "DEFAULT"}
        try:
            function(**{name: mark.value(named, said) for name, mark in marks.items()}, **named)
        except BadField as error:
            raise _naming_option(error, marks.values()) from None

    parameters = list[Parameter]()
    for name, one in signed.parameters.items():
        mark = marks.get(name)
        parameters += [one.replace(kind=Parameter.KEYWORD_ONLY)] if mark is None else mark.parameters()
    parameters.append(_parameter(_CONTEXT, typer.Context))
    if plugins:
        parameters.append(_parameter(_PLUGIN, _PluginOption, None))
    parameters = [_as_option(one) for one in parameters]
    plain: Any = call
    plain.__signature__ = signed.replace(parameters=parameters)
    plain.__annotations__ = {one.name: one.annotation for one in parameters}
    return call


def _parameter(name: str, hint: Any, default: Any = Parameter.empty) -> Parameter:
    return Parameter(name, Parameter.KEYWORD_ONLY, default=default, annotation=hint)


def _as_option(one: Parameter) -> Parameter:
    """A parameter whose annotation has texts, as Typer takes it."""
    kind, *texts = get_args(one.annotation) if get_origin(one.annotation) is Annotated else (None,)
    if not texts or not isinstance(texts[0], str):
        return one
    names = [f"--{one.name.replace('_', '-')}"] if kind is bool else []
    option = typer.Option(*names, help=texts[0], show_default=texts[1] if len(texts) > 1 else True)
    return one.replace(annotation=Annotated[kind, option])


def _mark(annotation: Any) -> OptionsOf | _Group | None:
    if is_dataclass(annotation):
        return _Group(annotation)
    return next((mark for mark in get_args(annotation) if isinstance(mark, OptionsOf)), None)


def _naming_option(error: BadField, marks: Any) -> BadInput:
    """A refusal of a field with the name of its option, if it has one."""
    for mark in marks:
        if mark.owner.__name__ == error.owner and isinstance(mark, OptionsOf):
            option = next((own.option for own in mark.fields if own.name == error.field), None)
            return BadInput(error.sentence(error.field if option is None else f"--{option}"))
    return error
