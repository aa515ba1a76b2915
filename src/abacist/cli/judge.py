"""`abacist judge`: does a network accept a word, and if not, where does it go wrong?"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated, Any

import typer

from abacist.cli.networks import LanguageOption, NetworkArgument, networks_named
from abacist.cli.options import StoreOption
from abacist.cli.saying import say
from abacist.cli.screen import show_json, show_table
from abacist.corpora import pack_texts
from abacist.engine import first_mistakes
from abacist.errors import BadInput, BadWord
from abacist.files import reason

#: Bytes of standard input that are read at most.
_MOST_INPUT = 50_000_000


def judge(
    network: NetworkArgument,
    words: Annotated[
        list[str] | None,
        typer.Argument(help="Words; if none are given, they are read from standard input, one per line."),
    ] = None,
    language: LanguageOption = None,
    run: Annotated[
        int | None, typer.Option(help="Only this network of a folder, counted from 0.", show_default="all")
    ] = None,
    results: StoreOption = Path("results"),
    json: Annotated[bool, typer.Option("--json", help="Print JSON instead of a table.")] = False,
) -> None:
    """Say for each network whether it accepts a word, and the first step it gets wrong.

    Steps are counted from 1.

    Example: abacist judge dyck-1-lstm "(())" "()()()()"
    """
    found = networks_named(network, results, run)
    chosen = found[0].language_or(language)
    texts = words or _lines()
    parsed = []
    for text in texts:
        word = chosen.alphabet.parse(text)
        reading = chosen.read(word)
        if not word or not reading.member:
            reason = reading.reason or "the empty word has no step to judge"
            raise BadWord(f"{text!r} cannot be judged as a word of {chosen.name}: {reason}")
        parsed.append(word)
    if not parsed:
        raise BadInput("no words: give them as arguments, or one per line on standard input")
    packed = pack_texts(chosen, parsed, found[0].steps)
    mistakes = {one.number: first_mistakes(one.networks, 0, packed).tolist() for one in found}
    if json:
        rows: list[dict[str, Any]] = [
            {
                "run": number,
                "word": chosen.alphabet.render(word),
                "accepted": m < 0,
                "wrong_at": None if m < 0 else m + 1,
            }
            for number, wrong in mistakes.items()
            for word, m in zip(parsed, wrong, strict=True)
        ]
        show_json(rows)
        return
    table = [
        [
            number,
            _short(chosen.alphabet.render(word)),
            "accepts" if m < 0 else "rejects",
            "" if m < 0 else m + 1,
        ]
        for number, wrong in mistakes.items()
        for word, m in zip(parsed, wrong, strict=True)
    ]
    show_table(["run", "word", "verdict", "first wrong step"], table, left=("word", "verdict"))
    accepted = sum(m < 0 for wrong in mistakes.values() for m in wrong)
    say(f"{accepted:,} of {len(parsed) * len(found):,} accepted")


def _lines() -> list[str]:
    """The lines of standard input that are not empty."""
    try:
        data = sys.stdin.buffer.read(_MOST_INPUT + 1)
    except OSError as error:
        raise BadInput(f"no words are given, and standard input cannot be read, {reason(error)}") from None
    if len(data) > _MOST_INPUT:
        raise BadInput(f"standard input has more than {_MOST_INPUT:,} bytes")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise BadInput(f"standard input is not text in UTF-8, see line {line:,}") from None
    return [line for line in text.splitlines() if line.strip()]


def _short(text: str, limit: int = 60) -> str:
    return text if len(text) <= limit else f"{text[:limit]}… ({len(text)} symbols)"
