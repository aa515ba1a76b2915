"""Which words end so many symbols after a state, for any language: by looking at all that may come."""

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


def can_end(language: Language[Any], state: Any, remaining: int, known: dict[Any, bool]) -> bool:
    """See `Language.can_end`: a word ends then where one ends a symbol earlier after some successor."""
    asked = [(state, remaining)]
    while asked:
        here, left = asked[-1]
        if (here, left) in known:
            asked.pop()
        elif left == 0:
            known[here, 0] = language.accepts(here)
        elif left < language.least_ending(here):
            known[here, left] = False
        else:
            steps = (language.step(here, symbol) for symbol in range(len(language.alphabet)))
            later = [(successor, left - 1) for successor in steps if successor is not None]
            unknown = next((pair for pair in later if pair not in known), None)
            if unknown is None or any(known.get(pair) for pair in later):
                known[here, left] = any(known.get(pair) for pair in later)
            else:
                asked.append(unknown)
    return known[state, remaining]
