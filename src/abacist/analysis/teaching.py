"""Teaching: runs side by side are trained, searched for words that they get wrong, and trained on these."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import cycle, islice
from typing import Any

import numpy as np
from numpy.typing import NDArray

from abacist.analysis.horizons.configurations import Configurations
from abacist.analysis.horizons.prover import prove
from abacist.analysis.horizons.refuter import find_wrong
from abacist.analysis.turning_words import back_and_forth
from abacist.corpora import Purpose, Uniform, Window, Words, bit_generator, pack_texts, sample
from abacist.engine import Block, Trained
from abacist.errors import BadInput
from abacist.fields import checked
from abacist.languages import Word
from abacist.progress import Progress
from abacist.specs import Networks, Round, Taught
from abacist.specs.networks import sharpened_where_finite
from abacist.targets import PROCESSOR
from abacist.wording import plural

Array = NDArray[Any]

#: Boxes must hold all states, so there may be more of them than of the states that are searched.
_BOXES_PER_STATE = 4

#: What is fed of the words that were found to be wrong: these themselves, or others of their lengths.
_FOUND = ("counterexamples", "random")

#: The longest words of a stress set; longer ones would take most of the time.
_STRESS = 200


class Teaching:
    """Runs of one spec that are taught as its lesson says, from epoch to epoch, each on its own words.

    A run that is proved right is taught no further; its losses are NaN from there on. What becomes of a
    run depends on its own seed alone: it is fed as many words as its neighbours, whatever they are. The
    target is that of training; searches and proofs are the processor's.
    """

    @checked
    def __init__(self, begun: Trained, words: Sequence[Words], *, target: str = PROCESSOR) -> None:
        if begun.spec.lesson is None:
            raise BadInput("Teaching: the spec must have a lesson, got none")
        if begun.epochs:
            raise BadInput(f"Teaching: begins at the beginning, got {plural(begun.epochs, 'epoch')} done")
        runs = range(len(begun.seeds))
        if len(words) != len(runs):
            raise BadInput(f"Teaching: {plural(len(runs), 'run')} need words each, got {len(words)} sets")
        self._lesson, self._drawn, self._trained = begun.spec.lesson, words, begun
        self._target, self._boxes = target, _BOXES_PER_STATE * begun.spec.lesson.budget
        # one for each run: the order in which configurations are met may decide which states are kept
        self._configurations = [Configurations(begun.spec.language) for _ in runs]
        self._ends = self._lesson.ends(begun.spec.epochs)
        self._rounds: list[list[Round]] = [[] for _ in runs]
        self._proved = [0 for _ in runs]
        self._sharpened = [1.0 for _ in runs]
        self._learning = list(runs)
        self._fed: list[list[Word]] = [[] for _ in runs]
        if self._lesson.feed == "stress":
            kept, longest = self._lesson.kept, min(max(self._lesson.to, 2), _STRESS)
            pairs = zip(self._configurations, begun.seeds, strict=True)
            self._fed = [back_and_forth(one, kept, longest, seed=seed) for one, seed in pairs]
        self._block: Block | None = None  # of this round
        self._round = 0

    @property
    def words(self) -> tuple[tuple[Word, ...], ...]:
        """The words that each run is fed beside its own, the last found first."""
        return tuple(map(tuple, self._fed))

    @property
    def taught(self) -> tuple[Taught, ...]:
        """What came of the rounds so far, for each run."""
        each = zip(self._rounds, self._proved, self._sharpened, strict=True)
        return tuple(Taught(tuple(rounds), proved, factor) for rounds, proved, factor in each)

    @checked
    def train(self, epochs: int, progress: Progress | None = None) -> Trained:
        """Teach until that many epochs are done; the search after a round counts as much as its epochs."""
        progress, half = progress or Progress(), 0.5 / max(epochs - self._trained.epochs, 1)
        while self._round < len(self._ends):
            end, before = self._ends[self._round], self._trained.epochs
            if before < min(end, epochs):
                self._train_round(min(end, epochs), progress.part(half * (min(end, epochs) - before)))
            if self._trained.epochs < end:
                break
            self._look(end, progress.part(half * (end - before)))
            self._round += 1
        return self._trained

    def _train_round(self, epochs: int, progress: Progress) -> None:
        """Train those that are still taught, within a round."""
        before, learning = self._trained, self._learning
        losses = np.full((len(before.seeds), epochs), np.nan)
        losses[:, : before.epochs] = before.losses
        if not learning:
            self._trained = replace(before, losses=losses)
            return
        if self._block is None:
            begun = before.part(learning)
            if self._round and self._lesson.sharpen != 1:
                begun = replace(begun, networks=sharpened_where_finite(begun.networks, self._lesson.sharpen))
            self._block = Block(begun, [self._words(run) for run in learning], target=self._target)
        after = self._block.train(epochs, progress)
        losses[learning] = after.losses
        diverged = list(before.diverged)
        for run, epoch in zip(learning, after.diverged, strict=True):
            diverged[run] = epoch
        parameters, first, second = before.networks.parameters, *before.moments
        self._trained = replace(
            before,
            networks=Networks(before.spec.layout, _with(parameters, learning, after.networks.parameters)),
            losses=losses,
            diverged=tuple(diverged),
            moments=(_with(first, learning, after.moments[0]), _with(second, learning, after.moments[1])),
            updates=after.updates,
        )

    def _words(self, run: int) -> Words:
        """What a run is trained on in this round: as many words as any other run."""
        drawn, fed, spec = self._drawn[run], self._fed[run], self._trained.spec
        if self._lesson.feed == "nothing" or (self._lesson.feed in _FOUND and not self._round):
            return drawn
        if not fed:  # neither a counterexample nor a proof: its own words are repeated
            fed = [word.tolist() for word in np.split(drawn.symbols, drawn.offsets[1:-1])]
        more = pack_texts(spec.language, list(islice(cycle(fed), self._lesson.kept)), spec.steps)
        return Words.joined([drawn, more])

    def _look(self, epochs: int, progress: Progress) -> None:
        """End a round: look for words that the networks get wrong, and prove those without any right."""
        lesson, networks = self._lesson, self._trained.networks
        last = self._round + 1 == lesson.rounds
        for number, run in enumerate(learning := list(self._learning), 1):
            finite, fed = bool(np.isfinite(networks.parameters[run]).all()), len(set(self._fed[run]))
            network = Networks(networks.layout, networks.parameters[[run]])
            self._proved[run] = self._prove(network, run, 1, progress) if finite else 0
            wrong: list[Word] = []
            if finite and self._proved[run] < lesson.to:
                refutations, _ = self._explore(find_wrong, network, run, lesson.budget, progress)
                wrong = [refutation.word for refutation in refutations]
            shortest = self._trained.spec.language.alphabet.render(wrong[0]) if wrong else None
            self._rounds[run].append(Round(epochs, fed, shortest, len(wrong[0]) if wrong else None))
            if lesson.feed == "counterexamples":
                self._fed[run] = list(dict.fromkeys([*wrong, *self._fed[run]]))[: lesson.kept]
            elif lesson.feed == "random":
                self._fed[run] = [*self._random_words(run, wrong), *self._fed[run]][: lesson.kept]
            if finite and self._proved[run] < lesson.to and (last or not wrong):
                self._proved[run] = self._prove(network, run, self._boxes, progress)
            if self._proved[run] == lesson.to or last:
                self._learning.remove(run)
                if finite:
                    self._finish(run, progress)
            progress(number / len(learning))
        self._block = None

    def _random_words(self, run: int, wrong: Sequence[Word]) -> list[Word]:
        """As many words of the same lengths, drawn uniformly from those of a length."""
        bits = bit_generator(self._trained.seeds[run], Purpose.STRESS, self._round).random_raw
        return [
            word
            for length, count in Counter(map(len, wrong)).items()
            for word in sample(
                self._trained.spec.language,
                Uniform(),
                Window(length, length),
                count,
                seed=int(bits()) >> 1,
                distinct=False,
            )
        ]

    def _finish(self, run: int, progress: Progress) -> None:
        """Sharpen a network as much as the lesson allows, or half as much and so on: the sharpest that is
        proved right to the end is kept, or else the one of which most is proved."""
        factor, layout = self._lesson.finish, self._trained.networks.layout
        best = network = Networks(layout, self._trained.networks.parameters[[run]])
        reached = self._proved[run]
        while factor > 1:
            sharper = sharpened_where_finite(network, factor)
            proved = self._prove(sharper, run, 1, progress)
            if proved < self._lesson.to:
                proved = self._prove(sharper, run, self._boxes, progress)
            if proved > reached or proved == self._lesson.to:
                best, reached, self._sharpened[run] = sharper, proved, factor
            if proved == self._lesson.to:
                break
            factor /= 2
        self._proved[run] = reached
        parameters = _with(self._trained.networks.parameters, [run], best.parameters)
        self._trained = replace(self._trained, networks=Networks(layout, parameters))

    def _prove(self, network: Networks, run: int, boxes: int, progress: Progress) -> int:
        """The length up to which all words are proved right with so many boxes: one is often enough."""
        return int(self._explore(prove, network, run, boxes, progress)) - 1

    def _explore(
        self, search: Callable[..., Any], network: Networks, run: int, budget: int, progress: Progress
    ) -> Any:
        """The result of a search or a proof for the network of a run; it is ended where the teaching is."""
        looking, steps, limit = Progress(lambda _: progress()), self._trained.spec.steps, self._lesson.to + 1
        configurations = self._configurations[run]
        return search(network, 0, configurations, limit=limit, budget=budget, steps=steps, progress=looking)


def _with(whole: Array, rows: Sequence[int], replacement: Array) -> Array:
    """An array with some rows replaced."""
    result = whole.copy()
    result[list(rows)] = replacement
    return result
