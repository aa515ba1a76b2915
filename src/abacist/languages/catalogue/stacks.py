"""What needs a stack, or one of bounded height: Dyck-(k, m), marked palindromes."""

from __future__ import annotations

from itertools import product
from typing import Any

from abacist.errors import BadInput
from abacist.languages.alphabet import bracket_glyphs
from abacist.languages.catalogue.entry import DUSELL, HEWITT, Entry, Family

#: Up to so many stacks each is a state of a finite automaton; and so many depths of pairs there may be.
_MOST_STACKS, _MOST_PAIRS = 1024, 400


def _bounded_dyck(pairs: int, depth: int) -> Entry:
    """Dyck-(k, m): k pairs of brackets, at most m deep."""
    name = f"dyck-{pairs}-{depth}"
    if pairs < 1 or depth < 1 or pairs * depth > _MOST_PAIRS:
        raise BadInput(
            f"dyck-K-M: K and M must be at least 1, and their product at most {_MOST_PAIRS}, got {name}"
        )
    glyphs = bracket_glyphs(pairs)
    small = sum(pairs**height for height in range(depth + 1)) <= _MOST_STACKS
    table = {"glyphs": glyphs} | (_finite if small else _pushdown)(glyphs, depth)
    kinds = "1 pair" if pairs == 1 else f"{pairs} pairs"
    deep = [2 * (height % pairs) for height in range(min(depth, 4))]
    example = "".join([*glyphs[:2], *(glyphs[s] for s in deep), *(glyphs[s + 1] for s in reversed(deep))])
    return Entry(name, f"well-balanced, {kinds} of brackets, at most {depth} deep", example, (HEWITT,), table)


def _finite(glyphs: tuple[str, ...], depth: int) -> dict[str, Any]:
    """Every stack is a state, written as what is open from the outside in, after a bar."""
    stacks = ["|" + "".join(own) for d in range(depth) for own in product(glyphs[::2], repeat=d)]
    moves = []
    for stack in stacks:
        for opening, closing in zip(glyphs[::2], glyphs[1::2], strict=True):
            moves += [f"{stack} {opening} {stack}{opening}", f"{stack}{opening} {closing} {stack}"]
    return {"kind": "finite", "moves": moves, "accepting": ["|"]}


def _pushdown(glyphs: tuple[str, ...], depth: int) -> dict[str, Any]:
    """The stack is a stack, and the state its height."""
    moves = []
    for height in range(depth):
        for opening, closing in zip(glyphs[::2], glyphs[1::2], strict=True):
            moves.append(f"{height} {opening} * {height + 1} push {opening}")
            moves.append(f"{height + 1} {closing} {opening} {height} pop")
    return {"kind": "pushdown", "moves": moves, "accepting": ["0"]}


ENTRIES = (
    Entry(
        "marked-palindromes",
        "w # and then w backwards, w over 0 and 1",
        "011#110",
        (DUSELL,),
        {
            "kind": "pushdown",
            "glyphs": "01#",
            "moves": [
                "first 0 * first push 0",
                "first 1 * first push 1",
                "first # * second",
                "second 0 0 second pop",
                "second 1 1 second pop",
            ],
            "accepting": ["second"],
        },
    ),
)
FAMILIES = (
    Family(
        "dyck-K-M",
        r"dyck-\(?([0-9]{1,3})[-,] ?([0-9]{1,3})\)?",
        _bounded_dyck,
        ((2, 3), (2, 5), (8, 10)),
    ),
)
