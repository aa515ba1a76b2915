"""A lesson, how a network is taught beside its own words, and what came of it, in plain values."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Annotated, Any, Self

from abacist.cells import Cell
from abacist.cells.sharpening import without_gates
from abacist.corpora import Uniform
from abacist.errors import BadField, BadInput
from abacist.field_names import by_field, check_names, keywords_answered
from abacist.fields import Checked, Choice, Field, Normalised, Range, checked, records
from abacist.languages import Language
from abacist.wording import one_of, plural

#: What a network is fed beside its own words: nothing more, the words it was last found to get wrong,
#: or random words of their lengths, uniform among those of a length; or a fixed set of words that go back and
#: forth at some depth.
FEEDS = ("nothing", "counterexamples", "random", "stress")


@keywords_answered
@dataclass(frozen=True)
class Lesson(Normalised):
    """Rounds of training; after each, words are looked for that the network gets wrong.

    The epochs of the spec are divided among the `rounds`. `kept` is how many words a network is fed
    beside its own in every epoch: those found last, repeated where there are fewer. `to` is the
    length of the words that are looked for, and of those that must all be proved right for a network
    to be taught no further. `sharpen` is what its gates are multiplied by before every round but the
    first; `finish` what they are multiplied by at the end, or half of it, or a quarter … so that `to` is
    proved; where it never is, as much of this as lets most be proved.
    `budget` is how many states, or boxes, each configuration of the language may have in the search.

    A default must never change: a key has only the fields that differ from theirs.
    """

    # fmt: off
    feed: Annotated[str, Field(f"What is fed back: {one_of(FEEDS)}.", Choice(FEEDS))] = "counterexamples"
    rounds: Annotated[int, Field("How often words are looked for.", Range(1, 1_000))] = 10
    kept: Annotated[int, Field(
        "Words fed back in every epoch.", Range(1, 100_000), "fed-words", "kept")] = 400
    to: Annotated[int, Field(
        "Length of the words to get right: to look for, and to prove.", Range(1, 100_000),
        "max-length", "to")] = 1000
    sharpen: Annotated[float, Field(
        "What gates are multiplied by before every round but the first.", Range(above=0))] = 1.0
    finish: Annotated[float, Field(
        "What gates are multiplied by at the end, or half, a quarter …, to prove it.", Range(1.0))] = 1.0
    budget: Annotated[int, Field(
        "States searched for each configuration of the language.", Range(1, 1_000_000),
        "boxes", "budget")] = 16
    # fmt: on

    def __str__(self) -> str:
        """As people read it: what is fed, and what is not as usual."""
        values = self.as_dict()
        return ", ".join((values.pop("feed"), *(f"{name} {value:g}" for name, value in values.items())))

    @property
    def sharpens(self) -> bool:
        """Whether it changes gates, which a cell must then have."""
        return self.sharpen != 1 or self.finish != 1

    def check(self, epochs: int, cell: Cell, language: Language[Any]) -> None:
        """Refuse a lesson that does not fit the epochs, the cell or the language of a spec."""
        if self.rounds > max(epochs, 1):
            why = f"must be at most the {plural(epochs, 'epoch')} that are divided among them"
            raise BadField("Lesson", "rounds", why, str(self.rounds))
        if self.feed == "random" and self.to > (most := Uniform().longest(language)):
            raise BadField("Lesson", "to", f"must be at most {most:,} for random words", f"{self.to:,}")
        if self.sharpens and not cell.sharpens:
            name = "sharpen" if self.sharpen != 1 else "finish"
            why = f"must be 1: {without_gates(cell.name)}"
            raise BadField("Lesson", name, why, str(getattr(self, name)))

    def ends(self, epochs: int) -> tuple[int, ...]:
        """After how many epochs each round ends."""
        return tuple(epochs * number // self.rounds for number in range(1, self.rounds + 1))

    def as_dict(self) -> dict[str, Any]:
        """The lesson in plain values: what is fed, and what differs from its default."""
        values = {name: (getattr(self, name), record.default) for name, record in records(type(self)).items()}
        return {name: value for name, (value, usual) in values.items() if name == "feed" or value != usual}

    @classmethod
    @checked
    def from_dict(cls, values: dict[str, Any]) -> Self:
        """The inverse of `as_dict`, or by the names of options; what is left out has its default."""
        fields = by_field(cls, values)
        check_names(cls, fields)
        return cls(**fields)


@dataclass(frozen=True)
class Round(Checked):
    """A round: how many epochs were done after it, how many different words were fed in it beside the
    run's own, and the shortest word then found that the network gets wrong, if any was found."""

    epochs: int
    fed: int
    word: str | None
    length: int | None


@dataclass(frozen=True)
class Taught(Checked):
    """The rounds of a run, and of the network that came of them: on all words of up to `proved` symbols
    it is proved right, its gates are multiplied by `sharpened` at the end."""

    rounds: tuple[Round, ...]
    proved: int
    sharpened: float

    def as_dict(self) -> dict[str, Any]:
        """The same in plain values, for JSON."""
        return asdict(self) | {"rounds": [asdict(one) for one in self.rounds]}

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> Taught:
        """The inverse of `as_dict`."""
        try:
            rounds = tuple(Round(**one) for one in values["rounds"])
            return cls(**{**values, "rounds": rounds})
        except (KeyError, TypeError) as error:
            raise BadInput(f"Taught: a value is missing or of the wrong kind ({error})") from None
