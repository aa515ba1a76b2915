"""What the catalogue holds: publications, languages as tables, and families that differ in a number."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from abacist.languages.automaton_language import AutomatonLanguage
from abacist.languages.regular_expressions import regular
from abacist.languages.written_automata import read_automaton


@dataclass(frozen=True)
class Publication:
    """Where a language is from: how it is cited, and in full."""

    cited: str
    title: str
    published: str


TOMITA = Publication(
    "Tomita 1982",
    "Dynamic construction of finite-state automata from examples using hill-climbing",
    "Cognitive Science Society",
)
BHATTAMISHRA = Publication(
    "Bhattamishra et al. 2020",
    "On the ability and limitations of transformers to recognize formal languages",
    "EMNLP",
)
SARROF = Publication(
    "Sarrof et al. 2024",
    "The expressive capacity of state space models: a formal language perspective",
    "NeurIPS",
)
HEWITT = Publication(
    "Hewitt et al. 2020", "RNNs can generate bounded hierarchical languages with optimal memory", "EMNLP"
)
FISCHER = Publication(
    "Fischer et al. 1968", "Counter machines and counter languages", "Mathematical Systems Theory 2"
)
LAN = Publication("Lan et al. 2022", "Minimum description length recurrent neural networks", "TACL 10")
MERRILL = Publication(
    "Merrill et al. 2022", "Saturated transformers are constant-depth threshold circuits", "TACL 10"
)
DUSELL = Publication(
    "DuSell and Chiang 2020",
    "Learning context-free languages with nondeterministic stack RNNs",
    "CoNLL",
)


@dataclass(frozen=True)
class Entry:
    """A language of the literature: in words, by a word of it, and by its automaton.

    `table` is the automaton as files have it, without the name; see `abacist.languages.writing`.
    """

    name: str
    definition: str
    example: str
    sources: tuple[Publication, ...]
    table: dict[str, Any]

    def language(self) -> AutomatonLanguage:
        glyphs = tuple(self.table["glyphs"])
        if "regex" in self.table:
            return regular(self.table["regex"], glyphs=glyphs, title=self.name)
        machine, glyphs = read_automaton(self.table["kind"], self.table, glyphs, self.name)
        return AutomatonLanguage(machine, glyphs, self.name)


@dataclass(frozen=True)
class Family:
    """Languages that differ in a number or two, such as `mod-N`, and those of them that are listed."""

    name: str
    pattern: str
    entry: Callable[..., Entry]
    listed: tuple[tuple[int, ...], ...]

    def named(self, name: str) -> Entry | None:
        """The language that goes by a name, if it is of this family."""
        found = re.fullmatch(self.pattern, name)
        return None if found is None else self.entry(*(int(group) for group in found.groups()))
