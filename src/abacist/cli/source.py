"""The language, the seed and the lengths that commands about words ask for."""

from __future__ import annotations

from typing import Annotated

import typer

from abacist.corpora import PAPER

#: The lengths of short words, as the command line writes them.
SHORT = str(PAPER.short)

SeedOption = Annotated[int, typer.Option("--seed", help="The same seed gives the same words everywhere.")]
LanguageArgument = Annotated[
    str,
    typer.Argument(
        help="A language, such as dyck-1 or shuffle-6 (see `abacist languages`), regex:EXPRESSION, or a TOML "
        "file with a table [language]."
    ),
]
