"""Tracing: every state, gate and output of a network on a word; and its cross-entropy beside the source's.

After every symbol of a word, the source says how likely each symbol and the end are to come next, and so does
the network. Both are known, so that nothing is left to chance but the beginnings of words at which they are
compared; and at every one of them the network's cross-entropy is at least the source's entropy.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import log
from typing import Any

import numpy as np
from numpy.typing import NDArray

from abacist.cells import Layout, Memory
from abacist.corpora import Corpus
from abacist.errors import BadInput, UnknownName
from abacist.fields import checked, short_repr
from abacist.languages import Language, language_asked_for
from abacist.specs.networks import Networks
from abacist.targets import target_for
from abacist.wording import html_table, plural, unknown


@dataclass(frozen=True, eq=False)
class Trace:
    """Values by the names that the cell's formula gives them, each (time, unit); outputs are `y`."""

    word: tuple[int, ...]
    values: dict[str, NDArray[Any]]
    layout: Layout

    def __repr__(self) -> str:
        return f"<Trace: {plural(len(self.word), 'step')} of {', '.join(self.values)}>"

    def __getitem__(self, name: str) -> NDArray[Any]:
        if name not in self.values:
            raise UnknownName(unknown("value", name, self.values))
        return self.values[name]

    @property
    def predicted(self) -> NDArray[np.bool_]:
        """Which outputs are predicted, (time, output)."""
        return self.layout.predicted(self.values["y"])

    @property
    def widths(self) -> dict[str, int]:
        """How many numbers a row has, of the states that are memories."""
        sizes = zip(self.layout.cell.states, self.layout.state_sizes, strict=True)
        return {state.name: size // state.rows for state, size in sizes if isinstance(state, Memory)}

    def _repr_html_(self) -> str:
        """A row for every step with all values but memories, for a notebook."""
        plain = {name: array for name, array in self.values.items() if name not in self.widths}
        heads = [f"{name} {unit + 1}" for name, array in plain.items() for unit in range(array.shape[1])]
        rows = (
            (time + 1, symbol, *(f"{value:.4f}" for array in plain.values() for value in array[time]))
            for time, symbol in enumerate(self.word)
        )
        return html_table(rows, ("step", "symbol", *heads))


@checked
def trace(
    networks: Networks,
    run: int,
    word: Sequence[int] | NDArray[Any] | str,
    *,
    language: str | Language[Any] | None = None,
) -> Trace:
    """Follow a word through one network; a text needs its language, which networks do not know."""
    run, inputs = networks.checked_run(run), networks.layout.inputs
    if isinstance(word, str):
        if language is None:
            raise BadInput(f'trace: {short_repr(word)} needs its language, such as language="dyck-1"')
        word = language_asked_for(language).alphabet.parse(word)
    if not all(isinstance(code, int | np.integer) for code in word):
        raise BadInput(
            "trace: a word must be the numbers of its symbols, as alphabet.parse gives them, "
            f"got {short_repr(word)}"
        )
    for code in word:
        if not 0 <= code < inputs:
            raise BadInput(f"trace: symbols must be below {inputs}, got {code}")
    (values,) = target_for(networks.layout).tracing(networks, run, [tuple(word)])
    return Trace(tuple(word), values, networks.layout)


@dataclass(frozen=True)
class CrossEntropy:
    """Nats per step, in the mean over `steps`: of the network, and of the source alone."""

    steps: int
    network: float
    source: float

    @property
    def excess(self) -> float:
        """What the network has more than the source: the divergence of Kullback and Leibler."""
        return self.network - self.source

    @property
    def bits(self) -> tuple[float, float, float]:
        """The network's, the source's and the excess in bits per step."""
        return self.network / log(2), self.source / log(2), self.excess / log(2)


@checked
def cross_entropy(networks: Networks, run: int, corpus: Corpus, *, words: int | None = None) -> CrossEntropy:
    """Compare a network with the source of a corpus after every symbol of its words, or of the first ones.

    The network is read in float64, whatever it was trained in. Words of a corpus that are distinct come as
    often as they do there, and not as often as the source has them: `sample(…, distinct=False)` draws those.
    """
    run, layout = networks.checked_run(run), networks.layout
    if layout.threshold is None:
        raise BadInput(
            "cross_entropy: the network's outputs are no probabilities of what comes next; those of networks "
            "trained with the objective next-symbol are"
        )
    language, recipe = corpus.language.marked(), corpus.recipe
    networks.check_language(language)
    chosen = corpus[: len(corpus) if words is None else words]
    if not chosen:
        raise BadInput(f"cross_entropy: at least one word is needed, got {words}")
    source = recipe.source.continuations(language, corpus.split.window)
    wide = Networks(layout, networks.parameters[run : run + 1].astype(np.float64))
    traces = target_for(layout).tracing(wide, 0, chosen)
    true = np.concatenate([source.probabilities(word) for word in chosen])
    with np.errstate(divide="ignore"):
        surprise = -np.log(np.concatenate([values["y"] for values in traces]))
        entropy = -np.log(true)
    possible = true > 0
    means = (float((true[possible] * nats[possible]).sum() / len(true)) for nats in (surprise, entropy))
    return CrossEntropy(len(true), *means)
