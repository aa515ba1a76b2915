"""Evidence: the runs that claims are decided by, asked for by the network that a claim is about."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from abacist.analysis import StateUnits, certify, constructed, counting_units, counting_words
from abacist.cells import cell_named
from abacist.corpora import Corpus
from abacist.experiments.distributions import distributions
from abacist.experiments.outcome import Run
from abacist.experiments.paper_table import EPOCHS, RUNS, TABLE_3, UNITS, Figures
from abacist.experiments.results import Results
from abacist.languages import Language, language_named
from abacist.specs import Networks, Spec


@dataclass(frozen=True)
class Network:
    """A network of the paper: of table 3 unless other units, or only the last step, are asked for."""

    language: str
    cell: str
    hidden: int = 0
    steps: str = "all"

    @cached_property
    def spec(self) -> Spec:
        language = language_named(self.language)
        units = self.hidden or UNITS[self.language]
        return Spec(language, cell_named(self.cell), hidden=units, epochs=EPOCHS, steps=self.steps)

    @property
    def task(self) -> str:
        """The language as the paper writes it."""
        return self.language.capitalize()

    @property
    def model(self) -> str:
        return self.cell.upper()

    def printed(self, name: str) -> Figures:
        """The paper's figures on a set."""
        return TABLE_3[self.language, self.cell][name]


@dataclass(frozen=True)
class CellStates:
    """What the cell states of a network do: how many count and which counters, of how many.

    `length` is the greatest absolute correlation with the number of the step that a unit has which
    follows the length, and 0 where none does.
    """

    counting: int
    counted: int
    counters: int
    length: float

    @classmethod
    def of(cls, state: StateUnits) -> CellStates:
        tally, length = state.tally(), np.abs(state.with_length)
        follows = [verdict.follows_length for verdict in state.verdicts()]
        longest = float(length[follows].max(initial=0))
        return cls(tally.counting, len(tally.counted), len(state.matching.units), longest)


class Evidence:
    """What results have to say about networks.

    Only networks with `at_least` runs decide anything.
    """

    def __init__(self, results: Results, at_least: int) -> None:
        self._results, self._at_least = results, at_least
        self._cache: dict[tuple[Network, str, int], dict[int, float]] = {}

    def enough(self, runs: int) -> bool:
        return runs >= self._at_least

    def runs(self, network: Network) -> Sequence[Run]:
        return self._results.by_spec.get(network.spec, ())

    def percents(
        self, network: Network, sets: Sequence[str], epoch: int | None = None
    ) -> NDArray[np.float64]:
        """Accuracies in percent, (run, set), of the runs that were judged on all of the sets."""
        first, *others = columns = [self._by_seed(network, name, epoch) for name in sets]
        seeds = [seed for seed in first if all(seed in other for other in others)]
        return np.array([[column[seed] for column in columns] for seed in seeds]).reshape(-1, len(sets))

    def comparable(self, network: Network, name: str) -> NDArray[np.float64]:
        """The accuracies beside which table 3 places the paper's ten, too: of the runs of a distribution that
        are known one by one, or else of ours."""
        known = distributions().of(network.spec)
        return self.percents(network, [name])[:, 0] if known is None else known.sample[name]

    def tens(self, network: Network, other: Network, name: str) -> list[NDArray[np.float64]]:
        """The accuracies of two networks in groups of as many runs as the paper has, of the same seeds,
        (network, run)."""
        first, second = (self._by_seed(one, name) for one in (network, other))
        seeds = sorted(first.keys() & second.keys())
        groups = (seeds[n * RUNS : (n + 1) * RUNS] for n in range(len(seeds) // RUNS))
        return [np.array([[of[seed] for seed in group] for of in (first, second)]) for group in groups]

    def differences(self, better: Network, worse: Network, name: str) -> NDArray[np.float64]:
        """How much better one network is than another on a set, in points, (run).

        Runs of one seed, which have the same words, are compared with each other.
        """
        percents, others = self._by_seed(better, name), self._by_seed(worse, name)
        return np.array([percents[seed] - others[seed] for seed in percents if seed in others])

    def _by_seed(self, network: Network, name: str, epoch: int | None = None) -> dict[int, float]:
        """The accuracies on a set in percent that are known; found once, since claims share them."""
        at = network.spec.epochs if epoch is None else epoch
        if (network, name, at) not in self._cache:
            shares = ((run.seed, run.accuracy(name, at)) for run in self.runs(network))
            percents = {seed: 100 * share for seed, share in shares if share is not None}
            self._cache[network, name, at] = percents
        return self._cache[network, name, at]

    def units(self, network: Network) -> list[CellStates]:
        """What the cell states of the first ten runs do; looking at more takes long in a large store."""
        runs = self.runs(network)[: max(RUNS, self._at_least)]
        return [_cell_states(run.spec, np.ascontiguousarray(run.weights).tobytes()) for run in runs]


@lru_cache(maxsize=1_024)
def _cell_states(spec: Spec, weights: bytes) -> CellStates:
    """What is found once for a network is known wherever it is asked for again."""
    networks = Networks(spec.layout, np.frombuffer(weights, spec.precision)[None].copy())
    return CellStates.of(counting_units(networks, 0, _words(spec.language), states=("c",)).state("c"))


@lru_cache(maxsize=8)
def proved_construction(name: str) -> int:
    """The units of a constructed LSTM, if it is proved right on every word, to the depth where float32 stops
    counting; else 0."""
    language = language_named(name)
    networks = constructed(language)
    return networks.layout.hidden if certify(networks, 0, language).proved else 0


@lru_cache(maxsize=8)
def _words(language: Language[Any]) -> Corpus:
    return counting_words(language)
