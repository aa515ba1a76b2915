"""Which lengths the words of a language have, as far as its first states tell."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from abacist.languages.blocks import Blocks
from abacist.languages.language import Language

#: How many states are looked at, those first that are reached by the fewest symbols; and how many lengths.
_STATES, _LENGTHS = 256, 4_096

#: Where not all states were looked at, a length is believed only this close to the one that was asked for.
_NEAR = 64


def largest_length(language: Language[Any], most: int) -> int:
    """The largest length of at most `most` symbols that words of a language have, 0 where none is so short.

    Of a language with very many states it may be `most` itself, though no word has that length.

    >>> from abacist.languages.dyck import Dyck
    >>> largest_length(Dyck(1), 45), largest_length(Dyck(1), 1)
    (44, 0)
    """
    most = max(most, 0)
    if isinstance(language, Blocks):
        return most // language.blocks * language.blocks
    exists, again, whole = _lengths(language)
    last = len(exists)
    if again is None:
        if most >= last:
            return most
        again = 0
    repeated = range(most, max(most - last, last - 1), -1)
    for length in (*repeated, *range(min(most, last - 1), 0, -1)):
        if exists[length if length < last else again + (length - again) % (last - again)]:
            return length if whole or most - length < _NEAR else most
    return 0 if whole or most < _NEAR else most


@lru_cache(maxsize=64)
def _lengths(language: Language[Any]) -> tuple[tuple[bool, ...], int | None, bool]:
    """Whether there are words of 0, 1, 2 … symbols; where these repeat; and whether all states were seen.

    It goes by the sets of states that words of each length lead to. Where nothing repeats, it is None.
    """
    here, successors, whole = [language.start], dict[Any, list[Any]](), True
    met, seen, exists = {language.start}, dict[frozenset[Any], int](), list[bool]()
    while (states := frozenset(here)) not in seen:
        if len(exists) == _LENGTHS:
            return tuple(exists), None, whole
        seen[states] = len(exists)
        exists.append(any(map(language.accepts, here)))
        for state in here:
            if state not in successors:
                after = [after for _, after in language.successors(state)]
                met.update(list(dict.fromkeys(a for a in after if a not in met))[: _STATES - len(met)])
                successors[state] = [state for state in after if state in met]
                whole = whole and len(successors[state]) == len(after)
        here = list(dict.fromkeys(after for state in here for after in successors[state]))
    return tuple(exists), seen[states], whole
