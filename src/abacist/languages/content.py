"""The content of a language: a checksum over its symbols, and its states as far as they are looked at."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from abacist.languages.language import Language

#: How many states make the content.
_LOOKED_AT = 1_000


def content_of(language: Language[Any]) -> str:
    """Run keys have it in them, so what it is made of must never change."""
    number: dict[Any, int] = {language.start: 0}
    waiting = [language.start]
    lines = [repr((language.name, language.alphabet.glyphs, language.marks_end, sorted(language.always)))]
    for state in waiting:  # which grows
        places = []
        for symbol in range(len(language.alphabet)):
            after = language.step(state, symbol)
            if after is not None and after not in number and len(number) < _LOOKED_AT:
                number[after] = len(number)
                waiting.append(after)
            places.append(-1 if after is None else number.get(after, _LOOKED_AT))
        lines.append(repr((places, language.accepts(state), tuple(language.depths(state)))))
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()
