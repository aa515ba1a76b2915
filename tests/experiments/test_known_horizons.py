"""Horizons that are known: they survive the store, and what is known only ever becomes more."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from abacist.analysis import Horizon, Refutation, Search
from abacist.errors import BadInput
from abacist.experiments import HorizonAim, KnownHorizon, Outcome, Task
from abacist.experiments.outcome import with_horizon
from abacist.languages import language_named
from tests.experiments.cases import everything, keep, made_up, made_up_horizons, runs_in, small

TRUTH = 37  # symbols: the horizon of a network that is looked at again and again


def found(search: Search, rng: np.random.Generator) -> Horizon:
    """What a search could find of it: nothing that is not true, and a random part of what is."""
    proved = int(rng.integers(min(search.to, TRUTH - 1) + 1))
    length = int(rng.integers(TRUTH, 60))
    wrong = Refutation((0,) * length, 1, (), (0,)) if length <= search.to and rng.random() < 0.7 else None
    reached = search.budget if rng.random() < 0.7 else int(rng.integers(search.budget))
    return Horizon(proved, wrong, search, reached, float(rng.random()))


def any_search(rng: np.random.Generator) -> Search:
    return Search(int(rng.integers(20, 80)), int(rng.integers(1, 9)), int(rng.integers(1, 4)))


def narrower(one: Horizon, than: Horizon) -> bool:
    """Whether a bracket is no wider than another at either end."""
    wrong, others = (len(h.wrong) if h.wrong else float("inf") for h in (one, than))
    return one.proved >= than.proved and wrong <= others


def test_two_joined_are_as_sharp_as_either() -> None:
    rng = np.random.default_rng(0)
    for _ in range(300):
        old, new = (found(any_search(rng), rng) for _ in range(2))
        both = old.joined(new)
        assert narrower(both, old)
        assert narrower(both, new)
        assert both.proved in (old.proved, new.proved)
        assert both.wrong in (old.wrong, new.wrong)
        assert (both.search, both.reached, both.seconds) == (new.search, new.reached, new.seconds)


def test_a_contradiction_is_refused() -> None:
    right = Horizon(40, None, Search(40), 64)
    wrong = Horizon(0, Refutation((0, 1) * 4, 2, (), (0,)), Search(40), 64)
    for one, other in ((right, wrong), (wrong, right)):
        with pytest.raises(
            BadInput, match=r"^Horizon: proved to 40 symbols, but wrong on a word of 8: one of"
        ):
            one.joined(other)
        with pytest.raises(BadInput, match="proved to 40 symbols"):
            with_horizon([KnownHorizon(2.0, one)], KnownHorizon(2.0, other))
        with_horizon([KnownHorizon(2.0, one)], KnownHorizon(1.0, other))  # another network: no contradiction


def test_an_answer_is_one_that_searching_would_not_improve() -> None:
    word = Refutation((0, 1) * 10, 3, (), (0,))
    tried, closed = Search(100, 16, 5), Horizon(19, word, Search(100, 16, 5), 0)
    for asked in (Search(1_000, 1_024, 100), Search(1, 1, 1)):
        assert closed.answers(asked)  # there is nothing more to know
    proved = Horizon(50, None, tried, 4)
    assert proved.answers(Search(50, 99, 99))
    assert not proved.answers(Search(51, 16, 5))
    assert proved.answers(Search(100, 4, 5))
    for harder in (Search(100, 5, 5), Search(101, 4, 5), Search(100, 4, 6)):
        assert not proved.answers(harder)
    assert not replace(proved, wrong=Refutation((0, 1) * 26, 1, (), (0,))).answers(Search(100, 16, 5))


def test_a_horizon_of_an_older_version_is_looked_for_again() -> None:
    """It had one search for wrong words: merged with others it stays known, but answers only as little."""
    rng, language = np.random.default_rng(5), language_named("dyck-1")
    for _ in range(100):
        asked = Search(TRUTH + 20, 4)
        new, values = replace(found(asked, rng), reached=4), KnownHorizon(1.0, found(asked, rng)).as_dict()
        del values["searches"]
        old = KnownHorizon.from_dict(json.loads(json.dumps(values | {"reached": 4})), language)
        assert old.horizon.searches == 1
        assert old.answers(HorizonAim(asked)) == old.horizon.closed
        assert with_horizon([old], old) == (old,)
        for known in (
            with_horizon([old], KnownHorizon(1.0, new)),
            with_horizon([KnownHorizon(1.0, new)], old),
        ):
            assert any(one.answers(HorizonAim(asked)) for one in known)
            assert narrower(known[-1].horizon, old.horizon)
            assert narrower(known[-1].horizon, new)


def test_sharper_gates_make_another_network() -> None:
    (own,) = made_up_horizons([HorizonAim(Search(50), 2.0)])
    assert own.answers(HorizonAim(Search(50), 2.0))
    assert not own.answers(HorizonAim(Search(50)))
    assert outcome((own,)).horizon() is None
    assert outcome((own,)).horizon(2) == own.horizon


def test_whatever_is_found_what_was_known_stays_known() -> None:
    """Brackets never widen, what was answered stays answered, and repeated searches leave one record."""
    rng = np.random.default_rng(1)
    for _ in range(60):
        known: tuple[KnownHorizon, ...] = ()
        for _ in range(8):
            factor = float(rng.choice([1, 2]))
            search = any_search(rng)
            new = KnownHorizon(factor, found(search, rng))
            before = outcome(known)
            known = with_horizon(known, new)
            after = outcome(known)
            aims = [HorizonAim(any_search(rng), each) for each in (1.0, 2.0) for _ in range(10)]
            assert set(after.unanswered(aims)) <= set(before.unanswered(aims))
            done = replace(search, budget=max(new.horizon.reached, 1))
            assert new.horizon.reached == 0 or not after.unanswered([HorizonAim(done, factor)])
            for each in (1.0, 2.0):
                was, now = before.horizon(each), after.horizon(each)
                assert was is None or (now is not None and narrower(now, was))
            latest = after.horizon(factor)
            assert latest is not None
            assert narrower(latest, new.horizon)
            assert with_horizon(known, KnownHorizon(factor, latest)) == known


def outcome(known: tuple[KnownHorizon, ...]) -> Outcome:
    return made_up(small(), 0, {}, horizons=known).outcome


def test_they_survive_the_store_bit_by_bit(tmp_path: Path) -> None:
    rng, known = np.random.default_rng(2), tuple[KnownHorizon, ...]()
    for factor in (1.0, 1 / 3, 1e-300, 32.0, 1.0):
        known = with_horizon(known, KnownHorizon(factor, found(any_search(rng), rng)))
    runs = [made_up(small(), 0, {"long": {"3": 0.5}}, horizons=known), made_up(small(), 1, {})]
    keep(tmp_path, runs)
    stored = runs_in(tmp_path)
    assert [everything(run) for run in stored] == [everything(run) for run in runs]
    assert [run.outcome for run in stored] == [run.outcome for run in runs]
    assert {type(symbol) for own in stored[0].outcome.horizons if own.horizon.wrong
            for symbol in own.horizon.wrong.word} == {int}  # fmt: skip


def test_a_run_without_horizons_is_written_as_before() -> None:
    assert "horizons" not in json.loads(outcome(()).as_json())


def test_a_record_that_is_not_one_is_refused() -> None:
    rng = np.random.default_rng(3)
    whole = outcome((KnownHorizon(2.0, found(Search(50), rng)),))
    values = json.loads(whole.as_json())
    changes: list[dict[str, Any]] = [
        {"proved": None}, {"factor": "2"}, {"search": {"to": 0}}, {"search": 3}, {"wrong": []}, {"more": 1},
    ]  # fmt: skip
    for change in changes:
        damaged = values | {"horizons": [values["horizons"][0] | change]}
        with pytest.raises(BadInput):
            Outcome.from_json(json.dumps(damaged))
    del values["horizons"][0]["search"]
    with pytest.raises(BadInput, match="Outcome: a value is missing or of the wrong kind"):
        Outcome.from_json(json.dumps(values))


@pytest.mark.parametrize("factor", [0.0, -1.0, float("nan"), float("inf")])
def test_gates_are_sharpened_by_a_positive_number(factor: float) -> None:
    with pytest.raises(BadInput, match=r"^HorizonAim: factor must be positive and finite, got "):
        HorizonAim(Search(), factor)


def test_a_task_asks_for_each_factor_once_and_for_gates_that_there_are() -> None:
    aims = tuple(HorizonAim(Search(10 * n), factor) for n, factor in ((1, 1.0), (2, 2.0)))
    assert Task("t", small(), (0,), horizons=aims).horizons == aims
    with pytest.raises(BadInput, match=r"^Task: each factor has one horizon, got \[1.0, 2.0, 2.0\]$"):
        Task("t", small(), (0,), horizons=(*aims, HorizonAim(Search(5), 2)))
