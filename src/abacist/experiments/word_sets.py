"""The sets of words that networks are trained and judged on, drawn once for a block of runs."""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import lru_cache
from threading import Lock
from typing import TypeVar

from abacist.corpora import EDITS, Corpora, Corpus, NonMembers, Recipe, Words, draw, draw_non_members
from abacist.engine import first_mistakes
from abacist.errors import Impossible
from abacist.experiments.plan import RECOGNITION_SETS, set_recipe
from abacist.specs import Networks, Spec

#: Of every kind of edit there are so many times fewer strings than words in a test set.
_FEWER = 5

#: One thread draws at a time: the others need the same strings, for the same seeds and other cells.
_DRAWING = Lock()

#: Runs of a block that one thread draws words for.
_FEW = 64

_Result = TypeVar("_Result")


class WordSets:
    """The sets of some runs of one spec, labelled as far as they were asked for."""

    def __init__(self, spec: Spec, seeds: Sequence[int]) -> None:
        self._spec, self._seeds = spec, seeds
        self._drawn: dict[tuple[int, Recipe], Corpora] = {}
        self._known: dict[tuple[int, str], Words] = {}

    def of(self, run: int, name: str) -> Words:
        """A set of words of one run, labelled."""
        if name in RECOGNITION_SETS:  # labelled in no time, and there are many: not kept
            found = self._words(run, name)
            return Words.to_recognise(self._spec.language, found.symbols, found.offsets)
        if (run, name) not in self._known:
            found = self._words(run, name)
            labelled = Words.of(self._spec.language, found.symbols, found.offsets, self._spec.steps)
            self._known[run, name] = labelled
        return self._known[run, name]

    def all_of(self, name: str) -> list[Words]:
        """A set of words of every run; those of many runs are drawn by several threads."""
        return self._each(lambda run: self.of(run, name), range(len(self._seeds)))

    def _each(self, call: Callable[[int], _Result], runs: Sequence[int]) -> list[_Result]:
        """A call for each of some runs; a block that fits a processor has a thread of its own already."""
        if len(self._seeds) <= _FEW:
            return [call(run) for run in runs]
        with ThreadPoolExecutor(os.cpu_count() or 1) as pool:
            return list(pool.map(call, runs))

    def _words(self, run: int, name: str) -> Corpus | NonMembers:
        """The same without labels."""
        recipe, split = set_recipe(self._spec, self._seeds[run], name)
        if name.rpartition(" ")[0] in EDITS:
            found = next((own for own in non_members(recipe) if own.name == name), None)
            if found is None:
                raise Impossible(f"{name}: too few such strings are outside {self._spec.language.name}")
            return found
        if (run, recipe) not in self._drawn:
            self._drawn[run, recipe] = draw(recipe)
        return self._drawn[run, recipe][split]

    def judge(
        self,
        networks: Networks,
        epoch: int,
        wanted: Sequence[Collection[tuple[str, int]]],
        accuracy: Sequence[dict[str, dict[int, float]]],
    ) -> None:
        """Add the accuracies of all networks on the sets that are wanted of each at an epoch.

        On words it is the share of those that are right at every step that counts; on strings outside the
        language the share of those that are not.
        """
        for name in sorted({name for one in wanted for name, at in one if at == epoch}):
            outside = name.rpartition(" ")[0] in EDITS
            runs = [run for run, one in enumerate(wanted) if (name, epoch) in one]

            def share(run: int, name: str = name, outside: bool = outside) -> float:
                passed = first_mistakes(networks, run, self.of(run, name)) < 0
                return float((passed != outside).mean())

            for run, found in zip(runs, self._each(share, runs), strict=True):
                accuracy[run].setdefault(name, {})[epoch] = found


def non_members(recipe: Recipe) -> tuple[NonMembers, ...]:
    """Strings near the words of all splits of a recipe, a fifth as many of every kind of edit there is."""
    with _DRAWING:
        return _drawn(recipe)


@lru_cache(maxsize=64)  # for the runs of table 3, some 30 MB
def _drawn(recipe: Recipe) -> tuple[NonMembers, ...]:
    count = max(1, min(split.count for split in recipe.splits) // _FEWER)
    return draw_non_members(recipe, count, leave_out=True)
