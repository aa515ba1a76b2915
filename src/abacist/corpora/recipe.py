"""A recipe: all that a set of corpora depends on, from which it is drawn again bit for bit."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

from abacist.corpora.paper import PAPER
from abacist.corpora.source import Source, Window
from abacist.corpora.sources import default_source, source_from_values, source_values
from abacist.corpora.uniform import ByLength
from abacist.errors import BadInput, Impossible
from abacist.fields import check_fields, expect
from abacist.languages import Language, Recogniser, language_from_values, language_values
from abacist.languages.language import END_SUFFIX
from abacist.wording import listed

#: Changes when the same recipe gives other words than it used to.
DRAWING = 1


@dataclass(frozen=True)
class Split:
    """A named set of words to be drawn."""

    name: str
    window: Window
    count: int

    def __post_init__(self) -> None:
        if isinstance(self.window, str | list | tuple):
            object.__setattr__(self, "window", Window.parse(self.window))
        check_fields(self)
        if self.count < 1:
            raise BadInput(f"{self.name}: the number of words must be at least 1, got {self.count}")
        if self.count > 100_000_000:
            raise BadInput(f"{self.name}: at most 100,000,000 words can be drawn, got {self.count:,}")


@dataclass(frozen=True)
class Recipe:
    """A language, where its words come from, the splits and the seed.

    The words of all splits together are distinct, unless `distinct` is off. Of a recogniser, half of the
    strings of each split are words, and half are one edit away from words and outside the language.
    """

    language: Language[Any]
    source: Source
    splits: tuple[Split, ...]
    seed: int = 0
    distinct: bool = True

    def __post_init__(self) -> None:
        check_fields(self)
        for split in self.splits:
            expect("Recipe: a split", split, Split)
        names = [split.name for split in self.splits]
        if len(set(names)) != len(names):
            raise BadInput(f"Recipe: splits need different names, got {', '.join(names)}")
        if not names:
            raise BadInput("Recipe: at least one split is needed, got none")
        if not 0 <= self.seed < 2**63:
            raise BadInput(f"seed must be at least 0 and below 2**63, got {self.seed}")
        words = self.of_words
        _refuse_the_impossible(words.language, words.source, words.splits, words.distinct)

    @property
    def support(self) -> Language[Any]:
        """The language that the source really draws from: Dyck-k for Shuffle-k by the grammar."""
        return self.source.support(self.language.word_language)

    @property
    def of_words(self) -> Recipe:
        """The recipe of the words among its strings: of a recogniser's half, of other languages all."""
        if not isinstance(self.language, Recogniser):
            return self
        halves = tuple(replace(split, count=(split.count + 1) // 2) for split in self.splits)
        return replace(self, language=self.language.recognised, splits=halves)

    def as_dict(self) -> dict[str, Any]:
        """The recipe in plain values, for JSON."""
        return {
            "language": language_values(self.language),
            **_spelled_out(source_values(self.source)),
            "splits": {s.name: {"lengths": str(s.window), "count": s.count} for s in self.splits},
            "seed": self.seed,
            "distinct": self.distinct,
            "drawing": DRAWING,
        }

    @classmethod
    def from_dict(cls, values: dict[str, Any]) -> Recipe:
        """The inverse of `as_dict`."""
        try:
            source = source_from_values(_in_short(values))
            if values["drawing"] != DRAWING:
                raise BadInput(f"Recipe: drawing has version {DRAWING} here, got {values['drawing']!r}")
            splits = tuple(
                Split(name, Window.parse(split["lengths"]), split["count"])
                for name, split in values["splits"].items()
            )
            language = language_from_values(values["language"])
            return cls(language, source, splits, values["seed"], values["distinct"])
        except (KeyError, TypeError, AttributeError) as error:
            raise BadInput(f"Recipe: a value is missing or of the wrong kind ({error})") from None


@lru_cache(maxsize=256)  # thousands of runs differ in their seeds alone
def _refuse_the_impossible(
    language: Language[Any], source: Source, splits: tuple[Split, ...], distinct: bool
) -> None:
    """By exact counts: for every stretch of lengths, what must come from it against what there is."""
    lows = sorted({split.window.low for split in splits})
    highs = sorted({split.window.high for split in splits})
    name = source.support(language).name
    longest = source.longest(language)
    if highs[-1] > longest:
        raise BadInput(f"{name}: only words of at most {longest:,} symbols can be drawn, got {highs[-1]:,}")
    counts = source.counts(language, highs[-1])
    for window in (Window(low, high) for low in lows for high in highs if low <= high):
        within = [split for split in splits if split.window in window]
        wanted = sum(split.count for split in within)
        exist = sum(counts[window.low : window.high + 1])
        if wanted and not exist and isinstance(source, ByLength) and source.weights:
            raise Impossible(f"{source}: no length from {window.low} to {window.high} has a weight")
        if wanted and not exist:
            raise Impossible(f"no word of {name} has a length from {window.low} to {window.high}")
        if distinct and wanted > exist:
            shares = listed(f"{split.count:,} for {split.name}" for split in within)
            of_sets = f", asked for {shares}" if len(within) > 1 else ""
            raise Impossible(
                f"{wanted:,} distinct words of {name} with lengths {window.low} to {window.high} "
                f"do not exist: there are {exist:,}{of_sets}; ask for fewer, or let words repeat: "
                "--repeats, in TOML repeats = true, in Python distinct=False"
            )


def _spelled_out(values: dict[str, Any]) -> dict[str, Any]:
    """A source's values as recipes have them: the grammar's chances by name, where specs have `P,Q`."""
    text = values.get("grammar")
    return values if text is None else values | {"grammar": dict(zip("pq", text.split(","), strict=True))}


def _in_short(values: dict[str, Any]) -> dict[str, Any]:
    """The inverse of `_spelled_out`."""
    chances = values.get("grammar")
    return values if chances is None else values | {"grammar": f"{chances['p']},{chances['q']}"}


def paper_recipe(
    language: Language[Any],
    *,
    seed: int = 0,
    source: Source | None = None,
    training: int | None = None,
    test: int = PAPER.test,
    short: Window = PAPER.short,
    long: Window = PAPER.long,
    distinct: bool = True,
) -> Recipe:
    """Training, short test and long test set as the paper makes them; what is left out is the paper's."""
    expect("paper_recipe: language", language, Language)
    if training is None:
        training = PAPER.training_words(language.word_language.name.removesuffix(END_SUFFIX))
    splits = (Split("training", short, training), Split("short", short, test), Split("long", long, test))
    return Recipe(language, default_source(language) if source is None else source, splits, seed, distinct)
