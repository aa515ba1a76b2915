"""The sources of words: by name, in plain values, and which of them is asked for."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any

from abacist.corpora.grammar import CutOff, Grammar, bracket_pairs
from abacist.corpora.paper import PAPER
from abacist.corpora.source import Source
from abacist.corpora.uniform import ByLength, Uniform
from abacist.errors import BadInput
from abacist.fields import Field, check_fields, expect
from abacist.languages import Language

_PAPERS = Grammar()

SOURCES: dict[str, type[Source]] = {source.words: source for source in (Grammar, Uniform, CutOff, ByLength)}


def source_values(source: Source) -> dict[str, str | None]:
    """A source in plain values: `words` is its name, the others say what it is made of.

    >>> source_values(Uniform(Grammar()))
    {'words': 'uniform', 'grammar': '1/2,1/4'}
    """
    return {"words": source.words, **source.values()}


def source_from_values(values: Mapping[str, Any]) -> Source:
    """The inverse of `source_values`."""
    words = values.get("words")
    expect("words", words, str)
    if words not in SOURCES:
        raise BadInput(f"words must be drawn by {' or '.join(SOURCES)}, got {words!r}")
    try:
        return SOURCES[words].from_values(values)
    except KeyError as missing:
        raise BadInput(f"words by {words} need the value {missing}, which is missing") from None


def default_source(language: Language[Any]) -> Source:
    """The paper's grammar for brackets; uniform words where the grammar has nothing to say.

    In a language that an automaton gives, all lengths are equally likely: it may have many times as many
    words of one length as of the one before, and then uniform ones would hardly ever be short.
    """
    expect("default_source: language", language, Language)
    try:
        bracket_pairs(language.word_language)
    except BadInput:
        derived = any(part.has_derivations for part in language.word_language.parts)
        return ByLength() if derived else Uniform()
    return _PAPERS


@dataclass(frozen=True)
class SourceChoice:
    """How options and files ask for a source of words; what is left out is as usual."""

    grammar: Annotated[
        str | None,
        Field(f"Probabilities of (S) and SS; the paper's are {PAPER.p},{PAPER.q}.", metavar="P,Q"),
    ] = None
    uniform: Annotated[
        bool,
        Field(
            "Draw words uniformly among those of their length; for shuffle-N from the language proper, in "
            "which brackets cross. Lengths still follow the grammar."
        ),
    ] = False
    by_count: Annotated[
        bool, Field("With --uniform: make all words in the window of lengths equally likely.")
    ] = False
    cut_off: Annotated[
        bool,
        Field("Cut the grammar's recursion off at the longest length, as the authors' published code does."),
    ] = False
    by_length: Annotated[
        bool,
        Field(
            "Draw words uniformly among those of their length, every length of the window being equally "
            "likely; the default for languages of one's own."
        ),
    ] = False
    length_weights: Annotated[
        str | None,
        Field(
            "The same with weights: 10:1,20..30:3 draws words of 20 to 30 symbols, each of these lengths "
            "three times as often as 10.",
            metavar="LENGTH:WEIGHT,…",
        ),
    ] = None

    def __post_init__(self) -> None:
        check_fields(self)

    def of(self, language: Language[Any]) -> Source:
        """The source of a language's words; refuses one that cannot draw them."""
        language = language.word_language
        if self.by_length or self.length_weights is not None:
            return self._by_length(language)
        if self.cut_off and self.uniform:
            raise BadInput("cut-off and uniform both say how words are drawn: give one of them")
        if self.by_count and not self.uniform:
            raise BadInput("by-count goes with uniform: give both, or neither")
        if self.by_count and self.grammar is not None:
            raise BadInput("by-count and grammar both say how long words are: give one of them")
        chosen = default_source(language)
        if self.grammar is not None:
            chosen = Grammar.parse(self.grammar)
            chosen.support(language)  # refuses languages with symbols other than brackets
        if self.cut_off:
            bracket_pairs(language)  # refuses those, too
            return CutOff(chosen.derived_by or _PAPERS)
        return Uniform(None if self.by_count else chosen.derived_by) if self.uniform else chosen

    def _by_length(self, language: Language[Any]) -> Source:
        for name in ("grammar", "uniform", "by_count", "cut_off"):
            if getattr(self, name) not in (None, False):
                also = name.replace("_", "-")
                raise BadInput(
                    f"by-length and length-weights say how long words are, and so does {also}: give one"
                )
        chosen = ByLength() if self.length_weights is None else ByLength.parse(self.length_weights)
        chosen.support(language)  # refuses languages without a uniform sampler
        return chosen
