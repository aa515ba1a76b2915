"""The bracket is the truth: it equals what trying all words gives, and nothing proved is ever refuted."""

from __future__ import annotations

import time
from collections import Counter
from itertools import count

import numpy as np
import pytest

from abacist.analysis import Search, horizon
from abacist.analysis.horizons.configurations import Configurations
from abacist.analysis.horizons.prover import prove
from abacist.analysis.horizons.refuter import find_wrong, refutation
from abacist.cells import CELLS, MEMORIES, ZOO, Layout, cell_named
from abacist.engine import first_mistakes, train
from abacist.errors import BadInput
from abacist.languages import language_named
from abacist.specs import Networks, Spec
from tests.analysis.horizons.badly_trained import SUBJECTS, badly_trained, shortest_wrong
from tests.engine.cases import any_words, each
from tests.engine.pytorch import module_of, states_and_outputs
from tests.languages.test_own import Resetting
from tests.requirements import need

subjects = pytest.mark.parametrize(("cell", "hidden", "language", "longest"), SUBJECTS)


@subjects
@pytest.mark.parametrize("steps", ["all", pytest.param("last", marks=pytest.mark.thorough)])
def test_it_equals_brute_force(cell: str, hidden: int, language: str, longest: int, steps: str) -> None:
    """With as many boxes as there are words, nothing is merged, and the bracket closes.

    Only a network that multiplies its own rounding several times with each symbol may stay open, in float32.
    """
    networks, known = badly_trained(cell, hidden, language), Configurations(language_named(language))
    search, found, left_open = Search(to=longest, budget=4_096), Counter[int | None](), 0
    for run in range(len(networks)):
        truth = shortest_wrong(networks, run, known.language, longest, steps)
        bracket = horizon(networks, run, known.language, search, steps=steps, configurations=known)
        found[truth] += 1
        assert (bracket.wrong and len(bracket.wrong)) == truth
        right = longest if truth is None else truth - 1
        assert bracket.proved <= right
        left_open += bracket.proved < right
    assert left_open <= len(networks) // 40
    assert len(found) > 1  # they are not all alike


@pytest.mark.parametrize("steps", ["all", "last"])
def test_it_equals_brute_force_where_a_word_may_end_and_go_on(steps: str) -> None:
    """A symbol may be the last one although the word could have ended before it."""
    language = Resetting()
    layout, known = Layout(CELLS["rnn"], 3, 1, 3), Configurations(language)
    weights, rng = 2 * Networks.initial(layout, range(60)).parameters, np.random.default_rng(2)
    weights[:, layout.starts["output.bias"] :] = rng.choice([0.5, 2, 4], (60, 3))
    networks, found = Networks(layout, weights), Counter[int | None]()
    for run in range(len(networks)):
        truth = shortest_wrong(networks, run, language, 7, steps)
        search = Search(to=7, budget=4_096)
        bracket = horizon(networks, run, language, search, steps=steps, configurations=known)
        assert (bracket.wrong and len(bracket.wrong)) == truth
        assert bracket.proved == (7 if truth is None else truth - 1)
        found[truth] += 1
    assert len(found) > 1


@pytest.mark.parametrize("precision", ["float32", pytest.param("float64", marks=pytest.mark.thorough)])
def test_it_equals_brute_force_where_outputs_are_probabilities(precision: str) -> None:
    spec = Spec(
        language_named("dyck-1"), cell_named("lstm"), hidden=3, objective="next-symbol", distinct=False,
        rate=0.01, epochs=6, training=1_500, test=20, precision=precision,
    )  # fmt: skip
    trained = train(spec, range(6)).networks
    lengths = set()
    for run in range(6):
        found = horizon(trained, run, spec.language, Search(30, 64, 2_000))
        wrong = shortest_wrong(trained, run, spec.language, 10, "all")
        lengths.add(wrong)
        assert (wrong is None) == (found.wrong is None or len(found.wrong) > 10)
        if wrong is not None:
            assert found.wrong is not None
            assert found.proved < len(found.wrong) == wrong
    assert len(lengths) > 1


@pytest.mark.parametrize(
    ("cell", "hidden", "language", "longest"),
    [
        pytest.param(*own, marks=pytest.mark.thorough if number % 2 else ())
        for number, own in enumerate(SUBJECTS)
    ],
)
def test_nothing_proved_is_ever_refuted(cell: str, hidden: int, language: str, longest: int) -> None:
    """Not with a single box for each configuration, nor against long words or a diligent refuter."""
    networks, known = badly_trained(cell, hidden, language), Configurations(language_named(language))
    limit = 41 if language in ("dyck-1", "anbn") else 13
    words = any_words(language, [*range(2, 60)] * 20, seed=1)
    complete = np.array([text in known.language for text, _, _ in each(words)])
    for run in range(0, len(networks), 3):
        proved = [prove(networks, run, known, limit=limit, budget=budget) - 1 for budget in (1, 3, 64)]
        searches = [
            find_wrong(networks, run, known, limit=limit, budget=budget, nearest=share)
            for budget, share in ((1_000, 0.0), (1_000, 0.5), (4, 0.5))
        ]
        wrong = [len(found) for refutations, _ in searches for found in refutations]
        truth = shortest_wrong(networks, run, known.language, longest, "all")
        mistakes = (first_mistakes(networks, run, words) >= 0) & complete
        wrong += [truth or limit, *words.lengths[mistakes].tolist()]
        assert max(proved) < min(wrong)


@need("torch")
@subjects
def test_every_refutation_stands_in_pytorch(cell: str, hidden: int, language: str, longest: int) -> None:
    import torch

    networks, known = badly_trained(cell, hidden, language), Configurations(language_named(language))
    for run in range(0, len(networks), 2):
        double = module_of(networks, run)
        for found in find_wrong(networks, run, known, limit=41 if longest > 12 else 13, budget=64)[0][:3]:
            inputs = torch.nn.functional.one_hot(torch.tensor(found.word), networks.layout.inputs).float()
            _, outputs = states_and_outputs(double, found.word)
            single = double.float()
            hidden_states, _ = single["rnn"](inputs)
            in_single = torch.sigmoid(single["output"](hidden_states))
            double.double()
            right = known.language.targets(found.word).astype(bool)
            for values in (outputs, in_single):
                wrong = ((values.detach().numpy() > 0.5) != right).any(axis=1)
                assert int(wrong.argmax()) + 1 == found.step
                assert tuple(np.flatnonzero(right[found.step - 1])) == found.right
                assert tuple(np.flatnonzero(values.detach().numpy()[found.step - 1] > 0.5)) == found.predicted


@pytest.mark.parametrize("name", ["anbn", pytest.param("anbncn", marks=pytest.mark.thorough)])
def test_where_a_language_has_one_word_of_a_length_one_state_each_is_enough(name: str) -> None:
    networks, language = badly_trained("lstm", 3, name), language_named(name)
    longest, lengths = 30 * len(language.alphabet), set()
    for run in range(len(networks)):
        wrong = horizon(networks, run, language, Search(to=longest, budget=1)).wrong
        truth = shortest_wrong(networks, run, language, longest, "all")
        assert (None if wrong is None else len(wrong)) == truth
        lengths.add(truth)
    assert len(lengths) > 1


@pytest.mark.parametrize("name", ["anbn", "dyck-1", "parity"])
def test_where_words_are_few_every_one_is_run(name: str) -> None:
    """With room for the words of one length, the wrong word is the shortest there is."""
    language, longest = language_named(name), 10
    counts = language.counts(longest)
    search = Search(to=longest, budget=max(counts), most=max(counts) * sum(counts))
    assert search.runs_every_word(language, longest)
    assert not Search(longest - 1, search.budget, search.most).runs_every_word(language, longest)
    assert not Search(longest, search.budget, search.most - 1).runs_every_word(language, longest)
    if search.budget > 1:
        assert not Search(longest, search.budget - 1, search.most).runs_every_word(language, longest)
    networks, known = badly_trained("lstm", 2, name), Configurations(language)
    lengths = set()
    for run in range(len(networks)):
        truth = shortest_wrong(networks, run, language, longest, "all")
        found = horizon(networks, run, language, search, configurations=known)
        assert (found.wrong and len(found.wrong)) == truth
        assert found.looked >= (longest if truth is None else truth - 1)
        lengths.add(truth)
    assert len(lengths) > 1


#: What `make test` tries; the others are thorough.
_OFTEN = [("stack_rnn_1", "dyck-1")]

_ALL = [
    *((cell, "dyck-1") for cell in (*ZOO, *MEMORIES)),
    *((cell, "dyck-2") for cell in ("selective", "stack_rnn", "stack_lstm_1")),
    *((cell, "shuffle-2") for cell in ("mlstm", "baby_ntm_1")),
]


@pytest.mark.parametrize(
    ("cell", "language"),
    [*_OFTEN, *(pytest.param(*case, marks=pytest.mark.thorough) for case in _ALL if case not in _OFTEN)],
)
def test_no_short_word_contradicts_the_bracket(cell: str, language: str) -> None:
    """Trying all finds what the refuter finds; nothing wrong is proved, not with a single box either."""
    longest = 12 if language == "dyck-1" else 6
    networks, known = badly_trained(cell, 2, language, seeds=3), Configurations(language_named(language))
    proved = 0
    for run in range(len(networks)):
        truth = shortest_wrong(networks, run, known.language, longest, "all")
        bracket = horizon(networks, run, known.language, Search(to=longest, budget=256), configurations=known)
        assert (bracket.wrong and len(bracket.wrong)) == truth
        right = longest if truth is None else truth - 1
        assert prove(networks, run, known, limit=longest + 1, budget=1) - 1 <= right
        assert bracket.proved <= right
        proved += bracket.proved == right
    assert proved > len(networks) // 2


def test_a_word_that_is_right_is_no_refutation() -> None:
    networks, known = badly_trained("lstm", 1, "dyck-1"), Configurations(language_named("dyck-1"))
    for run in range(0, len(networks), 7):
        proved = prove(networks, run, known, limit=12, budget=64) - 1
        for length in range(2, proved + 1, 2):
            assert refutation(networks, run, known, [0, 1] * (length // 2)) is None


@pytest.mark.parametrize("number", [np.nan, np.inf, 1e13])
def test_weights_that_no_program_can_be_trusted_with_prove_nothing(number: float) -> None:
    """The other weights are zero and the biases right: without the one, all words would be proved."""
    language = language_named("dyck-1")
    layout = Layout(CELLS["lstm"], 2, 1, 2)
    weights = np.zeros(layout.size, "float32")
    weights[layout.starts["output.bias"] :] = [1.0, 1.0]
    known = Configurations(language)
    assert prove(Networks(layout, weights[None].copy()), 0, known, limit=9, budget=4, steps="last") == 9
    weights[0] = number
    assert prove(Networks(layout, weights[None].copy()), 0, known, limit=9, budget=4, steps="last") == 1


def test_few_boxes_of_many_signs_come_to_an_end() -> None:
    """Fewer boxes than there are signs of states: cells must grow until they hold both sides of zero."""
    layout = Layout(CELLS["rnn"], 2, 4, 2)
    networks = Networks(layout, (8 * Networks.initial(layout, range(6)).parameters).astype("float32"))
    known = Configurations(language_named("dyck-1"))
    for run in range(len(networks)):
        for budget in (1, 2, 4, 5):
            for steps in ("all", "last"):
                assert 1 <= prove(networks, run, known, limit=20, budget=budget, steps=steps) <= 20


def test_the_second_search_finds_shorter_words_and_never_longer_ones() -> None:
    """With 4 states for a configuration the first search alone misses the shortest words of two networks."""
    networks, known = badly_trained("gru", 2, "dyck-1"), Configurations(language_named("dyck-1"))
    shorter = 0
    for run in range(0, len(networks), 6):
        first, _ = find_wrong(networks, run, known, limit=15, budget=4)
        bracket = horizon(networks, run, known.language, Search(to=14, budget=4), configurations=known)
        lengths = [len(found) if found else 15 for found in (first[0] if first else None, bracket.wrong)]
        truth = shortest_wrong(networks, run, known.language, 14, "all") or 15
        assert truth <= lengths[1] <= lengths[0]
        shorter += truth == lengths[1] < lengths[0]
    assert shorter == 2


def test_a_contradiction_is_never_kept() -> None:
    networks, language = badly_trained("lstm", 1, "dyck-1"), language_named("dyck-1")
    brackets = [horizon(networks, run, language, Search(to=16)) for run in range(len(networks))]
    bracket = next(bracket for bracket in brackets if bracket.wrong is not None)
    with pytest.raises(BadInput, match=r"^Horizon: proved to 90 symbols, but wrong on a word of \d+: one of"):
        type(bracket)(90, bracket.wrong, bracket.search, 1)


def test_what_cannot_be_explored_is_refused() -> None:
    networks, known = badly_trained("lstm", 1, "dyck-1"), Configurations(language_named("dyck-1"))
    other = Configurations(language_named("dyck-2"))
    for search in (prove, find_wrong):
        with pytest.raises(BadInput, match=r"^dyck-2: has 4 symbols and 4 outputs, the network 2 and 2$"):
            search(networks, 0, other, limit=9, budget=4)
        with pytest.raises(BadInput, match=r"^horizon: budget must be at least 1, got 0$"):
            search(networks, 0, known, limit=9, budget=0)
        with pytest.raises(BadInput, match=r"^run must be from 0 to 39, got -1$"):
            search(networks, -1, known, limit=9, budget=4)


@pytest.mark.parametrize("words", [2, 5])
def test_a_search_that_is_ended_says_only_what_it_has_seen(
    words: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Stopped before the words that are wrong, it has proved no longer ones than it has looked at."""
    networks, known = badly_trained("rnn_relu", 2, "dyck-1"), Configurations(language_named("dyck-1"))
    ticks = count()
    monkeypatch.setattr(time, "perf_counter", lambda: next(ticks))  # one for every length
    for run in range(len(networks)):
        deadline = next(ticks) + words
        stopped = prove(networks, run, known, limit=99, budget=16, deadline=deadline)
        assert stopped <= words + 1
        assert stopped <= prove(networks, run, known, limit=99, budget=16)
