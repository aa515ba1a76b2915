"""The verbs of the command, each loaded only when it is asked for.

`abacist --help` reads their summaries, the first lines of their docstrings, and imports none of them, so that
nobody waits for NumPy or Numba to read a list. A further verb is one further word.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from keyword import iskeyword
from pathlib import Path
from typing import Any

import typer
from typer.core import TyperGroup

from abacist.cli.parameters import with_options


@cache
def _source(module: str) -> str:
    return (Path(__file__).parent / f"{module}.py").read_text(encoding="utf-8")


@dataclass(frozen=True)
class Verb:
    """A verb: its name, which is that of a function, and the module under `abacist.cli` that has it."""

    name: str
    module: str

    @property
    def plugins(self) -> bool:
        """Whether it is about cells, languages, stores or networks, of which some may be one's own."""
        return self.name not in _WITHOUT_PLUGINS

    @property
    def function(self) -> str:
        return f"{self.name}_" if iskeyword(self.name) else self.name

    @property
    def summary(self) -> str:
        """The first line of its help."""
        found = re.search(rf'^def {self.function}\(.*?\n    """(.*?)$', _source(self.module), re.S | re.M)
        return "" if found is None else found[1]


_WITHOUT_PLUGINS = {"repair", "vacuum", "construct", "reduce", "bench"}

#: The verbs in the order of help, by module.
_MODULES = (
    ("training", "reproduce run"),
    ("results", "table distributions runs"),
    ("show", "show"),
    ("pages", "report page"),
    ("figures", "figures"),
    ("housekeeping", "repair merge delete vacuum"),
    ("trace", "trace"),
    ("play", "play"),
    ("counters", "counters"),
    ("horizon", "horizon"),
    ("training", "train teach"),
    ("judge", "judge"),
    ("corpora", "score"),
    ("exchange", "import export construct saturate"),
    ("stress", "stress"),
    ("certificates", "certify check"),
    ("counters", "machine"),
    ("catalogue", "cells languages label"),
    ("corpora", "sample"),
    ("catalogue", "reduce"),
    ("corpora", "corpus"),
    ("bench", "bench"),
)
VERBS = {name: Verb(name, module) for module, names in _MODULES for name in names.split()}

#: How help looks, and how it is asked for, in the command and in every verb.
STYLE: dict[str, Any] = {
    "pretty_exceptions_enable": False,
    "rich_markup_mode": "markdown",
    "context_settings": {"help_option_names": ["-h", "--help"]},
}


class VerbGroup(TyperGroup):
    """Lists verbs by their summaries, and loads the one that is invoked or asked for its own help."""

    def list_commands(self, ctx: Any) -> list[str]:
        for name, listed in self.commands.items():
            listed.help = VERBS[name].summary
        return super().list_commands(ctx)

    def resolve_command(self, ctx: Any, args: list[str]) -> tuple[str | None, Any, list[str]]:
        name, listed, rest = super().resolve_command(ctx, args)
        return name, listed if name is None else command_of(VERBS[name]), rest


def command_of(verb: Verb) -> Any:
    """The command of a verb with all its options; imports its module."""
    function = getattr(import_module(f"abacist.cli.{verb.module}"), verb.function)
    alone = typer.Typer(add_completion=False, **STYLE)
    alone.command(verb.name)(with_options(function, plugins=verb.plugins))
    return typer.main.get_command(alone)


def add_verbs(app: typer.Typer) -> None:
    """Make an app list all verbs."""
    for name in VERBS:
        app.command(name)(_not_loaded)


def _not_loaded() -> None:
    """Stands in for a verb until it is invoked."""
