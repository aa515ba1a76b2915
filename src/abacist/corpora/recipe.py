"""A recipe: all that a set of corpora depends on, from which it is drawn again bit for bit."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from abacist.corpora.grammar import LONGEST as LONGEST_BY_GRAMMAR
from abacist.corpora.grammar import Grammar, bracket_pairs
from abacist.corpora.uniform import LONGEST, LONGEST_SHUFFLE, Uniform, parts_of
from abacist.corpora.window import Window
from abacist.errors import BadInput, Impossible
from abacist.languages import Dyck, Language, language_named

#: Where words come from: the paper's grammar, or uniform draws.
Source = Grammar | Uniform

#: Changes when the same recipe gives other words than it used to.
DRAWING = 1


@dataclass(frozen=True)
class Split:
    """A named set of words to be drawn."""

    name: str
    window: Window
    count: int

    def __post_init__(self) -> None:
        if not isinstance(self.window, Window):
            raise BadInput(
                f"{self.name}: lengths must be a Window, such as Window(2, 50), got {self.window!r}"
            )
        if not isinstance(self.count, int) or self.count < 1:
            raise BadInput(f"{self.name}: the number of words must be at least 1, got {self.count}")
        if self.count > 100_000_000:
            raise BadInput(f"{self.name}: at most 100,000,000 words can be drawn, got {self.count:,}")


@dataclass(frozen=True)
class Recipe:
    """A language, where its words come from, the splits and the seed.

    The words of all splits together are distinct, unless `distinct` is off.
    """

    language: Language[Any]
    source: Source
    splits: tuple[Split, ...]
    seed: int = 0
    distinct: bool = True

    def __post_init__(self) -> None:
        if not isinstance(self.language, Language):
            raise BadInput(
                f"Recipe: a language is needed, as of language_named('dyck-1'), got {self.language!r}"
            )
        if not isinstance(self.source, Grammar | Uniform):
            raise BadInput(f"Recipe: words come from a Grammar or Uniform, got {self.source!r}")
        names = [split.name for split in self.splits]
        if len(set(names)) != len(names):
            raise BadInput(f"Recipe: splits need different names, got {', '.join(names)}")
        if not names:
            raise BadInput("Recipe: at least one split is needed, got none")
        if not isinstance(self.seed, int) or not 0 <= self.seed < 2**63:
            raise BadInput(f"seed must be at least 0 and below 2**63, got {self.seed}")
        self._refuse_the_impossible()

    @property
    def support(self) -> Language[Any]:
        """The language that the source really draws from: Dyck-k for Shuffle-k by the grammar."""
        if isinstance(self.source, Grammar):
            return Dyck(bracket_pairs(self.language)).renamed(self.language.alphabet.glyphs)
        return self.language

    def _refuse_the_impossible(self) -> None:
        """By exact counts: for every stretch of lengths, what must come from it against what there is."""
        lows = sorted({split.window.low for split in self.splits})
        highs = sorted({split.window.high for split in self.splits})
        name = self.support.name
        longest = longest_drawable(self.language, self.source)
        if highs[-1] > longest:
            raise BadInput(f"{name}: words of at most {longest:,} symbols can be drawn so, got {highs[-1]:,}")
        counts = self.support.counts(highs[-1])
        if isinstance(self.source, Uniform) and self.source.lengths is not None:
            counts[1::2] = [0] * len(counts[1::2])  # the grammar has no odd lengths
        for window in (Window(low, high) for low in lows for high in highs if low <= high):
            wanted = sum(split.count for split in self.splits if split.window in window)
            exist = sum(counts[window.low : window.high + 1])
            if wanted and not exist:
                raise Impossible(f"no word of {name} has a length from {window.low} to {window.high}")
            if self.distinct and wanted > exist:
                raise Impossible(
                    f"{wanted:,} distinct words of {name} with lengths {window.low} to {window.high} "
                    f"do not exist: there are {exist:,}"
                )

    def as_dict(self) -> dict[str, Any]:
        """The recipe in plain values, for JSON."""
        if language_named(self.language.name) != self.language:
            raise BadInput(f"{self.language.name}: a language with glyphs of its own cannot be written down")
        grammar = self.source if isinstance(self.source, Grammar) else self.source.lengths
        return {
            "language": self.language.name,
            "words": "grammar" if isinstance(self.source, Grammar) else "uniform",
            "grammar": None if grammar is None else {"p": str(grammar.p), "q": str(grammar.q)},
            "splits": {s.name: {"lengths": str(s.window), "count": s.count} for s in self.splits},
            "seed": self.seed,
            "distinct": self.distinct,
            "drawing": DRAWING,
        }

    @classmethod
    def from_dict(cls, values: dict[str, Any]) -> Recipe:
        """The inverse of `as_dict`."""
        try:
            chances, words = values["grammar"], values["words"]
            grammar = None if chances is None else Grammar(chances["p"], chances["q"])
            if words not in ("grammar", "uniform"):
                raise BadInput(f"Recipe: words are by grammar or uniform, got {words!r}")
            source = Uniform(grammar) if words == "uniform" else grammar
            if values["drawing"] != DRAWING or source is None:
                raise BadInput(f"Recipe: it was written for drawing {values['drawing']}, this is {DRAWING}")
            splits = tuple(
                Split(name, Window.parse(split["lengths"]), split["count"])
                for name, split in values["splits"].items()
            )
            language = language_named(values["language"])
            return cls(language, source, splits, values["seed"], values["distinct"])
        except (KeyError, TypeError, AttributeError) as error:
            raise BadInput(f"Recipe: a value is missing or of the wrong kind ({error})") from None


def longest_drawable(language: Language[Any], source: Source) -> int:
    """The longest words that a source can draw without tables beyond reason."""
    by_grammar = isinstance(source, Grammar) or source.lengths is not None
    most = LONGEST_BY_GRAMMAR if by_grammar else LONGEST
    return most if isinstance(source, Grammar) or len(parts_of(language)) == 1 else min(most, LONGEST_SHUFFLE)


def default_source(language: Language[Any]) -> Source:
    """The paper's grammar for brackets; uniform words where the grammar has nothing to say."""
    try:
        bracket_pairs(language)
    except BadInput:
        return Uniform()
    return Grammar()


def paper_recipe(
    language: Language[Any],
    *,
    seed: int = 0,
    source: Source | None = None,
    training: int | None = None,
    test: int = 5_000,
    short: Window = Window(2, 50),
    long: Window = Window(52, 100),
) -> Recipe:
    """Training, short test and long test set as the paper makes them.

    10,000 words for training (30,000 for Shuffle-6), 5,000 for each test set.
    """
    if not isinstance(language, Language):
        raise BadInput(
            f"paper_recipe: a language is needed, as of language_named('dyck-1'), got {language!r}"
        )
    if training is None:
        training = 30_000 if language.name == "shuffle-6" else 10_000
    splits = (Split("training", short, training), Split("short", short, test), Split("long", long, test))
    return Recipe(language, source or default_source(language), splits, seed)
