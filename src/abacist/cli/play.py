"""`abacist play`: type brackets, and see what a network makes of each."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.live import Live
from rich.text import Text

from abacist.analysis import follow
from abacist.cli.input_lines import input_lines
from abacist.cli.keys import END, Typing, keys_can_be_read, single_keys
from abacist.cli.live_word import SIGNS_MEAN, last_step, live_word
from abacist.cli.networks import (
    CellOption,
    LanguageOption,
    Network,
    NetworkArgument,
    RunOption,
    networks_named,
)
from abacist.cli.options import StoreOption
from abacist.cli.screen import busy
from abacist.cli.trace import show_trace
from abacist.errors import BadInput
from abacist.languages import Language
from abacist.wording import escape_controls


def play(
    network: NetworkArgument,
    results: StoreOption = Path("results"),
    run: RunOption = None,
    language: LanguageOption = None,
    cell: CellOption = None,
) -> None:
    """Type brackets, and see after each what a network predicts, what is allowed, and its states.

    Any string may be typed. Backspace takes a symbol back, Enter begins a new word, q or Ctrl-C leaves. Where
    standard input is no terminal, its lines are words, and every step of them is printed.

    Example: abacist play dyck-1-lstm --run 0
    """
    found = networks_named(network, results, run, cell=cell)[0]
    chosen = found.language_or(language)
    if keys_can_be_read():
        with suppress(KeyboardInterrupt):  # nothing is lost, so that leaving is no failure
            _play(found, chosen)
        return
    words = input_lines()
    if not words:
        raise BadInput("no words: play in a terminal, or give words on standard input, one per line")
    states = found.networks.layout.cell.plain_states
    for number, word in enumerate([chosen.alphabet.parse(text) for text in words]):
        print(end="\n" if number else "")
        show_trace(follow(found.networks, 0, chosen, word, steps=found.steps), states, found.title)


def _play(found: Network, language: Language[Any]) -> None:
    """Show the word as it is typed, until the user leaves."""
    console, typing = Console(highlight=False), Typing(language.alphabet)
    with single_keys() as keys:  # from now on, so that what is typed meanwhile is read later
        with busy("getting ready"):
            follow(found.networks, 0, language, (0,), steps=found.steps)  # compiles
        frame = _frame(found, language, typing, console)
        with busy(""), Live(frame, console=console, auto_refresh=False) as live:
            for key in keys:
                after = typing.pressed(key)
                if after == typing and key in (typing.leaves, END):
                    return
                typing = after
                live.update(_frame(found, language, typing, console), refresh=True)


def _frame(found: Network, language: Language[Any], typing: Typing, console: Console) -> Text:
    """All that is shown, at most as large as the terminal."""
    leave = "Ctrl-D" if typing.leaves != "q" else "q"
    glyphs = " ".join(language.alphabet.glyphs)
    lines = [Text(escape_controls(found.title), style="bold"), Text()]
    told = [Text(f"type {glyphs}; backspace takes back, Enter begins anew, {leave} leaves", style="dim")]
    if typing.word:
        reading = follow(found.networks, 0, language, typing.word, steps=found.steps)
        sentences = [Text(), *map(Text, last_step(reading, found.steps == "all"))]
        told = [*sentences, Text(SIGNS_MEAN, style="dim"), *told]
        states = found.networks.layout.cell.plain_states
        room = console.height - len(lines) - len(told) - 1
        lines += live_word(reading, states, console.width, max(room, 3))
    if typing.unfinished:
        told.append(Text(f"begun: {typing.unfinished}"))
    whole = Text("\n").join([*lines, *told])
    whole.no_wrap, whole.overflow = True, "ellipsis"
    return whole
