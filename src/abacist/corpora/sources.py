"""The sources of words: by name, in plain values, and which of them is asked for."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from abacist.corpora.by_length import ByLength
from abacist.corpora.cut_off import CutOff
from abacist.corpora.grammar import Grammar, bracket_pairs
from abacist.corpora.source import Source
from abacist.corpora.uniform import Uniform, parts_of
from abacist.errors import BadInput
from abacist.fields import expect
from abacist.languages import AutomatonLanguage, Language

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
        bracket_pairs(language)
    except BadInput:
        own = any(isinstance(part, AutomatonLanguage) for part in _parts(language))
        return ByLength() if own else Uniform()
    return _PAPERS


def _parts(language: Language[Any]) -> tuple[Language[Any], ...]:
    try:
        return parts_of(language)
    except BadInput:  # no source is known, and whoever draws is told so
        return ()


def source_asked_for(
    language: Language[Any],
    *,
    grammar: str | None = None,
    uniform: bool = False,
    by_count: bool = False,
    cut_off: bool = False,
    by_length: bool = False,
    length_weights: str | None = None,
) -> Source:
    """The source that options and files ask for; where they say nothing, the usual one.

    `grammar` is P,Q; `uniform` asks for uniform words whose lengths still follow the grammar,
    and `by_count` for all words of a window to be equally likely; `cut_off` asks for the grammar with its
    recursion cut off at the longest length. `by_length` asks for uniform words of lengths that are all
    equally likely, `length_weights` for lengths with weights, such as 10:1,20..30:3.
    """
    if by_length or length_weights is not None:
        others = {
            "grammar": grammar is not None,
            "uniform": uniform,
            "by-count": by_count,
            "cut-off": cut_off,
        }
        if given := [name for name, asked in others.items() if asked]:
            raise BadInput(
                f"by-length and length-weights say how long words are, and so does {given[0]}: give one"
            )
        chosen_lengths = ByLength() if length_weights is None else ByLength.parse(length_weights)
        chosen_lengths.support(language)  # refuses languages without a uniform sampler
        return chosen_lengths
    if cut_off and uniform:
        raise BadInput("cut-off and uniform both say how words are drawn: give one of them")
    if by_count and not uniform:
        raise BadInput("by-count goes with uniform: give both, or neither")
    if by_count and grammar is not None:
        raise BadInput("by-count and grammar both say how long words are: give one of them")
    chosen = default_source(language)
    if grammar is not None:
        chosen = Grammar.parse(grammar)
        chosen.support(language)  # refuses languages with symbols other than brackets
    if cut_off:
        bracket_pairs(language)  # refuses those, too
        return CutOff(chosen.derived_by or _PAPERS)
    return Uniform(None if by_count else chosen.derived_by) if uniform else chosen
