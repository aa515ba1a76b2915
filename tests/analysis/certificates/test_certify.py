"""Controls: what is proved holds, and what is nudged is proved no further than it holds."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from abacist.analysis import certify, check, constructed, horizon, load_certificate, sharpened
from abacist.analysis.certificates.certificate import Certificate
from abacist.analysis.certificates.prover import certify_every_word
from abacist.cells import Layout, cell_named
from abacist.corpora import pack_texts
from abacist.engine import first_mistakes, train
from abacist.errors import BadInput
from abacist.languages import language_named, shuffle_k
from abacist.specs import Networks, Spec

DYCK = language_named("dyck-1")


def nudged(by: float, tensor: str = "rnn.bias_ih_l0", place: int = 1, precision: str = "float32") -> Networks:
    """The constructed network of Dyck-1 with one weight set to another value; by default f's bias."""
    networks = constructed(DYCK, precision)
    parameters = networks.parameters.copy()
    parameters[0, networks.layout.starts[tensor] + place] = by
    return Networks(networks.layout, parameters)


@pytest.mark.parametrize("precision", ["float32", "float64"])
@pytest.mark.parametrize(
    "name", ["dyck-1", "shuffle-2", pytest.param("shuffle-6", marks=pytest.mark.thorough)]
)
def test_constructed_networks_are_proved_for_every_word(name: str, precision: str, tmp_path: Path) -> None:
    language = language_named(name)
    networks = constructed(language, precision)
    answer = certify(networks, 0, language)
    assert answer.proved
    assert answer.certificate is not None
    statement = answer.certificate.statement
    assert (statement.length, statement.depth) == (None, 2 ** (24 if precision == "float32" else 53))
    answer.certificate.save(tmp_path / "certificate.json")
    again = load_certificate(tmp_path / "certificate.json")
    assert again.plain() == answer.certificate.plain()
    assert check(again, networks, 0).sentence == f"yes: {statement}"


def test_no_depth_is_proved_at_which_float32_no_longer_counts() -> None:
    """One deeper, and the count sticks: the word would be wrong, so the statement must not be proved."""
    assert np.float32(2**24) + np.float32(1) == np.float32(2**24)
    networks = constructed(DYCK)
    proved = certify(networks, 0, DYCK).certificate
    assert proved is not None
    plain = proved.plain()
    plain["statement"]["depth"] = 2**24 + 1
    plain["sentence"] = plain["sentence"].replace("16,777,216, where float32 stops counting", "16,777,217")
    assert not check(Certificate.of_plain(plain), networks, 0).holds


@pytest.mark.thorough
def test_a_leaking_counter_is_proved_only_to_where_it_is_right() -> None:
    networks = nudged(6.0)
    answer = certify(networks, 0, DYCK)
    assert answer.verdict == "refuted"
    assert answer.certificate is not None
    assert check(answer.certificate, networks, 0).holds
    proved = answer.certificate.statement.length
    assert proved is not None
    assert answer.refutation is not None
    assert 16 < proved < min(len(answer.refutation), _shortest_wrong(networks))


@pytest.mark.thorough
@pytest.mark.parametrize(("bias", "length"), [(8.0, 50), (10.0, 150), (12.0, 400)])
def test_the_less_it_leaks_the_longer_the_words(bias: float, length: int) -> None:
    networks = nudged(bias)
    assert certify(networks, 0, DYCK, length=length).proved
    wrong = _shortest_wrong(networks)
    assert length < wrong < 3 * length
    assert not certify(networks, 0, DYCK, length=wrong).proved


def _shortest_wrong(networks: Networks) -> int:
    """The length of the shortest wrong word, among all short ones and those that go up and down once."""
    words = [word for length in range(2, 13, 2) for word in DYCK.words(length)]
    words += [(0,) * n + (1,) * n for n in range(7, 1000)]
    mistakes = first_mistakes(networks, 0, pack_texts(DYCK, words))
    return min(len(word) for word, m in zip(words, mistakes.tolist(), strict=True) if m >= 0)


def test_a_network_that_is_wrong_is_refuted_by_a_word() -> None:
    networks = nudged(-6.0, "output.bias", 0)  # it never predicts the opening bracket
    answer = certify(networks, 0, DYCK)
    assert (answer.verdict, answer.certificate) == ("refuted", None)
    assert answer.refutation is not None
    assert len(answer.refutation) == 2
    assert answer.refutation.word in DYCK


def test_lengths_and_depths_can_be_asked_for() -> None:
    networks = nudged(18.0, "rnn.weight_ih_l0", 4, "float64")  # tanh(18) is not quite 1 in float64
    assert certify(networks, 0, DYCK, length=10**9, depth=100).proved
    assert str(certify(constructed(DYCK), 0, DYCK, length=10**9).asked) == (
        "on every word of dyck-1 of at most 1,000,000,000 symbols with depths up to 16,777,216, "
        "every prediction of this lstm in float32 is right"
    )
    leaking = nudged(6.0)
    assert certify(leaking, 0, DYCK, length=10).proved
    assert certify(leaking, 0, DYCK, length=400).verdict == "refuted"
    for length, depth in ((0, None), (None, 0), (None, 2**24 + 1)):
        with pytest.raises(BadInput, match="must be from 1"):
            certify(leaking, 0, DYCK, length=length, depth=depth)


def test_trained_networks_are_proved_once_they_are_saturated() -> None:
    spec = Spec(DYCK, cell_named("lstm"), hidden=1)
    trained = train(spec, seeds=range(2)).networks
    for run in range(2):
        sharp = Networks(trained.layout, trained.parameters[run : run + 1])
        assert not certify(sharp, 0, DYCK, length=200).proved
        assert certify(sharpened(sharp, 50), 0, DYCK).proved


def test_other_cells_can_count() -> None:
    """A ReLU network that adds 1 and takes 1 away, and says so: h = depth, exactly."""
    layout = Layout(cell_named("rnn_relu"), 2, 1, 2)
    tensors = {
        "weight_ih": np.array([[1, -1]], np.float32),
        "weight_hh": np.array([[1]], np.float32),
        "output.weight": np.array([[0], [2]], np.float32),
        "output.bias": np.array([1, -1], np.float32),
    }
    networks = Networks.from_tensors(layout.cell, tensors)
    assert certify(networks, 0, DYCK, depth=2**24 - 1).proved
    tensors["weight_hh"] = np.array([[1.001]], np.float32)
    answer = certify(Networks.from_tensors(layout.cell, tensors), 0, DYCK, depth=100)
    assert answer.verdict == "refuted"


def test_only_last_predictions_count_where_only_they_are_judged() -> None:
    """What never allows a closing bracket is wrong before every last symbol, and right behind it."""
    networks = nudged(-600.0, "output.bias", 1)
    word = pack_texts(DYCK, [(0, 1)], "last")
    assert first_mistakes(networks, 0, word).tolist() == [0]
    answer = certify(networks, 0, DYCK, steps="last")
    assert (answer.verdict, answer.certificate) == ("refuted", None)
    assert str(answer.asked).endswith("every prediction of a last symbol of this lstm in float32 is right")
    assert certify(constructed(DYCK), 0, DYCK, steps="last").proved


@pytest.mark.parametrize(
    ("cell", "lacks"),
    [
        ("minlstm", "divide"),
        ("selective", "softplus"),
        pytest.param("slstm", "softplus", marks=pytest.mark.thorough),
        pytest.param("mlstm", "softplus", marks=pytest.mark.thorough),
        ("stack_rnn", "part"),
        pytest.param("stack_rnn_x2", "part", marks=pytest.mark.thorough),
        pytest.param("neural_queue", "part", marks=pytest.mark.thorough),
        pytest.param("nnpda", "part", marks=pytest.mark.thorough),
        pytest.param("russ", "part", marks=pytest.mark.thorough),
    ],
)
def test_cells_that_forms_do_not_know_are_refused_in_one_sentence(cell: str, lacks: str) -> None:
    networks = Networks.initial(Layout(cell_named(cell), 2, 1, 2), range(1))
    message = (
        f"^{cell}: it cannot be certified at every depth, since certificates do not know {lacks}; .*--depth"
    )
    with pytest.raises(BadInput, match=message):
        certify(networks, 0, DYCK)
    assert certify_every_word(networks, 0, DYCK) is None


def test_too_many_counters_are_refused_before_anything_is_tried() -> None:
    language = shuffle_k(50)
    networks = constructed(language)
    with pytest.raises(BadInput, match=r"^certify: shuffle-50 has 50 counters, and there may be 10: "):
        certify(networks, 0, language)
    with pytest.raises(BadInput, match=r"^horizon: shuffle-50 has 100 symbols, and there may be 32: "):
        horizon(networks, 0, language)


def test_the_depth_that_is_proved_is_tight_in_float32() -> None:
    """Followed by NumPy from every depth: up to 2²⁴ the state is the depth. One bracket deeper it stays, so
    that it is 0 again while one bracket is open, and the last closing bracket is ruled out."""
    networks, most = constructed(DYCK), 2**24
    proved = certify(networks, 0, DYCK).certificate
    assert proved is not None
    assert proved.statement.depth == most
    depths = np.arange(most + 1, dtype=np.float32)
    assert np.array_equal(_next_state(networks, depths[:-1], 0), depths[1:])
    assert np.array_equal(_next_state(networks, depths[1:], 1), depths[:-1])
    assert _next_state(networks, depths[-1:], 0) == most
    assert _allows_closing(networks, depths[:3]).tolist() == [False, True, True]
    with pytest.raises(BadInput, match="must be from 1"):
        certify(networks, 0, DYCK, depth=most + 1)


def _next_state(networks: Networks, c: NDArray[np.float32], symbol: int) -> NDArray[np.float32]:
    """The cell states of an LSTM with one unit after a symbol, whose gates do not see h."""
    tensors = networks.tensors(0)
    assert not tensors["rnn.weight_hh_l0"].any()
    sums = tensors["rnn.weight_ih_l0"][:, symbol] + tensors["rnn.bias_ih_l0"]
    i, f, g, o = (np.tanh(s) if n == 2 else 1 / (1 + np.exp(-s)) for n, s in enumerate(sums))
    assert o == 1
    return np.asarray(f * c + i * g, np.float32)


def _allows_closing(networks: Networks, c: NDArray[np.float32]) -> NDArray[np.bool_]:
    tensors = networks.tensors(0)
    return np.asarray(tensors["output.weight"][1, 0] * np.tanh(c) + tensors["output.bias"][1] > 0)
