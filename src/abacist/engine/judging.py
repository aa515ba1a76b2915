"""Judging (`judge`): a word is accepted when every output of every step that counts is right."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from abacist.corpora import Words, draw
from abacist.engine.training import check_words, whole_seeds
from abacist.errors import BadInput, UnknownName
from abacist.fields import checked
from abacist.languages import Language
from abacist.specs.networks import Networks
from abacist.specs.spec import Spec
from abacist.targets import PROCESSOR, target_for
from abacist.threads import ThreadPool
from abacist.wording import html_table, plural


@checked
def first_mistakes(
    networks: Networks, run: int, words: Words, *, target: str = PROCESSOR
) -> NDArray[np.int64]:
    """For every word the first step, from 0, that a network gets wrong, or −1 if it accepts."""
    run = networks.checked_run(run)
    alone = Networks(networks.layout, networks.parameters[run : run + 1])
    return prepare_all(alone, words, target=target)(0)


@checked
def prepare_all(
    networks: Networks, words: Words, *, target: str = PROCESSOR
) -> Callable[[int], NDArray[np.int64]]:
    """Make words ready once for many networks; the function judges the one with a number, in any thread."""
    check_words(networks.layout, words)
    if len(words.lengths) == 0:
        return lambda run: np.zeros(0, np.int64)
    ready = target_for(networks.layout, target).judging(networks, words)
    return lambda run: ready(run)()


@checked
def accepted(
    networks: Networks, words: Sequence[Words], of: Sequence[int], *, target: str = PROCESSOR
) -> NDArray[np.int64]:
    """How many words each network accepts, (network,), of the corpus whose number it has in `of`."""
    if len(of) != len(networks):
        raise BadInput(f"accepted: {plural(len(networks), 'network')} need a corpus each, got {len(of)}")
    for one in words:
        check_words(networks.layout, one)
    return target_for(networks.layout, target).accepted(networks, words, np.asarray(of, np.int64))


@dataclass(frozen=True)
class Accuracies:
    """The share of accepted words, by split and run."""

    splits: tuple[str, ...]
    shares: NDArray[np.float64]

    def of(self, split: str) -> NDArray[np.float64]:
        if split not in self.splits:
            raise UnknownName(f"no set is called {split!r}; there are {', '.join(self.splits)}")
        return np.asarray(self.shares[self.splits.index(split)])

    def _repr_html_(self) -> str:
        """Minimum, maximum and median in percent, for a notebook."""
        statistics = (np.min, np.max, np.median)
        rows = ((name, *(f"{100 * f(self.of(name)):.2f}" for f in statistics)) for name in self.splits)
        return html_table(rows, ("set", "min", "max", "median"), f"{self.shares.shape[1]} runs, %")


@checked
def judge(
    spec: Spec,
    seeds: Iterable[int],
    networks: Networks,
    *,
    target: str = PROCESSOR,
) -> Accuracies:
    """Judge every network on the training, short and long set of its own seed."""
    seeds = whole_seeds(seeds)
    if len(seeds) != len(networks):
        raise BadInput(f"judge: {plural(len(networks), 'network')} need as many seeds, got {len(seeds)}")
    if networks.layout != spec.layout:
        raise BadInput("judge: the networks have a cell or sizes other than the spec's")
    names = tuple(split.name for split in spec.recipe(0).splits)

    def shares(run: int) -> list[float]:
        corpora = draw(spec.recipe(seeds[run]))
        words = (Words.of(spec.language, one.symbols, one.offsets, spec.steps) for one in corpora)
        return [float((first_mistakes(networks, run, one, target=target) < 0).mean()) for one in words]

    with ThreadPool(os.cpu_count() or 1) as pool:
        return Accuracies(names, np.array(list(pool.map(shares, range(len(seeds))))).T)


@checked
def first_rejections(
    networks: Networks,
    run: int,
    language: Language[Any],
    symbols: NDArray[Any],
    offsets: NDArray[np.int64],
) -> NDArray[np.int64]:
    """For every packed word, in the language or not, the symbol, from 0, at which it is rejected, or −1.

    A network takes a word unless it rejects it: where a symbol comes that it did not predict, or where the
    word ends and its last prediction does not allow that; the word's length stands for that, as in
    `Labels.left_at`. Before the first symbol nothing is predicted, so the language itself judges that symbol,
    and the empty word.
    """
    networks.check_language(language)
    words = Words.to_recognise(language, symbols, offsets)
    mistakes = first_mistakes(networks, run, words)
    rejections = np.where(mistakes < 0, -1, mistakes + 1)
    possible = np.array([language.step(language.start, s) is not None for s in range(len(language.alphabet))])
    filled = words.lengths > 0
    rejections[filled] = np.where(possible[symbols[offsets[:-1][filled]]], rejections[filled], 0)
    rejections[~filled] = -1 if () in language.word_language else 0
    return rejections
