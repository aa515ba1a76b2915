"""The machine that a network is: the language's own, by what it does, and told apart from others."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from abacist.analysis import certify, compare, constructed, machine_of, sharpened
from abacist.cells import cell_named
from abacist.engine import train
from abacist.errors import BadInput
from abacist.languages import CounterAutomaton, CounterMove, language_named
from abacist.specs import Networks, Spec
from tests.analysis.certificates.test_certify import DYCK, nudged


@pytest.mark.parametrize("name", ["dyck-1", "shuffle-2", "shuffle-3"])
def test_a_constructed_network_is_the_language_s_own_machine(name: str) -> None:
    language = language_named(name)
    networks = constructed(language)
    certificate = certify(networks, 0, language).certificate
    assert certificate is not None
    machine = machine_of(certificate, networks, 0)
    assert machine == language.automaton()
    assert compare(machine, machine).equal
    for length in range(5):  # and by brute force
        for word in itertools.product(range(machine.symbols), repeat=length):
            assert machine.accepts(word) == (word in language)


def test_a_trained_network_is_a_machine_once_it_is_saturated() -> None:
    trained = train(Spec(DYCK, cell_named("lstm"), hidden=1), seeds=[4]).networks  # it counts downwards
    networks = sharpened(trained, 50)
    certificate = certify(networks, 0, DYCK).certificate
    assert certificate is not None
    assert compare(machine_of(certificate, networks, 0), _automaton("dyck-1")).equal


def test_a_network_with_a_finite_control_is_a_machine_of_two_states() -> None:
    """aⁿbⁿ: unit 1 counts, unit 2 goes up with every b and so remembers that one has come."""
    language = language_named("anbn")
    gates = np.zeros((4, 2, 2), np.float32)  # (gate, unit, symbol), gates in the order i f g o
    gates[2] = [[50, -50], [0, 50]]
    biases = np.full((4, 2), 50, np.float32)
    biases[2] = 0
    tensors = {
        "weight_ih": gates.reshape(8, 2),
        "weight_hh": np.zeros((8, 2), np.float32),
        "bias_ih": biases.reshape(8),
        "output.weight": np.array([[0, -16], [16, 0], [-16, 16]], np.float32),
        "output.bias": np.array([6, -6, -6], np.float32),
    }
    networks = Networks.from_tensors(cell_named("lstm"), tensors)
    certificate = certify(networks, 0, language).certificate
    assert certificate is not None
    assert certificate.statement.unbounded
    machine = machine_of(certificate, networks, 0)
    assert (machine.states, machine.accepting_states) == (2, frozenset({1}))
    assert compare(machine, _automaton("anbn")).equal


def test_a_machine_needs_words_of_any_length_and_the_right_network() -> None:
    leaking = nudged(6.0)
    certificate = certify(leaking, 0, DYCK, length=10).certificate
    assert certificate is not None
    with pytest.raises(BadInput, match="words of any length, got one with a bound"):
        machine_of(certificate, leaking, 0)
    with pytest.raises(BadInput, match="no: it is about other weights"):
        machine_of(certificate, constructed(DYCK), 0)


def test_machines_that_differ_are_told_apart_by_a_word() -> None:
    automaton = _automaton("dyck-1")
    up, down = automaton.moves
    careless = CounterAutomaton(2, 1, 1, (up,), frozenset({0}))
    stuck = CounterAutomaton(2, 2, 1, (up, down, CounterMove(0, 1, "0", 1, (0,))), frozenset({0}))
    for other in (careless, stuck):
        for pair in ((automaton, other), (other, automaton)):
            found = compare(*pair)
            assert found.equal is False
            assert found.word is not None
            first, second = (machine.run(found.word) for machine in pair)
            assert (
                len(first.configurations) != len(second.configurations) or first.accepted != second.accepted
            )
    assert compare(automaton, automaton).word is None


def test_a_machine_that_counts_in_another_way_is_never_called_different() -> None:
    """Two counters that share the work recognise Dyck-1, too."""
    moves = (
        CounterMove(0, 0, "**", 0, (1, 1)),
        CounterMove(0, 1, "++", 0, (-1, -1)),
    )
    found = compare(CounterAutomaton(2, 1, 2, moves, frozenset({0})), _automaton("dyck-1"))
    assert found.equal is None
    assert "no short word tells them apart" in found.reason


def _automaton(name: str) -> CounterAutomaton:
    automaton = language_named(name).automaton()
    assert isinstance(automaton, CounterAutomaton)
    return automaton
