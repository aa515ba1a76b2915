"""Pages of random languages: what runs in the browser follows them, and draws and finds only their words."""

from __future__ import annotations

import random
from contextlib import suppress
from pathlib import Path

from abacist.errors import BadInput
from abacist.languages import language_named, regular
from tests.report.page.test_every_language import answers_of, shown, words_of
from tests.torture.trial import Broken

_NAMES = (
    "dyck-1",
    "dyck-2",
    "dyck-3",
    "shuffle-2",
    "shuffle-3",
    "anbn",
    "anbncn",
    "tomita-3",
    "tomita-7",
    "parity",
)


def _expression(chance: random.Random, depth: int = 3) -> str:
    """A regular expression over a, b and c."""
    if not depth or chance.random() < 0.2:
        return chance.choice("abc")
    inner = [_expression(chance, depth - 1) for _ in range(chance.randrange(1, 4))]
    match chance.choice(("sequence", "choice", "star", "plus", "option")):
        case "sequence":
            return "".join(inner)
        case "choice":
            return f"({'|'.join(inner)})"
        case "star":
            return f"({inner[0]})*"
        case "plus":
            return f"({inner[0]})+"
        case _:
            return f"({inner[0]})?"


def pages_of_languages(ground: Path, chance: random.Random) -> None:
    """A language is shown with its own words only, or is refused in a sentence."""
    networks = []
    for number in range(8):
        with suppress(BadInput):
            name = chance.choice(_NAMES) + chance.choice(("", "+end"))
            language = (
                language_named(chance.choice((name, f"{name} || {chance.choice(_NAMES)}")))
                if chance.random() < 0.4
                else regular(_expression(chance), title=f"expression {number}")
            )
            networks.append(shown(language))
    networks = list({one.language.name: one for one in networks}.values())
    answers = answers_of(networks, ground)
    for one in networks:
        if any(tuple(word) not in one.language for word in words_of(answers[one.language.name])):
            raise Broken(f"{one.language}: the page draws or finds a word that is none of its own")
