"""`abacist score`: how the predictions of another program fare on the words of a corpus."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from abacist.bridge.prediction_files import load_predictions, load_words, scored_words
from abacist.bridge.scoring import Score
from abacist.cli.screen import busy, show_json
from abacist.cli.tables import show_table
from abacist.corpora import STEPS
from abacist.errors import BadFile, BadInput, UnknownName
from abacist.languages import language_asked_for
from abacist.wording import one_of


def score(
    predictions: Annotated[
        Path, typer.Argument(help="A file of JSON lines, one for each word, in the order of the corpus.")
    ],
    corpus: Annotated[
        Path, typer.Option(help="The words: a file that `abacist corpus --out` has written, .npz or .jsonl.")
    ],
    chosen: Annotated[
        str | None,
        typer.Option(
            "--set", metavar="SET", help="The predictions are for this set alone.", show_default="all"
        ),
    ] = None,
    language: Annotated[
        str | None, typer.Option(help="The language of a .jsonl file.", show_default="the file's")
    ] = None,
    threshold: Annotated[float, typer.Option(help="What a score must exceed to predict a symbol.")] = 0.5,
    steps: Annotated[str, typer.Option(help=f"Which steps count: {one_of(STEPS)}.")] = STEPS[0],
    by: Annotated[
        str | None, typer.Option(help="A row for every length, or for every depth.", show_default="no")
    ] = None,
    json: Annotated[
        bool, typer.Option("--json", help="Print JSON, with the first wrong step of every word.")
    ] = False,
) -> None:
    """Score the predictions of any program on the words of a corpus file, by word and by step.

    A line is a list of steps, or `{"word": …, "predictions": […]}`; a step is a list of scores, one for each
    symbol, or the text of the symbols that are predicted, as `abacist corpus --targets` writes them.

    Example: abacist score predictions.jsonl --corpus shuffle-2.npz --set long --by length
    """
    if by not in (None, "length", "depth"):
        raise BadInput(f"--by must be length or depth, got {by!r}")
    if steps not in STEPS:
        raise BadInput(f"--steps must be {one_of(STEPS)}, got {steps!r}")
    with busy("scoring"):
        own, words = load_words(corpus, None if language is None else language_asked_for(language))
        if chosen is not None and chosen not in words:
            raise UnknownName(f"{corpus}: no set is called {chosen!r}; there are {', '.join(words)}")
        asked = {name: listed for name, listed in words.items() if listed and chosen in (None, name)}
        if not asked:
            raise BadFile(f"{corpus}: has no words")
        every = [word for listed in asked.values() for word in listed]
        predicted = load_predictions(predictions, own, every, threshold=threshold, split=chosen)
        scores, begin = dict[str, Score](), 0
        for name, listed in asked.items():
            scores[name] = scored_words(predicted[begin : begin + len(listed)], listed, own, steps)
            begin += len(listed)
    if json:
        show_json({"language": own.name, "sets": {name: one.as_dict() for name, one in scores.items()}})
    elif by is None:
        rows = [
            [name, f"{len(one):,}", f"{100 * one.words:.2f}", f"{100 * one.steps:.2f}", _first(one)]
            for name, one in scores.items()
        ]
        show_table(
            ["set", "words", "words right, %", "steps right, %", "first wrong step"], rows, left=("set",)
        )
    else:
        tables = {name: one.by_length() if by == "length" else one.by_depth() for name, one in scores.items()}
        cells = [
            [name, at, f"{share.words:,}", f"{100 * share.right:.2f}"]
            for name, table in tables.items()
            for at, share in table.items()
        ]
        show_table(["set", by, "words", "words right, %"], cells, left=("set",))


def _first(one: Score) -> str:
    """The first wrong step, from 1: the earliest and the median of the words that have one."""
    wrong = sorted((one.first_wrong[one.first_wrong >= 0] + 1).tolist())
    return f"{wrong[0]:,} at the earliest, median {wrong[len(wrong) // 2]:,}" if wrong else "none"
