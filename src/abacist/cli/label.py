"""`abacist label`: what may come next after every symbol of a word."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from abacist.cli.screen import room, show_json
from abacist.cli.source import LanguageArgument
from abacist.cli.tables import show_table
from abacist.languages import Language, Reading, count_turns, language_asked_for
from abacist.wording import plural


def label(
    language: LanguageArgument,
    word: Annotated[str, typer.Argument(help="A word; white space is ignored, < > stand for ⟨ ⟩.")],
    json: Annotated[bool, typer.Option("--json", help="Print JSON instead of a table.")] = False,
) -> None:
    """Show what may come next, its code and the depths after every symbol of a word.

    Says where and why a word leaves the language, and exits with status 1 if it does.

    Example: abacist label dyck-2 "([])"
    """
    chosen = language_asked_for(language)
    symbols = chosen.alphabet.parse(word)
    reading = chosen.read(symbols)
    if json:
        show_json(_plain(chosen, symbols, reading))
    else:
        _show(chosen, symbols, reading)
    raise typer.Exit(0 if reading.member else 1)


def _verdict(language: Language[Any], symbols: tuple[int, ...], reading: Reading) -> str:
    if reading.left_at is None:
        return f"in {language.name}: {plural(len(symbols), 'symbol')}"
    if reading.left_at == len(symbols):
        return f"not in {language.name}: {reading.reason}"
    return f"not in {language.name}: at symbol {reading.left_at + 1}, {reading.reason}"


def _show(language: Language[Any], symbols: tuple[int, ...], reading: Reading) -> None:
    glyphs, counters = language.alphabet.glyphs, language.counter_names
    sets = {step.next_symbols for step in reading.steps}
    written = {symbols: language.alphabet.render_set(symbols) for symbols in sets}
    rows: list[list[object]] = [
        [time, glyphs[step.symbol], written[step.next_symbols], step.code, *step.depths]
        for time, step in enumerate(reading.steps, 1)
    ]
    if reading.left_at is not None and reading.left_at < len(symbols):
        rows.append(
            [reading.left_at + 1, glyphs[symbols[reading.left_at]], "—", "—", *("—" for _ in counters)]
        )
    headings = ["step", "symbol", "next", "code", *(f"depth {name}" for name in counters)]
    left, footer = ("symbol", "next"), _verdict(language, symbols, reading)
    if sum(map(len, headings)) + 2 * len(headings) > room():
        headings = [heading.replace("depth ", "depth\n") for heading in headings]
    show_table(headings, rows, left=left, footer=footer, kept=2)


def _plain(language: Language[Any], symbols: tuple[int, ...], reading: Reading) -> dict[str, Any]:
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
                "next": alphabet.render_set(step.next_symbols).split(),
                "code": step.code,
                "depths": list(step.depths),
            }
            for step in reading.steps
        ],
    }
