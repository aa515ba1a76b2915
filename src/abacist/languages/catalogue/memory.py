"""Languages that need a memory: a stack, perhaps of bounded height, or one counter."""

from __future__ import annotations

from itertools import product
from typing import Any

from abacist.errors import BadInput
from abacist.languages.alphabet import bracket_glyphs
from abacist.languages.catalogue.entry import (
    BHATTAMISHRA,
    DUSELL,
    FISCHER,
    HEWITT,
    LAN,
    MERRILL,
    SARROF,
    Entry,
    Family,
)

#: Up to so many stacks each is a state of a finite automaton; and so many depths of pairs there may be.
_MOST_STACKS, _MOST_PAIRS = 1024, 400

#: Operators of Boolean expressions, as published: the first takes one argument, the next two, …
_OPERATORS = "~+>*^"


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


def _counter(glyphs: str, moves: list[str], accepting: list[str]) -> dict[str, Any]:
    return {"kind": "counter", "counters": 1, "glyphs": glyphs, "moves": moves, "accepting": accepting}


def _surplus(more: str, fewer: str) -> list[str]:
    """The counter holds how much more often one symbol came than another, the state which one."""
    return [
        f"{more} {more} * {more} +",
        f"{more} {fewer} + {more} -",
        f"{more} {fewer} 0 {fewer} +",
        f"{fewer} {fewer} * {fewer} +",
        f"{fewer} {more} + {fewer} -",
        f"{fewer} {more} 0 {more} +",
    ]


def _boolean(arity: int) -> Entry:
    """Expressions in prefix notation with operators of 1 to n arguments.

    An operator of m arguments adds m − 1 to what is still to come, a value takes 1 away. A counter moves by
    one alone, so it counts in units of n − 1, and the state is the rest, from 1 to a whole unit.
    """
    if not 1 <= arity <= len(_OPERATORS):
        raise BadInput(f"boolean-N: N must be between 1 and {len(_OPERATORS)}, got {arity}")
    unit = max(1, arity - 1)
    moves = []
    for rest in range(1, unit + 1):
        for more, operator in enumerate(_OPERATORS[:arity]):
            carried = rest + more > unit
            moves.append(f"{rest} {operator} * {rest + more - unit * carried} {'+' if carried else '0'}")
        for value in "01":
            if rest > 1:
                moves.append(f"{rest} {value} * {rest - 1} 0")
            else:
                moves += [f"1 {value} 0 done 0", f"1 {value} + {unit} -"]
    operators = _OPERATORS[:arity]
    takes = [f"{operator} takes {many}" for many, operator in enumerate(operators, 1)]
    return Entry(
        f"boolean-{arity}",
        f"expressions in prefix notation; {', '.join(takes)}",
        operators[-1] + "~1" + "0" * (arity - 1),
        (FISCHER, BHATTAMISHRA, SARROF),
        _counter("01" + operators, moves, ["done"]),
    )


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
    Entry(
        "reset-dyck-1",
        "u₁1u₂1…1v: every u begins some well-balanced word, v is one; 1 resets",
        "(()1(1()()",
        (BHATTAMISHRA,),
        _counter(
            "()1",
            [
                "none ( * none +",
                "none ) + none -",
                "none 1 * reset =",
                "reset ( * reset +",
                "reset ) + reset -",
                "reset 1 * reset =",
            ],
            ["reset"],
        ),
    ),
    Entry(
        "anbmcn+m",
        "aⁿbᵐcⁿ⁺ᵐ, n and m at least 1",
        "aabccc",
        (LAN,),
        _counter(
            "abc",
            [
                "start a * a +",
                "a a * a +",
                "a b * b +",
                "b b * b +",
                "b c + c -",
                "c c + c -",
            ],
            ["c"],
        ),
    ),
    Entry(
        "anbm-n-ge-m",
        "aⁿbᵐ, n at least m",
        "aaabb",
        (),
        _counter("ab", ["a a * a +", "a b + b -", "b b + b -"], ["a *", "b *"]),
    ),
    Entry("majority", "more 1s than 0s", "0110111", (MERRILL,), _counter("01", _surplus("1", "0"), ["1 +"])),
    Entry("balance", "as many a as b", "abbbaa", (), _counter("ab", _surplus("a", "b"), ["a", "b"])),
)
FAMILIES = (
    Family(
        "dyck-K-M",
        r"dyck-\(?([0-9]{1,3})[-,] ?([0-9]{1,3})\)?",
        _bounded_dyck,
        ((2, 3), (2, 5), (8, 10)),
    ),
    Family("boolean-N", r"boolean-?([0-9]{1,3})", _boolean, ((3,), (5,))),
)
