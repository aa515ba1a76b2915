"""Worlds of runs that nobody trained, in which every claim holds, but for what is changed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from abacist.analysis import Horizon, Refutation, Search
from abacist.cells import cell_named
from abacist.experiments import KnownHorizon, Outcome, Run
from abacist.languages import language_named
from abacist.specs import Networks, Spec

SETS = ("training", "short", "long")
TEN = range(10)
UNITS = {"dyck-1": 3, "shuffle-2": 4, "shuffle-6": 8, "dyck-2": 4}

#: Accuracies in percent on the three sets, by network, that the paper would be happy with.
PERFECT = (100.0, 100.0, 100.0)
GOOD: dict[str, tuple[float, ...]] = {
    "dyck-1 rnn 3": (47, 42, 7), "dyck-1 gru 3": (100, 100, 84), "dyck-1 lstm 3": PERFECT,
    "shuffle-2 rnn 4": (58, 55, 3), "shuffle-2 gru 4": (99.97, 99.92, 93), "shuffle-2 lstm 4": PERFECT,
    "shuffle-6 rnn 8": (45, 41, 0.2), "shuffle-6 gru 8": (99.78, 99.8, 85), "shuffle-6 lstm 8": PERFECT,
    "dyck-2 rnn 4": (15, 12, 0), "dyck-2 gru 4": (29, 25, 0.04), "dyck-2 lstm 4": (36, 31, 0.2),
    "dyck-1 lstm 1": PERFECT, "shuffle-2 lstm 2": PERFECT, "dyck-2 lstm 4 last": PERFECT,
}  # fmt: skip


@cache
def counting_weights(language: str, hidden: int, counting: int, length: bool) -> NDArray[Any]:
    """An LSTM whose first units count the first pairs, one each, and whose last counts the steps, if asked.

    Gates are open: σ(50) is 1 in float32, so that a unit adds up what its candidate says.
    """
    symbols = len(language_named(language).alphabet.glyphs)
    inputs, biases = np.zeros((4, hidden, symbols), np.float32), np.full((4, hidden), 50, np.float32)
    biases[2] = 0
    for pair in range(counting):
        inputs[2, pair, 2 * pair : 2 * pair + 2] = 50, -50
    if length:
        biases[2, -1] = 50
    tensors = {
        "weight_ih": inputs.reshape(4 * hidden, symbols),
        "weight_hh": np.zeros((4 * hidden, hidden), np.float32),
        "bias_ih": biases.reshape(4 * hidden),
        "output.weight": np.zeros((symbols, hidden), np.float32),
        "output.bias": np.zeros(symbols, np.float32),
    }
    weights: NDArray[Any] = Networks.from_tensors(cell_named("lstm"), tensors).parameters[0]
    return weights


def spec_of(network: str) -> Spec:
    language, cell, hidden, *last = network.split()
    steps = "last" if last else "all"
    return Spec(language_named(language), cell_named(cell), int(hidden), steps=steps)


def proved(every_word: bool = True) -> KnownHorizon:
    return KnownHorizon(1.0, Horizon(200, None, Search(to=200), 1_024, looked=200), every_word)


def wrong_at(length: int) -> KnownHorizon:
    wrong = Refutation((0, 1) * (length // 2), length, (0, 1), (0,))
    return KnownHorizon(1.0, Horizon(length - 1, wrong, Search(to=200), 1_024, looked=200), False)


def made(
    network: str,
    seed: int,
    percent: Iterable[float],
    *,
    early: Iterable[float] | None = None,
    counting: int | None = None,
    length: bool = True,
    horizon: KnownHorizon | None = None,
) -> Run:
    """A run with its accuracies at the end and, as `early`, after 2 epochs; its LSTM units count."""
    spec = spec_of(network)
    early = percent if early is None else early
    rows = zip(SETS, early, percent, strict=True)
    accuracy = {name: {2: a / 100, spec.epochs: b / 100} for name, a, b in rows}
    weights = np.zeros(spec.layout.size, np.float32)
    if spec.cell.name == "lstm" and spec.language.name != "dyck-2":
        pairs = len(spec.language.alphabet.glyphs) // 2
        weights = counting_weights(
            spec.language.name, spec.hidden, pairs if counting is None else counting, length
        )
    known = (proved(),) if horizon is None else (horizon,)
    return Run(spec, seed, Outcome(accuracy, (), None, 1.5, 0.125, {}, horizons=known), weights)


def world(seeds: Iterable[int] = TEN, changes: Mapping[str, Mapping[int, Any]] | None = None) -> list[Run]:
    """Runs with which all claims hold; `changes` has, by network and seed, what a run is made with instead.

    Seed −1 stands for all seeds.
    """
    runs = []
    for seed in seeds:
        for network, percent in GOOD.items():
            own = (changes or {}).get(network, {})
            given = {"percent": percent, **own.get(-1, {}), **own.get(seed, {})}
            runs.append(made(network, seed, **given))
    return runs
