"""The options that say which words are drawn, shared by `sample`, `corpus` and `train`."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from abacist.corpora import Grammar, Source, Uniform, bracket_pairs, default_source
from abacist.errors import BadInput
from abacist.languages import Language

GrammarOption = Annotated[
    str | None,
    typer.Option("--grammar", metavar="P,Q", help="Probabilities of (S) and SS; the paper's are 1/2,1/4."),
]
UniformOption = Annotated[
    bool,
    typer.Option(
        "--uniform",
        help="Words uniform among those of their length: for shuffle-N, of the language proper, where "
        "brackets cross. Lengths still follow the grammar.",
    ),
]
ByCountOption = Annotated[
    bool,
    typer.Option("--by-count", help="With --uniform: all words of the window are equally likely."),
]
TrainingOption = Annotated[
    int | None, typer.Option(help="Words for training.", show_default="10,000; 30,000 for shuffle-6")
]
TestOption = Annotated[int, typer.Option(help="Words in each test set.")]
LengthsOption = Annotated[str, typer.Option(metavar="LOW:HIGH", help="Training and short test set.")]
LongOption = Annotated[str, typer.Option(metavar="LOW:HIGH", help="Long test set.")]
SeedOption = Annotated[int, typer.Option("--seed", help="The same seed gives the same words everywhere.")]
LanguageArgument = Annotated[
    str, typer.Argument(help="Such as dyck-1 or shuffle-6; see `abacist languages`.")
]


def source_of(language: Language[Any], grammar: str | None, uniform: bool, by_count: bool) -> Source:
    """The source that the options ask for; without options, the paper's."""
    if by_count and not uniform:
        raise BadInput("--by-count goes with --uniform")
    if by_count and grammar:
        raise BadInput("--by-count and --grammar both say how long words are: give one of them")
    if grammar is not None:
        bracket_pairs(language)
    usual = default_source(language)
    chosen = Grammar.parse(grammar) if grammar is not None else usual
    if not uniform or isinstance(chosen, Uniform):
        return chosen
    return Uniform(None if by_count else chosen)
