"""How many words end so many symbols after a state, for any language: by looking at all that may come."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from abacist.languages.language import Language


def endings(language: Language[Any], state: Any, longest: int, known: dict[Any, list[int]]) -> list[int]:
    """See `Language.endings`: the words after a state are those after its successors, one symbol longer."""
    asked = [(state, longest)]
    while asked:
        here, left = asked[-1]
        steps = (language.step(here, symbol) for symbol in range(len(language.alphabet)))
        after = [successor for successor in steps if successor is not None]
        missing = [(own, left - 1) for own in after if len(known.get(own, ())) < left]
        if len(known.get(here, ())) > left:
            asked.pop()
        elif missing:
            asked += missing
        else:
            later = [known[own] for own in after] if left else []
            sums = (sum(own[n] for own in later) for n in range(left))
            known[here] = [int(language.accepts(here)), *sums]
    return known[state]
