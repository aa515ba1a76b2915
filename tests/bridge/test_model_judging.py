"""Any model is judged exactly as a network of the engine is, on the same words."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from abacist.analysis import FAMILIES, Search, horizon, stress
from abacist.bridge import Examination, judge_model, model_of
from abacist.cells import CELLS
from abacist.corpora import Window
from abacist.errors import BadInput
from abacist.experiments.word_sets import WordSets
from abacist.languages import language_asked_for, language_named
from abacist.progress import Progress
from abacist.specs import Networks, Spec
from tests.bridge.cases import SIZES, examination, judged, leaky
from tests.engine import pytorch
from tests.requirements import need

pytestmark = pytest.mark.thorough

LANGUAGES = ("dyck-1", "shuffle-2")


def by_the_engine(networks: Networks, asked: Examination, seed: int) -> dict[str, float]:
    """The accuracies that an experiment would store of a network."""
    spec = Spec(asked.language, CELLS["lstm"], networks.layout.hidden, steps=asked.steps, **SIZES)
    accuracy: list[dict[str, dict[int, float]]] = [{}]
    WordSets(spec, (seed,)).judge(networks, 20, [{(name, 20) for name in asked.names}], accuracy)
    return {name: shares[20] for name, shares in accuracy[0].items()}


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("batch", [None, 16])
def test_a_network_asked_as_a_model_is_judged_as_by_the_engine(language: str, batch: int | None) -> None:
    networks, asked = leaky(language), examination(language)
    found = judge_model(model_of(networks), asked, name="leaky", seed=3, batch=batch)
    expected = by_the_engine(networks, asked, 3)
    assert {name: found.accuracy[name] for name in asked.names} == expected
    assert 0 < expected["short"] < 1
    (tried,) = stress([networks], asked.language, asked.stress)
    assert found.stress is not None
    np.testing.assert_array_equal(found.stress.wrong_at, tried.wrong_at)
    np.testing.assert_array_equal(found.stress.words, tried.words)
    right = [not row[1] for row in zip(tried.words.flat, tried.wrong_at.flat, strict=True) if row[0]]
    assert found.accuracy["stress to 60"] == pytest.approx(np.mean(right))


def test_only_the_last_steps_count_where_an_examination_says_so() -> None:
    networks, asked = leaky(), examination(steps="last", sets=("short", "long"))
    found = judge_model(model_of(networks), asked, name="leaky", batch=16)
    assert {name: found.accuracy[name] for name in asked.names} == by_the_engine(networks, asked, 0)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("sharpness", [0.05, 0.08])
def test_the_shortest_wrong_word_is_the_horizon_s(language: str, sharpness: float) -> None:
    networks, asked = leaky(language, sharpness), examination(language, every=3_000)
    exact = horizon(networks, 0, asked.language, Search(to=30, budget=256))
    found = judge_model(model_of(networks), asked, name="leaky", batch=64).horizon
    assert exact.wrong is not None
    assert found.wrong is not None
    assert len(found.wrong) >= len(exact.wrong)
    assert found.proved < len(exact.wrong)
    if len(exact.wrong) <= found.proved + 2:  # then every word as long as that was tried
        assert len(found.wrong) == len(exact.wrong)
    predicted = model_of(networks)(np.array(found.wrong.word)) > 0.5
    right = asked.language.targets(found.wrong.word).astype(bool)
    assert int((predicted != right).any(axis=1).argmax()) + 1 == found.wrong.step
    assert set(found.wrong.predicted) == set(np.flatnonzero(predicted[found.wrong.step - 1]))
    assert set(found.wrong.right) == set(np.flatnonzero(right[found.wrong.step - 1]))


def test_a_pytorch_lstm_with_the_same_weights_is_judged_the_same() -> None:
    need("torch")
    networks, asked = leaky(), examination(stress=(20,), every=20, sets=("short", "long", "swapped long"))
    module = pytorch.module_of(networks, 0)
    found = judge_model(
        lambda word: pytorch.states_and_outputs(module, word.tolist())[1], asked, name="lstm in pytorch"
    )
    assert {name: found.accuracy[name] for name in asked.names} == by_the_engine(networks, asked, 0)


def test_a_padded_batch_is_as_good_as_a_list() -> None:
    own = model_of(leaky())

    def padded(words: list[Any]) -> Any:
        scores = np.full((len(words), max(map(len, words)) + 3, 4), np.nan)
        for number, one in enumerate(own(words)):
            scores[number, : len(one)] = one
        return scores

    found = judge_model(padded, examination(), name="leaky", batch=16)
    assert found.accuracy == judged().accuracy


def test_progress_goes_up_to_all_there_is() -> None:
    told: list[float] = []
    progress = Progress(lambda own: told.append(own.share))
    judge_model(model_of(leaky()), examination(), name="x", batch=64, progress=progress)
    assert told == sorted(told)
    assert told[-1] == 1


def refused(model: Callable[..., Any], **values: Any) -> str:
    with pytest.raises(BadInput) as error:
        judge_model(model, examination("dyck-1"), name="nonsense", **values)
    assert "\n" not in str(error.value)
    return str(error.value)


def test_nonsense_is_refused_in_a_sentence_that_names_the_word() -> None:
    own = model_of(leaky("dyck-1"))
    assert "the model on '(" in refused(lambda word: own(word)[1:])
    assert "must be (time, output)" in refused(lambda word: np.zeros((len(word), 3)))
    lost = refused(lambda word: np.full((len(word), 2), np.nan))
    assert "the model on '(" in lost
    assert "a score of step 1 is not a number" in lost
    assert "scores must be numbers" in refused(lambda word: "no")
    assert "scores must be numbers" in refused(lambda word: None)
    assert "asked about 16 words, from '(" in refused(lambda words: own(words)[1:], batch=16)
    assert "must give scores for as many, got None" in refused(lambda words: None, batch=16)
    assert "batch must be at least 1, got 0" in refused(own, batch=0)
    assert "seed must be at least 0, got -1" in refused(own, seed=-1)


def test_a_model_that_looks_ahead_is_refused() -> None:
    assert "looks ahead, or is still in training mode" in refused(
        lambda word: np.array([[1.0, float(symbol)] for symbol in [*word[1:], 0]])
    )
    random = np.random.default_rng(0)
    assert "still in training mode" in refused(lambda word: random.random((len(word), 2)))


def test_a_model_that_knows_the_language_is_right_throughout() -> None:
    language = language_named("anbn")
    asked = Examination(
        language,
        training=3,
        test=2,
        short=Window(2, 10),
        long=Window(12, 20),
        stress=(30,),
        sets=("short", "long"),
    )

    def known(word: Any) -> Any:
        return language.targets(word.tolist()[: language.read(word.tolist()).left_at])

    found = judge_model(known, asked, name="automaton")
    assert set(found.accuracy.values()) == {1.0}
    assert found.horizon.wrong is None
    assert found.stress is not None
    assert set(found.stress.left_out) == set(FAMILIES) - {"blocks"}


@pytest.mark.parametrize("name", ["parity", "reset-dyck-1", "marked-palindromes", "regex:(aa|bb)*"])
def test_languages_of_automata_are_examined_as_far_as_there_are_strings(name: str) -> None:
    language = language_asked_for(name)
    asked = Examination(language, training=40, test=20, stress=(30,), every=60, longest=40)

    def known(word: Any) -> Any:
        reading, scores = language.read(word.tolist()), np.zeros((len(word), language.outputs))
        for time, step in enumerate(reading.steps):
            scores[time, list(step.next_symbols)] = 1
        return scores

    found = judge_model(known, asked, name="automaton")
    assert set(found.accuracy.values()) == {1.0}
    assert set(asked.names) - set(found.accuracy) == (
        {"swapped short", "swapped long"} if name == "parity" else set()
    )
    assert found.stress is not None
    assert not found.stress.left_out
    with pytest.raises(BadInput, match="swapped short: too few such strings are outside parity"):
        judge_model(known, Examination(language_named("parity"), ("swapped short",), test=20), name="x")


def test_an_examination_is_checked_at_birth() -> None:
    language = language_named("dyck-1")
    with pytest.raises(BadInput, match=r"Examination: sets are .*, got 'middle'"):
        Examination(language, sets=("middle",))
    with pytest.raises(BadInput, match="recognition needs all steps"):
        Examination(language, sets=("members short",), steps="last")
    with pytest.raises(BadInput, match="every must be at least 0, got -1"):
        Examination(language, every=-1)
    assert not any(name.startswith("crossing") for name in Examination(language).names)
    assert Examination(language, steps="last").names == ("short", "long")


def test_another_threshold_is_a_setting_of_the_model() -> None:
    own = model_of(leaky())
    asked = examination(sets=("short",))
    usual = judge_model(own, asked, name="leaky", batch=16)
    shifted = judge_model(
        lambda words: [one / 2 for one in own(words)], asked, name="leaky", threshold=0.25, batch=16
    )
    assert shifted.accuracy == usual.accuracy
    assert (usual.name, shifted.name) == ("outside:leaky", "outside:leaky (threshold 0.25)")
