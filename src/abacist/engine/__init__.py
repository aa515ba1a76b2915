"""The engine: many runs at once, at machine speed."""

from abacist.engine.judging import Accuracies, first_mistakes, judge, pack_texts
from abacist.engine.networks import Networks
from abacist.engine.packing import Packed, Words, pack_runs, pack_words
from abacist.engine.programs import Kernel, Program, cache_folder, kernel
from abacist.engine.spec import Spec
from abacist.engine.tracing import Trace, trace
from abacist.engine.training import (
    Progress,
    Trained,
    begin,
    epoch_order,
    train,
    train_packed,
    training_words,
)

__all__ = [
    "Accuracies",
    "Kernel",
    "Networks",
    "Packed",
    "Program",
    "Progress",
    "Spec",
    "Trace",
    "Trained",
    "Words",
    "begin",
    "cache_folder",
    "epoch_order",
    "first_mistakes",
    "judge",
    "kernel",
    "pack_runs",
    "pack_texts",
    "pack_words",
    "trace",
    "train",
    "train_packed",
    "training_words",
]
