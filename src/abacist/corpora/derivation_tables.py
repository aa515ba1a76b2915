"""Derivations as tables of weighted choices, from which words of an automaton's language are drawn."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from abacist.corpora.choices import Choices
from abacist.languages import NOTHING, AutomatonLanguage, Derivations, Language

Integers = NDArray[np.int64]

#: An outcome holds a row above so many bits, and a symbol in these.
SYMBOL_BITS = 16


@dataclass(frozen=True, eq=False)
class DerivationTables:
    """The tables of one or several languages, one after the other; `starts` has the first goal of each.

    Goal g with n symbols left, below `room[g]`, has row `first_row[g] + n`, whose options are actions. Action
    a, a row of `actions`, is (symbol, first goal, second goal, row of divisions): where there are two goals
    and r symbols left for them, row `actions[a, 3] + r` says how many the first one takes.
    """

    choices: Choices
    first_row: Integers
    room: Integers
    actions: Integers
    starts: tuple[int, ...]

    @cached_property
    def arrays(self) -> tuple[Any, ...]:
        """All of it, for compiled code, which has outcomes in place of options.

        The outcome of an option is the next row and the symbol in one number, or −1 − a for an action a with
        two goals; for a row of divisions it is the option itself.
        """
        rows, options, thresholds = self.choices.arrays
        outcomes = options.copy()
        left = np.concatenate([np.arange(room) for room in self.room])
        ends = rows[len(left)]  # rows of divisions come behind those of goals
        after = np.repeat(left - 1, np.diff(rows[: len(left) + 1]))
        taken = self.actions[options[:ends]]
        following = np.where(taken[:, 1] == NOTHING, 0, self.first_row[taken[:, 1]] + after)
        outcomes[:ends] = np.where(
            taken[:, 2] == NOTHING, following << SYMBOL_BITS | taken[:, 0], -1 - options[:ends]
        )
        return rows, outcomes, thresholds, self.first_row, self.actions

    @classmethod
    def joined(cls, tables: Sequence[DerivationTables]) -> DerivationTables:
        """Tables one after the other: the rows of all goals, and then those of all divisions."""
        if len(tables) == 1:
            return tables[0]
        goals = [table.choices.first(int(table.room.sum())) for table in tables]
        behind = [table.choices.after(int(table.room.sum())) for table in tables]
        rows = np.cumsum([0, *(table.room.sum() for table in tables)])
        divisions = np.cumsum([rows[-1], *(len(own.rows) - 1 for own in behind)])
        many = np.cumsum([0, *(len(table.actions) for table in tables)])
        first = np.cumsum([0, *(len(table.room) for table in tables)])
        actions, choices = [], Choices.of([])
        for number, table in enumerate(tables):
            moved = table.actions.copy()
            shift = divisions[number] - table.room.sum()
            for column, by in ((1, first[number]), (2, first[number]), (3, shift)):
                moved[moved[:, column] != NOTHING, column] += by
            actions.append(moved)
            own = goals[number]
            choices = choices.followed_by(Choices(own.rows, own.options + many[number], own.thresholds))
        for own in behind:
            choices = choices.followed_by(own)
        return cls(
            choices,
            np.concatenate([table.first_row + by for table, by in zip(tables, rows, strict=False)]),
            np.concatenate([table.room for table in tables]),
            np.concatenate(actions),
            tuple(int(place) for place in first[:-1]),
        )


@lru_cache(maxsize=16)
def derivation_tables(language: AutomatonLanguage, longest: int) -> DerivationTables:
    """The tables for words of one language up to a length."""
    found = language.derivations(longest)
    room = np.array([found.longest - since + 1 for since in found.since], np.int64)
    actions, divided = [], int(room.sum())
    for own in found.actions:
        for action in own:
            both = action.second != NOTHING
            actions.append((action.symbol, action.first, action.second, divided if both else NOTHING))
            divided += found.longest if both else 0
    table = np.array(actions, np.int64).reshape(len(actions), 4)
    return DerivationTables(Choices.of(_rows(found)), np.cumsum(room) - room, room, table, (0,))


def _rows(found: Derivations) -> Iterator[list[tuple[int, int]]]:
    """The rows of all goals, by symbols left, and then those of all divisions."""
    first = 0
    for goal, own in enumerate(found.actions):
        for length in range(found.longest - found.since[goal] + 1):
            weights = found.weights(goal, length) if length else []
            yield [(first + place, weight) for place, weight in enumerate(weights)]
        first += len(own)
    for own in found.actions:
        for action in own:
            if action.second != NOTHING:
                yield from (found.splits(action, left) for left in range(found.longest))


def tables_of_parts(parts: tuple[Language[Any], ...], longest: int) -> tuple[DerivationTables, list[int]]:
    """The tables of all parts that need some, and for every part its first goal, or −1."""
    own = [derivation_tables(part, longest) for part in parts if isinstance(part, AutomatonLanguage)]
    joined = DerivationTables.joined(own)
    starts = iter(joined.starts)
    return joined, [next(starts) if isinstance(part, AutomatonLanguage) else NOTHING for part in parts]
