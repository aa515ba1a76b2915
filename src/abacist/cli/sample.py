"""`abacist sample`: draw words."""

from __future__ import annotations

import json
from typing import Annotated

import typer

from abacist.cli.screen import progress_bar
from abacist.cli.source import (
    SHORT,
    ByCountOption,
    CutOffOption,
    GrammarOption,
    LanguageArgument,
    SeedOption,
    UniformOption,
)
from abacist.corpora import Recipe, Split, Window, draw, source_asked_for
from abacist.corpora.files import rows
from abacist.languages import language_named


def sample(
    language: LanguageArgument,
    count: Annotated[int, typer.Option("--count", "-n", help="How many words.")] = 10,
    lengths: Annotated[str, typer.Option("--lengths", metavar="LOW:HIGH", help="Their lengths.")] = SHORT,
    seed: SeedOption = 0,
    grammar: GrammarOption = None,
    uniform: UniformOption = False,
    by_count: ByCountOption = False,
    cut_off: CutOffOption = False,
    repeats: Annotated[bool, typer.Option("--repeats", help="Allow the same word more than once.")] = False,
    jsonl: Annotated[bool, typer.Option("--jsonl", help="One JSON object per line.")] = False,
    targets: Annotated[
        bool, typer.Option("--targets", help="Add the codes of the sets of next symbols.")
    ] = False,
) -> None:
    """Draw distinct words of a language, exactly from the stated distribution.

    Example: abacist sample dyck-1 --count 5 --lengths 2:50 --seed 0
    """
    chosen = language_named(language)
    split = Split("sample", Window.parse(lengths), count)
    source = source_asked_for(chosen, grammar=grammar, uniform=uniform, by_count=by_count, cut_off=cut_off)
    recipe = Recipe(chosen, source, (split,), seed, not repeats)
    with progress_bar("drawing words") as advance:
        corpus = draw(recipe, advance)["sample"]
    if jsonl:
        for row in rows(corpus, targets=targets):
            print(json.dumps(row, ensure_ascii=False))
        return
    for word in corpus:
        text = chosen.alphabet.render(word)
        codes = " ".join(str(step.code) for step in chosen.read(word).steps) if targets else None
        print(text if codes is None else f"{text}\t{codes}")
