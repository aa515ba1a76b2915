"""A constructed network counts: its cell states are the depths, exactly, and it is never wrong."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

from abacist.analysis import constructed, follow
from abacist.corpora import Uniform, Window, pack_texts, sample
from abacist.engine import first_mistakes
from abacist.engine.reference import forward
from abacist.languages import Dyck, Shuffle, language_named
from abacist.specs import PRECISIONS
from tests.engine import pytorch
from tests.requirements import need

each_language = pytest.mark.parametrize("name", ["dyck-1", "shuffle-1", "shuffle-2", "shuffle-6"])
each_precision = pytest.mark.parametrize("precision", PRECISIONS)


@cache
def drawn(name: str) -> list[tuple[int, ...]]:
    """Uniform words of a language, crossing ones included."""
    return list(sample(language_named(name), Uniform(), Window(2, 60), 60, seed=4))


def nested(pairs: int, depth: int) -> tuple[int, ...]:
    """All pairs opened in turn and closed in the same turn, so that those of different kinds cross."""
    turns = tuple(2 * (n % pairs) for n in range(depth))
    return turns + tuple(symbol + 1 for symbol in turns)


@each_language
@each_precision
def test_the_cell_states_are_the_depths_exactly(name: str, precision: str) -> None:
    language = language_named(name)
    networks = constructed(language, precision)
    for word in (*drawn(name)[:20], nested(len(language.alphabet) // 2, 3_000)):
        reading = follow(networks, 0, language, word)
        assert reading.values("c").dtype == precision
        assert np.array_equal(reading.values("c"), reading.depths)
        assert not reading.wrong.any()


@each_language
def test_the_formula_itself_gives_the_same(name: str) -> None:
    language = language_named(name)
    for word in drawn(name)[:20]:
        states, outputs = forward(constructed(language), 0, word)
        assert np.array_equal(states["c"], language.depth_path(word))
        assert np.array_equal(outputs > 0.5, language.targets(word).astype(bool))


@pytest.mark.parametrize("kind", PRECISIONS)
@each_language
def test_pytorch_agrees(name: str, kind: str) -> None:
    need("torch")
    import torch

    language = language_named(name)
    module = pytorch.module_of(constructed(language), 0).to(getattr(torch, kind))
    for word in drawn(name)[:20]:
        inputs = torch.nn.functional.one_hot(torch.tensor(word), len(language.alphabet))
        with torch.no_grad():
            hidden, (_, last) = module["rnn"](inputs.to(getattr(torch, kind)))
            sums = module["output"](hidden).numpy()
        assert not last.any()  # a word ends where it began
        np.testing.assert_allclose(hidden.numpy(), np.tanh(language.depth_path(word)), rtol=1e-6)
        assert np.array_equal(sums > 0, language.targets(word).astype(bool))


@each_precision
@each_language
def test_long_and_deep_words_are_judged_right(name: str, precision: str) -> None:
    language = language_named(name)
    pairs = len(language.alphabet) // 2
    deep = [(0,) * 50_000 + (1,) * 50_000, nested(pairs, 50_000)]
    flat = [(0, 1) * 20_000, nested(pairs, 40) * 500]
    words = pack_texts(language, [*drawn(name), *deep, *flat])
    assert set(first_mistakes(constructed(language, precision), 0, words).tolist()) == {-1}


def test_other_glyphs_and_shuffles_of_shuffles_make_no_difference() -> None:
    one, two = Dyck(1).renamed("ab"), Shuffle((Dyck(1).renamed("cd"), Dyck(1).renamed("ef")))
    assert constructed(one) == constructed(Dyck(1))
    assert constructed(Shuffle((one, two))) == constructed(language_named("shuffle-3"))
