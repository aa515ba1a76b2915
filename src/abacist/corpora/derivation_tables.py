"""Derivations as tables of weighted choices, from which words of an automaton's language are drawn."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from abacist.corpora.choices import Choices
from abacist.languages import NOTHING, AutomatonLanguage, Derivations, Language

Integers = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class DerivationTables:
    """The tables of one or several languages, one after the other; `starts` has the first goal of each.

    Goal g with n symbols left has row `first_row[g] + n`, whose options are actions. Action a, a row of
    `actions`, is (symbol, first goal, second goal, row of divisions): where there are two goals and r symbols
    left for them, row `actions[a, 3] + r` says how many the first one takes.
    """

    choices: Choices
    first_row: Integers
    actions: Integers
    starts: tuple[int, ...]

    @property
    def arrays(self) -> tuple[Any, ...]:
        """All of it, for compiled code."""
        return *self.choices.arrays, self.first_row, self.actions

    @classmethod
    def joined(cls, tables: Sequence[DerivationTables]) -> DerivationTables:
        """Tables one after the other."""
        if len(tables) == 1:
            return tables[0]
        choices, rows, actions, starts = _NONE, [], [], []
        goals = many = 0
        for table in tables:
            own = Choices(table.choices.rows, table.choices.options.copy(), table.choices.thresholds)
            first_division = min(
                (int(r) for r in table.actions[:, 3] if r != NOTHING), default=len(own.rows) - 1
            )
            own.options[: own.rows[first_division]] += many  # rows of goals name actions, others numbers
            moved = table.actions.copy()
            for column, by in ((1, goals), (2, goals), (3, len(choices.rows) - 1)):
                moved[moved[:, column] != NOTHING, column] += by
            rows.append(table.first_row + len(choices.rows) - 1)
            starts += [start + goals for start in table.starts]
            actions.append(moved)
            choices = choices.followed_by(own)
            goals, many = goals + len(table.first_row), many + len(table.actions)
        return cls(choices, np.concatenate(rows), np.concatenate(actions), tuple(starts))


_NONE = Choices(np.zeros(1, np.int64), np.empty(0, np.int64), np.empty(0, np.uint64))


@lru_cache(maxsize=16)
def derivation_tables(language: AutomatonLanguage, longest: int) -> DerivationTables:
    """The tables for words of one language up to a length."""
    found = language.derivations(longest)
    goals = np.cumsum([0, *(found.longest - since + 1 for since in found.since)])
    actions, divided = [], int(goals[-1])
    for own in found.actions:
        for action in own:
            both = action.second != NOTHING
            actions.append((action.symbol, action.first, action.second, divided if both else NOTHING))
            divided += found.longest if both else 0
    choices = Choices.of(_rows(found))
    table = np.array(actions, np.int64).reshape(len(actions), 4)
    return DerivationTables(choices, goals[:-1].astype(np.int64), table, (0,))


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
