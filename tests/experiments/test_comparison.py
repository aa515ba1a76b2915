"""Comparisons: which runs are compared, what their measures are, and verdicts over all differences."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from itertools import chain
from typing import Any

import numpy as np
import pytest

from abacist.algebra import tanh
from abacist.analysis import Horizon, Refutation, Search
from abacist.cells import cell, cell_named, outside_model
from abacist.errors import BadInput, UnknownName
from abacist.experiments import KnownHorizon, Run, holm
from abacist.experiments.comparison import EQUAL, INCONCLUSIVE, LARGER, SMALLER, Difference, compare
from abacist.experiments.paired import paired_test
from tests.experiments.cases import made_up, small, view


def runs(cell: str, shares: Iterable[float], first_seed: int = 0, **values: Any) -> list[Run]:
    """Runs of a cell with accuracies on the long set."""
    spec = replace(small(**values), cell=cell_named(cell))
    return [made_up(spec, first_seed + n, {"long": {"3": share}}) for n, share in enumerate(shares)]


def with_horizon(run: Run, proved: int, wrong: int | None, every_word: bool | None = None) -> Run:
    refutation = None if wrong is None else Refutation((0, 1) * (wrong // 2), wrong, (0, 1), (0,))
    horizon = Horizon(proved, refutation, Search(to=200), 1_000, looked=200)
    return replace(run, outcome=replace(run.outcome, horizons=(KnownHorizon(1.0, horizon, every_word),)))


def only(*found: Difference) -> Difference:
    (one,) = found
    return one


GOOD = np.linspace(0.8, 1.0, 10)
BAD = np.linspace(0.1, 0.3, 10)


def test_a_difference_is_that_of_the_same_seeds() -> None:
    one = only(*compare(view([*runs("gru", GOOD), *runs("lstm", BAD)])).differences)
    assert (one.first, one.second, one.measure, one.unit) == ("gru", "lstm", "long", "points")
    assert one.test == paired_test(100 * GOOD, 100 * BAD)
    assert (one.verdict, one.adjusted, one.more_seeds) == (LARGER, one.test.p_value, None)


def test_seeds_that_only_one_has_are_left_out() -> None:
    compared = compare(view([*runs("gru", GOOD), *runs("lstm", BAD, first_seed=4)]))
    assert only(*compared.differences).test == paired_test(100 * GOOD[4:], 100 * BAD[:6])


def test_runs_of_other_settings_are_compared_by_themselves() -> None:
    many = [
        *runs("gru", GOOD),
        *runs("lstm", BAD),
        *runs("gru", BAD, hidden=3),
        *runs("lstm", GOOD, hidden=3),
    ]
    compared = compare(view(many))
    assert [(dict(d.setting), d.verdict) for d in compared.differences] == [
        ({"hidden": 2}, LARGER),
        ({"hidden": 3}, SMALLER),
    ]
    assert "hidden" not in compared.same
    assert compared.same["language"] == "dyck-1"
    by_units = compare(view(many), "hidden", where=["cell=lstm"])
    assert [(d.first, d.second, dict(d.setting)) for d in by_units.differences] == [(2, 3, {})]


def test_p_values_are_adjusted_over_all_differences() -> None:
    rng = np.random.default_rng(0)
    many = [run for cell in ("gru", "rnn", "lstm") for run in runs(cell, rng.random(8))]
    found = compare(view(many)).differences
    assert len(found) == 3
    assert [d.adjusted for d in found] == holm([d.test.p_value for d in found])
    assert all(d.verdict == INCONCLUSIVE for d in found)


def test_against_one_value_p_values_are_adjusted_for_these_pairs_alone() -> None:
    rng = np.random.default_rng(0)
    many = view([run for cell in ("lstm", "gru", "rnn") for run in runs(cell, rng.random(8))])
    found = compare(many, against="gru")
    assert [(d.first, d.second) for d in found.differences] == [("rnn", "gru"), ("lstm", "gru")]
    assert found.family == 2
    assert [d.adjusted for d in found.differences] == holm([d.test.p_value for d in found.differences])
    every = {(d.first, d.second): d.test for d in compare(many).differences}
    assert found.differences[0].test == every["rnn", "gru"]
    by_units = view([run for n in (10, 2, 3) for run in runs("gru", rng.random(4), hidden=n)])
    assert [(d.first, d.second) for d in compare(by_units, "hidden", against=3).differences] == [
        (2, 3),
        (10, 3),
    ]
    with pytest.raises(BadInput, match="against must be one hidden, 2,3 is 2 and 3"):
        compare(by_units, "hidden", against="2,3")
    with pytest.raises(UnknownName, match="unknown cell 'lstn', did you mean lstm"):
        compare(many, against="lstn")


def test_cells_of_one_s_own_come_first_and_results_in_the_order_given() -> None:
    @cell(gates="n")
    def zed(w, x, h):  # type: ignore[no-untyped-def]
        return tanh(w.n(x, h))

    own = [made_up(replace(small(), cell=zed), seed, {"long": {"3": 0.5}}) for seed in range(3)]
    known = [runs(name, GOOD[:3]) for name in ("cifg", "gru", "lstm", "rnn")]
    firsts = dict.fromkeys(d.first for d in compare(view([*chain(*known), *own])).differences)
    assert [name.partition("#")[0] for name in firsts] == ["zed", "rnn", "gru", "lstm"]
    given_order = compare([view(known[2]), view(known[3]), view(known[1])]).differences
    assert [(d.first, d.second) for d in given_order] == [("lstm", "rnn"), ("lstm", "gru"), ("rnn", "gru")]


def test_more_rows_need_more_seeds() -> None:
    rng = np.random.default_rng(3)
    many = view(
        [run for n, c in enumerate(("gru", "lstm", "rnn")) for run in runs(c, rng.random(8) / 2 + n / 30)]
    )
    (one, *_), (alone,) = compare(many).differences, compare(many, where=["cell=rnn,gru"]).differences
    assert (one.first, one.second) == (alone.first, alone.second) == ("rnn", "gru")
    assert one.more_seeds is not None
    assert alone.more_seeds is not None
    assert one.more_seeds > alone.more_seeds


def test_all_equal_is_no_question_of_more_seeds() -> None:
    one = only(*compare(view([*runs("gru", [1.0] * 5), *runs("lstm", [1.0] * 5)])).differences)
    assert (one.verdict, one.more_seeds, one.test.ties) == (EQUAL, None, 5)


def test_the_verdict_is_that_of_the_ranks_and_never_against_the_median() -> None:
    """A few large differences outweigh many small ones."""
    small_wins, large_losses = np.arange(1, 27) / 1_000, -np.arange(27, 51) / 1_000
    first = 0.5 + np.concatenate((small_wins, large_losses))
    one = only(*compare(view([*runs("gru", first), *runs("lstm", [0.5] * 50)])).differences)
    assert one.test.p_value < 0.05
    assert (one.test.wins > one.test.losses, one.test.direction) == (True, -1)
    assert one.verdict == INCONCLUSIVE


def test_where_there_are_too_many_rows_for_the_seeds_a_note_says_so() -> None:
    cells = ("gru", "rnn", "lstm")
    few = compare(view([run for n, cell in enumerate(cells) for run in runs(cell, GOOD[:5] - n / 10)]))
    assert all(one.verdict == INCONCLUSIVE for one in few.differences)
    assert any("No row can be decided: there are 3 rows" in note for note in few.notes)


def test_networks_without_a_wrong_word_are_censored() -> None:
    proved = [with_horizon(run, 100, None) for run in runs("gru", GOOD)]
    wrong = [with_horizon(run, 8, 10) for run in runs("lstm", BAD)]
    compared = compare(view([*proved, *wrong]), measures=["horizon"])
    one = only(*compared.differences)
    assert (one.test.wins, one.test.difference, one.verdict) == (10, (91.0, np.inf), LARGER)
    assert any("are ranges" in note for note in compared.notes)
    both = compare(
        view([*proved, *(with_horizon(run, 50, None) for run in runs("lstm", BAD))]), measures=["horizon"]
    )
    assert only(*both.differences).test.undecided == 10


def test_the_share_that_is_proved_right_on_every_word_is_a_measure() -> None:
    certified = [with_horizon(run, 100, None, True) for run in runs("gru", GOOD)]
    not_so = [with_horizon(run, 100, None, False) for run in runs("lstm", BAD)]
    one = only(*compare(view([*certified, *not_so]), measures=["certified"]).differences)
    assert (one.test.difference, one.unit, one.verdict) == ((100.0, 100.0), "points", LARGER)


def test_epochs_are_known_up_to_those_that_were_judged() -> None:
    def learning(cell: str, shares: dict[str, float]) -> list[Run]:
        spec = replace(small(), cell=cell_named(cell))
        return [made_up(spec, seed, {"short": shares}) for seed in range(10)]

    both = [*learning("gru", {"1": 1.0, "3": 1.0}), *learning("lstm", {"1": 0.5, "3": 1.0})]
    assert only(*compare(view(both), measures=["epochs"]).differences).test.difference == (-2, -1)
    fast, slow = learning("gru", {"1": 0.5, "3": 1.0}), learning("lstm", {"1": 0.5, "3": 0.9})
    one = only(*compare(view([*fast, *slow]), measures=["epochs"]).differences)
    assert (one.test.difference, one.verdict) == ((-np.inf, -1.0), SMALLER)
    with pytest.raises(BadInput, match="no run has the measure epochs: runs judged after several epochs"):
        compare(view([*runs("gru", GOOD), *runs("lstm", BAD)]), measures=["epochs"])


def test_a_model_from_outside_is_compared_with_all_that_it_fits() -> None:
    """It has neither units nor a rate of learning."""
    spec = replace(small(), cell=outside_model("transformer"), hidden=1, epochs=0)
    outcome = runs("lstm", [0.5])[0].outcome
    theirs = [
        Run(spec, seed, replace(outcome, accuracy={"long": {0: share}}, losses=()), np.zeros(0, np.float32))
        for seed, share in enumerate(BAD)
    ]
    compared = compare(view([*runs("gru", GOOD), *runs("rnn", GOOD, rate=0.5), *theirs]))
    assert [(d.first, d.second, d.verdict) for d in compared.differences] == [
        ("gru", "outside:transformer", LARGER),
        ("rnn", "outside:transformer", LARGER),
    ]


def test_models_from_outside_are_compared_with_each_other_once() -> None:
    outcome = runs("lstm", [0.5])[0].outcome
    theirs = [
        Run(
            replace(small(), cell=outside_model(name), hidden=1, epochs=0), seed,
            replace(outcome, accuracy={"long": {0: share}}, losses=()), np.zeros(0, np.float32),
        )
        for name, shares in (("one", GOOD), ("other", BAD))
        for seed, share in enumerate(shares)
    ]  # fmt: skip
    trained = [run for hidden in (1, 2, 3) for run in runs("lstm", BAD, hidden=hidden)]
    found = compare(view([*trained, *theirs])).differences
    assert len(found) == 7
    assert [dict(d.setting) for d in found if d.first == "outside:one"] == [{"hidden": None}]


def test_repeated_words_are_marked() -> None:
    repeated = [
        made_up(replace(small(distinct=False), cell=cell_named(cell)), seed, {"short": {"3": 0.5}})
        for cell in ("gru", "lstm")
        for seed in range(3)
    ]
    assert any("no test" in note for note in compare(view(repeated)).notes)
    assert not any(
        "repetition" in note for note in compare(view([*runs("gru", GOOD), *runs("lstm", BAD)])).notes
    )


@pytest.mark.parametrize(
    ("given", "error", "said"),
    [
        ({"by": "seed"}, BadInput, "by a setting"),
        ({"by": "long"}, BadInput, "by a setting"),
        ({"by": "cel"}, UnknownName, "cell"),
        ({"measures": ["lang"]}, UnknownName, "did you mean long"),
        ({"level": 1.5}, BadInput, "level must be between 0 and 1"),
        ({"where": ["cell=lstm"]}, BadInput, "cell is lstm in all runs; two values of it are needed"),
        ({"where": ["hidden=7"]}, BadInput, "there are no runs that fit"),
        ({"where": ["seed=0..99"], "by": "rate"}, BadInput, "rate is 0.001 in all runs"),
    ],
)
def test_what_cannot_be_compared_is_refused(given: dict[str, Any], error: type[BadInput], said: str) -> None:
    with pytest.raises(error, match=said):
        compare(view([*runs("gru", GOOD), *runs("lstm", BAD)]), **given)
