"""What a source of words is: which words it draws, and how likely each of them is."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, ClassVar, Self

from abacist.corpora.choices import Weight
from abacist.corpora.continuations import Continuations
from abacist.corpora.window import Window
from abacist.errors import BadInput
from abacist.languages import Language, Word

if TYPE_CHECKING:
    from abacist.corpora.grammar import Grammar

#: Fills a pool: takes the random state, the choices of lengths and the pool, as the kernels do.
Fill = Callable[..., tuple[int, int]]


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

    def continuations(self, language: Language[Any], window: Window) -> Continuations[Any]:
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
