"""Counting units: what each unit of a network does on words of its language.

A unit counts a counter if its state and the counter's height correlate. It follows the length if it
correlates with the number of the step more than with any counter. All states of any cell are analysed; the
graph of its formula says which values are gates.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from abacist.algebra.operations import sigmoid
from abacist.analysis.matching import Matching, unit_correlations, unit_slices
from abacist.cells import Layout
from abacist.compiler import plan_tracing
from abacist.corpora import PAPER, Corpus, Uniform, Window, sample
from abacist.errors import BadInput, UnknownName
from abacist.fields import check_fields, checked
from abacist.languages import Language
from abacist.progress import Progress
from abacist.specs import Networks
from abacist.targets import target_for
from abacist.wording import plural

#: The least absolute correlation with a counter of a unit that counts it.
COUNTS = 0.95
#: Words that are followed at once, and numbers of states and gates that are held at once.
_AT_ONCE, _MOST_NUMBERS = 16, 1 << 28

#: The least absolute correlation with the number of the step of a unit that follows the length.
FOLLOWS = 0.5
#: How many words are drawn: in ten draws the correlations of units that count agree to two digits.
WORDS = 1_000


@dataclass(frozen=True)
class UnitVerdict:
    """What a unit does: it counts a counter, it follows the length, or neither."""

    counter: int | None = None
    follows_length: bool = False

    def __post_init__(self) -> None:
        check_fields(self)
        if self.counter is not None and self.follows_length:
            raise BadInput(f"UnitVerdict: a unit that counts {self.counter} does not follow the length")

    def in_words(self, language: Language[Any]) -> str:
        """The verdict as people read it, such as `counts ( )`."""
        if self.counter is not None:
            return f"counts {language.counter_names[self.counter]}"
        return "follows the length" if self.follows_length else "neither"


@dataclass(frozen=True)
class Tally:
    """How many units of a state count, follow the length, or do neither, and which counters are counted."""

    counting: int
    following: int
    neither: int
    counted: frozenset[int]


@dataclass(frozen=True, eq=False)
class StateUnits:
    """The units of one state beside the counters of a language.

    `states` are (symbol, unit), over the words of a corpus. `matching` has their correlations with the
    counters, (unit, counter), and the best assignment; `with_length` their correlations with the number of
    the step, (unit).
    """

    name: str
    states: NDArray[Any]
    corpus: Corpus
    matching: Matching
    with_length: NDArray[np.float64]

    def __len__(self) -> int:
        return len(self.with_length)

    @cached_property
    def moves(self) -> UnitMoves:
        """By how much they change where a counter goes up, where it goes down, and over both."""
        return unit_moves(self.states, self.corpus)

    @property
    def nearest(self) -> tuple[int, ...]:
        """For every unit the counter that it goes with most."""
        return tuple(np.abs(self.matching.correlations).argmax(axis=1).tolist())

    @checked
    def verdicts(self, threshold: float = COUNTS) -> tuple[UnitVerdict, ...]:
        """For every unit what it does; one that counts has at least this absolute correlation."""
        if not 0 < threshold <= 1:
            raise BadInput(f"verdicts: threshold must be above 0 and at most 1, got {threshold}")
        best, length = np.abs(self.matching.correlations).max(axis=1), np.abs(self.with_length)
        return tuple(
            UnitVerdict(follows_length=True)
            if length[unit] > best[unit] and length[unit] >= FOLLOWS
            else UnitVerdict(counter)
            if best[unit] >= threshold
            else UnitVerdict()
            for unit, counter in enumerate(self.nearest)
        )

    def tally(self, threshold: float = COUNTS) -> Tally:
        """The verdicts, counted. Every unit counts at most one counter."""
        verdicts = self.verdicts(threshold)
        counters = [verdict.counter for verdict in verdicts if verdict.counter is not None]
        following = sum(verdict.follows_length for verdict in verdicts)
        return Tally(len(counters), following, len(verdicts) - len(counters) - following, frozenset(counters))


@dataclass(frozen=True, eq=False)
class CountingUnits:
    """What the units of one network do on the words of a corpus.

    `saturation` has for every gate the mean of |2v − 1| over all steps, (unit): 1 where it is always
    open or shut, 0 where it is always half open.
    """

    corpus: Corpus
    states: tuple[StateUnits, ...]
    saturation: Mapping[str, NDArray[np.float64]]

    @checked
    def state(self, name: str) -> StateUnits:
        """The units of a state by its name."""
        for state in self.states:
            if state.name == name:
                return state
        states = ", ".join(state.name for state in self.states)
        raise UnknownName(f"no state was looked at that is called {name!r}; there are {states}")


@checked
def counting_words(
    language: Language[Any], window: Window = PAPER.short, count: int = WORDS, *, seed: int = 0
) -> Corpus:
    """Words to look at units with, drawn uniformly from all words of the language in a window of lengths.

    In the words of a shuffle brackets cross. In those of the paper's grammar they do not, so that
    counters go up and down together more than they must.
    """
    return sample(language.word_language, Uniform(), window, count, seed=seed, distinct=False)


@checked
def counting_units(
    networks: Networks,
    run: int,
    corpus: Corpus,
    *,
    states: Sequence[str] | None = None,
    progress: Progress | None = None,
) -> CountingUnits:
    """Look at the units of one network on the words of a corpus, by default at those of all its states.

    `progress` counts the words.
    """
    layout = networks.layout
    if len(corpus.language.alphabet) != layout.inputs:  # only states are looked at, so outputs may differ
        networks.check_language(corpus.language)
    wanted = tuple(layout.cell.state_names if states is None else states)
    for name in wanted:
        if name not in layout.cell.state_names:
            all_states = ", ".join(layout.cell.state_names)
            raise UnknownName(f"{layout.cell.name}: no state is called {name!r}; there are {all_states}")
    if not corpus.language.counter_names:
        raise BadInput(f"counting_units: {corpus.language.name} has no counters that units could follow")
    if not len(corpus.symbols):
        raise BadInput("counting_units: there must be words with symbols to look at, got none")
    _check_size(layout, wanted, len(corpus.symbols))
    names = (*wanted, *gate_names(layout))
    traced: dict[str, list[NDArray[Any]]] = {name: [] for name in names}
    words, run = list(corpus), networks.checked_run(run)
    for first in range(0, len(words), _AT_ONCE):
        if progress is not None:
            progress(first / len(words))
        for values in target_for(layout).tracing(networks, run, words[first : first + _AT_ONCE]):
            for name in names:
                traced[name].append(values[name])
    whole = {name: np.concatenate(traced.pop(name)) for name in names}
    return CountingUnits(
        corpus,
        tuple(state_units(name, whole[name], corpus) for name in wanted),
        {name: np.abs(2 * whole[name] - 1).mean(axis=0, dtype=np.float64) for name in gate_names(layout)},
    )


def _check_size(layout: Layout, states: Sequence[str], symbols: int) -> None:
    """Refuse words whose states and gates would take more than a gigabyte."""
    sizes = dict(zip(layout.cell.state_names, layout.state_sizes, strict=True))
    numbers = sum(sizes[name] for name in states) + layout.hidden * len(gate_names(layout))
    if symbols > (most := _MOST_NUMBERS // numbers):
        raise BadInput(
            f"{layout.cell.name} with {plural(layout.hidden, 'unit')}: its words may have at most {most:,} "
            f"symbols in all, since {numbers:,} numbers follow each, got {symbols:,}; name fewer words"
        )


@checked
def state_units(name: str, states: NDArray[Any], corpus: Corpus) -> StateUnits:
    """The units of a state, given as (symbol, unit), beside the counters of the words of a corpus."""
    steps = np.arange(len(corpus.symbols)) - np.repeat(corpus.offsets[:-1], corpus.lengths)
    correlations = unit_correlations(states, np.column_stack((corpus.depths(), steps)))
    return StateUnits(name, states, corpus, Matching.of(correlations[:, :-1]), correlations[:, -1])


@checked
def gate_names(layout: Layout) -> tuple[str, ...]:
    """What a cell's formula calls its gates: the values between 0 and 1 that a sigmoid makes.

    >>> from abacist.cells import cell_named
    >>> gate_names(Layout(cell_named("lstm"), 2, 3, 2))
    ('i', 'f', 'o')
    """
    graph = plan_tracing(layout).graph
    outside = (*graph.after, graph.y)
    return tuple(n for s, n in graph.names.items() if s.operation == sigmoid.name and s not in outside)


Array = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Moves:
    """Changes of units: their means and standard deviations, (unit, counter).

    NaN where the words have no such change of a counter.
    """

    mean: Array
    spread: Array


@dataclass(frozen=True, eq=False)
class UnitMoves:
    """How units move: `up` and `down` with each symbol that raises or lowers a counter.

    `drift` is what is left after a symbol that raises a counter and, right after it, one that lowers
    it, such as `()`: an exact counter is back where it was.
    """

    up: Moves
    down: Moves
    drift: Moves


@checked
def unit_moves(states: NDArray[Any], corpus: Corpus) -> UnitMoves:
    """The moves of states, (symbol, unit), over the words of a corpus; before a word all states are zero."""
    if states.ndim != 2 or len(states) != len(corpus.symbols):
        raise BadInput(
            f"unit_moves: states must be (symbol, unit) for {len(corpus.symbols):,} symbols, "
            f"got {states.shape}"
        )
    starts = corpus.offsets[:-1][corpus.lengths > 0]
    first = np.zeros(len(states) + 1, bool)
    first[starts] = True
    moves = corpus.moves()
    raised, lowered = moves > 0, moves < 0
    lowered_next = np.vstack((lowered[1:], np.zeros_like(lowered[:1]))) & ~first[1:, None]
    slices = []
    for units in unit_slices(states):
        after = states[:, units].astype(np.float64)
        before = np.roll(after, 1, axis=0)
        before[starts] = 0
        with np.errstate(invalid="ignore", over="ignore"):  # nothing is chosen, or a network has diverged
            up, down = _over(after - before, raised), _over(after - before, lowered)
            drift = _over(np.roll(after, -1, axis=0) - before, raised & lowered_next)
        slices.append([up, down, drift])
    return UnitMoves(*(Moves(*both) for both in np.concatenate(slices, axis=2)))


def _over(changes: Array, steps: NDArray[np.bool_]) -> tuple[Array, Array]:
    """Means and standard deviations of changes, (symbol, unit), over the steps, (symbol, counter), chosen."""
    chosen = steps.astype(np.float64)
    count = chosen.sum(axis=0)
    mean, squares = changes.T @ chosen / count, (changes**2).T @ chosen / count
    return mean, np.sqrt(np.maximum(squares - mean**2, 0))
