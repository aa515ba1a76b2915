"""`abacist cells`, `languages`, `label` and `reduce`: cells, languages, and their single words."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Annotated, Any

import typer

from abacist.cells import KNOWN, OWN_CELLS, Cell, Gates, Layout, written_cell
from abacist.cli.options import JsonOption, LanguageArgument
from abacist.cli.parameters import Argument
from abacist.cli.screen import show_json
from abacist.cli.tables import show_rows
from abacist.fields import Range
from abacist.languages import (
    CATALOGUE,
    WELL_KNOWN,
    Dyck,
    Language,
    Reading,
    Word,
    bits_per_bracket,
    count_turns,
    decode,
    encode,
    language_asked_for,
    language_named,
    own_languages,
    refuse_recogniser,
)
from abacist.wording import escape_controls, plural

#: The smallest networks that count brackets, of whose parameters the list tells the number.
_INPUTS, _HIDDEN = 2, 1


def cells(json: JsonOption = False) -> None:
    """List the cells, each with its states and gates, and where it comes from.

    A cell of yours is written with the first digits of its content: another formula has others.

    Example: abacist cells --plugin mine.py
    """
    rows = [_cell_row(cell, "Abacist") for cell in KNOWN.values()]
    rows += [_cell_row(one.thing, one.origin) for one in OWN_CELLS.all()]
    if json:
        show_json(rows)
        return
    texts = [
        [" ".join(v) if isinstance(v, list) else escape_controls(str(v)) for v in row.values()]
        for row in rows
    ]
    left = ("cell", "written", "states", "gates", "from")
    show_rows(list(rows[0]), texts, left=left, footer="Parameters: of a network with one unit on dyck-1.")


def _cell_row(cell: Cell, origin: str) -> dict[str, Any]:
    return {
        "cell": cell.name,
        "written": written_cell(cell),
        "states": list(cell.state_names),
        "gates": list(cell.parameters.names) if isinstance(cell.parameters, Gates) else [],
        "parameters": Layout(cell, _INPUTS, _HIDDEN, _INPUTS).size,
        "from": origin,
    }


#: An example of each language that the catalogue does not have, and what its words are.
_EXAMPLES = {
    "dyck-1": ("(())()()", "well-balanced, 1 pair of brackets"),
    "shuffle-2": ("([())][([]])", "2 pairs of brackets, each well-balanced by itself"),
    "shuffle-6": ("[{()}]⟨⌈⌉⟩", "6 pairs of brackets, each well-balanced by itself"),
    "dyck-2": ("([()])[([])][]", "well-balanced, 2 pairs of brackets"),
    "anbn": ("aabb", "aⁿbⁿ, n at least 1"),
    "anbncn": ("aabbcc", "aⁿbⁿcⁿ, n at least 1"),
    "anbncndn": ("aabbccdd", "aⁿbⁿcⁿdⁿ, n at least 1"),
}


def languages(json: JsonOption = False) -> None:
    """List the languages, each with an example word and its codes.

    Any N up to 999 works in dyck-N and shuffle-N; `"anbn || dyck-1"` shuffles two languages. A language of
    your own is `regex:EXPRESSION`, such as `"regex:(ab)*"`, or a TOML file with a table `[language]`.
    `recognise:` before any of these trains networks to say whether a string is a word of it.

    Example: abacist languages
    """
    rows = [_language_row(name, *_EXAMPLES[name]) for name in WELL_KNOWN]
    rows += [_language_row(entry.name, entry.example, entry.definition, entry.sources) for entry in CATALOGUE]
    added = own_languages()
    if json:
        show_json([*rows, *({"name": one.thing.name, "from": one.origin} for one in added)])
        return
    shown = ("name", "alphabet", "automaton", "example", "words of length 12", "definition")
    show_rows(
        list(shown),
        [[row[column] for column in shown] for row in rows],
        left=("name", "alphabet", "automaton", "example", "definition"),
        footer="N in dyck-N and shuffle-N is a number of pairs up to 999; mod-N, d-N, dyck-K-M and boolean-N "
        "take other numbers, too. DFA is a finite automaton, DCAk a k-counter automaton, DPA a pushdown "
        "automaton. Sources are in --json, and in docs/related-work.md.",
    )
    if added:
        about = [(one.thing.name, " ".join(one.thing.alphabet.glyphs), one.origin) for one in added]
        headings = ["yours", "alphabet", "from"]
        show_rows(headings, [list(map(escape_controls, texts)) for texts in about], left=headings)


def _language_row(name: str, example: str, definition: str, sources: Sequence[Any] = ()) -> dict[str, Any]:
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
        "sources": [source.cited for source in sources],
    }


def label(
    language: LanguageArgument,
    word: Annotated[str, Argument("A word; white space is ignored, < > stand for ⟨ ⟩.")],
    json: JsonOption = False,
) -> None:
    """Show what may come next, its code and the depths after every symbol of a word.

    Says where and why a word leaves the language, and exits with status 1 if it does.

    Example: abacist label dyck-2 "([])"
    """
    chosen = language_asked_for(language)
    refuse_recogniser(chosen, "label")
    symbols = chosen.alphabet.parse(word)
    reading = chosen.read(symbols)
    if json:
        show_json(_plain_label(chosen, symbols, reading))
    else:
        _show_label(chosen, symbols, reading)
    raise typer.Exit(0 if reading.member else 1)


def _show_label(language: Language[Any], symbols: tuple[int, ...], reading: Reading) -> None:
    glyphs, left_at = language.alphabet.glyphs, reading.left_at
    written = cache(language.render_set)
    rows: list[list[object]] = [
        [time, glyphs[step.symbol], written(step.next_symbols), step.code, *step.depths]
        for time, step in enumerate(reading.steps, 1)
    ]
    headings = ["step", "symbol", "next", "code", *(f"depth {name}" for name in language.counter_names)]
    verdict = f"in {language.name}: {plural(len(symbols), 'symbol')}"
    if left_at is not None:
        place = "" if left_at == len(symbols) else f"at symbol {left_at + 1}, "
        verdict = f"not in {language.name}: {place}{reading.reason}"
        if place:
            rows.append([left_at + 1, glyphs[symbols[left_at]], *[None] * (len(headings) - 2)])
    show_rows(headings, rows, left=("symbol", "next"), footer=verdict, kept=2)


def _plain_label(language: Language[Any], symbols: tuple[int, ...], reading: Reading) -> dict[str, Any]:
    alphabet = language.alphabet
    paths = zip(*(step.depths for step in reading.steps), strict=True) if reading.steps else ()
    turns = [count_turns((0, *path)) for path in paths] or [0] * len(language.counter_names)
    return {
        "language": language.name,
        "word": alphabet.render(symbols),
        "member": reading.member,
        "left_at": None if reading.left_at is None else reading.left_at + 1,
        "reason": reading.reason,
        "maximum_depth": max((sum(step.depths) for step in reading.steps), default=0),
        "turns": dict(zip(language.counter_names, turns, strict=True)),
        "steps": [
            {
                "symbol": alphabet.glyphs[step.symbol],
                "next": language.render_set(step.next_symbols).split(),
                "code": step.code,
                "depths": list(step.depths),
            }
            for step in reading.steps
        ],
    }


def reduce(
    pairs: Annotated[int, Argument("The n of Dyck-n.", Range(1, 100_000))],
    word: Annotated[str, Argument("Brackets of Dyck-n, or of Dyck-2 with --back.")],
    back: Annotated[bool, "From Dyck-2 back to Dyck-n."] = False,
    json: Annotated[bool, "Print JSON, with lengths and membership."] = False,
) -> None:
    """Write brackets of Dyck-n as brackets of Dyck-2: one is balanced exactly when the other is.

    Example: abacist reduce 5 "{⟨⟩}"   and back: abacist reduce 5 "([(([[]]))])" --back
    """
    large, small = Dyck(pairs), Dyck(2)
    if back:
        image = small.alphabet.parse(word)
        original = decode(pairs, image)
    else:
        original = large.alphabet.parse(word)
        image = encode(pairs, original)
    if not json:
        print(large.alphabet.render(original) if back else small.alphabet.render(image))
        return
    sides: dict[str, tuple[Dyck, Word]] = {f"dyck-{pairs}": (large, original), "image": (small, image)}
    show_json(
        {"pairs": pairs, "bits_per_bracket": bits_per_bracket(pairs)}
        | {
            name: {"word": side.alphabet.render(word), "length": len(word), "member": word in side}
            for name, (side, word) in sides.items()
        }
    )
