"""Derivations as tables of weighted choices, from which words of automata's languages are drawn."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Any

import numpy as np

from abacist.corpora.choices import Choices
from abacist.languages import NOTHING, Derivations, Language

#: An outcome holds a row above so many bits, and a symbol in these.
SYMBOL_BITS = 16


@lru_cache(maxsize=16)
def derivation_tables(
    parts: tuple[Language[Any], ...], longest: int
) -> tuple[tuple[Any, ...], tuple[int, ...]]:
    """Tables for compiled code of all parts that automata give, and for every part its first goal, or −1.

    The tables are (rows, outcomes, thresholds, first row of every goal, actions). Goal g with n symbols left
    has row `first_row[g] + n`. Action a, a row of `actions`, is (symbol, first goal, second goal, row of
    divisions): where there are two goals and r symbols left for them, row `actions[a, 3] + r` says how many
    the first one takes. Outcomes stand in place of options: the next row and the symbol in one number, or
    −1 − a for an action a with two goals; for a row of divisions it is the option itself.
    """
    derived = {place: p.derivations(longest) for place, p in enumerate(parts) if p.given_by_automaton}
    starts, goals = [NOTHING] * len(parts), 0
    for place, derivations in derived.items():
        starts[place], goals = goals, goals + len(derivations.actions)
    lengths = np.array([d.longest - since + 1 for d in derived.values() for since in d.since], np.int64)
    listed, divided = [], int(lengths.sum())
    for place, derivations in derived.items():
        for action in (action for several in derivations.actions for action in several):
            first, second = (g if g == NOTHING else g + starts[place] for g in (action.first, action.second))
            listed.append((action.symbol, first, second, NOTHING if second == NOTHING else divided))
            divided += 0 if second == NOTHING else derivations.longest
    actions = np.array(listed, np.int64).reshape(len(listed), 4)
    first_row = np.cumsum(lengths) - lengths
    rows, options, thresholds = Choices.of(_rows(list(derived.values()))).arrays
    outcomes = options.copy()
    ends = rows[lengths.sum()]  # rows of divisions come behind those of goals
    after = np.repeat(np.concatenate([np.arange(n) for n in lengths]) - 1, np.diff(rows[: lengths.sum() + 1]))
    taken = actions[options[:ends]]
    following = np.where(taken[:, 1] == NOTHING, 0, first_row[taken[:, 1]] + after)
    outcomes[:ends] = np.where(
        taken[:, 2] == NOTHING, following << SYMBOL_BITS | taken[:, 0], -1 - options[:ends]
    )
    return (rows, outcomes, thresholds, first_row, actions), tuple(starts)


def _rows(derived: Sequence[Derivations]) -> Iterator[list[tuple[int, int]]]:
    """The rows of all goals, by symbols left, and then those of all divisions."""
    first = 0
    for derivations in derived:
        for goal, actions in enumerate(derivations.actions):
            for length in range(derivations.longest - derivations.since[goal] + 1):
                weights = derivations.weights(goal, length) if length else []
                yield [(first + place, weight) for place, weight in enumerate(weights)]
            first += len(actions)
    for derivations in derived:
        for action in (action for actions in derivations.actions for action in actions):
            if action.second != NOTHING:
                yield from (derivations.splits(action, left) for left in range(derivations.longest))
