"""The languages under test, each with all that brute force can say about it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import pairwise, product

from tests.languages.oracles import (
    Pairs,
    balanced,
    balanced_words,
    block_words,
    equal_blocks,
    projection,
    separately_balanced,
    separately_balanced_words,
    shuffled,
)

END = "⊣"


@dataclass(frozen=True)
class Oracle:
    """All that brute force can say about a language.

    `counters` names for every counter the glyph that raises it and the one that lowers it.
    Membership is tried on all texts up to `longest`. After a prefix of up to `prefixes`
    glyphs, whatever can follow does follow in some word of up to `horizon` glyphs.
    """

    name: str
    glyphs: str
    contains: Callable[[str], bool] = field(repr=False)
    words: Callable[[int], frozenset[str]] = field(repr=False)
    counters: Pairs
    longest: int
    prefixes: int
    horizon: int
    marks_end: bool = False

    def texts(self, longest: int) -> Iterator[tuple[tuple[int, ...], str]]:
        """All sequences of symbols up to a length, and how they are written."""
        for length in range(longest + 1):
            for word in product(range(len(self.glyphs)), repeat=length):
                yield word, "".join([self.glyphs[symbol] for symbol in word])

    def heights(self, text: str) -> tuple[int, ...]:
        return tuple(text.count(up) - text.count(down) for up, down in map(tuple, self.counters))

    def turns(self, text: str) -> tuple[int, ...]:
        """A counter turns wherever the glyphs that move it change."""
        moves = [projection(text, counter) for counter in self.counters]
        return tuple(sum(a != b for a, b in pairwise(path)) for path in moves)

    def next_glyphs(self) -> dict[str, set[str]]:
        """What follows each prefix in some word; a key for every prefix of a word, and no other."""
        following: dict[str, set[str]] = {}
        for length in range(self.horizon + 1):
            for word in self.words(length):
                for index in range(min(len(word), self.prefixes + 1)):
                    following.setdefault(word[:index], set()).add(word[index])
                if len(word) <= self.prefixes:
                    following.setdefault(word, set()).update(END if self.marks_end else "")
        return {prefix: glyphs for prefix, glyphs in following.items() if len(prefix) <= self.prefixes}


def dyck(pairs: Pairs, longest: int, prefixes: int) -> Oracle:
    return Oracle(
        f"dyck-{len(pairs)}",
        "".join(pairs),
        lambda text: balanced(text, pairs),
        lambda length: balanced_words(pairs, length),
        pairs,
        longest,
        prefixes,
        2 * prefixes + 2,
    )


def shuffle(pairs: Pairs, longest: int, prefixes: int) -> Oracle:
    return Oracle(
        f"shuffle-{len(pairs)}",
        "".join(pairs),
        lambda text: separately_balanced(text, pairs),
        lambda length: separately_balanced_words(pairs, length),
        pairs,
        longest,
        prefixes,
        2 * prefixes + 2,
    )


def blocks(letters: str, longest: int, prefixes: int) -> Oracle:
    return Oracle(
        "".join(f"{letter}n" for letter in letters),
        letters,
        lambda text: equal_blocks(text, letters),
        lambda length: block_words(letters, length),
        tuple(up + down for up, down in pairwise(letters)),
        longest,
        prefixes,
        len(letters) * (prefixes + 1),
        marks_end=True,
    )


MIXED = Oracle(
    "anbn || dyck-1",
    "ab()",
    lambda text: equal_blocks(projection(text, "ab"), "ab") and balanced(projection(text, "()"), ["()"]),
    lambda length: shuffled(lambda n: block_words("ab", n), lambda n: balanced_words(("()",), n), length),
    ("ab", "()"),
    longest=7,
    prefixes=3,
    horizon=10,
    marks_end=True,
)

DYCK = (
    dyck(("()",), longest=12, prefixes=6),
    dyck(("()", "[]"), longest=8, prefixes=4),
    dyck(("()", "[]", "{}"), longest=6, prefixes=3),
)
SHUFFLES = (
    shuffle(("()",), longest=12, prefixes=6),
    shuffle(("()", "[]"), longest=8, prefixes=4),
    shuffle(("()", "[]", "{}"), longest=6, prefixes=3),
)
BLOCKS = (
    blocks("ab", longest=12, prefixes=7),
    blocks("abc", longest=9, prefixes=6),
    blocks("abcd", longest=8, prefixes=5),
)
ORACLES = (*DYCK, *SHUFFLES, *BLOCKS, MIXED)
#: Those whose automaton has counters rather than a stack.
COUNTING = (DYCK[0], *SHUFFLES, *BLOCKS, MIXED)
