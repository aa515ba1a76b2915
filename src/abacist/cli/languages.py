"""`abacist languages`: which languages there are."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from abacist.cli.screen import show_json
from abacist.cli.tables import show_table
from abacist.languages import (
    CATALOGUE,
    WELL_KNOWN,
    Language,
    language_named,
    own_languages,
)
from abacist.registry import Offered
from abacist.wording import visible

#: An example of each language that the catalogue does not have, and what its words are.
_OWN = {
    "dyck-1": ("(())()()", "well-balanced, 1 pair of brackets"),
    "shuffle-2": ("([())][([]])", "2 pairs of brackets, each well-balanced by itself"),
    "shuffle-6": ("[{()}]⟨⌈⌉⟩", "6 pairs of brackets, each well-balanced by itself"),
    "dyck-2": ("([()])[([])][]", "well-balanced, 2 pairs of brackets"),
    "anbn": ("aabb", "aⁿbⁿ, n at least 1"),
    "anbncn": ("aabbcc", "aⁿbⁿcⁿ, n at least 1"),
    "anbncndn": ("aabbccdd", "aⁿbⁿcⁿdⁿ, n at least 1"),
}


def languages(
    json: Annotated[bool, typer.Option("--json", help="Print JSON instead of a table.")] = False,
) -> None:
    """List the languages, each with an example word and its codes.

    Any N up to 999 works in dyck-N and shuffle-N; `"anbn || dyck-1"` shuffles two languages. A language of
    your own is `regex:EXPRESSION`, such as `"regex:(ab)*"`, or a TOML file with a table `[language]`.

    Example: abacist languages
    """
    known = [_row(name, *_OWN[name], []) for name in WELL_KNOWN]
    literature = [
        _row(e.name, e.example, e.definition, [source.cited for source in e.sources]) for e in CATALOGUE
    ]
    rows, own = known + literature, own_languages()
    if json:
        show_json([*rows, *({"name": one.thing.name, "from": one.origin} for one in own)])
        return
    shown = ("name", "alphabet", "automaton", "example", "words of length 12", "definition")
    show_table(
        list(shown),
        [[row[column] for column in shown] for row in rows],
        left=("name", "alphabet", "automaton", "example", "definition"),
        footer="N in dyck-N and shuffle-N is a number of pairs up to 999; mod-N, d-N, dyck-K-M and boolean-N "
        "take other numbers, too. DFA is a finite automaton, DCAk a k-counter automaton, DPA a pushdown "
        "automaton. Sources are in --json, and in docs/catalogue.md.",
    )
    if own:
        texts = [[visible(text) for text in _told(one)] for one in own]
        show_table(["yours", "alphabet", "from"], texts, left=("yours", "alphabet", "from"))


def _told(own: Offered[Language[Any]]) -> tuple[str, str, str]:
    """A language of one's own in a few words: its name, its symbols, where it comes from."""
    return own.thing.name, " ".join(own.thing.alphabet.glyphs), own.origin


def _row(name: str, example: str, definition: str, sources: list[str]) -> dict[str, Any]:
    language = language_named(name)
    word = language.alphabet.parse(example)
    return {
        "name": name,
        "alphabet": " ".join(language.alphabet.glyphs),
        "automaton": language.kind,
        "example": language.alphabet.render(word),
        "codes": [step.code for step in language.read(word).steps],
        "words of length 12": language.count(12),
        "definition": definition,
        "sources": sources,
    }
