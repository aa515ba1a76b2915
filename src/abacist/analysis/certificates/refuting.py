"""Words that refute a statement: short ones of the horizon's refuter, long ones that go up and down."""

from __future__ import annotations

from typing import Any

import numpy as np

from abacist.analysis.certificates.certificate import Statement
from abacist.analysis.horizons.configurations import Configurations
from abacist.analysis.horizons.refuter import Refutation, refutation, refute
from abacist.corpora import pack_texts
from abacist.engine import first_mistakes
from abacist.errors import BadInput
from abacist.languages import Language, Word
from abacist.specs import Networks

#: How long the words are that are searched, and those that go up and down.
_SEARCHED, _LONG = 300, 4000

#: How many states of a configuration the refuter keeps.
_BUDGET = 64


def find_refutation(
    networks: Networks, run: int, language: Language[Any], statement: Statement
) -> Refutation | None:
    """A short word for which a statement is false, if one is found."""
    known = Configurations(language, statement.depth)
    longest = _LONG if statement.length is None else min(statement.length, _LONG)

    def fits(word: Word) -> bool:
        return len(word) <= longest and int(language.depth_path(word).max(initial=0)) <= statement.depth

    limit = min(longest, _SEARCHED) + 1
    found = refute(networks, run, known, limit=limit, budget=_BUDGET, steps=statement.steps)
    found = [one for one in found if fits(one.word)]
    if not found:
        words = [word for word in up_and_down(language, longest) if fits(word)]
        found = _wrong(networks, run, known, words, statement.steps)
    return min(found, key=len, default=None)


def up_and_down(language: Language[Any], longest: int) -> list[Word]:
    """Words that go to a depth, there up and down as often as possible, and back."""
    words: list[Word] = []
    try:
        updates = language.updates
    except BadInput:  # what goes up at one place may go down at another
        return []
    for up, rise in enumerate(updates):
        for down, fall in enumerate(updates):
            if sum(rise) == 1 and rise == tuple(-change for change in fall):
                for depth in (0, 1, 2, 5, 10, 100, longest // 4, longest // 2):
                    times = longest // 2 - depth
                    word = (up,) * depth + (up, down) * times + (down,) * depth
                    if times >= 0 and word and word in language:
                        words.append(word)
    return words


def _wrong(
    networks: Networks, run: int, known: Configurations, words: list[Word], steps: str
) -> list[Refutation]:
    """The word that the network gets wrong first, cut off behind the mistake and ended."""
    if not words:
        return []
    language = known.language
    mistakes = first_mistakes(networks, run, pack_texts(language, words, steps))
    for word, wrong in sorted(zip(words, mistakes.tolist(), strict=True), key=lambda pair: pair[1]):
        if wrong >= 0:
            number = 0
            for symbol in word[: wrong + 1]:
                known.expand(np.array([number]))
                number = int(known.successors[symbol, number])
            shorter = (*word[: wrong + 1], *known.shortest_ending(number))
            confirmed = refutation(networks, run, known, shorter, steps)
            if confirmed is not None:
                return [confirmed]
    return []
