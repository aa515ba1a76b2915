"""The reference of training and recognition: a word's loss, an update and a rejection, in float64."""

from __future__ import annotations

from collections.abc import Sequence
from types import SimpleNamespace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from abacist.cells import NEXT_SYMBOL
from abacist.engine.reference import forward
from abacist.languages import Language
from abacist.specs import Networks, Spec

Array = NDArray[Any]


def update(
    spec: Spec, number: int, weights: Array, gradient: Array, moments: tuple[Array, Array]
) -> tuple[Array, Array, Array]:
    """Weights, (parameter,), after update `number`, from 1, and their moments behind them."""
    rule = spec.rule
    settings = SimpleNamespace(**{name: getattr(spec, name) for name in rule.settings}, updates=number)
    row = rule.numbers(settings, number, number + 1)[0]
    numbers = SimpleNamespace(**dict(zip(rule.names, row, strict=True)))
    shrink = rule.shrink((gradient * gradient).sum(), settings.clip_norm) if rule.clips_norm else None
    before = rule.prepared(numbers, weights, gradient, shrink)
    count = len(rule.formula.moments)
    after: list[Array] = list(rule.formula.advance(numbers, *before, moments[:count]))
    new, first, second = after + list(moments[count:])
    return new, first, second


def loss(
    networks: Networks,
    run: int,
    word: Sequence[int],
    targets: Array,
    counted: Array,
    objective: str = "squared",
) -> float:
    """The mean over the steps that count and all outputs of their squared errors, or of another objective.

    That of the next symbol is a sum over outputs, of which one comes next.
    """
    _, outputs = forward(networks, run, word)
    y, t = outputs[counted.astype(bool)], targets[counted.astype(bool)]
    if objective == NEXT_SYMBOL:
        return float(-np.log((t * y).sum(axis=1)).mean()) if len(y) else 0.0
    errors = (y - t) ** 2 if objective == "squared" else -t * np.log(y) - (1 - t) * np.log(1 - y)
    return float(errors.mean()) if errors.size else 0.0


def first_rejection(networks: Networks, run: int, language: Language[Any], word: Sequence[int]) -> int:
    """The first symbol, from 0, that a network did not predict; −1 if it takes the word.

    The word's length stands for an end that it had not allowed. Before the first symbol it has predicted
    nothing: that symbol, and the empty word, are judged by the language.
    """
    if not word:
        return -1 if language.accepts(language.start) else 0
    if language.step(language.start, word[0]) is None:
        return 0
    _, outputs = forward(networks, run, word)
    sets = [set(np.flatnonzero(row).tolist()) for row in networks.layout.predicted(outputs)]
    for time, symbol in enumerate(word[1:], 1):
        if symbol not in sets[time - 1]:
            return time
    return -1 if language.allows_end(sets[-1]) else len(word)
