"""Networks with one output that says whether a string is a word: how they are trained and judged."""

from __future__ import annotations

from dataclasses import replace
from itertools import product
from typing import Any

import numpy as np
import pytest

from abacist.cells import CELLS, NEXT_SYMBOL
from abacist.corpora import Window, draw, pack_texts
from abacist.engine import first_mistakes, first_rejections, judge, train, training_words
from abacist.engine.reference import forward
from abacist.errors import BadInput
from abacist.experiments.word_sets import WordSets
from abacist.languages import Dyck, Recogniser, language_named
from abacist.specs import Lesson, Spec
from tests.engine import pytorch
from tests.engine.cases import random_networks, small
from tests.requirements import need

DYCK = Recogniser(Dyck(1))
STRINGS = [word for length in range(7) for word in product((0, 1), repeat=length)]


@need("torch")
@pytest.mark.parametrize("objective", ["squared", pytest.param("cross-entropy", marks=pytest.mark.thorough)])
def test_training_ends_at_the_module_s_weights(objective: str) -> None:
    """Of which the loss is that of the last output alone."""
    sizes: dict[str, Any] = {
        "precision": "float64",
        "training": 100,
        "short": Window(2, 16),
        "long": Window(18, 20),
    }
    spec = small(CELLS["lstm"], language=DYCK, objective=objective, rate=0.01, **sizes)
    pytorch.ends_at_the_module_s_weights(spec)


def test_an_lstm_learns_to_recognise_dyck_1() -> None:
    """Balanced accuracy: half of each set are words, so an output that never changes has 50 %."""
    spec = Spec(
        DYCK, CELLS["lstm"], 4, epochs=6, rate=0.01, objective="cross-entropy", training=1_000, test=200
    )
    before, after = (train(replace(spec, epochs=n), [0]).networks for n in (0, 6))
    assert judge(replace(spec, epochs=0), [0], before).shares == pytest.approx(0.5, abs=0.1)
    assert judge(spec, [0], after).shares.min() > 0.75


def test_a_network_is_right_about_a_string_where_its_last_output_is() -> None:
    networks = random_networks(Spec(DYCK, CELLS["gru"], 3).layout, 2, seed=3, scale=4.0)
    packed = pack_texts(DYCK, STRINGS)
    for run in range(2):
        mistakes = first_mistakes(networks, run, packed)
        rejections = first_rejections(networks, run, DYCK, packed.symbols, packed.offsets)
        for word, mistake, rejection in zip(STRINGS, mistakes, rejections, strict=True):
            says = bool(forward(networks, run, word)[1][-1, 0] > 0.5) if word else word in Dyck(1)
            assert rejection == (-1 if says else len(word))
            assert mistake == (-1 if not word or says == (word in Dyck(1)) else len(word) - 1)


def test_a_run_is_trained_on_its_own_strings_and_judged_on_others() -> None:
    spec = small(CELLS["rnn"], language=DYCK, training=60, long=Window(14, 30))
    corpora = draw(spec.recipe(5))
    trained, sets = training_words(spec, 5), WordSets(spec, (5,))
    np.testing.assert_array_equal(trained.symbols, corpora["training"].symbols)
    np.testing.assert_array_equal(sets.of(0, "training").symbols, trained.symbols)
    for name in ("training", "short", "long"):
        words = sets.of(0, name)
        np.testing.assert_array_equal(words.symbols, corpora[name].symbols)
        assert words.targets[words.counted == 1].mean() == 0.5
    kept = [set(corpus) for corpus in corpora]
    assert not kept[0] & (kept[1] | kept[2])
    networks = train(spec, [5]).networks
    accuracy: list[dict[str, dict[int, float]]] = [{}]
    sets.judge(networks, 3, [{("short", 3)}], accuracy)
    assert accuracy[0]["short"][3] == judge(spec, [5], networks).of("short")[0]


def test_sizes_and_sources_are_those_of_its_language() -> None:
    for name in ("shuffle-6", "dyck-2+end", "tomita-3"):
        named = (language_named(one) for one in (name, f"recognise:{name}"))
        usual, recogniser = (Spec(language, CELLS["lstm"]) for language in named)
        assert recogniser.splits == usual.splits
        assert recogniser.recipe(0).source == usual.recipe(0).source
        assert recogniser.layout.outputs == 1


def test_what_makes_no_sense_of_a_recogniser_is_refused() -> None:
    usual = Spec(DYCK, CELLS["lstm"])
    with pytest.raises(BadInput, match="steps must be all for a recogniser"):
        replace(usual, steps="last")
    with pytest.raises(BadInput, match="objective next-symbol: recognise:dyck-1 only says whether"):
        replace(usual, objective=NEXT_SYMBOL)
    with pytest.raises(BadInput, match="Lesson: recognise:dyck-1 only says whether"):
        replace(usual, lesson=Lesson())
    with pytest.raises(BadInput, match="has 2 symbols and 2 outputs, the network 2 and 1"):
        random_networks(usual.layout, 1, seed=0).check_language(language_named("dyck-1"))
