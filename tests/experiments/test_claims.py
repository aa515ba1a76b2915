"""Claims: each can hold, fail and be open, by figures that are those of the runs."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from abacist.cells import cell_named
from abacist.experiments import FAILS, HOLDS, OPEN, Run, Verdict, check_claims
from abacist.languages import language_named
from abacist.specs import Spec
from tests.experiments.cases import made_up, view

UNITS = {"dyck-1": 3, "shuffle-2": 4, "shuffle-6": 8, "dyck-2": 4}
SETS = ("training", "short", "long")
TEN = range(10)

#: Accuracies in percent, by cell, that the paper would be happy with.
GOOD = {"rnn": (50, 45, 5), "gru": (100, 99.9, 90), "lstm": (100, 100, 99)}
GOOD_DYCK_2 = {"rnn": (15, 12, 0), "gru": (30, 25, 1), "lstm": (40, 35, 2)}


def made(language: str, cell: str, hidden: int, percent: Iterable[float], seed: int, **values: Any) -> Run:
    spec = Spec(language_named(language), cell_named(cell), hidden, **values)
    epochs = ("5", str(spec.epochs))
    named = zip(SETS, percent, strict=True)
    return made_up(spec, seed, {name: dict.fromkeys(epochs, share / 100) for name, share in named})


def world(seeds: Iterable[int] = TEN, **changes: Any) -> list[Run]:
    """Runs with which all claims hold, but for some shapes: {"dyck_1_rnn_3": percents of the sets}."""
    runs = []
    for seed in seeds:
        shapes: dict[tuple[str, str, int, str], Any] = {}
        for language, hidden in UNITS.items():
            good = GOOD_DYCK_2 if language == "dyck-2" else GOOD
            shapes |= {(language, cell, hidden, "all"): good[cell] for cell in GOOD}
        shapes[("dyck-1", "lstm", 1, "all")] = (100, 100, 99)
        shapes[("shuffle-2", "lstm", 2, "all")] = (100, 99.9, 50) if seed == 4 else (50, 50, 50)
        shapes[("dyck-2", "lstm", 4, "last")] = (100, 99, 99) if seed == 4 else (50, 50, 50)
        for (language, cell, hidden, steps), percent in shapes.items():
            name = f"{language}_{cell}_{hidden}_{steps}".replace("-", "_")
            percent = changes.get(name, percent)
            runs.append(made(language, cell, hidden, percent, seed, steps=steps))
    return runs


def verdicts(runs: Iterable[Run]) -> dict[str, str]:
    return {verdict.claim: verdict.verdict for verdict in check_claims(view(runs))}


PERFECT = "LSTMs are perfect on the training and short sets of the counting languages"
BEHIND = "GRUs are close behind LSTMs on the short sets"
WORSE = "GRUs are clearly worse than LSTMs on the long sets"
FAIL = "RNNs fail even on the training sets"
NONE = "No network learns Dyck-2"
ONE = "An LSTM with one unit learns Dyck-1"
TWO = "An LSTM with two units can recognise Shuffle-2"
LAST = "The last bracket is learned in a couple of epochs"
CLAIMS = [PERFECT, BEHIND, WORSE, FAIL, NONE, ONE, TWO, LAST]


def test_all_claims_can_hold() -> None:
    assert verdicts(world()) == dict.fromkeys(CLAIMS, HOLDS)


@pytest.mark.parametrize("seeds", [(), range(1), range(9)])
def test_with_fewer_than_ten_runs_nothing_can_be_said(seeds: Iterable[int]) -> None:
    assert verdicts(world(seeds)) == dict.fromkeys(CLAIMS, OPEN)


@pytest.mark.parametrize("count", [1, 2, 9, 10])
def test_how_many_runs_decide_can_be_said(count: int) -> None:
    """The best runs of two claims have seed 4."""
    seeds = range(4, 4 + count)
    decided = {verdict.verdict for verdict in check_claims(view(world(seeds)), at_least=count)}
    open_ = {verdict.verdict for verdict in check_claims(view(world(seeds)), at_least=count + 1)}
    assert (decided, open_) == ({HOLDS}, {OPEN})


@pytest.mark.parametrize(
    ("changes", "failing"),
    [
        ({"dyck_1_lstm_3_all": (99.99, 100, 99)}, [PERFECT]),
        ({"shuffle_2_lstm_4_all": (100, 99.98, 99)}, [PERFECT]),
        ({"shuffle_6_lstm_8_all": (99.9, 100, 99)}, [PERFECT]),
        ({"shuffle_2_gru_4_all": (100, 98.9, 90)}, [BEHIND]),
        ({"shuffle_6_gru_8_all": (100, 99.1, 90)}, []),
        ({"dyck_1_gru_3_all": (100, 100, 96.5)}, [WORSE]),
        ({"dyck_1_gru_3_all": (100, 100, 95.5)}, []),
        ({"shuffle_6_rnn_8_all": (90.5, 45, 5)}, [FAIL]),
        ({"shuffle_6_rnn_8_all": (89.5, 45, 5)}, []),
        ({"dyck_2_gru_4_all": (95, 90.5, 0)}, [NONE]),
        ({"dyck_2_lstm_4_all": (95, 89, 50.5)}, [NONE]),
        ({"dyck_2_rnn_4_all": (100, 89, 49.5)}, []),
        ({"dyck_1_lstm_1_all": (100, 99.9, 99)}, [ONE]),
        ({"dyck_1_lstm_1_all": (100, 100, 98.9)}, [ONE]),
        ({"dyck_1_lstm_1_all": (50, 100, 99)}, []),
        ({"shuffle_2_lstm_2_all": (100, 99.8, 100)}, [TWO]),
        ({"dyck_2_lstm_4_last": (100, 100, 98.9)}, [LAST]),
        ({"dyck_2_lstm_4_last": (98.9, 100, 100)}, [LAST]),
    ],
)
def test_each_claim_fails_by_its_own_rule(changes: dict[str, Any], failing: list[str]) -> None:
    expected = {claim: FAILS if claim in failing else HOLDS for claim in CLAIMS}
    assert verdicts(world(**changes)) == expected


def test_one_missing_accuracy_leaves_only_its_claims_open() -> None:
    runs = world()
    place, victim = next(
        (place, run)
        for place, run in enumerate(runs)
        if (run.spec.cell.name, run.spec.language.name) == ("gru", "dyck-1")
    )
    fewer = {name: shares for name, shares in victim.outcome.accuracy.items() if name != "short"}
    runs[place] = replace(victim, outcome=replace(victim.outcome, accuracy=fewer))
    found = verdicts(runs)
    assert [claim for claim in CLAIMS if found[claim] == OPEN] == [BEHIND]


def test_runs_of_other_settings_are_no_evidence() -> None:
    others = [
        Run(replace(run.spec, **change), run.seed, run.outcome, run.weights)
        for run in world()
        for change in ({"epochs": 50}, {"rate": 0.01}, {"batch": 2}, {"training": 9_000}, {"test": 100})
    ]
    assert set(verdicts(others).values()) == {OPEN}
    assert verdicts([*others, *world()]) == dict.fromkeys(CLAIMS, HOLDS)


def of(found: list[Verdict], claim: str) -> Verdict:
    return next(verdict for verdict in found if verdict.claim == claim)


def test_figures_are_those_of_the_runs() -> None:
    percents = np.random.default_rng(0).uniform(0, 100, (13, 3))
    runs = [made("dyck-1", "lstm", 1, row, seed) for seed, row in enumerate(percents)]
    verdict = of(check_claims(view(runs)), ONE)
    for name, values in zip(("short", "long"), percents.T[1:], strict=True):
        assert verdict.figures[name] == {
            "runs": 13,
            "min": pytest.approx(values.min(), abs=0.00501),
            "max": pytest.approx(values.max(), abs=0.00501),
            "median": pytest.approx(np.median(values), abs=0.00501),
        }
    assert of(check_claims(view(runs)), TWO).figures == {"short": {"runs": 0}}
    assert all(v.place and v.rule for v in check_claims(view([])))
