"""The catalogue: languages that the literature trains networks on, by name, each with its source.

Those with names of their own are in `catalogue.toml`, with their automata as files have them; families differ
in a number or two, such as mod-N and dyck-K-M.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import Any

from abacist.errors import BadInput
from abacist.languages.alphabet import bracket_glyphs
from abacist.languages.automaton_language import AutomatonLanguage
from abacist.languages.written_automata import read_language
from abacist.untrusted import load_toml

#: Up to so many stacks each is a state of a finite automaton; and so many depths of pairs there may be.
_MOST_STACKS, _MOST_PAIRS = 1024, 400

#: Operators of Boolean expressions, as published: the first takes one argument, the next two, …
_OPERATORS = "~+>*^"


@dataclass(frozen=True)
class Publication:
    """Where a language is from: how it is cited, and in full."""

    cited: str
    title: str
    published: str


@dataclass(frozen=True)
class Entry:
    """A language of the literature: in words, by a word of it, and by its automaton.

    `table` is the automaton as files have it, without the name; see `abacist.languages.writing`.
    """

    name: str
    definition: str
    example: str
    sources: tuple[Publication, ...]
    table: dict[str, Any]

    def language(self) -> AutomatonLanguage:
        return read_language(self.table, tuple(self.table["glyphs"]), self.name)


@dataclass(frozen=True)
class Family:
    """Languages that differ in a number or two, such as `mod-N`, and those of them that are listed."""

    name: str
    pattern: str
    entry: Callable[..., Entry]
    listed: tuple[tuple[int, ...], ...]


_TABLES = load_toml(Path(__file__).with_suffix(".toml"))

#: By the names that `catalogue.toml` has for them.
PUBLICATIONS = {name: Publication(**table) for name, table in _TABLES["publications"].items()}


def _entry(*, name: str, definition: str, example: str, sources: list[str], **table: Any) -> Entry:
    return Entry(name, definition, example, tuple(PUBLICATIONS[source] for source in sources), table)


#: The languages with names of their own.
_FIXED = {table["name"]: _entry(**table) for table in _TABLES["languages"]}

_BHATTAMISHRA, _SARROF = PUBLICATIONS["bhattamishra"], PUBLICATIONS["sarrof"]


def _modulo(modulus: int) -> Entry:
    if modulus < 2:
        raise BadInput(f"mod-N: N must be at least 2, got {modulus}")
    staying = [f"{rest} 0 {rest}" for rest in range(modulus)]
    counting = [f"{rest} 1 {(rest + 1) % modulus}" for rest in range(modulus)]
    table = {"kind": "finite", "glyphs": "01", "moves": staying + counting, "accepting": ["0"]}
    example = "0" + "10" * modulus
    return Entry(f"mod-{modulus}", f"a number of 1s divisible by {modulus}", example, (), table)


def _chain(depth: int) -> Entry:
    """D_n = (a D_(n−1) b)*: brackets a and b that are at most n deep."""
    if depth < 1:
        raise BadInput(f"d-N: N must be at least 1, got {depth}")
    moves = [text for d in range(depth) for text in (f"{d} a {d + 1}", f"{d + 1} b {d}")]
    table = {"kind": "finite", "glyphs": "ab", "moves": moves, "accepting": ["0"]}
    inner = "" if depth == 1 else f" d-{depth - 1} "
    definition = f"(a{inner}b)*, brackets a and b at most {depth} deep"
    return Entry(f"d-{depth}", definition, "a" * depth + "b" * depth + "ab", (_BHATTAMISHRA, _SARROF), table)


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
    return Entry(
        name,
        f"well-balanced, {kinds} of brackets, at most {depth} deep",
        example,
        (PUBLICATIONS["hewitt"],),
        table,
    )


def _finite(glyphs: tuple[str, ...], depth: int) -> dict[str, Any]:
    """Every stack is a state, written as what is open from the outside in, after a bar."""
    stacks = ["|" + "".join(open_) for d in range(depth) for open_ in product(glyphs[::2], repeat=d)]
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
    table = {"kind": "counter", "glyphs": "01" + operators, "moves": moves, "accepting": ["done"]}
    takes = [f"{operator} takes {many}" for many, operator in enumerate(operators, 1)]
    return Entry(
        f"boolean-{arity}",
        f"expressions in prefix notation; {', '.join(takes)}",
        operators[-1] + "~1" + "0" * (arity - 1),
        (PUBLICATIONS["fischer"], _BHATTAMISHRA, _SARROF),
        table,
    )


FAMILIES: tuple[Family, ...] = (
    Family("mod-N", r"mod-?([0-9]{1,3})", _modulo, ((3,), (5,))),
    Family("d-N", r"d[-_]?([0-9]{1,3})", _chain, ((2,), (3,), (4,), (12,))),
    Family(
        "dyck-K-M",
        r"dyck-\(?([0-9]{1,3})[-,] ?([0-9]{1,3})\)?",
        _bounded_dyck,
        ((2, 3), (2, 5), (8, 10)),
    ),
    Family("boolean-N", r"boolean-?([0-9]{1,3})", _boolean, ((3,), (5,))),
)

#: Every language with a name of its own, and those of the families that are listed.
CATALOGUE: tuple[Entry, ...] = (
    *_FIXED.values(),
    *(family.entry(*numbers) for family in FAMILIES for numbers in family.listed),
)


def entry_named(name: str) -> Entry | None:
    """The entry that goes by a name in lower case, if there is one.

    >>> entry_named("d-7").example
    'aaaaaaabbbbbbbab'
    """
    for family in FAMILIES:
        if match := re.fullmatch(family.pattern, name):
            return family.entry(*map(int, match.groups()))
    return _FIXED.get(name)
