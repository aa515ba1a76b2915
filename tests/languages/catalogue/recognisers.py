"""The catalogue once more, by plain predicates on texts: expressions, counting, recursion, no automaton."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import pairwise, product

_ARITIES = {"0": 0, "1": 0, "~": 1, "+": 2, ">": 3, "*": 4, "^": 5}


@dataclass(frozen=True)
class Subject:
    """A language to try: whether a text is in it, and texts one of which ends any beginning of a word.

    All texts are tried up to `every` symbols, and up to `beginnings` all that begin a word.
    """

    name: str
    glyphs: str
    contains: Callable[[str], bool] = field(repr=False)
    tails: Callable[[str], Iterator[str]] = field(repr=False)
    every: int = 12
    beginnings: int = 12

    def begins(self, text: str) -> bool:
        """Whether some word begins with a text."""
        return any(self.contains(text + tail) for tail in self.tails(text))

    def texts(self, longest: int) -> Iterator[str]:
        return ("".join(own) for n in range(longest + 1) for own in product(self.glyphs, repeat=n))


def short(glyphs: str, longest: int) -> Callable[[str], Iterator[str]]:
    """All tails up to a length."""
    tails = ["".join(own) for n in range(longest + 1) for own in product(glyphs, repeat=n)]
    return lambda text: iter(tails)


def matching(expression: str) -> Callable[[str], bool]:
    return lambda text: re.fullmatch(expression, text) is not None


def tomita_3(text: str) -> bool:
    """Runs: no odd one of 0s right after an odd one of 1s."""
    runs = [len(own[0]) * (1 if own[0][0] == "1" else -1) for own in re.finditer(r"0+|1+", text)]
    return not any(a > 0 and a % 2 and b % 2 for a, b in pairwise(runs))


def nested(text: str, opening: str, closing: str, depth: int) -> bool:
    """Cancel innermost pairs, all at once, until none is left; as many rounds as the word is deep."""
    rounds = 0
    pairs = re.compile("|".join(re.escape(a) + re.escape(b) for a, b in zip(opening, closing, strict=True)))
    while text and rounds < depth:
        text, rounds = pairs.sub("", text), rounds + 1
    return not text


def closers(text: str, closing: dict[str, str]) -> str:
    """What closes everything that is still open, if anything can be closed at all."""
    still = ""
    for glyph in text:
        still = closing[glyph] + still if glyph in closing else still[1:]
    return still


def expression_end(text: str, place: int = 0) -> int | None:
    """Where the expression ends that begins at a place, by descent."""
    if place >= len(text):
        return None
    end: int | None = place + 1
    for _ in range(_ARITIES[text[place]]):
        end = None if end is None else expression_end(text, end)
    return end


def boolean(arity: int, every: int, beginnings: int) -> Subject:
    def tails(text: str) -> Iterator[str]:
        missing = 1 + sum(_ARITIES[glyph] - 1 for glyph in text)
        yield "0" * max(missing, 0)

    glyphs = "01~+>*^"[: arity + 2]
    name = f"boolean-{arity}"
    return Subject(name, glyphs, lambda text: expression_end(text) == len(text), tails, every, beginnings)


def bounded(name: str, opening: str, closing: str, depth: int, every: int = 12, longer: int = 12) -> Subject:
    def tails(text: str) -> Iterator[str]:
        yield closers(text, dict(zip(opening, closing, strict=True)))

    glyphs = "".join(a + b for a, b in zip(opening, closing, strict=True))
    return Subject(name, glyphs, lambda t: nested(t, opening, closing, depth), tails, every, longer)


def added(text: str) -> bool:
    found = re.fullmatch("(a+)(b+)(c+)", text)
    return found is not None and len(found[1]) + len(found[2]) == len(found[3])


def at_least(text: str) -> bool:
    return matching("a*b*")(text) and text.count("a") >= text.count("b")


def balanced(text: str) -> bool:
    return text.count("a") == text.count("b")


def sum_tails(text: str) -> Iterator[str]:
    for start, many in product(("", "b", "ab"), range(len(text) + 3)):
        yield start + "c" * many


def rarer(text: str) -> Iterator[str]:
    surplus = text.count("a") - text.count("b")
    yield "b" * surplus + "a" * -surplus


def ones(text: str) -> Iterator[str]:
    yield "1" * (len(text) + 1)


def ends_of(text: str) -> Callable[[str], Iterator[str]]:
    return lambda _: (text[n:] for n in range(len(text) + 1))


def reset(text: str) -> bool:
    """Pieces between the 1s never close too much, and the last is closed."""
    *before, last = text.split("1")
    sound = all(u[:n].count("(") >= u[:n].count(")") for u in (*before, last) for n in range(len(u) + 1))
    return bool(before) and sound and last.count("(") == last.count(")")


def mirrored(text: str) -> bool:
    first, mark, second = text.partition("#")
    return mark == "#" and first == second[::-1]


def mirror_tails(text: str) -> Iterator[str]:
    first, mark, second = text.partition("#")
    yield first[::-1][len(second) :] if mark else "#" + first[::-1]


def modulo(name: str, modulus: int) -> Subject:
    return Subject(name, "01", lambda t: t.count("1") % modulus == 0, short("1", modulus - 1))


_BINARY = short("01", 3)
_AB = short("ab", 3)

SUBJECTS = (
    Subject("tomita-1", "01", lambda text: "0" not in text, _BINARY),
    Subject("tomita-2", "01", lambda text: text == "10" * (len(text) // 2), _BINARY),
    Subject("tomita-3", "01", tomita_3, _BINARY),
    Subject("tomita-4", "01", lambda text: "000" not in text, _BINARY),
    Subject("tomita-5", "01", lambda text: text.count("0") % 2 == text.count("1") % 2 == 0, _BINARY),
    Subject("tomita-6", "01", lambda text: (text.count("0") - text.count("1")) % 3 == 0, _BINARY),
    Subject("tomita-7", "01", lambda text: len(re.sub(r"(.)\1+", r"\1", "0" + text)) <= 4, _BINARY),
    modulo("parity", 2),
    modulo("mod-3", 3),
    modulo("mod-5", 5),
    Subject("(aa)*", "a", lambda text: len(text) % 2 == 0, short("a", 1), 60, 60),
    Subject("(aaaa)*", "a", lambda text: len(text) % 4 == 0, short("a", 3), 60, 60),
    Subject("(abab)*", "ab", lambda text: text == "abab" * (len(text) // 4), _AB, 12, 40),
    Subject("aa*bb*cc*dd*ee*", "abcde", matching("a+b+c+d+e+"), ends_of("abcde"), 6, 12),
    Subject("{a,b}*d{b,c}*", "abcd", matching("[ab]*d[bc]*"), short("d", 1), 7, 12),
    Subject("{0,1,2}*02*", "012", lambda text: text.rstrip("2").endswith("0"), short("0", 1), 9, 9),
    Subject("marked-palindromes", "01#", mirrored, mirror_tails, 9, 12),
    Subject("reset-dyck-1", "()1", reset, short("1", 1), 8, 9),
    Subject("anbmcn+m", "abc", added, sum_tails, 9, 14),
    Subject("anbm-n-ge-m", "ab", at_least, short("", 0)),
    Subject("majority", "01", lambda text: text.count("1") > text.count("0"), ones),
    Subject("balance", "ab", balanced, rarer),
    *(bounded(f"d-{n}", "a", "b", n) for n in (2, 3, 4)),
    bounded("d-12", "a", "b", 12, 12, 14),
    bounded("dyck-1-3", "(", ")", 3),
    bounded("dyck-2-3", "([", ")]", 3, 7, 9),
    bounded("dyck-2-5", "([", ")]", 5, 7, 8),
    boolean(3, 6, 6),
    boolean(5, 5, 5),
)
