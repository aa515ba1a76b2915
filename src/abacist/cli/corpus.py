"""`abacist corpus`: the paper's three sets of words, summarised and written."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from abacist.cli.field_options import NOTHING, Given, OptionsOf
from abacist.cli.saying import say
from abacist.cli.screen import room, show_json
from abacist.cli.source import (
    LanguageArgument,
    SeedOption,
)
from abacist.cli.status import working
from abacist.cli.tables import show_table
from abacist.corpora import (
    Distribution,
    SourceChoice,
    Summary,
    check,
    draw,
    paper_recipe,
    summarise,
)
from abacist.corpora.files import FORMATS, save
from abacist.errors import AbacistError, BadInput
from abacist.files import check_new_folder, check_parent
from abacist.languages import language_asked_for
from abacist.on_demand import on_demand
from abacist.specs import Spec

#: Imported where a folder is asked for: the bridge needs much that drawing words does not.
_dataset_folder = on_demand("abacist.bridge.dataset_folder")

_BARS = " ▁▂▃▄▅▆▇█"


def corpus(
    language: LanguageArgument,
    seed: SeedOption = 0,
    sets: Annotated[Given, OptionsOf(Spec, ("training", "test", "short", "long"))] = NOTHING,
    words: Annotated[Given, OptionsOf(SourceChoice)] = NOTHING,
    out: Annotated[
        Path | None,
        typer.Option(
            help="Write the words: .npz, .jsonl, or a new folder in the layout of a Hugging Face dataset."
        ),
    ] = None,
    targets: Annotated[
        bool,
        typer.Option("--targets", help="With --out: also write what may come next after every symbol."),
    ] = False,
    json: Annotated[bool, typer.Option("--json", help="Print the summary as JSON.")] = False,
) -> None:
    """Draw the training, short test and long test sets of a task, check them and summarise them.

    Example: abacist corpus shuffle-6 --seed 3 --out shuffle-6.npz
    """
    if out is not None and out.suffix not in (*FORMATS, ""):
        raise BadInput(f"{out}: a corpus is written as {' or '.join(FORMATS)}, or as a folder")
    if targets and out is None:
        raise BadInput("--targets says what is written, so --out must say where")
    if out is not None and not out.suffix:
        check_new_folder(out)
    if out is not None:
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
        _show(f"{chosen.name}, words from {recipe.source}, seed {seed}", summaries)
    if out is not None:
        if out.suffix:
            save(corpora, out, targets=targets)
        else:
            _dataset_folder.save_dataset(corpora, out)
        say(f"written to {out}")


def _show(title: str, summaries: list[Summary]) -> None:
    headings = ["split", "words", "symbols", "lengths", "max depth", "turns", "crossing"]
    rows = [
        [
            s.name,
            f"{s.words:,}",
            f"{s.symbols:,}",
            *map(_range, (s.lengths, s.depths, s.turns)),
            _share(s.crossing),
        ]
        for s in summaries
    ]
    show_table(headings, rows, title=title, left=("split",))
    explained = (
        "min–median–max; turns are summed over the counters; crossing: share of words whose brackets cross"
    )
    say(explained, output=True)
    for what, pick in (("lengths", "lengths"), ("maximum depths", "depths")):
        print(f"\n{what}")
        low = min(getattr(s, pick).values[0] for s in summaries)
        high = max(getattr(s, pick).values[-1] for s in summaries)
        for s in summaries:
            bins = min(50, room() - len(f"  {s.name:<9}{low:>4}  {high}"))
            print(f"  {s.name:<9}{low:>4} {_histogram(getattr(s, pick), low, high, bins)} {high}")
    print()
    say("checked: sizes, windows, membership; all words distinct, no word in two splits", output=True)


def _range(distribution: Distribution) -> str:
    values = distribution.values
    return f"{values[0]}–{distribution.median:g}–{values[-1]}"


def _share(crossing: float | None) -> str:
    return "—" if crossing is None else f"{100 * crossing:.1f} %"


def _histogram(distribution: Distribution, low: int, high: int, bins: int) -> str:
    """One line of bars, each the words in an equal stretch of values."""
    width: Any = max(1, -(-(high - low + 1) // max(bins, 1)))
    heights = [0] * -(-(high - low + 1) // width)
    for value, count in zip(distribution.values, distribution.counts, strict=True):
        heights[(value - low) // width] += count
    top = max(heights)
    return "".join(_BARS[-(-8 * height // top)] for height in heights)
