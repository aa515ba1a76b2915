"""Words as padded arrays and tensors, as most other programs want them."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from abacist.corpora import Corpus, Words
from abacist.fields import checked
from abacist.on_demand import needed, on_demand

_torch, _torch_data = on_demand("torch"), on_demand("abacist.bridge.torch_data")


class Padded(NamedTuple):
    """Words side by side, each filled up to the longest of them.

    `symbols`, (word, time), has a number that is no symbol's where a word has ended: for a corpus the size of
    the alphabet, for labelled words the number of outputs, which a marked end makes one larger; `mask`,
    (word, time), says which steps count; `targets`, (word, time, output), are the k-hot sets of what may come
    next, 0 past the end.
    """

    symbols: NDArray[np.int64]
    mask: NDArray[np.bool_]
    targets: NDArray[np.float32]


def labelled(words: Corpus | Words, steps: str = "all") -> Words:
    """Words with their labels."""
    if isinstance(words, Words):
        return words
    return Words.of(words.language, words.symbols, words.offsets, steps)


def _padding(words: Corpus | Words) -> int:
    """The number past the end of a word; it is no symbol's."""
    return len(words.language.alphabet) if isinstance(words, Corpus) else words.targets.shape[1]


@checked
def padded(words: Corpus | Words, *, steps: str = "all") -> Padded:
    """Words as padded arrays; a number that is no symbol's stands past the end.

    `steps` says which steps of a corpus count, as in a `Spec`; labelled words know it themselves.
    """
    whole = labelled(words, steps)
    shape = (len(whole.lengths), int(whole.lengths.max(initial=0)))
    inside = np.arange(shape[1]) < whole.lengths[:, None]
    symbols = np.full(shape, _padding(words), np.int64)
    mask, targets = np.zeros(shape, bool), np.zeros((*shape, whole.targets.shape[1]), np.float32)
    symbols[inside], mask[inside], targets[inside] = whole.symbols, whole.counted, whole.targets
    return Padded(symbols, mask, targets)


def tensors(words: Corpus | Words, *, steps: str = "all") -> tuple[Any, Any, Any]:
    """The same as tensors of PyTorch: symbols, mask and targets."""
    needed("torch", "a tensor")
    symbols, mask, targets = map(_torch.from_numpy, padded(words, steps=steps))
    return symbols, mask, targets


def dataset(words: Corpus | Words, *, steps: str = "all") -> Any:
    """Words as a `torch.utils.data.Dataset`: of each its symbols, (time), its mask, (time), and its targets,
    (time, output). Its `collate` pads those of a batch, for a `DataLoader`.
    """
    needed("torch", "a tensor")
    return _torch_data.WordDataset(labelled(words, steps), _padding(words))
