"""The part of docs/command-line.md that lists every command with its options.

`python -m tests.command_page` writes it anew.
"""

from __future__ import annotations

import re
import textwrap
from pathlib import Path
from typing import Any

from abacist.cli.app import VERBS, command_of

PAGE = Path(__file__).parents[1] / "docs" / "command-line.md"
PLACE = re.compile(r"(?<=<!-- commands -->\n).*?(?=<!-- end of commands -->)", re.DOTALL)


def commands() -> str:
    """All commands: what they do, an example, their arguments and options."""
    return "\n".join(_section(name, command_of(verb)) for name, verb in VERBS.items())


def _section(name: str, command: Any) -> str:
    meaning, example = command.help.split("Example: ")
    rows = [
        _row(parameter)
        for parameter in sorted(command.params, key=lambda one: one.param_type_name != "argument")
        if parameter.name != "help" and not getattr(parameter, "hidden", False)
    ]
    table = ["| argument or option | meaning | default |", "|---|---|---|", *rows] if rows else []
    text = textwrap.fill(" ".join(meaning.split()), 105, break_on_hyphens=False)
    return "\n".join([f"### `{name}`", "", text, "", "```", example.strip(), "```", "", *table, ""])


def _row(parameter: Any) -> str:
    names = [f"`{name}`" for name in (*parameter.opts, *parameter.secondary_opts)]
    if parameter.param_type_name == "argument":
        names = [f"`{parameter.metavar or parameter.name.upper()}`"]
    given = getattr(parameter, "show_default", None)
    usual = given if isinstance(given, str) else parameter.default
    if usual is None or usual is False or callable(usual) or parameter.required:
        usual = ""
    if isinstance(usual, tuple | list):
        usual = " ".join(map(str, usual))
    cells = (", ".join(names), parameter.help or "", str(usual))
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"


if __name__ == "__main__":
    PAGE.write_text(PLACE.sub(lambda _: commands(), PAGE.read_text()))
