"""A language within another: the words are those of one, what may come next is what the other says.

A network that is trained on Shuffle-2 learns from words in which brackets hardly ever cross. On the words of
`shuffle-2 within dyck-2` they never do, and its predictions are still held against Shuffle-2.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from abacist.errors import BadInput
from abacist.fields import Checked
from abacist.languages.alphabet import Alphabet
from abacist.languages.automaton_language import AutomatonLanguage
from abacist.languages.finite_automaton import explored
from abacist.languages.language import Language
from abacist.languages.recogniser import refuse_recogniser

#: What stands between the names of the two.
WITHIN = " within "

#: What stands between the name of a language and the depth to which its words go.
TO_DEPTH = " to depth "

#: States at most of a language whose words are all looked at.
_STATES = 5_000

State = tuple[Hashable, Hashable]


@dataclass(frozen=True, repr=False)
class Within(Checked, Language[State]):
    """The words of `inner`, with the targets of `outer`; a state is the pair of theirs.

    All words must be words of `outer`: where one is met that is not, that is refused.

    >>> from abacist.languages import Dyck, language_named
    >>> language = Within(language_named("shuffle-2"), Dyck(2))
    >>> "([])" in language, "([)]" in language
    (True, False)
    >>> language.targets("([").tolist()[-1] == language.outer.targets("([").tolist()[-1]
    True
    """

    outer: Language[Any]
    inner: Language[Any]

    def __post_init__(self) -> None:
        super().__post_init__()
        for one in (self.outer, self.inner):
            refuse_recogniser(one, "Within")
        symbols = [" ".join(one.alphabet.glyphs) for one in (self.outer, self.inner)]
        if symbols[0] != symbols[1]:
            raise BadInput(f"{self.name}: both need the same symbols, got {symbols[0]} and {symbols[1]}")

    @property
    def name(self) -> str:
        return f"{self.outer.name}{WITHIN}{self.inner.name}"

    @property
    def alphabet(self) -> Alphabet:
        return self.outer.alphabet

    @property
    def word_language(self) -> Language[Any]:
        return self.inner.word_language

    @property
    def start(self) -> State:
        return self.outer.start, self.inner.start

    def step(self, state: State, symbol: int) -> State | None:
        inner = self.inner.step(state[1], symbol)
        if inner is None:
            return None
        outer = self.outer.step(state[0], symbol)
        self.check_inside(outer is not None)
        return outer, inner

    def accepts(self, state: State) -> bool:
        ends = self.inner.accepts(state[1])
        self.check_inside(not ends or self.outer.accepts(state[0]))
        return ends

    def check_inside(self, inside: bool) -> None:
        """Refuse a word of `inner` that is none of `outer`."""
        if not inside:
            raise BadInput(f"{self.name}: not all words of {self.inner.name} are words of {self.outer.name}")

    def next_symbols(self, state: State) -> frozenset[int]:
        return self.outer.next_symbols(state[0])

    def objection(self, state: State, symbol: int) -> str:
        if self.outer.step(state[0], symbol) is None:
            return self.outer.objection(state[0], symbol)
        return f"no word of {self.inner.name} goes on with {self.alphabet.glyphs[symbol]}"

    def unfinished(self, state: State) -> str:
        if not self.outer.accepts(state[0]):
            return self.outer.unfinished(state[0])
        return f"no word of {self.inner.name} ends here"

    def depths(self, state: State) -> tuple[int, ...]:
        return self.outer.depths(state[0])

    @property
    def updates(self) -> tuple[tuple[int, ...], ...]:
        return self.outer.updates

    @property
    def marks_end(self) -> bool:
        return self.outer.marks_end

    def marked(self) -> Within:
        return Within(self.outer.marked(), self.inner)

    @property
    def always(self) -> frozenset[int]:
        return self.outer.always

    def renamed(self, glyphs: Sequence[str]) -> Within:
        return Within(self.outer.renamed(glyphs), self.inner.renamed(glyphs))

    def count(self, length: int) -> int:
        return self.inner.count(length)

    def counts(self, longest: int) -> list[int]:
        return self.inner.counts(longest)

    @property
    def deepest(self) -> int | None:
        """The largest depth of its words; None where more than a few thousand states say how they go on."""
        depth, met, waiting = 0, {self.start}, [self.start]
        for state in waiting:  # which grows
            depth = max(depth, *self.depths(state), 0)
            after = {successor for _, successor in self.successors(state)} - met
            met |= after
            waiting += after
            if len(waiting) > _STATES:
                return None
        return depth

    def least_ending(self, state: State) -> int:
        return self.inner.least_ending(state[1])

    def endings(self, state: State, longest: int, cache: dict[Any, Any]) -> list[int]:
        return self.inner.endings(state[1], longest, cache)

    def can_end(self, state: State, remaining: int, cache: dict[Any, bool]) -> bool:
        return self.inner.can_end(state[1], remaining, cache)


def to_depth(language: Language[Any], depth: int) -> AutomatonLanguage:
    """The words of a language in which no counter exceeds a depth.

    >>> from abacist.languages import language_named
    >>> "([)]" in to_depth(language_named("shuffle-2"), 1), "(())" in to_depth(language_named("shuffle-2"), 1)
    (True, False)
    """

    def moves(state: Any) -> Iterator[tuple[int, Any]]:
        return (one for one in language.successors(state) if max(language.depths(one[1]), default=0) <= depth)

    refuse_recogniser(language, TO_DEPTH.strip())
    title, glyphs = f"{language.name}{TO_DEPTH}{depth}", language.alphabet.glyphs
    machine = explored(len(glyphs), language.start, moves, language.accepts)
    return AutomatonLanguage(machine, glyphs, title)


def on_words_of(language: Language[Any], words: Language[Any]) -> Language[Any]:
    """A language on the words of another alone; itself where these are all of its words.

    >>> from abacist.languages import Dyck, language_named
    >>> shuffle = language_named("shuffle-2")
    >>> on_words_of(shuffle, Dyck(2)).name, on_words_of(shuffle, shuffle).name
    ('shuffle-2 within dyck-2', 'shuffle-2')
    """
    within = Within(language, words)  # which refuses other symbols
    whole = words.marked() if language.marks_end and not words.marks_end else words
    return language if language in (words, whole) or language.word_language == words else within


def words_in(language: Language[Any], whole: Language[Any]) -> Language[Any] | None:
    """The words of a language that is another one on some of its words; None if it is not."""
    return language.inner if isinstance(language, Within) and language.outer == whole else None
