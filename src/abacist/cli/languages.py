"""`abacist languages`: which languages there are."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from abacist.cli.screen import show_json, show_table
from abacist.languages import (
    WELL_KNOWN,
    AutomatonLanguage,
    CounterAutomaton,
    FiniteAutomaton,
    Language,
    OfferedLanguage,
    language_named,
    own_languages,
)
from abacist.wording import visible

_EXAMPLES = {
    "dyck-1": "(())()()",
    "shuffle-2": "([())][([]])",
    "shuffle-6": "[{()}]⟨⌈⌉⟩",
    "dyck-2": "([()])[([])][]",
    "anbn": "aabb",
    "anbncn": "aabbcc",
    "anbncndn": "aabbccdd",
}


def languages(
    json: Annotated[bool, typer.Option("--json", help="Print JSON instead of a table.")] = False,
) -> None:
    """List the languages, each with an example word and its codes.

    Any N up to 999 works in dyck-N and shuffle-N; `"anbn || dyck-1"` shuffles two languages. A language of
    your own is `regex:EXPRESSION`, such as `"regex:(ab)*"`, or a TOML file with a table `[language]`.

    Example: abacist languages
    """
    rows = []
    for name in WELL_KNOWN:
        language = language_named(name)
        machine = _kind(language)
        word = language.alphabet.parse(_EXAMPLES[name])
        codes = [step.code for step in language.read(word).steps]
        rows.append(
            {
                "name": name,
                "alphabet": " ".join(language.alphabet.glyphs),
                "automaton": machine,
                "example": language.alphabet.render(word),
                "codes": codes,
                "words of length 12": language.count(12),
            }
        )
    own = own_languages()
    if json:
        show_json([*rows, *({"name": one.language.name, "from": one.origin} for one in own)])
        return
    cells = [[" ".join(map(str, v)) if isinstance(v, list) else v for v in row.values()] for row in rows]
    show_table(
        list(rows[0]),
        cells,
        left=("name", "alphabet", "automaton", "example", "codes"),
        footer="N in dyck-N and shuffle-N is a number of pairs up to 999; DFA is a finite automaton, DCAk a "
        "k-counter automaton, DPA a pushdown automaton.",
    )
    if own:
        texts = [[visible(text) for text in _told(one)] for one in own]
        show_table(["yours", "alphabet", "from"], texts, left=("yours", "alphabet", "from"))


def _told(own: OfferedLanguage) -> tuple[str, str, str]:
    """A language of one's own in a few words: its name, its symbols, where it comes from."""
    return own.language.name, " ".join(own.language.alphabet.glyphs), own.origin


def _kind(language: Language[Any]) -> str:
    """What kind of automaton a language has, in short."""
    machine = language.machine if isinstance(language, AutomatonLanguage) else language.automaton()
    if isinstance(machine, CounterAutomaton):
        return f"DCA{machine.counters}"
    return "DFA" if isinstance(machine, FiniteAutomaton) else "DPA"
