"""Languages of one counter, beside aⁿbⁿ and its kin."""

from __future__ import annotations

from typing import Any

from abacist.errors import BadInput
from abacist.languages.catalogue.entry import BHATTAMISHRA, FISCHER, LAN, MERRILL, SARROF, Entry, Family

#: Operators of Boolean expressions, as published: the first takes one argument, the next two, …
_OPERATORS = "~+>*^"


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
FAMILIES = (Family("boolean-N", r"boolean-?([0-9]{1,3})", _boolean, ((3,), (5,))),)
