"""The engine: many runs at once, at machine speed, on any target.

`training` trains blocks of runs epoch by epoch, `judging` says on which words networks are right, `tracing`
follows one word; `reference` is a network read as plain arrays, slowly, which every kernel is tested against.
"""

from abacist.engine.judging import Accuracies, first_mistakes, first_rejections, judge
from abacist.engine.tracing import CrossEntropy, Trace, cross_entropy, trace
from abacist.engine.training import (
    Block,
    Trained,
    begin,
    blocks_of,
    epoch_order,
    pretrained,
    slots_of,
    train,
    training_words,
)

__all__ = [
    "Accuracies", "Block", "CrossEntropy", "Trace", "Trained", "begin", "blocks_of", "cross_entropy",
    "epoch_order", "first_mistakes", "first_rejections", "judge", "pretrained", "slots_of",
    "trace", "train", "training_words",
]  # fmt: skip
