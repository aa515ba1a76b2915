"""The table of docs/catalogue.md: the catalogue. Sources in full are in docs/related-work.md.

`python -m tests.catalogue_page` writes them anew.
"""

from __future__ import annotations

import re
from pathlib import Path

from abacist.languages import (
    CATALOGUE,
    AutomatonLanguage,
    CounterAutomaton,
    Entry,
    FiniteAutomaton,
    language_named,
)

PAGE = Path(__file__).parents[1] / "docs" / "catalogue.md"
PLACE = re.compile(r"(?<=<!-- catalogue -->\n).*?(?=<!-- end of catalogue -->)", re.DOTALL)


def tables() -> str:
    """All languages, one a row."""
    head = (
        "| name | symbols | its words | for example | automaton | words of 0 to 8 symbols, and of 12 | from |"
    )
    rows = [_row(entry) for entry in CATALOGUE]
    return "\n".join([head, "|---" * 7 + "|", *rows, ""])


def _row(entry: Entry) -> str:
    language = language_named(entry.name)
    assert isinstance(language, AutomatonLanguage)
    counts = language.counts(12)
    cells = (
        f"`{entry.name}`",
        f"`{' '.join(language.glyphs)}`",
        entry.definition if entry.definition != entry.name else "",
        f"`{entry.example}`",
        _automaton(language),
        f"{' '.join(map(str, counts[:9]))} … {counts[12]:,}",
        ", ".join(source.cited for source in entry.sources),
    )
    return "| " + " | ".join(cell.replace("*", "\\*") if "`" not in cell else cell for cell in cells) + " |"


def _automaton(language: AutomatonLanguage) -> str:
    machine = language.machine
    states = f"{machine.states} state{'s' * (machine.states > 1)}"
    if isinstance(machine, FiniteAutomaton):
        return f"DFA, {states}"
    if isinstance(machine, CounterAutomaton):
        return f"DCA₁, {states}{', with resets' * machine.resets}"
    return f"DPA, {states}"


if __name__ == "__main__":
    PAGE.write_text(PLACE.sub(lambda _: tables(), PAGE.read_text()))
