"""The cross-entropy of a network beside the entropy of the source of its words.

After every symbol of a word, the source says how likely each symbol and the end are to come next, and so does
the network. Both are known, so that nothing is left to chance but the beginnings of words at which they are
compared; and at every one of them the network's cross-entropy is at least the source's entropy.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import log

import numpy as np

from abacist.corpora import Corpus
from abacist.errors import BadInput
from abacist.fields import check_fields, checked
from abacist.specs.networks import Networks
from abacist.targets import target_for


@dataclass(frozen=True)
class CrossEntropy:
    """Nats per step, in the mean over `steps`: of the network, and of the source alone."""

    steps: int
    network: float
    source: float

    def __post_init__(self) -> None:
        check_fields(self)

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
    means = (float((true[possible] * own[possible]).sum() / len(true)) for own in (surprise, entropy))
    return CrossEntropy(len(true), *means)
