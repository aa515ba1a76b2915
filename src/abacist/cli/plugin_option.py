"""The option --plugin, which every command about cells, languages, stores or networks has."""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import wraps
from inspect import Parameter, signature
from pathlib import Path
from typing import Annotated, Any

import typer

from abacist.on_demand import on_demand

_plugins = on_demand("abacist.cells.plugins")

PluginOption = Annotated[
    list[Path] | None,
    typer.Option(help="A Python file with cells or languages of yours; may be repeated."),
]

_NAME = "plugin"


def _is_loaded() -> bool:
    return "abacist.cells.plugins" in sys.modules


def with_plugins(function: Callable[..., None]) -> Callable[..., None]:
    """A command that first loads the files of its further option --plugin."""

    @wraps(function)
    def call(**named: Any) -> None:
        files = named.pop(_NAME) or ()
        if (
            files or "abacist.cells.plugins" in sys.modules
        ):  # else there is nothing to forget, and no need to import it
            _plugins.load_plugins(files, anew=True)
        function(**named)

    own = signature(function, eval_str=True)
    further = Parameter(_NAME, Parameter.KEYWORD_ONLY, default=None, annotation=PluginOption)
    plain: Any = call
    plain.__signature__ = own.replace(parameters=[*own.parameters.values(), further])
    plain.__annotations__ = {name: one.annotation for name, one in plain.__signature__.parameters.items()}
    return call
