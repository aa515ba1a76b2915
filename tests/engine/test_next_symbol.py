"""Networks whose outputs are probabilities of what comes next: judged, traced, and beside their source."""

from __future__ import annotations

from dataclasses import replace
from math import log
from typing import Any

import numpy as np
import pytest

from abacist.analysis import certify, constructed
from abacist.cells import CELLS, NEXT_SYMBOL, Cell
from abacist.corpora import ByLength, Grammar, Uniform, Window, Words, draw, pack_texts, sample
from abacist.corpora.packed import pack
from abacist.engine import cross_entropy, first_mistakes, first_rejections, judge, trace, train
from abacist.engine.reference import forward
from abacist.errors import BadInput
from abacist.languages import language_named
from abacist.specs import Networks, Spec
from tests.engine import pytorch
from tests.engine.cases import any_words, cells, each, in_precision, random_networks, small
from tests.engine.reference import first_rejection
from tests.requirements import need

#: Programs must be compiled for each.
CASES = [
    CELLS["lstm"],
    *(pytest.param(cell, marks=pytest.mark.thorough) for cell in cells if cell.name != "lstm"),
]


def networks_of(cell: Cell = CELLS["lstm"], language: str = "dyck-2", **values: Any) -> tuple[Spec, Networks]:
    """Networks that find some outputs likely and others not."""
    spec = Spec(language_named(language), cell, 3, objective=NEXT_SYMBOL, **values)
    return spec, random_networks(spec.layout, 4, seed=5, scale=4.0)


def test_an_end_is_one_more_output_unless_the_language_has_it() -> None:
    for name, outputs in (("dyck-1", 3), ("shuffle-2", 5), ("anbn", 3), ("(aa)*", 2)):
        spec, _ = networks_of(language=name)
        assert spec.language.marks_end
        assert spec.layout.outputs == outputs
        assert spec.layout.threshold == pytest.approx(0.1 / outputs)
    assert networks_of(threshold=0.25)[0].layout.threshold == 0.25
    spec, _ = networks_of(language="dyck-1")
    assert replace(spec, language=language_named("dyck-1")) == spec == Spec.from_dict(spec.as_dict())
    assert spec.recipe(3).seed == 3
    assert not replace(spec, distinct=False).recipe(3).distinct


@pytest.mark.parametrize("precision", ["float32", pytest.param("float64", marks=pytest.mark.thorough)])
@pytest.mark.parametrize("cell", CASES, ids=lambda cell: cell.name)
def test_an_output_is_predicted_where_its_probability_exceeds_the_threshold(
    cell: Cell, precision: str
) -> None:
    """The compiled judge, the trace and the reference agree."""
    spec, networks = networks_of(cell, threshold=0.15)
    compiled = in_precision(networks, precision)
    words = any_words(spec.language.name, range(1, 30), seed=1)
    predicted = set()
    for run in range(len(networks)):
        mistakes = first_mistakes(compiled, run, words)
        for (word, targets, _), mistake in zip(each(words), mistakes, strict=True):
            _, scores = forward(networks, run, word)
            np.testing.assert_allclose(scores.sum(axis=1), 1)
            traced = trace(compiled, run, word)
            np.testing.assert_allclose(traced["y"], scores, atol=1e-12 if precision == "float64" else 1e-4)
            if np.abs(scores - 0.15).min() > 1e-3:
                wrong = ((scores > 0.15) != targets).any(axis=1)
                assert mistake == (wrong.argmax() if wrong.any() else -1)
                assert (traced.predicted == (scores > 0.15)).all()
                predicted |= {tuple(row) for row in traced.predicted.tolist()}
    assert len(predicted) > 3


@need("torch")
def test_probabilities_are_pytorch_s_softmax() -> None:
    import torch

    _, networks = networks_of()
    hidden, _ = pytorch.states_and_outputs(module := pytorch.module_of(networks, 1), (0, 2, 3, 1))
    expected = torch.softmax(module["output"](hidden), dim=1).detach().numpy()
    np.testing.assert_allclose(trace(networks, 1, (0, 2, 3, 1))["y"], expected, rtol=1e-12)


def test_strings_are_rejected_where_the_reference_rejects_them() -> None:
    spec, networks = networks_of(language="dyck-1")
    strings = [(0, 1), (0, 0, 1), (0, 1, 1), (1,), (0, 1, 0, 1), ()]
    packed = pack(spec.language, strings)
    for run in range(len(networks)):
        found = first_rejections(networks, run, spec.language, *packed).tolist()
        assert found == [first_rejection(networks, run, spec.language, word) for word in strings]


def test_a_small_lstm_models_dyck_1() -> None:
    """It is within a tenth of a bit of the source's entropy, and right about what may come next."""
    spec = Spec(
        language_named("dyck-1"), CELLS["lstm"], 6, epochs=10, rate=0.01, training=5_000, test=500,
        objective=NEXT_SYMBOL, distinct=False,
    )  # fmt: skip
    trained = train(spec, [0, 3])
    assert (judge(spec, [0, 3], trained.networks).of("short") > 0.99).all()
    for run, seed in enumerate((0, 3)):
        found = cross_entropy(trained.networks, run, draw(spec.recipe(seed))["short"], words=200)
        network, source, excess = found.bits
        assert 0.7 < source < 0.85
        assert 0 < excess < 0.1
        assert network == pytest.approx(source + excess)
        untrained = Networks.initial(spec.layout, [seed])
        assert cross_entropy(untrained, 0, draw(spec.recipe(seed))["short"], words=200).excess > 0.3


@pytest.mark.parametrize(
    ("name", "source"), [("dyck-1", Grammar()), ("shuffle-2", Uniform()), ("tomita-4", ByLength())]
)
def test_cross_entropy_is_that_of_true_probabilities(name: str, source: Any) -> None:
    spec, networks = networks_of(language=name)
    corpus = sample(spec.language, source, Window(2, 12), 40, seed=0)
    true = np.concatenate(
        [source.continuations(spec.language, Window(2, 12)).probabilities(w) for w in corpus]
    )
    scores = np.concatenate([forward(networks, 2, word)[1] for word in corpus])
    found = cross_entropy(networks, 2, corpus)
    assert found.network == pytest.approx(-(true * np.log(scores)).sum(axis=1).mean())
    assert found.source == pytest.approx(-(true * np.log(np.where(true > 0, true, 1))).sum(axis=1).mean())
    assert found.steps == len(corpus.symbols)
    assert found.excess > 0
    nothing = Networks(spec.layout, np.zeros_like(networks.parameters))
    assert cross_entropy(nothing, 0, corpus).network == pytest.approx(log(spec.layout.outputs))
    assert cross_entropy(networks, 2, corpus, words=1).steps == len(corpus[0])


def test_words_without_repetition_do_not_follow_the_source() -> None:
    """Where there are few words: drawn by themselves, they do."""
    language, window = language_named("dyck-1+end"), Window(2, 8)
    rows = {}
    for distinct in (True, False):
        corpus = sample(language, Grammar(), window, 20 if distinct else 4_000, seed=1, distinct=distinct)
        following = Words.of(language, corpus.symbols, corpus.offsets, "all").following().targets
        second = corpus.offsets[:-1] + 1
        rows[distinct] = following[second[corpus.symbols[second] == 1]].mean(axis=0)  # after ()
    true = Grammar().continuations(language, window).probabilities((0, 1))[1]
    np.testing.assert_allclose(rows[False], true, atol=0.03)
    assert np.abs(rows[True] - true).max() > 0.3


def test_what_makes_no_sense_is_refused() -> None:
    spec, networks = networks_of(language="dyck-1")
    usual = random_networks(small(CELLS["lstm"]).layout, 1, seed=0)
    corpus = sample(spec.language, Grammar(), Window(2, 8), 5, seed=0)
    with pytest.raises(BadInput, match="cross_entropy: the network's outputs are no probabilities"):
        cross_entropy(usual, 0, corpus)
    with pytest.raises(BadInput, match="cross_entropy: at least one word is needed, got 0"):
        cross_entropy(networks, 0, corpus, words=0)
    with pytest.raises(BadInput, match="certificates are of outputs that are decided each by itself"):
        certify(networks, 0, spec.language)
    with pytest.raises(BadInput, match=r"the end of a word is not predicted, and dyck-1\+end marks it"):
        constructed(spec.language)


def test_words_are_judged_as_they_are_packed() -> None:
    _, networks = networks_of(language="dyck-1")
    with pytest.raises(BadInput, match="the network has 3 outputs, the words 2"):
        first_mistakes(networks, 0, pack_texts(language_named("dyck-1"), ["()"]))
