"""What the generators that were published with the papers say may follow, restated here on texts.

`SYMBOLS` are their sets of next symbols, which leave out the end; `ENDS` is whether they say that a word may
end, where that alone is what they label. Each is about a beginning of a word that is not empty.
"""

from __future__ import annotations

import re
from collections.abc import Callable


def chain(depth: int) -> Callable[[str], set[str]]:
    """D_n: nothing but a at depth 0, nothing but b at depth n."""

    def allowed(text: str) -> set[str]:
        height = text.count("a") - text.count("b")
        return {0: {"a"}, depth: {"b"}}.get(height, {"a", "b"})

    return allowed


def tomita_3(text: str) -> set[str]:
    """As published: also in the state right before an odd 0 after an odd number of 1s, 0 is left out."""
    found = re.search(r"(?:^|0)(1+)(0*)$", text)
    if found is None or len(found[1]) % 2 == 0:
        return {"0", "1"}
    return {"0"} if len(found[2]) % 2 else {"1"}


def tomita_7(text: str) -> set[str]:
    return {"1"} if "101" in re.sub(r"(.)\1+", r"\1", "0" + text)[1:] else {"0", "1"}


def blocks(text: str) -> set[str]:
    """The same letter again, or the next one; after e the end stands for that."""
    return set("abcde"["abcde".index(text[-1]) :][:2])


def reset(text: str) -> set[str]:
    """An opening bracket always, a closing one where one is open since the last 1; the 1 is no output."""
    since = text.rpartition("1")[2]
    return {"("} | ({")"} if since.count("(") > since.count(")") else set())


def zeros(text: str) -> bool:
    """As published: after a 2, where no 1 came since the last 0; but not after the 0 itself."""
    return text.endswith("2") and text.rstrip("2").endswith("0")


SYMBOLS: dict[str, Callable[[str], set[str]]] = {
    "tomita-1": lambda text: {"1"},
    "tomita-2": lambda text: {"0" if text[-1] == "1" else "1"},
    "tomita-4": lambda text: {"1"} if text.endswith("00") else {"0", "1"},
    "tomita-7": tomita_7,
    "d-2": chain(2),
    "d-3": chain(3),
    "d-4": chain(4),
    "d-12": chain(12),
    "aa*bb*cc*dd*ee*": blocks,
    "{a,b}*d{b,c}*": lambda text: set("bc" if "d" in text else "abd"),
    "reset-dyck-1": reset,
}

ENDS: dict[str, Callable[[str], bool]] = {
    "parity": lambda text: text.count("1") % 2 == 0,
    "tomita-5": lambda text: text.count("0") % 2 == 0 and text.count("1") % 2 == 0,
    "tomita-6": lambda text: abs(text.count("0") - text.count("1")) % 3 == 0,
    "aa*bb*cc*dd*ee*": lambda text: text.endswith("e"),
    "(aa)*": lambda text: len(text) % 2 == 0,
    "(aaaa)*": lambda text: len(text) % 4 == 0,
    "(abab)*": lambda text: len(text) % 4 == 0 and text == len(text) // 4 * "abab",
}
