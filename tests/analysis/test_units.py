"""What units do: exact counters are found exactly, and all figures are those of a plain computation."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any

import numpy as np
import pytest

from abacist.analysis import (
    CountingUnits,
    StateUnits,
    counting_units,
    counting_words,
    matching,
    state_units,
)
from abacist.analysis.matching import unit_correlations
from abacist.analysis.units import UnitVerdict, gate_names, unit_moves
from abacist.cells import CELLS, Cell, Layout, cell_named
from abacist.corpora import Corpus, Uniform, Window, draw, paper_recipe, sample
from abacist.engine.reference import forward
from abacist.errors import BadInput
from abacist.languages import Dyck, Language, language_named
from abacist.specs import Networks
from tests.analysis.cases import networks
from tests.cells.toys import forgetful, minimal
from tests.wrong_input import is_refused

SHUFFLE = language_named("shuffle-3")


@cache
def crossing() -> Corpus:
    """Words of SHUFFLE in which brackets cross."""
    return counting_words(SHUFFLE, Window(2, 30), 100)


#: Far enough out for a sigmoid or tanh to be exactly 1 in float32.
FAR = 40.0


def hand_set(language: Language[Any], moves: Sequence[Sequence[float]]) -> Networks:
    """An LSTM whose cell states add, with every symbol, what `moves`, (unit, symbol), says: −1, 0 or 1."""
    hidden, symbols = len(moves), len(language.alphabet)
    layout = Layout(CELLS["lstm"], symbols, hidden, language.outputs)
    tensors = {name: np.zeros(shape, np.float32) for name, shape in layout.shapes.items()}
    names = list(layout.shapes)
    candidate = slice(2 * hidden, 3 * hidden)  # of i, f, g, o
    tensors[names[0]][candidate] = FAR * np.array(moves)
    tensors[names[2]][:] = FAR
    tensors[names[2]][candidate] = 0
    return Networks(layout, np.concatenate([tensors[name].ravel() for name in names])[None])


def exact(order: Sequence[int], *others: Sequence[float]) -> Networks:
    """Units that count the counters of SHUFFLE in an order, then others."""
    return hand_set(SHUFFLE, [*np.array(SHUFFLE.updates).T[list(order)].tolist(), *others])


EVERY_SYMBOL, NO_SYMBOL = [1.0] * 6, [0.0] * 6


def test_units_that_are_counters_are_found_exactly() -> None:
    found = counting_units(exact((2, 0, 1), EVERY_SYMBOL, NO_SYMBOL), 0, crossing())
    state = found.state("c")
    assert state.matching.units == (1, 2, 0)
    assert state.verdicts(1 - 1e-12) == (
        UnitVerdict(2), UnitVerdict(0), UnitVerdict(1), UnitVerdict(follows_length=True), UnitVerdict(),
    )  # fmt: skip
    for unit, counter in enumerate((2, 0, 1)):
        assert state.matching.correlations[unit, counter] == pytest.approx(1, abs=1e-12)
        moves = [state.moves.up, state.moves.down, state.moves.drift]
        assert [float(move.mean[unit, counter]) for move in moves] == [1, -1, 0]
        assert [float(move.spread[unit, counter]) for move in moves] == [0, 0, 0]
    assert state.with_length[3] == pytest.approx(1, abs=1e-12)
    assert (state.moves.up.mean[3] == 1).all()
    assert (state.moves.drift.mean[3] == 2).all()
    assert state.matching.correlations[4].tolist() == [0, 0, 0]
    assert set(found.saturation) == {"i", "f", "o"}
    for saturation in found.saturation.values():
        np.testing.assert_array_equal(saturation, 1)


def test_a_unit_that_counts_downwards_counts() -> None:
    downwards = (-np.array(SHUFFLE.updates).T[1]).tolist()
    state = counting_units(hand_set(SHUFFLE, [downwards]), 0, crossing()).state("c")
    assert state.verdicts() == (UnitVerdict(1),)
    assert state.matching.units == (None, 0, None)
    assert (state.moves.up.mean[0, 1], state.moves.down.mean[0, 1]) == (-1, 1)


def permuted(own: Networks, order: Sequence[int]) -> Networks:
    """The same LSTMs with their units in another order."""
    hidden, names = own.layout.hidden, list(own.layout.shapes)
    rows = np.concatenate([gate * hidden + np.array(order) for gate in range(4)])
    tensors = own.tensors(0)
    for name in names[:4]:
        tensors[name] = tensors[name][rows]
    for name in (names[1], names[4]):
        tensors[name] = tensors[name][:, order]
    return Networks(own.layout, np.concatenate([tensors[name].ravel() for name in names])[None])


@pytest.mark.parametrize("state", ["h", "c"])
def test_units_in_another_order_get_their_verdicts_in_that_order(state: str) -> None:
    order = [3, 0, 4, 1, 2]
    original = networks("shuffle-3", hidden=5, runs=1)
    for own in (exact((2, 0, 1), EVERY_SYMBOL, NO_SYMBOL), original):
        before, after = (counting_units(n, 0, crossing()) for n in (own, permuted(own, order)))
        one, two = before.state(state), after.state(state)
        assert two.verdicts(0.6) == tuple(one.verdicts(0.6)[unit] for unit in order)
        matched = tuple(None if unit is None else order[unit] for unit in two.matching.units)
        assert matched == one.matching.units
        np.testing.assert_allclose(two.with_length, one.with_length[order], atol=1e-5)
        np.testing.assert_allclose(two.matching.correlations, one.matching.correlations[order], atol=1e-5)
        for name, saturation in after.saturation.items():
            np.testing.assert_allclose(saturation, before.saturation[name][order], atol=1e-6)


def plainly(states: list[np.ndarray[Any, Any]], corpus: Corpus, unit: int, counter: int) -> list[float]:
    """Correlations with counter and step, then moves up, down and over (), word by word, step by step."""
    changes: dict[str, list[float]] = {"up": [], "down": [], "drift": []}
    value, depth, step = [], [], []
    for word, path in zip(corpus, states, strict=True):
        heights = corpus.language.depth_path(word)[:, counter].tolist()
        here = [0.0, *path[:, unit].tolist()]
        signs = [after - before for before, after in zip([0, *heights], heights, strict=False)]
        for time, sign in enumerate(signs):
            value.append(here[time + 1])
            depth.append(heights[time])
            step.append(time)
            if sign:
                changes["up" if sign > 0 else "down"].append(here[time + 1] - here[time])
            if sign > 0 and time + 1 < len(word) and signs[time + 1] < 0:
                changes["drift"].append(here[time + 2] - here[time])
    moves = [figure for own in changes.values() for figure in (np.mean(own), np.std(own))]
    return [np.corrcoef(value, depth)[0, 1], np.corrcoef(value, step)[0, 1], *map(float, moves)]


@pytest.mark.parametrize(
    ("language", "cell"),
    [
        ("shuffle-2", "lstm"),
        ("shuffle-2", "gru"),
        ("dyck-2", "rnn"),
        ("anbncn", "lstm"),
        ("dyck-1", "rnn"),
    ],
)
def test_all_figures_are_those_of_a_plain_computation(language: str, cell: str) -> None:
    own, net = language_named(language), networks(language, cell)
    corpus = counting_words(own, Window(2, 18), 40, seed=3)
    paths = [forward(net, 1, word)[0] for word in corpus]
    found = counting_units(net, 1, corpus)
    assert [state.name for state in found.states] == list(net.layout.cell.state_names)
    for state in found.states:
        for unit in range(len(state)):
            for counter in range(len(own.counter_names)):
                moves = (state.moves.up, state.moves.down, state.moves.drift)
                ours = [
                    state.matching.correlations[unit, counter],
                    state.with_length[unit],
                    *(figure[unit, counter] for move in moves for figure in (move.mean, move.spread)),
                ]
                expected = plainly([path[state.name] for path in paths], corpus, unit, counter)
                np.testing.assert_allclose(ours, expected, atol=2e-4)


def test_saturation_is_that_of_the_gates_of_the_formula() -> None:
    net, corpus = networks("shuffle-2", "gru"), counting_words(language_named("shuffle-2"), Window(2, 12), 20)
    tensors = {name: array.astype(np.float64) for name, array in net.tensors(0).items()}
    w_x, w_h, b_x, b_h = (tensors[name] for name in list(tensors)[:4])
    gates: dict[str, list[Any]] = {"r": [], "z": []}
    for word in corpus:
        before = np.vstack((np.zeros((1, 3)), forward(net, 0, word)[0]["h"][:-1]))
        sums = w_x.T[list(word)] + b_x + before @ w_h.T + b_h
        for place, name in enumerate(gates):
            gates[name].append(1 / (1 + np.exp(-sums[:, 3 * place : 3 * place + 3])))
    found = counting_units(net, 0, corpus).saturation
    assert list(found) == list(gates)
    for name, values in gates.items():
        np.testing.assert_allclose(
            found[name], np.abs(2 * np.concatenate(values) - 1).mean(axis=0), atol=1e-5
        )


@pytest.mark.parametrize(
    ("own", "expected"),
    [(CELLS["lstm"], "ifo"), (CELLS["gru"], "rz"), (CELLS["rnn"], ""), (minimal, "f"), (forgetful, "")],
)
def test_gates_are_what_a_sigmoid_makes(own: Cell, expected: str) -> None:
    assert gate_names(Layout(own, 2, 3, 2)) == tuple(expected)


def with_correlations(counters: list[float], length: float) -> StateUnits:
    """One unit with about these correlations: some of every counter, of the step, and of noise."""
    steps = np.arange(len(crossing().symbols)) - np.repeat(crossing().offsets[:-1], crossing().lengths)
    basis = np.column_stack((crossing().depths(), steps, np.random.default_rng(0).normal(size=len(steps))))
    basis = (basis - basis.mean(axis=0)) / basis.std(axis=0)
    rest = np.sqrt(max(1 - sum(part**2 for part in (*counters, length)), 0))
    return state_units("c", basis @ np.array([*counters, length, rest])[:, None], crossing())


def test_verdicts_go_by_the_highest_correlation_and_the_threshold() -> None:
    counting, longer = with_correlations([0, 0.97, 0], 0.1), with_correlations([0.3, 0, 0], 0.8)
    lost, both = with_correlations([0.1, 0, 0], 0.2), with_correlations([0.6, 0, 0], 0.5)
    assert counting.verdicts() == (UnitVerdict(1),)
    assert counting.verdicts(0.999) == (UnitVerdict(),)
    assert longer.verdicts() == (UnitVerdict(follows_length=True),)
    assert lost.verdicts() == (UnitVerdict(),)  # more with the length than with any counter, but hardly
    assert lost.nearest == (0,)
    assert both.verdicts() == (UnitVerdict(),)
    assert both.verdicts(0.5) == (UnitVerdict(0),)
    texts = [v.in_words(SHUFFLE) for v in (UnitVerdict(1), UnitVerdict(follows_length=True), UnitVerdict())]
    assert texts == ["counts [ ]", "follows the length", "neither"]


def test_words_that_never_move_a_counter_say_nothing_about_it() -> None:
    corpus = sample(language_named("anbn"), Uniform(), Window(4, 4), 2, seed=0, distinct=False)
    drift = unit_moves(np.arange(8.0)[:, None], corpus).drift
    assert (float(drift.mean[0, 0]), float(drift.spread[0, 0])) == (2, 0)
    nested = sample(SHUFFLE, Uniform(), Window(2, 2), 1, seed=0)  # one pair of three
    moved = unit_moves(np.ones((2, 1)), nested)
    assert np.isnan(moved.up.mean).sum() == np.isnan(moved.drift.spread).sum() == 2


def test_states_that_are_not_finite_count_nothing() -> None:
    states = np.column_stack((crossing().depths()[:, 0], np.full(len(crossing().symbols), np.inf)))
    found = state_units("c", states, crossing())
    assert found.verdicts() == (UnitVerdict(0), UnitVerdict())
    assert found.moves.up.mean[0, 0] == 1


def test_the_paper_s_counters_go_together_more_than_those_of_crossing_words() -> None:
    shuffle = language_named("shuffle-2")
    paper = draw(paper_recipe(shuffle, training=500, test=500))["long"]
    crossing = counting_words(shuffle, Window(52, 100), 500)
    of_paper, of_crossing = (unit_correlations(own.depths(), own.depths())[0, 1] for own in (paper, crossing))
    assert of_paper > of_crossing + 0.1


def test_what_is_refused() -> None:
    net = exact((0, 1, 2))
    found: CountingUnits = counting_units(net, 0, crossing())
    for threshold in (0, 1.5, "a", float("nan")):
        is_refused(lambda t=threshold: found.state("c").verdicts(t))  # type: ignore[misc]
    is_refused(lambda: found.state("q"))
    is_refused(lambda: counting_units(net, 0, crossing(), states=("q",)))
    is_refused(lambda: counting_units(net, 0, crossing(), states=("c",)).state("h"))
    is_refused(lambda: counting_units(net, 1, crossing()))
    is_refused(lambda: counting_units(net, 0, counting_words(language_named("dyck-1"))))
    is_refused(lambda: counting_words(SHUFFLE, Window(3, 3)))
    is_refused(lambda: unit_moves(np.zeros((3, 2)), crossing()))
    is_refused(lambda: UnitVerdict(1, True))


def test_units_are_looked_at_a_few_at_a_time_with_the_same_result(monkeypatch: pytest.MonkeyPatch) -> None:
    """A memory of many rows has thousands of units, whose float64 would take gigabytes at once."""
    corpus = counting_words(Dyck(2), Window(2, 20), 40, seed=1)
    states = np.random.default_rng(3).normal(size=(len(corpus.symbols), 7))
    whole = state_units("c", states, corpus)
    monkeypatch.setattr(matching, "_AT_ONCE", 2 * len(states))
    parts = state_units("c", states, corpus)
    np.testing.assert_allclose(parts.matching.correlations, whole.matching.correlations, rtol=1e-12)
    for name in ("up", "down", "drift"):
        for of in ("mean", "spread"):
            own, others = (getattr(getattr(units.moves, name), of) for units in (parts, whole))
            np.testing.assert_allclose(own, others, rtol=1e-9)


def test_what_would_take_gigabytes_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    layout = Layout(cell_named("russ"), 4, 200, 4)
    networks = Networks(layout, np.zeros((1, layout.size), np.float32))
    with pytest.raises(BadInput, match=r"^russ with 200 units: its words may have at most 12,782 symbols"):
        counting_units(networks, 0, counting_words(Dyck(2), seed=0))
