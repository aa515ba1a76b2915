"""The engine: many runs at once, at machine speed, on any target."""

from abacist.corpora import Words, pack_texts
from abacist.engine.judging import Accuracies, first_mistakes, first_rejections, judge
from abacist.engine.tracing import CrossEntropy, Trace, cross_entropy, trace
from abacist.engine.training import (
    Block,
    Trained,
    begin,
    blocks_of,
    epoch_order,
    slots_of,
    train,
    training_words,
)
from abacist.specs import Networks, Spec

__all__ = [
    "Accuracies",
    "Block",
    "CrossEntropy",
    "Networks",
    "Spec",
    "Trace",
    "Trained",
    "Words",
    "begin",
    "blocks_of",
    "cross_entropy",
    "epoch_order",
    "first_mistakes",
    "first_rejections",
    "judge",
    "pack_texts",
    "slots_of",
    "trace",
    "train",
    "training_words",
]
