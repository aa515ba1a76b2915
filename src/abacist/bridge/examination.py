"""An examination: the sets of words, stress words and structured words that a model is judged on."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any

from abacist.analysis.horizons.configurations import Configurations
from abacist.analysis.turning_words import back_and_forth, up_and_down
from abacist.cells import OutsideModel
from abacist.corpora import PAPER, Source, Window
from abacist.corpora.uniform import parts_of
from abacist.errors import BadInput
from abacist.experiments import RECOGNITION_SETS, SETS
from abacist.field_names import keywords_answered
from abacist.fields import Field, Range, check_fields
from abacist.languages import Language, Recogniser, Word
from abacist.specs import Spec
from abacist.specs.spec import NOT_OUTSIDE

#: Words that go back and forth at some depth, drawn from a seed.
_BACK_AND_FORTH = 50


@keywords_answered
@dataclass(frozen=True)
class Examination:
    """What models of a language are judged on.

    `sets` are the names of sets of words, as experiments have them: left out, the short and the long set, of
    a shuffle also those in which brackets cross, and strings outside the language, where there are enough.
    `steps`, `source`, `training`, `test`, `short` and `long` say how they are drawn, as in a `Spec`. `stress`
    are the lengths of the stress words, none for none. To find a short wrong word, words of at most `longest`
    symbols are tried: all of them, the shortest first, as long as there are no more than `every`, and
    structured ones.
    """

    language: Language[Any]
    sets: tuple[str, ...] | None = None
    steps: str = "all"
    source: Source | None = None
    training: int | None = None
    test: int = PAPER.test
    short: Window = PAPER.short
    long: Window = PAPER.long
    stress: tuple[int, ...] = (100, 200, 500, 1_000)
    every: Annotated[int, Field(rule=Range(0))] = 2_000
    longest: Annotated[int, Field(rule=Range(2))] = 200

    def __post_init__(self) -> None:
        check_fields(self)
        for name in self.sets or ():
            if name not in SETS:
                raise BadInput(f"Examination: sets are {', '.join(SETS)}, got {name!r}")
        if self.sets is not None and self.steps != "all" and set(self.sets) & set(RECOGNITION_SETS):
            raise BadInput(f"Examination: recognition needs all steps, got steps = {self.steps!r}")

    @property
    def names(self) -> tuple[str, ...]:
        """The sets that are asked for, or all that fit but the training set."""
        if self.sets is not None:
            return self.sets
        if isinstance(self.language, Recogniser):
            return ("short", "long")
        crossing = ("crossing short", "crossing long") if len(parts_of(self.language)) > 1 else ()
        return ("short", "long", *crossing, *(RECOGNITION_SETS if self.steps == "all" else ()))

    def spec(self, model: OutsideModel) -> Spec:
        """The spec of a model's runs: what its sets depend on, and nothing of how it was made."""
        drawn = ("steps", "source", "training", "test", "short", "long")
        values: dict[str, Any] = {name: getattr(self, name) for name in drawn}
        return Spec(self.language, model, **NOT_OUTSIDE, **values)

    def every_word(self) -> list[list[Word]]:
        """All words of each length from 1 on, as long as there are no more than `every` of them."""
        words: list[list[Word]] = []
        left = self.every
        while len(words) < self.longest and (count := self.language.count(len(words) + 1)) <= left:
            words.append(list(self.language.words(len(words) + 1)))
            left -= count
        return words

    def structured_words(self, seed: int) -> list[Word]:
        """The refuter's: to a depth, there up and down as often as possible, and back; and random such."""
        drawn = back_and_forth(Configurations(self.language), _BACK_AND_FORTH, self.longest, seed=seed)
        words = dict.fromkeys([*up_and_down(self.language, self.longest), *drawn])
        return [word for word in words if word]
