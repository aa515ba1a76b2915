"""What a source of words is: which words it draws of a window of lengths, and how likely each of them is."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any, ClassVar, Self

from abacist.corpora.choices import Choices, Weight
from abacist.corpora.continuations import Continuations
from abacist.errors import BadField, BadInput
from abacist.field_names import keywords_answered
from abacist.fields import expect, normalise_fields
from abacist.languages import Language, Word

if TYPE_CHECKING:
    from abacist.corpora.grammar import Grammar

_LONGEST = 1_000_000

#: Fills a pool: takes the random state, the choices of lengths and the pool, as the kernels do.
Fill = Callable[..., tuple[int, int]]


@keywords_answered
@dataclass(frozen=True)
class Window:
    """The lengths from `low` to `high`, both included."""

    low: int
    high: int

    def __post_init__(self) -> None:
        normalise_fields(self)
        if not 1 <= self.low <= self.high <= _LONGEST:
            rule = f"must satisfy 1 <= low <= high <= {_LONGEST:,}"
            raise BadField("Window", "lengths", rule, f"{self.low}:{self.high}")

    @classmethod
    def parse(cls, text: str | Sequence[int]) -> Window:
        """Read `2:50`, or `8` for a single length; a pair of lengths will do.

        >>> Window.parse("2:50"), Window.parse((2, 50))
        (Window(low=2, high=50), Window(low=2, high=50))
        """
        if isinstance(text, list | tuple) and len(text) == 2:
            return cls(*text)
        expect("lengths", text, str)
        assert isinstance(text, str)
        low, _, high = text.partition(":")
        try:
            return cls(int(low), int(high or low))
        except ValueError as error:
            if isinstance(error, BadInput):
                raise
            raise BadField("", "lengths", "must be LOW:HIGH, such as 2:50", repr(text)) from None

    def __contains__(self, inner: int | Window) -> bool:
        low, high = (inner, inner) if isinstance(inner, int) else (inner.low, inner.high)
        return self.low <= low and high <= self.high

    def __str__(self) -> str:
        return f"{self.low}:{self.high}"

    @property
    def lengths(self) -> range:
        return range(self.low, self.high + 1)

    def overlaps(self, other: Window) -> bool:
        return self.low <= other.high and other.low <= self.high


class Source(ABC):
    """Where words come from. A further one is a file with a class and a line in `sources.py`."""

    #: What files call it.
    words: ClassVar[str]

    @abstractmethod
    def support(self, language: Language[Any]) -> Language[Any]:
        """The language that the words really come from; refuses a language that it cannot draw words for."""

    def counts(self, language: Language[Any], longest: int) -> list[int]:
        """How many words of every length from 0 to `longest` it can draw."""
        return self.support(language).counts(longest)

    @abstractmethod
    def longest(self, language: Language[Any]) -> int:
        """The length of the longest words that it can draw without unreasonably large tables."""

    @abstractmethod
    def length_weights(self, language: Language[Any], window: Window) -> dict[int, Weight]:
        """How likely every possible length of a window is, up to a common factor."""

    @abstractmethod
    def word_weight(
        self, language: Language[Any], word: Word, window: Window, length_weight: Weight
    ) -> Weight:
        """How likely a word of a window is, up to a factor; `length_weight` is what its length weighs."""

    @abstractmethod
    def filler(self, language: Language[Any], longest: int) -> Fill:
        """A function that draws words of up to some length into a pool."""

    def continuations(self, language: Language[Any], window: Window) -> Continuations:
        """How likely its words of a window are to go on with what; a source may do without."""
        raise BadInput(f"how words go on is not known of {self}")

    @property
    def derived_by(self) -> Grammar | None:
        """The grammar that derives the words, if there is one."""
        return None

    @abstractmethod
    def values(self) -> dict[str, str | None]:
        """What it is made of, in plain values."""

    @classmethod
    @abstractmethod
    def from_values(cls, values: Mapping[str, Any]) -> Self:
        """The inverse of `values`."""


@lru_cache(maxsize=256)  # thousands of runs differ in their seeds alone
def length_choices(language: Language[Any], source: Source, window: Window) -> Choices:
    """One row: the lengths of a window, with the source's weights."""
    return Choices.of([list(source.length_weights(language, window).items())])
