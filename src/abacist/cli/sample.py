"""`abacist sample`: draw words."""

from __future__ import annotations

import json
from typing import Annotated

import typer

from abacist.cli.source import (
    SHORT,
    ByCountOption,
    ByLengthOption,
    CutOffOption,
    GrammarOption,
    LanguageArgument,
    LengthWeightsOption,
    SeedOption,
    UniformOption,
)
from abacist.cli.status import working
from abacist.corpora import EDITS, Recipe, Split, Window, draw, draw_non_members, source_asked_for
from abacist.corpora.files import rows
from abacist.errors import BadInput
from abacist.languages import language_asked_for
from abacist.wording import one_of


def sample(
    language: LanguageArgument,
    count: Annotated[int, typer.Option("--count", "-n", help="How many words.")] = 10,
    lengths: Annotated[str, typer.Option("--lengths", metavar="LOW:HIGH", help="Their lengths.")] = SHORT,
    seed: SeedOption = 0,
    grammar: GrammarOption = None,
    uniform: UniformOption = False,
    by_count: ByCountOption = False,
    cut_off: CutOffOption = False,
    by_length: ByLengthOption = False,
    length_weights: LengthWeightsOption = None,
    non_members: Annotated[
        str | None,
        typer.Option(
            "--non-members",
            metavar="EDIT",
            help="Draw strings outside the language instead, one edit away from such words: "
            f"{one_of(EDITS)}.",
        ),
    ] = None,
    repeats: Annotated[bool, typer.Option("--repeats", help="Allow the same word more than once.")] = False,
    jsonl: Annotated[bool, typer.Option("--jsonl", help="One JSON object per line.")] = False,
    targets: Annotated[
        bool, typer.Option("--targets", help="Add the codes of the sets of next symbols.")
    ] = False,
) -> None:
    """Draw distinct words of a language, exactly from the stated distribution.

    With --non-members, a word is drawn among those that have an edit of the kind whose result is not in the
    language, and then one of these edits. Results that leave the language at their first symbol do not count.

    Example: abacist sample dyck-1 --count 5 --lengths 2:50 --seed 0
    """
    chosen = language_asked_for(language)
    split = Split("sample", Window.parse(lengths), count)
    source = source_asked_for(
        chosen,
        grammar=grammar,
        uniform=uniform,
        by_count=by_count,
        cut_off=cut_off,
        by_length=by_length,
        length_weights=length_weights,
    )
    recipe = Recipe(chosen, source, (split,), seed, not repeats and non_members is None)
    if non_members is not None:
        if targets or repeats:
            raise BadInput("--non-members goes with neither --targets nor --repeats")
        _sample_outside(recipe, non_members, jsonl)
        return
    with working("drawing words") as progress:
        corpus = draw(recipe, progress)["sample"]
    if jsonl:
        for row in rows(corpus, targets=targets):
            print(json.dumps(row, ensure_ascii=False))
        return
    for word in corpus:
        text = chosen.alphabet.render(word)
        codes = " ".join(str(step.code) for step in chosen.read(word).steps) if targets else None
        print(text if codes is None else f"{text}\t{codes}")


def _sample_outside(recipe: Recipe, kind: str, jsonl: bool) -> None:
    """Print strings outside a language, one to a line."""
    (split,) = recipe.splits
    with working("drawing strings") as progress:
        (found,) = draw_non_members(recipe, split.count, [kind], progress)
    for string, left_at in zip(found, found.left_at.tolist(), strict=True):
        text = found.language.alphabet.render(string)
        row = {"word": text, "length": len(string), "edit": kind, "left_at": left_at + 1}
        print(json.dumps(row, ensure_ascii=False) if jsonl else text)
