"""Shuffle-k and other shuffles: all interleavings of two words, or of languages over disjoint alphabets."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from math import comb
from typing import Any

from abacist.errors import BadInput
from abacist.fields import check_fields, expect
from abacist.languages.alphabet import Alphabet, Word, bracket_glyphs
from abacist.languages.automaton import Automaton
from abacist.languages.counter_automaton import CounterAutomaton, side_by_side
from abacist.languages.dyck import Dyck
from abacist.languages.language import END_SUFFIX, Language
from abacist.languages.recogniser import refuse_recogniser


def shuffle_words(u: Sequence[int], v: Sequence[int]) -> frozenset[Word]:
    """u || v, the exact set of interleavings, by the paper's inductive definition.

    >>> len(shuffle_words((0, 1), (2, 3)))
    6
    """
    for word in (u, v):
        expect("shuffle_words: a word", word, str, Sequence)
    u, v = tuple(u), tuple(v)
    ways: list[frozenset[Word]] = []
    for i in range(len(u) + 1):
        row: list[frozenset[Word]] = []
        for j in range(len(v) + 1):
            if i == 0 or j == 0:
                row.append(frozenset({u[:i] + v[:j]}))
            else:
                row.append(
                    frozenset((*w, u[i - 1]) for w in ways[j]) | frozenset((*w, v[j - 1]) for w in row[j - 1])
                )
        ways = row
    return ways[len(v)]


@dataclass(frozen=True, repr=False)
class Shuffle(Language[tuple[Hashable, ...]]):
    """L1 || L2 || …: a state is the tuple of the parts' states, each moving on its own symbols.

    With no parts it is the language of the empty word alone.
    """

    parts: tuple[Language[Any], ...] = ()
    title: str = ""

    def __post_init__(self) -> None:
        check_fields(self)
        for part in self.parts:
            expect("Shuffle: a part", part, Language)
            refuse_recogniser(part, "Shuffle")
        glyphs = Counter(glyph for part in self.parts for glyph in part.alphabet.glyphs)
        shared = sorted(glyph for glyph, times in glyphs.items() if times > 1)
        if shared:
            raise BadInput(f"Shuffle: alphabets must be disjoint, got {' '.join(shared)} more than once")

    @property
    def name(self) -> str:
        return self.title or " || ".join(part.name for part in self.parts)

    @cached_property
    def alphabet(self) -> Alphabet:
        return Alphabet(tuple(glyph for part in self.parts for glyph in part.alphabet.glyphs))

    @cached_property
    def marks_end(self) -> bool:
        return any(part.marks_end for part in self.parts)

    @cached_property
    def always(self) -> frozenset[int]:
        return frozenset(
            symbol for symbol, (part, local) in enumerate(self._owners) if local in self.parts[part].always
        )

    @cached_property
    def _owners(self) -> tuple[tuple[int, int], ...]:
        """For every symbol, the part that it belongs to and what it is called there."""
        return tuple(
            (index, local) for index, part in enumerate(self.parts) for local in range(len(part.alphabet))
        )

    def renamed(self, glyphs: Sequence[str]) -> Shuffle:
        if len(glyphs) != len(self.alphabet):
            raise BadInput(f"Shuffle: {len(self.alphabet)} symbols need as many glyphs, got {len(glyphs)}")
        rest = iter(glyphs)
        parts = (part.renamed(tuple(islice(rest, len(part.alphabet)))) for part in self.parts)
        return Shuffle(tuple(parts), self.title)

    def marked(self) -> Shuffle:
        if self.marks_end:
            return self
        titles = [f"{title.strip()}{END_SUFFIX}" for title in self.title.split("||") if title]
        return Shuffle(tuple(part.marked() for part in self.parts), " || ".join(titles))

    @property
    def start(self) -> tuple[Hashable, ...]:
        return tuple(part.start for part in self.parts)

    def step(self, state: tuple[Hashable, ...], symbol: int) -> tuple[Hashable, ...] | None:
        if not 0 <= symbol < len(self._owners):
            return None
        index, local = self._owners[symbol]
        successor = self.parts[index].step(state[index], local)
        return None if successor is None else (*state[:index], successor, *state[index + 1 :])

    def can_end(self, state: tuple[Hashable, ...], remaining: int, cache: dict[Any, Any]) -> bool:
        if remaining < 0:
            return False
        sums, most = 1, (2 << remaining) - 1  # bit n: the parts so far may take n symbols more in all
        for index, inner in enumerate(state):
            ends, before, sums = self._ends(index, inner, remaining, cache), sums, 0
            while before:
                least = before & -before
                sums |= ends * least
                before ^= least
            sums &= most
        return bool(sums >> remaining)

    def _ends(self, index: int, inner: Hashable, longest: int, cache: dict[Any, Any]) -> int:
        """Bit n: some word of a part ends n symbols after a state; at least up to the longest."""
        theirs, masks = cache.setdefault(index, ({}, {}))
        there, ends = masks.get(inner, (0, 0))
        for more in range(there, longest + 1):
            ends |= self.parts[index].can_end(inner, more, theirs) << more
        masks[inner] = max(there, longest + 1), ends
        return int(ends)

    def endings(self, state: tuple[Hashable, ...], longest: int, cache: dict[Any, Any]) -> list[int]:
        key = (state,)
        if len(cache.get(key, ())) <= longest:
            steps = enumerate(zip(self.parts, state, strict=True))
            parts = [part.endings(at, longest, cache.setdefault(index, {})) for index, (part, at) in steps]
            cache[key] = interleaved(parts, longest)
        counts: list[int] = cache[key]
        return counts

    def accepts(self, state: tuple[Hashable, ...]) -> bool:
        return all(part.accepts(inner) for part, inner in zip(self.parts, state, strict=True))

    def depths(self, state: tuple[Hashable, ...]) -> tuple[int, ...]:
        return tuple(d for part, inner in zip(self.parts, state, strict=True) for d in part.depths(inner))

    @cached_property
    def updates(self) -> tuple[tuple[int, ...], ...]:
        widths = [len(part.depths(part.start)) for part in self.parts]
        return tuple(
            (0,) * sum(widths[:part]) + self.parts[part].updates[local] + (0,) * sum(widths[part + 1 :])
            for part, local in self._owners
        )

    def objection(self, state: tuple[Hashable, ...], symbol: int) -> str:
        index, local = self._owners[symbol]
        return self.parts[index].objection(state[index], local)

    def unfinished(self, state: tuple[Hashable, ...]) -> str:
        return "; ".join(
            part.unfinished(at) for part, at in zip(self.parts, state, strict=True) if not part.accepts(at)
        )

    def automaton(self) -> Automaton:
        """The parts' counter automata side by side: a DCA_k for Shuffle-k."""
        machines = []
        for part in self.parts:
            machine = part.automaton()
            if not isinstance(machine, CounterAutomaton):
                raise BadInput(f"{self.name}: {part.name} needs a stack, so counters alone will not do")
            machines.append(machine)
        return side_by_side(machines)

    def count(self, length: int) -> int:
        return self.counts(length)[length] if length >= 0 else 0

    def counts(self, longest: int) -> list[int]:
        return word_counts(self.parts, longest)


def word_counts(parts: Sequence[Language[Any]], longest: int) -> list[int]:
    """The number of words of each length 0 … longest in the shuffle of the parts."""
    expect("word_counts: longest", longest, int)
    return interleaved([part.counts(longest) for part in parts], longest)


def interleaved(parts: Sequence[Sequence[int]], longest: int) -> list[int]:
    """How many interleavings there are of each length 0 … longest, given how many words each part has."""
    counts = [1] + [0] * longest
    for words in parts:
        counts = [
            sum(comb(n, k) * words[k] * counts[n - k] for k in range(n + 1) if words[k])
            for n in range(longest + 1)
        ]
    return counts


def shuffle(first: Language[Any], second: Language[Any]) -> Shuffle:
    """The shuffle of two languages over disjoint alphabets; shuffles of shuffles are flattened."""
    parts: list[Language[Any]] = []
    for language in (first, second):
        expect("shuffle: each of the two", language, Language)
        parts += language.parts
    return Shuffle(tuple(parts), " || ".join(filter(None, (first.name, second.name))))


def self_shuffle(language: Language[Any], alphabets: Sequence[Sequence[str]]) -> Shuffle:
    """L||^k over k renamed copies of a language, one for each set of glyphs; k = 0 gives {ε}."""
    expect("self_shuffle: language", language, Language)
    return Shuffle(tuple(language.renamed(glyphs) for glyphs in alphabets))


def shuffle_k(k: int) -> Shuffle:
    """Shuffle-k: the k-fold self-shuffle of Dyck-1 over the first k pairs of brackets."""
    expect("Shuffle-k: k", k, int)
    if k < 1:
        raise BadInput(f"Shuffle-k: k must be at least 1, got {k}")
    glyphs = bracket_glyphs(k)
    copies = self_shuffle(Dyck(1), [glyphs[2 * pair : 2 * pair + 2] for pair in range(k)])
    return Shuffle(copies.parts, f"shuffle-{k}")
