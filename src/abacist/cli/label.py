"""`abacist label`: what may come next after every symbol of a word."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from abacist.cli.screen import show_json, show_table
from abacist.languages import Language, Reading, language_named


def label(
    language: Annotated[str, typer.Argument(help="Such as dyck-2; see `abacist languages`.")],
    word: Annotated[str, typer.Argument(help="A word; white space is ignored, < > stand for ⟨ ⟩.")],
    json: Annotated[bool, typer.Option("--json", help="Print JSON instead of a table.")] = False,
) -> None:
    """Show the next symbols, their code and the depths after every symbol of a word.

    Says where and why a word leaves the language, and exits with status 1 if it does.

    Example: abacist label dyck-2 "([])"
    """
    chosen = language_named(language)
    symbols = chosen.alphabet.parse(word)
    reading = chosen.read(symbols)
    if json:
        show_json(_plain(chosen, symbols, reading))
    else:
        _show(chosen, symbols, reading)
    raise typer.Exit(0 if reading.member else 1)


def _verdict(language: Language[Any], symbols: tuple[int, ...], reading: Reading) -> str:
    if reading.left_at is None:
        return f"in {language.name}: {len(symbols)} symbols"
    if reading.left_at == len(symbols):
        return f"not in {language.name}: {reading.reason}"
    return f"not in {language.name}: at symbol {reading.left_at + 1}, {reading.reason}"


def _show(language: Language[Any], symbols: tuple[int, ...], reading: Reading) -> None:
    glyphs, counters = language.alphabet.glyphs, language.counter_names
    rows: list[list[object]] = [
        [
            time + 1,
            glyphs[step.symbol],
            language.alphabet.render_set(step.next_symbols),
            step.code,
            *step.depths,
        ]
        for time, step in enumerate(reading.steps)
    ]
    if reading.left_at is not None and reading.left_at < len(symbols):
        rows.append(
            [reading.left_at + 1, glyphs[symbols[reading.left_at]], "—", "—", *("—" for _ in counters)]
        )
    headings = ["step", "symbol", "next", "code", *(f"depth {name}" for name in counters)]
    show_table(headings, rows, left=("symbol", "next"), footer=_verdict(language, symbols, reading))


def _plain(language: Language[Any], symbols: tuple[int, ...], reading: Reading) -> dict[str, Any]:
    alphabet = language.alphabet
    prefix = symbols[: len(reading.steps)]
    return {
        "language": language.name,
        "word": alphabet.render(symbols),
        "member": reading.member,
        "left_at": None if reading.left_at is None else reading.left_at + 1,
        "reason": reading.reason,
        "maximum_depth": language.maximum_depth(prefix),
        "turns": dict(zip(language.counter_names, language.turns(prefix), strict=True)),
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
