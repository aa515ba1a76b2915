"""`abacist sample`, `corpus` and `score`: words drawn, the paper's sets, and predictions on them."""

from __future__ import annotations

import json
from itertools import chain, islice
from pathlib import Path
from typing import Annotated, Any

from abacist.bridge.dataset_folder import save_dataset
from abacist.bridge.prediction_files import load_predictions, load_words, scored_words
from abacist.cli.options import SHORT, LanguageArgument, LengthsOption, SeedOption, picked
from abacist.cli.parameters import NOTHING, Argument, Given, Option, OptionsOf
from abacist.cli.screen import say, show_json, working
from abacist.cli.tables import show_rows
from abacist.corpora import (
    EDITS,
    STEPS,
    Recipe,
    SourceChoice,
    Split,
    Summary,
    Window,
    check,
    draw,
    draw_non_members,
    paper_recipe,
    summarise,
)
from abacist.corpora.files import FORMATS, rows, save
from abacist.errors import AbacistError, BadFile, BadInput
from abacist.fields import Choice, Field, Range
from abacist.files import check_new_folder, check_parent
from abacist.languages import language_asked_for
from abacist.specs import Spec
from abacist.wording import one_of


def sample(
    language: LanguageArgument,
    count: Annotated[int, Option("How many words.", Range(1), also=("-n",))] = 10,
    lengths: LengthsOption = SHORT,
    seed: SeedOption = 0,
    words: Annotated[Given, OptionsOf(SourceChoice)] = NOTHING,
    non_members: Annotated[
        str | None,
        Field(
            f"Draw strings outside the language instead, one edit away from such words: {one_of(EDITS)}.",
            metavar="EDIT",
        ),
    ] = None,
    repeats: Annotated[bool, "Allow the same word more than once."] = False,
    jsonl: Annotated[bool, "One JSON object per line."] = False,
    targets: Annotated[bool, "Add the codes of the sets of next symbols."] = False,
) -> None:
    """Draw distinct words of a language, exactly from the stated distribution.

    With --non-members, a word is drawn among those that have an edit of the kind whose result is not in the
    language, and then one of these edits. Results that leave the language at their first symbol do not count.

    Example: abacist sample dyck-1 --count 5 --lengths 2:50 --seed 0
    """
    chosen = language_asked_for(language)
    split = Split("sample", Window.parse(lengths), count)
    source = SourceChoice(**words).of(chosen)
    recipe = Recipe(chosen, source, (split,), seed, not repeats and non_members is None)
    if non_members is not None and (targets or repeats):
        raise BadInput("--non-members goes with neither --targets nor --repeats")
    with working("drawing words") as progress:
        if non_members is None:
            listed = rows(draw(recipe, progress)["sample"], targets=targets)
        else:
            (strings,) = draw_non_members(recipe, count, [non_members], progress)
            listed = (
                {"word": chosen.alphabet.render(string), "length": len(string)}
                | {"edit": non_members, "left_at": left_at + 1}
                for string, left_at in zip(strings, strings.left_at.tolist(), strict=True)
            )
    for row in listed:
        codes = "\t" + " ".join(map(str, row["codes"])) if targets else ""
        print(json.dumps(row, ensure_ascii=False) if jsonl else f"{row['word']}{codes}")


def corpus(
    language: LanguageArgument,
    seed: SeedOption = 0,
    sets: Annotated[Given, OptionsOf(Spec, ("training", "test", "short", "long", "distinct"))] = NOTHING,
    words: Annotated[Given, OptionsOf(SourceChoice)] = NOTHING,
    out: Annotated[
        Path | None, "Write the words: .npz, .jsonl, or a new folder in the layout of a Hugging Face dataset."
    ] = None,
    targets: Annotated[bool, "With --out: also write what may come next after every symbol."] = False,
    json: Annotated[bool, "Print the summary as JSON."] = False,
) -> None:
    """Draw the training, short test and long test sets of a task, check them and summarise them.

    Example: abacist corpus shuffle-6 --seed 3 --out shuffle-6.npz
    """
    if targets and out is None:
        raise BadInput("--targets says what is written, so --out must say where")
    if out is not None:
        if out.suffix not in (*FORMATS, ""):
            raise BadInput(f"{out}: a corpus is written as {' or '.join(FORMATS)}, or as a folder")
        if not out.suffix:
            check_new_folder(out)
        check_parent(out)
    chosen = language_asked_for(language)
    recipe = paper_recipe(chosen, seed=seed, source=SourceChoice(**words).of(chosen), **sets)
    with working("drawing words") as progress:
        corpora = draw(recipe, progress)
    broken = [guarantee.statement for guarantee in check(corpora) if not guarantee.holds]
    if broken:
        raise AbacistError(f"the corpus breaks its own promise: {broken[0]}")
    summaries = [summarise(part) for part in corpora]
    if json:
        show_json({"recipe": recipe.as_dict(), "splits": {s.name: s.as_dict() for s in summaries}})
    else:
        _show_corpus(f"{chosen.name}, words from {recipe.source}, seed {seed}", summaries, recipe.distinct)
    if out is not None:
        save(corpora, out, targets=targets) if out.suffix else save_dataset(corpora, out)
        say(f"written to {out}")


def _show_corpus(title: str, summaries: list[Summary], distinct: bool) -> None:
    headings = ["split", "words", "symbols", "lengths", "max depth", "turns", "crossing"]
    rows = []
    for s in summaries:
        ranges = [f"{d.values[0]}–{d.median:g}–{d.values[-1]}" for d in (s.lengths, s.depths, s.turns)]
        crossing = None if s.crossing is None else f"{100 * s.crossing:.1f} %"
        rows.append([s.name, f"{s.words:,}", f"{s.symbols:,}", *ranges, crossing])
    show_rows(headings, rows, title=title, left=("split",))
    units = "turns are summed over the counters; crossing: share of words whose brackets cross"
    say(f"min–median–max; {units}", output=True)
    unlike = "; all words distinct, no word in two splits" if distinct else ""
    say(f"checked: sizes, windows, membership{unlike}", output=True)


def score(
    predictions: Annotated[
        Path, Argument("A file of JSON lines, one for each word, in the order of the corpus.")
    ],
    corpus: Annotated[Path, "The words: a file that `abacist corpus --out` has written, .npz or .jsonl."],
    chosen: Annotated[
        str | None, Field("The predictions are for this set alone.", option="set", metavar="SET", usual="all")
    ] = None,
    language: Annotated[str | None, "The language of a .jsonl file.", "the file's"] = None,
    threshold: Annotated[float, "What a score must exceed to predict a symbol."] = 0.5,
    steps: Annotated[str, f"Which steps count: {one_of(STEPS)}.", Choice(STEPS)] = STEPS[0],
    by: Annotated[
        str | None, "A row for every length, or for every depth.", "no", Choice(("length", "depth"))
    ] = None,
    json: Annotated[bool, "Print JSON, with the first wrong step of every word."] = False,
) -> None:
    """Score the predictions of any program on the words of a corpus file, by word and by step.

    A line is a list of steps, or `{"word": …, "predictions": […]}`; a step is a list of scores, one for each
    symbol, or the text of the symbols that are predicted, as `abacist corpus --targets` writes them.

    Example: abacist score predictions.jsonl --corpus shuffle-2.npz --set long --by length
    """
    with working("scoring"):
        named = None if language is None else language_asked_for(language)
        spoken, words = load_words(corpus, named)
        names = picked([] if chosen is None else [chosen], words, "set")
        words = {name: words[name] for name in names if words[name]}
        if not words:
            raise BadFile(f"{corpus}: has no words")
        every = list(chain.from_iterable(words.values()))
        rest = iter(load_predictions(predictions, spoken, every, threshold=threshold, split=chosen))
        scores = {
            name: scored_words([*islice(rest, len(listed))], listed, spoken, steps)
            for name, listed in words.items()
        }
    if json:
        show_json({"language": spoken.name, "sets": {name: one.as_dict() for name, one in scores.items()}})
        return
    headings = ["set", "words", "words right, %", "steps right, %", "first wrong step"]
    cells: list[list[object]] = [
        [name, f"{len(one):,}", f"{100 * one.accuracy:.2f}", f"{100 * one.step_accuracy:.2f}", _first(one)]
        for name, one in scores.items()
    ]
    if by is not None:
        headings = ["set", by, "words", "words right, %"]
        cells = [
            [name, at, f"{share.words:,}", f"{100 * share.right:.2f}"]
            for name, one in scores.items()
            for at, share in (one.by_length() if by == "length" else one.by_depth()).items()
        ]
    show_rows(headings, cells, left=("set",))


def _first(one: Any) -> str:
    """The first wrong step, from 1: the earliest and the median of the words that have one."""
    wrong = sorted((one.first_wrong[one.first_wrong >= 0] + 1).tolist())
    return f"{wrong[0]:,} at the earliest, median {wrong[len(wrong) // 2]:,}" if wrong else "none"
