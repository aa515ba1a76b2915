"""The sets of words that networks are trained and judged on, drawn once for a block of runs."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from functools import lru_cache, partial
from threading import Lock

import numpy as np

from abacist.corpora import EDITS, Corpora, Corpus, NonMembers, Recipe, Words, draw, draw_non_members
from abacist.engine.judging import accepted
from abacist.errors import BadInput, Impossible
from abacist.experiments.plan import RECOGNITION_SETS, set_recipe
from abacist.progress import Progress
from abacist.specs import Networks, Spec
from abacist.targets import PROCESSOR
from abacist.threads import SERIAL_BELOW, parallel_map

#: Of every kind of edit there are so many times fewer strings than words in a test set.
_FEWER = 5

#: Corpora whose words are labelled and judged at a time.
_AT_A_TIME = 128

#: Symbols of pools' corpora that are kept, about a byte each.
_CAPACITY = 4 << 30

#: One thread draws at a time: the others need the same strings, for the same seeds and other cells.
_DRAWING = Lock()


#: The corpora of pools by recipe: all networks that are trained on a pool have the same.
_POOLS: dict[Recipe, Corpora] = {}


def pooled(recipe: Recipe, capacity: int = _CAPACITY) -> Corpora:
    """The corpora of a recipe, drawn where they are not kept; once too many symbols are kept, all anew."""
    if (corpora := _POOLS.get(recipe)) is not None:
        return corpora
    if sum(corpus.symbols.size for kept in list(_POOLS.values()) for corpus in kept) > capacity:
        _POOLS.clear()
    return _POOLS.setdefault(recipe, draw(recipe))


class WordSets:
    """The sets of some runs of one spec, labelled as far as they were asked for.

    Runs that have the same words share them. Labels of more than a few corpora are not kept: they take many
    times the room of the words, and are made again in less time than it takes to judge.
    """

    def __init__(self, spec: Spec, seeds: Sequence[int]) -> None:
        self._spec, self._seeds = spec, [spec.words_seed(seed) for seed in seeds]
        self._drawn: dict[Recipe, Corpora] = {}
        self._cache: dict[tuple[int, str], Words] = {}
        self._few = len(set(self._seeds)) <= SERIAL_BELOW

    def of(self, run: int, name: str) -> Words:
        """A set of words of one run, labelled."""
        return self._labelled(self._seeds[run], name)

    def corpus(self, run: int, name: str) -> Corpus:
        """A set of words of one run, with its source."""
        words = self._words(self._seeds[run], name)
        if not isinstance(words, Corpus):
            raise BadInput(f"{name}: strings outside the language have no source, only words do")
        return words

    def draw(self, name: str, progress: Progress) -> None:
        """Draw a set of words of every run; strings outside the language are drawn when they are needed.

        `progress` is told before each corpus.
        """

        def one(seed: int) -> None:
            progress()
            self._words(seed, name)

        if name not in RECOGNITION_SETS:
            parallel_map(one, dict.fromkeys(self._seeds))

    def all_of(self, name: str) -> list[Words]:
        """A set of words of every run; those of many runs are drawn by several threads."""
        seeds = list(dict.fromkeys(self._seeds))
        labelled = dict(zip(seeds, parallel_map(partial(self._labelled, name=name), seeds), strict=True))
        return [labelled[seed] for seed in self._seeds]

    def _labelled(self, seed: int, name: str) -> Words:
        if name in RECOGNITION_SETS:  # labelled in no time, and there are many: not kept
            words = self._words(seed, name)
            return Words.to_recognise(self._spec.language, words.symbols, words.offsets)
        if (labelled := self._cache.get((seed, name))) is not None:
            return labelled
        words = self._words(seed, name)
        labelled = Words.of(self._spec.language, words.symbols, words.offsets, self._spec.steps)
        if self._few:
            self._cache[seed, name] = labelled
        return labelled

    def _words(self, seed: int, name: str) -> Corpus | NonMembers:
        """The same without labels."""
        recipe, split = set_recipe(self._spec, seed, name)
        if name.rpartition(" ")[0] in EDITS:
            with _DRAWING:
                strings = next((one for one in non_members(recipe) if one.name == name), None)
            if strings is None:
                raise Impossible(f"{name}: too few such strings are outside {self._spec.language.name}")
            return strings
        if recipe not in self._drawn:
            self._drawn[recipe] = pooled(recipe) if self._spec.pool else draw(recipe)
        return self._drawn[recipe][split]

    def judge(
        self,
        networks: Networks,
        epoch: int,
        wanted: Sequence[Collection[tuple[str, int]]],
        accuracy: Sequence[dict[str, dict[int, float]]],
        *,
        target: str = PROCESSOR,
    ) -> None:
        """Add the accuracies of all networks on the sets that are wanted of each at an epoch.

        On words it is the share of those that are right at every step that counts; on strings outside the
        language the share of those that are not.
        """
        for name in sorted({name for one in wanted for name, at in one if at == epoch}):
            runs: dict[int, list[int]] = {}
            for run, one in enumerate(wanted):
                if (name, epoch) in one:
                    runs.setdefault(self._seeds[run], []).append(run)
            for first in range(0, len(runs), _AT_A_TIME):
                seeds = list(runs)[first : first + _AT_A_TIME]
                chosen = {run: place for place, seed in enumerate(seeds) for run in runs[seed]}
                words = parallel_map(partial(self._labelled, name=name), seeds)
                judged = Networks(networks.layout, networks.parameters[list(chosen)])
                passed = accepted(judged, words, list(chosen.values()), target=target)
                counts = np.array([len(words[place].lengths) for place in chosen.values()])
                outside = name.rpartition(" ")[0] in EDITS
                shares = (counts - passed if outside else passed) / counts
                for run, share in zip(chosen, shares.tolist(), strict=True):
                    accuracy[run].setdefault(name, {})[epoch] = share


@lru_cache(maxsize=64)  # for the runs of table 3, some 30 MB
def non_members(recipe: Recipe) -> tuple[NonMembers, ...]:
    """Strings near the words of all splits of a recipe, a fifth as many of every kind of edit there is."""
    count = max(1, min(split.count for split in recipe.splits) // _FEWER)
    return draw_non_members(recipe, count, leave_out=True)
