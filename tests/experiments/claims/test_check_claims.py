"""Claims: made-up stores in which each holds, fails, holds in part, or stays open, by its own rule."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from abacist.experiments import FAILS, HOLDS, OPEN, PARTLY, Run, Verdict, check_claims, exact_p_value
from abacist.experiments.claims import evidence
from abacist.experiments.distributions import distributions
from abacist.experiments.p_values import extreme_interval
from tests.experiments.cases import view
from tests.experiments.claims.worlds import PERFECT, SETS, TEN, made, proved, world, wrong_at

#: How the statements begin, in the order of the paper, and a name for each.
BEGINNINGS = {
    "dyck-1 short": "all the LSTM models obtained full accuracy",
    "dyck-1 long": "They obtained perfect accuracy in nine out of ten",
    "unbounded": "These results exhibit that the LSTMs can indeed",
    "gru similar": "The GRUs yielded an almost similar",
    "gru long": "they could not generalize well",
    "rnn worse": "the RNN models performed significantly worse",
    "shuffle medians": "the LSTM models achieved a median accuracy of 100%",
    "shuffle long": "achieving an almost perfect median",
    "gru slightly": "the GRU models performed slightly worse",
    "gru not same": "the GRUs did not yield the same",
    "rnn always": "the simple RNN models always",
    "rnn training": "could not even learn the training sets",
    "often": "often achieved full accuracy on the short",
    "dyck-2": "none of our RNNs was able",
    "dyck-2 best": "Overall, the LSTM models had the best",
    "dyck-2 only": "Even the best LSTM model could achieve only",
    "six units": "six out of eight hidden units",
    "length": "In some cases, we further discovered",
    "one unit": "the LSTMs with only a single hidden unit",
    "two units": "an LSTM with only two hidden units",
    "couple": "The model learned the task in a couple of epochs",
    "last perfect": "achieved perfect accuracy on the training and test",
}


def by_name(found: list[Verdict]) -> dict[str, Verdict]:
    """The verdicts by the names above; there are no others."""
    assert len(found) == len(BEGINNINGS)
    pairs = zip(BEGINNINGS.items(), found, strict=True)
    assert all(verdict.claim.startswith(beginning) for (_, beginning), verdict in pairs)
    return dict(zip(BEGINNINGS, found, strict=True))


def verdicts(runs: Iterable[Run], **given: Any) -> dict[str, str]:
    return {name: v.verdict for name, v in by_name(check_claims(view(runs), **given)).items()}


ALL_HOLD = dict.fromkeys(BEGINNINGS, HOLDS)
NOTHING = dict.fromkeys(BEGINNINGS, OPEN)


def test_all_claims_can_hold() -> None:
    assert verdicts(world()) == ALL_HOLD


@pytest.mark.parametrize("seeds", [(), range(1), range(9)])
def test_with_fewer_than_ten_runs_nothing_can_be_said(seeds: Iterable[int]) -> None:
    assert verdicts(world(seeds)) == NOTHING


def test_how_many_runs_decide_can_be_said() -> None:
    assert verdicts(world(range(12)), at_least=12) == ALL_HOLD
    assert verdicts(world(range(12)), at_least=13) == NOTHING


EACH = -1


def of_all(**given: Any) -> dict[int, Any]:
    return {EACH: given}


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        # One run of ten with one wrong word: not all ten do it, but nine are no fewer than ten by chance.
        ({"dyck-1 lstm 3": {4: {"percent": (99.99, 100, 100)}}}, {"dyck-1 short": PARTLY}),
        ({"dyck-1 lstm 3": {4: {"percent": (99.99, 99.98, 100)}}}, {"dyck-1 short": OPEN}),
        ({"dyck-1 lstm 3": {s: {"percent": (99.99, 99.98, 100)} for s in range(4)}},
         {"dyck-1 short": OPEN, "often": PARTLY}),
        ({"dyck-1 lstm 3": {s: {"percent": (99.99, 99.98, 100)} for s in range(5)}},
         {"dyck-1 short": FAILS, "often": PARTLY}),
        # Nine of ten perfect, and the other with one wrong word, is just what the paper has.
        ({"dyck-1 lstm 3": {4: {"percent": (100, 100, 99.98)}}}, {}),
        ({"dyck-1 lstm 3": {4: {"percent": (100, 100, 99.96)}}}, {"dyck-1 long": PARTLY}),
        ({"dyck-1 lstm 3": {s: {"percent": (100, 100, 99.98)} for s in (4, 5)}}, {"dyck-1 long": PARTLY}),
        ({"dyck-1 lstm 3": {s: {"percent": (100, 100, 98.5)} for s in range(4)}}, {"dyck-1 long": OPEN}),
        ({"dyck-1 lstm 3": {s: {"percent": (100, 100, 98.5)} for s in range(5)}}, {"dyck-1 long": FAILS}),
        # A constructed network can; of trained ones most do, some, or none, or nobody knows.
        ({"dyck-1 lstm 3": {4: {"horizon": wrong_at(48)}}}, {}),
        ({"dyck-1 lstm 3": {s: {"horizon": wrong_at(48)} for s in range(2)}}, {"unbounded": PARTLY}),
        ({"dyck-1 lstm 3": of_all(horizon=wrong_at(48))}, {"unbounded": PARTLY}),
        ({"dyck-1 lstm 3": {4: {"horizon": proved(every_word=False)}}}, {}),
        ({"dyck-1 lstm 3": of_all(horizon=proved(every_word=False))}, {"unbounded": PARTLY}),
        ({"dyck-1 lstm 1": of_all(horizon=wrong_at(46))}, {"one unit": PARTLY}),
        ({"dyck-1 lstm 1": {s: {"percent": (100, 100, 99.98)} for s in range(2)}}, {"one unit": PARTLY}),
        ({"shuffle-2 lstm 2": {4: {"horizon": wrong_at(10)}}}, {}),
        ({"shuffle-2 lstm 2": of_all(horizon=wrong_at(10))}, {"two units": PARTLY}),
        ({"shuffle-2 lstm 2": of_all(horizon=wrong_at(10), percent=(100, 99.9, 99.9))},
         {"two units": PARTLY}),
        # Two points behind is not similar and not slight; half of the runs so leave it open.
        ({"dyck-1 gru 3": of_all(percent=(98, 100, 84))}, {"gru similar": PARTLY}),
        ({"dyck-1 gru 3": of_all(percent=(98, 98, 84))}, {"gru similar": FAILS}),
        ({"dyck-1 gru 3": {s: {"percent": (98, 98, 84)} for s in range(5)}}, {"gru similar": OPEN}),
        ({"dyck-1 gru 3": {0: {"percent": (40, 40, 84)}}}, {}),
        ({"shuffle-2 gru 4": of_all(percent=(98, 99.9, 93))}, {"gru slightly": PARTLY}),
        ({f"shuffle-{k} gru {h}": of_all(percent=(100, 100, 93)) for k, h in ((2, 4), (6, 8))},
         {"gru slightly": FAILS}),
        # As good as the LSTM on long words, in all runs, or in half of them.
        ({"dyck-1 gru 3": of_all(percent=PERFECT)}, {"gru long": FAILS}),
        ({"dyck-1 gru 3": {s: {"percent": PERFECT} for s in range(5)}}, {"gru long": OPEN}),
        ({"shuffle-6 gru 8": of_all(percent=(99.9, 99.9, 100))}, {"gru not same": PARTLY}),
        # RNNs: of Dyck-1 by medians, of the shuffles "always".
        ({"dyck-1 rnn 3": {0: {"percent": PERFECT}}}, {}),
        ({"dyck-1 rnn 3": of_all(percent=(100, 42, 7))}, {"rnn worse": PARTLY}),
        ({"shuffle-2 rnn 4": {0: {"percent": (89, 99.95, 3)}}}, {"rnn always": PARTLY}),
        ({"shuffle-2 rnn 4": {0: {"percent": (90, 55, 3)}}}, {"rnn training": PARTLY}),
        ({"dyck-1 rnn 3": of_all(percent=(95, 42, 7))}, {}),
        # Medians and interval of the median.
        ({"shuffle-6 lstm 8": {s: {"percent": (99.9, 100, 99)} for s in range(6)}},
         {"shuffle medians": PARTLY}),
        ({"shuffle-2 lstm 4": of_all(percent=(100, 100, 97.9))}, {"shuffle long": PARTLY}),
        ({"shuffle-2 lstm 4": {s: {"percent": (100, 100, 97.9)} for s in range(3)}},
         {"shuffle long": PARTLY}),
        ({"shuffle-2 lstm 4": {s: {"percent": (100, 99.98, 99)} for s in range(1)}}, {}),
        ({"shuffle-2 lstm 4": {s: {"percent": (100, 99.98, 99)} for s in range(4)}}, {"often": PARTLY}),
        ({"shuffle-2 lstm 4": {s: {"percent": (100, 99.98, 99)} for s in range(5)}},
         {"shuffle medians": PARTLY, "often": PARTLY}),
        ({"shuffle-2 lstm 4": {s: {"percent": (100, 99.98, 99)} for s in range(6)}},
         {"shuffle medians": PARTLY, "often": PARTLY}),
        # Dyck-2: one run that comes near decides nothing; ten beside ten, it takes five.
        ({"dyck-2 gru 4": {3: {"percent": (29, 90, 0.04)}}}, {"dyck-2": PARTLY}),
        ({"dyck-2 lstm 4": {3: {"percent": (36, 48.24, 1.46)}}}, {}),
        ({"dyck-2 lstm 4": {3: {"percent": (36, 67.9, 7.5)}}}, {"dyck-2 only": OPEN}),
        ({"dyck-2 lstm 4": {s: {"percent": (36, 67.9, 7.5)} for s in range(5)}}, {"dyck-2 only": FAILS}),
        ({"dyck-2 lstm 4": {s: {"percent": (36, 90, 0.2)} for s in range(5)}},
         {"dyck-2 only": PARTLY, "dyck-2": PARTLY}),
        ({"dyck-2 gru 4": of_all(percent=(36, 25, 0.04))}, {"dyck-2 best": PARTLY}),
        # Units.
        ({"shuffle-6 lstm 8": {s: {"counting": 5} for s in range(2)}}, {"six units": PARTLY}),
        ({"shuffle-6 lstm 8": of_all(counting=5)}, {"six units": FAILS}),
        ({"shuffle-6 lstm 8": of_all(length=False)}, {"length": PARTLY}),
        # The last bracket: all three sets in one run, after two epochs.
        ({"dyck-2 lstm 4 last": of_all(early=(100, 100, 98.9))}, {"couple": OPEN}),
        ({"dyck-2 lstm 4 last": {s: {"early": [100 - 2 * (s % 3 == n) for n in range(3)]} for s in TEN}},
         {"couple": OPEN}),
        ({"dyck-2 lstm 4 last": of_all(early=(99, 99, 99))}, {}),
        ({"dyck-2 lstm 4 last": {s: {"percent": (100, 100, 99.9)} for s in range(6)}},
         {"last perfect": PARTLY}),
        ({"dyck-2 lstm 4 last": of_all(percent=(100, 100, 99.9))}, {"last perfect": FAILS}),
    ],
)  # fmt: skip
def test_each_claim_is_decided_by_its_own_rule(
    changes: Mapping[str, Mapping[int, Any]], expected: dict[str, str]
) -> None:
    assert verdicts(world(changes=changes)) == ALL_HOLD | expected


def test_the_best_of_each_set_may_not_come_from_different_runs() -> None:
    """Every set is perfect in some run after two epochs, but in no run all three are."""
    changes = {"dyck-2 lstm 4 last": {s: {"early": [50 + 50 * (s % 3 == n) for n in range(3)]} for s in TEN}}
    (part,) = by_name(check_claims(view(world(changes=changes))))["couple"].parts
    assert part.ours == "0 of 10 runs, 0 % (0 to 31), p = 0.091; 10 of 10 after 20"


def test_one_missing_accuracy_leaves_open_only_what_needs_it() -> None:
    runs = world()
    place, victim = next(
        (place, run)
        for place, run in enumerate(runs)
        if (run.spec.cell.name, run.spec.language.name) == ("gru", "dyck-1")
    )
    fewer = {name: shares for name, shares in victim.outcome.accuracy.items() if name != "short"}
    runs[place] = replace(victim, outcome=replace(victim.outcome, accuracy=fewer))
    found = by_name(check_claims(view(runs)))
    undecided = {
        name: [part.about for part in verdict.parts if part.verdict == OPEN]
        for name, verdict in found.items()
        if verdict.verdict != HOLDS
    }
    assert undecided == {
        "gru similar": ["Dyck-1 short, LSTM − GRU"],
        "rnn worse": ["Dyck-1 short, GRU − RNN"],
    }


def test_runs_of_other_settings_are_no_evidence() -> None:
    others = [
        Run(replace(run.spec, **change), run.seed, run.outcome, run.weights)
        for run in world()
        for change in ({"epochs": 50}, {"rate": 0.01}, {"batch": 2}, {"training": 9_000}, {"test": 100})
    ]
    assert verdicts(others) == NOTHING
    assert verdicts([*others, *world()]) == ALL_HOLD


def test_runs_are_compared_with_those_of_their_own_seed() -> None:
    """LSTMs are ahead of the GRUs of their seeds, though their median is lower."""
    rng = np.random.default_rng(3)
    words = rng.uniform(50, 90, 10)
    lstms = [made("dyck-1 lstm 3", seed, (100, 100, words[seed] + 1)) for seed in TEN]
    grus = [made("dyck-1 gru 3", seed + 1, (100, 100, words[(seed + 1) % 10])) for seed in TEN]
    part = by_name(check_claims(view([*lstms, *grus]), at_least=9))["gru long"].parts[0]
    assert (part.runs, part.verdict, part.ours) == (9, HOLDS, "1.00 (1.00 to 1.00)")


def test_figures_are_those_of_the_runs_beside_the_paper_s() -> None:
    percents = np.round(np.random.default_rng(0).uniform(0, 40, (13, 3)), 2)
    runs = [made("dyck-2 lstm 4", seed, row) for seed, row in enumerate(percents)]
    short, long = by_name(check_claims(view(runs)))["dyck-2 only"].parts
    for part, column, paper in ((short, percents[:, 1], "48.24"), (long, percents[:, 2], "1.46")):
        middle, low, high = extreme_interval(column, "max")
        chance = exact_p_value(column, float(paper), "max")
        assert part.paper == paper
        assert part.ours.startswith(f"{middle:.2f} ({low:.2f} to ∞; of 13 runs), p ")
        assert (part.verdict == FAILS) == (chance < 0.05 and middle > float(paper))
        assert high == np.inf
    assert {part.ours for part in by_name(check_claims(view(runs)))["rnn worse"].parts} == {"no runs"}
    assert len(SETS) == 3


def test_figures_beside_a_distribution_are_those_of_table_3(monkeypatch: pytest.MonkeyPatch) -> None:
    """A maximum of 200 runs is not held against one of ten; so the number of runs does not matter."""
    monkeypatch.setattr(evidence, "distributions", distributions)
    for runs in (10, 60):
        short, _ = by_name(check_claims(view(world(range(runs)))))["dyck-2 only"].parts
        assert (short.verdict, short.ours) == (OPEN, "54.66 (41.88 to 72.12; of 2,000 runs), p = 0.37")


def test_capability_and_learning_are_told_apart() -> None:
    changes = {"dyck-1 lstm 1": of_all(horizon=wrong_at(46))}
    _, can, learns = by_name(check_claims(view(world(changes=changes))))["one unit"].parts
    assert (can.verdict, can.ours) == (HOLDS, "proved of a constructed LSTM with 1 unit")
    assert (learns.verdict, learns.ours) == (
        FAILS,
        "0 of 10 runs, 0 % (0 to 31); 10 wrong on words of 46 to 46 symbols, all proved right up to 44",
    )
    open_ones = {"dyck-1 lstm 1": of_all(horizon=proved(every_word=False))}
    _, _, learns = by_name(check_claims(view(world(changes=open_ones))))["one unit"].parts
    assert (learns.verdict, learns.ours) == (OPEN, "0 of 10 runs, 0 % (0 to 100)")


def test_groups_of_ten_are_compared_whatever_the_number_of_runs() -> None:
    """In 40 runs one RNN is better than a GRU: one group in four, not all runs."""
    changes = {"shuffle-2 rnn 4": {33: {"percent": (99.98, 55, 3)}}}
    parts = by_name(check_claims(view(world(range(40), changes))))["rnn always"].parts
    assert {part.verdict for part in parts} == {HOLDS}
    assert parts[0].ours == "3 of 4 groups, 75 % (19 to 99), p = 1.00"


def test_no_run_of_twenty_is_fewer_than_the_paper_s_one() -> None:
    changes = {"dyck-2 lstm 4 last": of_all(early=(100, 100, 98.9))}
    assert verdicts(world(range(19), changes)) == ALL_HOLD | {"couple": OPEN}
    assert verdicts(world(range(20), changes)) == ALL_HOLD | {"couple": FAILS}


def test_every_statement_says_where_it_stands_and_what_decides_it() -> None:
    found = check_claims(view([]))
    assert all(v.place.startswith(("section", "table")) and v.rule for v in found)
    assert len({v.claim for v in found}) == len(found)
    for verdict in found:
        abouts = [part.about for part in verdict.parts]
        assert len(set(abouts)) == len(abouts)
    assert by_name(found)["dyck-2 only"].rule == (
        "the best of ten runs accepts at most 48.24 % of the words of the short set, "
        "and the best of ten runs accepts at most 1.46 % of the words of the long set"
    )
