"""What a language is: states, and the symbols that may come next in each."""

from __future__ import annotations

import hashlib
from abc import ABC, abstractmethod
from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import islice
from typing import Any, Generic, Self, TypeVar

import numpy as np
from numpy.typing import NDArray

from abacist.errors import BadInput, BadWord
from abacist.fields import expect
from abacist.languages.alphabet import Alphabet, Word
from abacist.languages.automaton import Automaton, Configuration, count_turns
from abacist.languages.counter_automaton import CounterAutomaton
from abacist.languages.derivations import Derivations
from abacist.wording import html_table, short_repr

S = TypeVar("S", bound=Hashable)

#: What the name of a language ends in where it tells that ends are marked which usually are not.
END_SUFFIX = "+end"

#: How many states make the content of a language.
_CONTENT = 1_000

#: How many lengths, and how many words, a notebook shows of a language.
_SHOWN_LENGTHS, _SHOWN_WORDS = 9, 6


@dataclass(frozen=True)
class Step:
    """What is known after one symbol of a word."""

    symbol: int
    next_symbols: frozenset[int]
    code: int
    depths: tuple[int, ...]


@dataclass(frozen=True)
class Reading:
    """A word read step by step, as far as it stays a prefix of the language.

    `left_at` is the index of the first symbol that no word of the language can
    have there, or the word's length if the word only ends too early.
    """

    steps: tuple[Step, ...]
    left_at: int | None = None
    reason: str | None = None

    @property
    def member(self) -> bool:
        return self.left_at is None


class Language(ABC, Generic[S]):
    """A set of words, defined by its states.

    Every state is alive: `step` gives None where no word of the language begins
    that way, so the symbols with a successor are exactly those possible next.
    """

    def __repr__(self) -> str:
        return f"<language {short_repr(self.name)[1:-1]}>"

    @property
    @abstractmethod
    def name(self) -> str: ...

    @property
    @abstractmethod
    def alphabet(self) -> Alphabet: ...

    @property
    @abstractmethod
    def start(self) -> S: ...

    @abstractmethod
    def step(self, state: S, symbol: int) -> S | None: ...

    @abstractmethod
    def accepts(self, state: S) -> bool: ...

    @abstractmethod
    def depths(self, state: S) -> tuple[int, ...]:
        """The height of every counter: for brackets, the depth of every pair."""

    @property
    @abstractmethod
    def updates(self) -> tuple[tuple[int, ...], ...]:
        """What every symbol adds to every counter, whatever the state, (symbol, counter).

        A language in which that depends on the state has none, and refuses; it has `depths`.
        """

    @cached_property
    def content(self) -> str:
        """A checksum over its symbols and first states, in hexadecimal digits.

        Run keys have it where a name is not enough, so what it is made of must never change.
        """
        number: dict[Any, int] = {self.start: 0}
        waiting = [self.start]
        lines = [repr((self.name, self.alphabet.glyphs, self.marks_end, sorted(self.always)))]
        for state in waiting:  # which grows
            places = [-1] * len(self.alphabet)
            for symbol, after in self.successors(state):
                if after not in number and len(number) < _CONTENT:
                    number[after] = len(number)
                    waiting.append(after)
                places[symbol] = number.get(after, _CONTENT)
            lines.append(repr((places, self.accepts(state), tuple(self.depths(state)))))
        return hashlib.sha256("\n".join(lines).encode()).hexdigest()

    def _moved(self) -> Iterable[tuple[int, tuple[int, ...]]]:
        """The symbols, and what they add to every counter: each update, where it has several."""
        return enumerate(self.updates)

    @cached_property
    def counter_names(self) -> tuple[str, ...]:
        """A name for every counter: the symbols that move it, such as `( )`."""
        moves = list(self._moved())
        moving = [{symbol for symbol, update in moves if update[i]} for i in range(self._counters)]
        return tuple(" ".join(self.alphabet.glyphs[s] for s in sorted(symbols)) for symbols in moving)

    @property
    def _counters(self) -> int:
        return len(self.depths(self.start))

    @abstractmethod
    def objection(self, state: S, symbol: int) -> str:
        """Why `symbol` cannot come next."""

    @abstractmethod
    def unfinished(self, state: S) -> str:
        """Why a word cannot end here."""

    def automaton(self) -> Automaton:
        """The machine of the theory that recognises the language; a language may do without."""
        raise BadInput(f"{self.name}: no automaton is known for this language")

    @property
    def living(self) -> tuple[CounterAutomaton, dict[Configuration, bool]] | None:
        """Its counter automaton, dead ends and all, and which configurations are alive.

        Whether a word can end is known for every state and pattern of zeros that words reach, 0 or 1 a
        counter. None where it has no such automaton, or where more than that pattern matters.
        """
        return None

    @property
    def kind(self) -> str:
        """What kind of automaton it has, in short: DFA, DCA1, DPA."""
        return self.automaton().kind

    @property
    def parts(self) -> tuple[Language[Any], ...]:
        """The languages whose words are interleaved: of most languages only itself."""
        return (self,)

    @property
    def word_language(self) -> Language[Any]:
        """The language that its words are those of, and are drawn from: of most languages itself."""
        return self

    @property
    def drawn_as(self) -> tuple[int, int] | None:
        """How its words are drawn uniformly: as brackets of so many pairs, or else of so many blocks.

        By its derivations where both are 0; None where no way is known.
        """
        return None

    @property
    def has_derivations(self) -> bool:
        """Whether it tells how its words come about, as one does that an automaton gives."""
        return self.drawn_as == (0, 0)

    @property
    def longest_derived(self) -> int:
        """The length up to which it has derivations; 0 where it has none."""
        return 0

    def derivations(self, longest: int) -> Derivations:
        """How its words up to a length come about, symbol by symbol."""
        raise BadInput(f"{self.name}: no derivations are known for this language")

    @abstractmethod
    def count(self, length: int) -> int:
        """The number of words of a length, exactly."""

    def counts(self, longest: int) -> list[int]:
        """The number of words of every length from 0 to `longest`."""
        return [self.count(length) for length in range(longest + 1)]

    def renamed(self, glyphs: Sequence[str]) -> Self:
        """The same language over other glyphs; without such a field, a language says how."""
        return replace(self, glyphs=tuple(glyphs))  # type: ignore[type-var]

    @property
    def marks_end(self) -> bool:
        """Whether the set of next symbols says if the word may end; that symbol is len(alphabet)."""
        return False

    def marked(self) -> Language[S]:
        """The same language with the end of a word among what may come next; its name ends in `+end`."""
        if not self.marks_end:
            raise BadInput(f"{self.name}: the end of its words cannot be marked")
        return self

    @property
    def always(self) -> frozenset[int]:
        """The symbols that are possible in every state."""
        return frozenset()

    @property
    def outputs(self) -> int:
        """The number of things that may come next: the symbols, and the end where it is marked."""
        return len(self.alphabet) + self.marks_end

    @cached_property
    def code_weights(self) -> tuple[int, ...]:
        """The paper's numeric code: 0 for what is always possible, else powers of two."""
        telling = [symbol for symbol in range(self.outputs) if symbol not in self.always]
        powers = {symbol: 1 << place for place, symbol in enumerate(telling)}
        return tuple(powers.get(symbol, 0) for symbol in range(self.outputs))

    def successors(self, state: S) -> Iterator[tuple[int, S]]:
        """Every symbol with which words go on from a state, and the state after it."""
        for symbol in range(len(self.alphabet)):
            after = self.step(state, symbol)
            if after is not None:
                yield symbol, after

    def next_symbols(self, state: S) -> frozenset[int]:
        """The symbols that may come next, and the end of the word where it is marked."""
        possible = {symbol for symbol, _ in self.successors(state)}
        if self.marks_end and self.accepts(state):
            possible.add(len(self.alphabet))
        return frozenset(possible)

    def render_set(self, outputs: Iterable[int]) -> str:
        """A set of outputs as it is written, in their order."""
        return self.alphabet.render_set(outputs)

    def allows_end(self, predicted: Iterable[int]) -> bool:
        """Whether a set of next symbols says that the word may end here.

        Where the end is marked, it must be in the set; where it is not, nothing may be in it but what is
        always possible: for brackets, no closing one. Of a state's own set both say what `accepts` says.
        """
        predictions = set(predicted)
        return len(self.alphabet) in predictions if self.marks_end else predictions <= self.always

    def code(self, symbols: Iterable[int]) -> int:
        """The paper's number for a set of next symbols (its tables 1 and 2)."""
        return sum(self.code_weights[symbol] for symbol in symbols)

    def _symbols(self, word: Sequence[int] | str) -> Sequence[int]:
        """A word as numbers of symbols; text is parsed."""
        if isinstance(word, str):
            return self.alphabet.parse(word)
        expect(f"{self.name}: a word", word, str, Sequence, np.ndarray)
        return word

    def read(self, word: Sequence[int] | str) -> Reading:
        """Follow a word, symbol by symbol, until it ends or leaves the language."""
        state, word = self.start, self.alphabet.checked(self._symbols(word))
        steps: list[Step] = []
        for index, symbol in enumerate(word):
            successor = self.step(state, symbol)
            if successor is None:
                return Reading(tuple(steps), index, self.objection(state, symbol))
            state = successor
            possible = self.next_symbols(state)
            steps.append(Step(symbol, possible, self.code(possible), self.depths(state)))
        if not self.accepts(state):
            return Reading(tuple(steps), len(word), self.unfinished(state))
        return Reading(tuple(steps))

    def __contains__(self, word: Sequence[int] | str) -> bool:
        state = self.start
        for symbol in self._symbols(word):
            successor = self.step(state, symbol)
            if successor is None:
                return False
            state = successor
        return self.accepts(state)

    def _require_prefix(self, word: Sequence[int] | str) -> Reading:
        word = self._symbols(word)
        reading = self.read(word)
        if reading.left_at is not None and reading.left_at < len(word):
            raise BadWord(f"{self.name}: symbol {reading.left_at + 1} leaves it: {reading.reason}")
        return reading

    def targets(self, word: Sequence[int] | str) -> NDArray[np.uint8]:
        """The k-hot sets of next symbols after every prefix, (time, output)."""
        steps = self._require_prefix(word).steps
        hot = np.zeros((len(steps), self.outputs), np.uint8)
        for time, step in enumerate(steps):
            hot[time, list(step.next_symbols)] = 1
        return hot

    def depth_path(self, word: Sequence[int] | str) -> NDArray[np.int64]:
        """The height of every counter after every symbol, (time, counter)."""
        steps = self._require_prefix(word).steps
        return np.array([s.depths for s in steps], np.int64).reshape(len(steps), self._counters)

    def maximum_depth(self, word: Sequence[int] | str) -> int:
        """The largest sum of all counters: for brackets, how many are open at once."""
        return int(self.depth_path(word).sum(axis=1).max(initial=0))

    def turns(self, word: Sequence[int] | str) -> tuple[int, ...]:
        """How often each counter changes direction."""
        return tuple(count_turns([0, *column]) for column in self.depth_path(word).T.tolist())

    def _repr_html_(self) -> str:
        """Its symbols and shortest words, for a notebook, and how many words it has of every length."""
        lengths = range(_SHOWN_LENGTHS)
        shortest = (self.alphabet.render(word) for length in lengths[1:] for word in self.words(length))
        rows = {
            "symbols": " ".join(self.alphabet.glyphs),
            "shortest words": ", ".join(islice(shortest, _SHOWN_WORDS)) + ", …",
            f"words of 0 to {lengths[-1]} symbols": ", ".join(f"{n:,}" for n in self.counts(lengths[-1])),
        }
        return html_table(rows.items(), caption=self.name, row_heads=1)

    def words(self, length: int) -> Iterator[Word]:
        """All words of a length, in the alphabet's order."""
        expect(f"{self.name}: a length", length, int)
        cache: dict[Any, bool] = {}
        open_ends: list[tuple[S, Word]] = [(self.start, ())]
        while open_ends:
            state, prefix = open_ends.pop()
            remaining = length - len(prefix)
            if remaining < 0 or not self.can_end(state, remaining, cache):
                continue
            if remaining == 0:
                yield prefix
                continue
            after = [(successor, (*prefix, symbol)) for symbol, successor in self.successors(state)]
            open_ends += reversed(after)

    def least_ending(self, state: S) -> int:
        """A number of symbols that every word still needs after a state, or fewer: it shortens searches."""
        return 0

    def endings(self, state: S, longest: int, cache: dict[Any, Any]) -> list[int]:
        """How many words end 0, 1, … symbols after a state, at least up to `longest`, exactly.

        They are those after its successors, one symbol longer. `cache` keeps the results of one search for
        the next, as in `can_end`.
        """
        waiting = [(state, longest)]
        while waiting:
            here, left = waiting[-1]
            after = [successor for _, successor in self.successors(here)] if left else []
            missing = [(successor, left - 1) for successor in after if len(cache.get(successor, ())) < left]
            if len(cache.get(here, ())) > left:
                waiting.pop()
            elif missing:
                waiting += missing
            else:
                later = [cache[successor] for successor in after]
                sums = (sum(counts[n] for counts in later) for n in range(left))
                cache[here] = [int(self.accepts(here)), *sums]
        counts: list[int] = cache[state]
        return counts

    def can_end(self, state: S, remaining: int, cache: dict[Any, bool]) -> bool:
        """Whether some word ends exactly `remaining` symbols after a state.

        It does where one ends a symbol earlier after some successor. `cache` keeps the results of one search
        for the next. A language that knows better may say so.
        """
        waiting = [(state, remaining)]
        while waiting:
            here, left = waiting[-1]
            if (here, left) in cache:
                waiting.pop()
            elif left == 0:
                cache[here, 0] = self.accepts(here)
            elif left < self.least_ending(here):
                cache[here, left] = False
            else:
                later = [(successor, left - 1) for _, successor in self.successors(here)]
                unknown = next((pair for pair in later if pair not in cache), None)
                if unknown is None or any(cache.get(pair) for pair in later):
                    cache[here, left] = any(cache.get(pair) for pair in later)
                else:
                    waiting.append(unknown)
        return cache[state, remaining]
