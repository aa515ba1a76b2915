"""What the catalogue holds: languages as tables, and families of them that differ in a number."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from abacist.languages.automaton_language import AutomatonLanguage
from abacist.languages.regular_languages import regular
from abacist.languages.written_automata import read_automaton


@dataclass(frozen=True)
class Publication:
    """Where a language is from: how it is cited, and in full."""

    cited: str
    title: str
    published: str


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
