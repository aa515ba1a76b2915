"""Words as a dataset of PyTorch, which is imported with this file."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from importlib.util import find_spec
from typing import Any

import numpy as np

from abacist.corpora import Words
from abacist.errors import BadInput

#: Where it is missing, nobody gets here but those who list all modules.
torch: Any = import_module("torch") if find_spec("torch") else None
Dataset: Any = torch.utils.data.Dataset if torch else object


class WordDataset(Dataset):  # type: ignore[misc]
    """Labelled words; item i is a word's symbols, (time), mask, (time), and targets, (time, output)."""

    def __init__(self, words: Words, padding: int) -> None:
        self.words, self.padding = words, padding

    def __len__(self) -> int:
        return len(self.words.offsets) - 1

    def __getitem__(self, number: int) -> tuple[Any, Any, Any]:
        if not 0 <= number < len(self):
            raise IndexError(f"there are {len(self):,} words, got index {number}")
        words, span = self.words, slice(*self.words.offsets[number : number + 2].tolist())
        arrays = ((words.symbols, np.int64), (words.counted, np.bool_), (words.targets, np.float32))
        symbols, mask, targets = (torch.from_numpy(array[span].astype(kind)) for array, kind in arrays)
        return symbols, mask, targets

    def collate(self, items: Sequence[tuple[Any, Any, Any]]) -> tuple[Any, Any, Any]:
        """A batch: symbols and mask, (word, time), and targets, (word, time, output), padded."""
        if not items:
            raise BadInput("WordDataset: a batch has at least one word, got none")
        pad = torch.nn.utils.rnn.pad_sequence
        symbols, mask, targets = zip(*items, strict=True)
        return (
            pad(list(symbols), batch_first=True, padding_value=self.padding),
            pad(list(mask), batch_first=True, padding_value=False),
            pad(list(targets), batch_first=True, padding_value=0.0),
        )
