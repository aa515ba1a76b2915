"""What analyses say of recognisers: what is proved holds for every string, and the rest is refused."""

from __future__ import annotations

from itertools import product

import pytest

from abacist.analysis import Search, certify, counting_units, counting_words, follow, horizon, stress
from abacist.analysis.certificates.prover import certify_every_word
from abacist.analysis.horizons.configurations import Configurations
from abacist.analysis.horizons.prover import prove
from abacist.cells import CELLS
from abacist.corpora import Window, pack_texts
from abacist.engine import first_mistakes, train
from abacist.errors import BadInput
from abacist.experiments import Task
from abacist.languages import Dyck, Recogniser, language_named
from abacist.specs import Networks, Spec
from abacist.targets.webassembly import language_tables

DYCK = Recogniser(Dyck(1))
LONGEST = 10


@pytest.fixture(scope="module")
def trained() -> Networks:
    spec = Spec(DYCK, CELLS["lstm"], 4, epochs=6, rate=0.01, objective="cross-entropy", training=1_000)
    return train(spec, range(4)).networks


def shortest_wrong(networks: Networks, run: int) -> int | None:
    """The length of the shortest string that a network misjudges, of all up to a length."""
    for length in range(1, LONGEST + 1):
        strings = list(product((0, 1), repeat=length))
        if (first_mistakes(networks, run, pack_texts(DYCK, strings)) >= 0).any():
            return length
    return None


def test_a_horizon_holds_for_every_string(trained: Networks) -> None:
    """By brute force: what is proved is right, and a wrong string is wrong, in the language or not."""
    lengths = []
    for run in range(4):
        found, wrong = horizon(trained, run, DYCK, Search(LONGEST)), shortest_wrong(trained, run)
        assert found.proved < (wrong or LONGEST + 1)
        assert found.proved_in(DYCK) == found.proved  # there are strings of every length
        lengths.append(found.proved)
        if found.wrong is not None:
            assert wrong is not None
            assert len(found.wrong) >= wrong
            mistake = first_mistakes(trained, run, pack_texts(DYCK, [found.wrong.word]))[0] + 1
            assert mistake == found.wrong.step == len(found.wrong)
    assert max(lengths) > 0
    assert any(shortest_wrong(trained, run) for run in range(4))


def test_a_trace_says_of_every_string_whether_it_is_a_word(trained: Networks) -> None:
    for word in [word for length in range(1, 6) for word in product((0, 1), repeat=length)]:
        reading = follow(trained, 0, DYCK, word)
        plain = follow(trained, 0, DYCK, Dyck(1).alphabet.render(word))
        assert reading.membership() == plain.membership()
        assert reading.member == (word in Dyck(1))
        assert reading.membership().startswith("in dyck-1" if reading.member else "not in dyck-1, ")
        says = bool(reading.predicted[-1, 0])
        assert reading.rejected_at == (None if says else len(word))
        assert reading.wrong.tolist() == [False] * (len(word) - 1) + [says != reading.member]
        assert reading.value_names("y") == ["⊣"]
        assert reading.right_set(len(word) - 1) == ("⊣" if reading.member else "")


def test_units_are_looked_at_on_words_of_the_language(trained: Networks) -> None:
    corpus = counting_words(DYCK, Window(2, 20), 50)
    assert corpus.language == Dyck(1)
    assert counting_units(trained, 0, corpus).state("c").states.shape[1] == 4
    with pytest.raises(BadInput, match="dyck-2: has 4 symbols and 4 outputs, the network 2 and 1"):
        counting_units(trained, 0, counting_words(language_named("dyck-2"), Window(2, 20), 5))


def test_what_is_about_predicted_symbols_is_refused(trained: Networks) -> None:
    why = "recognise:dyck-1 only says whether a string is a word, and predicts no symbols"
    for refuse in (
        lambda: certify(trained, 0, DYCK),
        lambda: certify(trained, 0, DYCK, depth=3),
        lambda: certify_every_word(trained, 0, DYCK),
        lambda: stress([trained], DYCK, [100]),
        lambda: language_tables(DYCK),
        lambda: horizon(trained, 0, DYCK, steps="last"),
        lambda: prove(trained, 0, Configurations(DYCK), limit=5, budget=4, steps="last"),
    ):
        with pytest.raises(BadInput, match=why):
            refuse()
    for name in ("members long", "swapped short", "crossing long"):
        with pytest.raises(BadInput, match="both words and strings near them, are training, short, long"):
            Task("mine", Spec(Recogniser(language_named("shuffle-2")), CELLS["lstm"]), (0,), (name,))
