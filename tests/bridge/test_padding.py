"""Words as padded arrays, tensors and a dataset: each is the corpus again."""

from __future__ import annotations

import pickle
import sys
from typing import Any

import numpy as np
import pytest

from abacist.bridge import dataset, padded, tensors
from abacist.corpora import pack_texts
from abacist.errors import NotInstalled
from abacist.languages import language_named
from tests.bridge.cases import corpora
from tests.requirements import need


def test_padded_words_are_the_words_and_nothing_past_their_ends() -> None:
    corpus = corpora()["short"]
    whole = padded(corpus)
    for word, symbols, mask, targets in zip(corpus, *whole, strict=True):
        assert tuple(symbols[: len(word)]) == word
        assert (symbols[len(word) :] == 4).all()
        assert mask.tolist() == [True] * len(word) + [False] * (len(mask) - len(word))
        np.testing.assert_array_equal(targets[: len(word)], corpus.language.targets(word))
        assert not targets[len(word) :].any()


def test_only_the_last_prediction_counts_where_it_is_asked_for() -> None:
    words = pack_texts(language_named("dyck-1"), ["(())", "()"], "last")
    assert padded(words).mask.tolist() == [[False, False, True, False], [True, False, False, False]]
    assert padded(words).symbols.tolist() == [[0, 0, 1, 1], [0, 1, 2, 2]]


def test_without_pytorch_a_sentence_says_how_to_install_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "torch", None)
    with pytest.raises(NotInstalled, match=r"a tensor needs torch; pip install '\.\[torch\]'"):
        tensors(corpora()["short"])


def test_tensors_are_the_padded_arrays() -> None:
    need("torch")
    corpus = corpora()["short"]
    whole = padded(corpus)
    for tensor, array in zip(tensors(corpus), whole, strict=True):
        np.testing.assert_array_equal(tensor.numpy(), array)


def test_a_loader_of_the_dataset_gives_the_padded_words() -> None:
    need("torch")
    import torch

    corpus = corpora()["short"]
    words: Any = pickle.loads(pickle.dumps(dataset(corpus)))  # as it goes to the processes of a loader
    kind: Any = torch.utils.data.Dataset
    assert isinstance(words, kind)
    loader: Any = torch.utils.data.DataLoader(words, len(words), collate_fn=words.collate)
    whole = padded(corpus)
    (batch,) = loader
    for tensor, array in zip(batch, whole, strict=True):
        np.testing.assert_array_equal(tensor.numpy(), array)
    with pytest.raises(IndexError, match="60 words, got index 60"):
        words[60]
