"""The options that say which words are drawn, shared by `sample`, `corpus` and `train`.

Their defaults are the paper's; `abacist.corpora.source_asked_for` says which source they ask for.
"""

from __future__ import annotations

from typing import Annotated

import typer

from abacist.corpora import PAPER

#: The defaults of the options, as the command line writes them.
TEST, SHORT, LONG = PAPER.test, str(PAPER.short), str(PAPER.long)

_LARGER = ", ".join(
    f"{task.training:,} for {task.language}" for task in PAPER.tasks if task.training != PAPER.training
)

GrammarOption = Annotated[
    str | None,
    typer.Option(
        "--grammar",
        metavar="P,Q",
        help=f"Probabilities of (S) and SS; the paper's are {PAPER.p},{PAPER.q}.",
    ),
]
UniformOption = Annotated[
    bool,
    typer.Option(
        "--uniform",
        help="Draw words uniformly among those of their length; for shuffle-N from the language proper, in "
        "which brackets cross. Lengths still follow the grammar.",
    ),
]
ByCountOption = Annotated[
    bool,
    typer.Option(
        "--by-count", help="With --uniform: make all words in the window of lengths equally likely."
    ),
]
CutOffOption = Annotated[
    bool,
    typer.Option(
        "--cut-off",
        help="Cut the grammar's recursion off at the longest length, as the authors' published code does.",
    ),
]
ByLengthOption = Annotated[
    bool,
    typer.Option(
        "--by-length",
        help="Draw words uniformly among those of their length, every length of the window being equally "
        "likely; the default for languages of one's own.",
    ),
]
LengthWeightsOption = Annotated[
    str | None,
    typer.Option(
        "--length-weights",
        metavar="LENGTH:WEIGHT,…",
        help="The same with weights: 10:1,20..30:3 draws words of 20 to 30 symbols, each of these lengths "
        "three times as often as 10.",
    ),
]
TrainingOption = Annotated[
    int | None, typer.Option(help="Words for training.", show_default=f"{PAPER.training:,}; {_LARGER}")
]
TestOption = Annotated[int, typer.Option(help="Words in each test set.")]
LengthsOption = Annotated[
    str,
    typer.Option(
        "--lengths", metavar="LOW:HIGH", help="Lengths of words in the training and short test sets."
    ),
]
LongOption = Annotated[
    str, typer.Option("--long", metavar="LOW:HIGH", help="Lengths of words in the long test set.")
]
SeedOption = Annotated[int, typer.Option("--seed", help="The same seed gives the same words everywhere.")]
LanguageArgument = Annotated[
    str,
    typer.Argument(
        help="A language, such as dyck-1 or shuffle-6 (see `abacist languages`), regex:EXPRESSION, or a TOML "
        "file with a table [language]."
    ),
]
