"""Which networks of a store are on a page: the measured ones first, the user's own, as many as fit."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import groupby
from typing import Any

import pytest

from abacist.corpora import CutOff, Grammar, Uniform, Window
from abacist.experiments import Run, experiment_named
from abacist.languages import language_named
from abacist.report.page import PageNetwork, network_of_user, networks_for_page
from abacist.report.page.content import group_title
from abacist.report.page.writing import LARGEST, page_text
from abacist.specs import Lesson, Spec
from tests.experiments.cases import made_up, view
from tests.report.page.unpacking import SHARES, shown, spec_of


def sweep(kinds: int, runs: int, **settings: Any) -> list[Run]:
    """Runs of nobody's experiments but the user's."""
    specs = [spec_of(rate=0.0001 * (n + 1), **settings) for n in range(kinds)]
    return [made_up(spec, seed, SHARES) for spec in specs for seed in range(runs)]


def kinds_of(networks: Sequence[PageNetwork]) -> dict[str, int]:
    """How many networks there are of every kind, in the order of the page; none comes twice."""
    blocks = [(group, len(list(own))) for group, own in groupby(networks, key=lambda own: own.group)]
    assert len(dict(blocks)) == len(blocks)
    return dict(blocks)


def on_page(runs: Sequence[Run], **given: Any) -> tuple[list[PageNetwork], list[str]]:
    """What is found in a store with some runs; the last two are built by hand."""
    found, left_out = networks_for_page(view(runs), cells=(), **given)  # others make no difference
    assert [own.key for own in found[-2:]] == ["built-dyck-1", "built-shuffle-2"]
    assert len({own.key for own in found}) == len(found)
    return found[:-2], left_out


def test_networks_built_by_hand_are_there_without_a_store() -> None:
    for nothing in (None, view([])):
        found, left_out = networks_for_page(nothing)
        assert list(kinds_of(found)) == [
            "Dyck-1 · LSTM · 1 unit · built by hand",
            "Shuffle-2 · LSTM · 2 units · built by hand",
        ]
        assert left_out == []


def test_measured_networks_come_first_then_the_user_s_and_no_others() -> None:
    measured = [task.spec for task in experiment_named("counting").tasks]
    other = [task.spec for task in experiment_named("epochs").tasks]
    assert not set(measured) & set(other)
    runs = [made_up(spec, seed, SHARES) for spec in (*other, *measured) for seed in range(12)]
    own = sweep(1, 3)
    found, left_out = on_page([*runs, *own])
    mine = "Dyck-1 · LSTM · 3 units · rate 0.0001"
    assert kinds_of(found) == {**{group_title(spec): 10 for spec in measured}, mine: 3}
    assert next(iter(kinds_of(found))) == "Dyck-1 · LSTM · 1 unit"
    shown_runs, all_runs, kinds = 10 * len(measured) + 3, len(runs) + 3, len(measured) + len(other) + 1
    assert left_out == [
        f"{shown_runs} of {all_runs} runs in nowhere are on the page, {len(measured) + 1} of {kinds} kinds; "
        "--network adds others"
    ]


def test_other_experiments_are_shown_where_there_is_nothing_else() -> None:
    specs = [task.spec for task in experiment_named("epochs").tasks]
    found, left_out = on_page([made_up(spec, 0, SHARES) for spec in specs])
    assert set(kinds_of(found)) == {group_title(spec) for spec in specs}
    assert left_out == []


def test_every_network_is_that_of_a_run_under_the_beginning_of_its_key() -> None:
    runs = sweep(2, 3, precision="float64")
    found, left_out = on_page(runs)
    assert left_out == []
    assert {own.key for own in found} == {run.key[:8] for run in runs}
    by_key = {run.key[:8]: run for run in runs}
    for own in found:
        run = by_key[own.key]
        assert (own.run, own.language, own.label) == (run, run.spec.language, f"seed {run.seed}")
        assert own.networks == run.networks
        assert own.group == group_title(run.spec)


def test_a_key_that_is_taken_is_told_apart() -> None:
    runs = sweep(1, 2)
    beside = replace(shown(spec_of()), key=runs[1].key[:8])
    found, _ = on_page(runs, beside=[beside])
    assert [own.key for own in found] == [runs[0].key[:8], runs[1].key]


@pytest.mark.parametrize(("kinds", "runs", "there"), [(99, 4, 396), (100, 1, 100), (101, 2, 200)])
def test_at_most_a_hundred_kinds_from_all_over_the_store(kinds: int, runs: int, there: int) -> None:
    found, left_out = on_page(sweep(kinds, runs))
    assert len(found) == there
    assert len(kinds_of(found)) == min(kinds, 100)
    assert len(left_out) == (kinds > 100)


def test_where_runs_are_too_many_there_are_fewer_of_every_kind() -> None:
    """A hundred kinds of ten networks would have 1.9 megabytes, of five 0.9 beside the programs."""
    found, (sentence,) = on_page(sweep(100, 10, hidden=8))
    assert set(kinds_of(found).values()) == {3}
    assert len(page_text(found, (), [() for _ in found])) <= LARGEST
    assert sentence == (
        "300 of 1,000 runs in nowhere are on the page, 100 of 100 kinds; --network adds others"
    )


def test_where_one_of_every_kind_is_too_many_there_are_fewer_kinds() -> None:
    runs = sweep(8, 2, hidden=64, precision="float64")
    found, (sentence,) = on_page(runs)
    order = [group_title(run.spec) for run in runs[::2]]
    assert kinds_of(found) == {order[0]: 1, order[2]: 1, order[5]: 1}
    assert sentence.startswith("3 of 16 runs in nowhere are on the page, 3 of 8 kinds;")
    beside = [replace(own, key=f"{own.key} again") for own in found]
    assert on_page(runs, beside=beside)[0] == []  # no room is left


def test_what_cannot_be_shown_is_said_in_one_sentence() -> None:
    last = [made_up(spec_of("dyck-2", rate=rate, steps="last"), 0, SHARES) for rate in (0.1, 0.2)]
    many = [made_up(spec_of("shuffle-41"), 0, SHARES)]
    found, left_out = on_page([*last, *sweep(1, 1), *many])
    assert list(kinds_of(found)) == ["Dyck-1 · LSTM · 3 units · rate 0.0001"]
    assert left_out[1:] == [
        "the page cannot show 3 kinds, such as Dyck-2 · LSTM · 3 units · rate 0.1 · steps last, "
        "because a page judges every step, not only last ones"
    ]
    assert on_page(many)[1][1:] == [
        "the page cannot show 1 kind: Shuffle-41 · LSTM · 3 units, "
        "because shuffle-41: JavaScript runs at most 40 counters, got 41"
    ]


def test_titles_tell_kinds_apart() -> None:
    settings: list[dict[str, Any]] = [
        {}, {"cell": "gru"}, {"hidden": 4}, {"language": "dyck-2"}, {"epochs": 21}, {"batch": 2},
        {"rate": 0.01}, {"beta1": 0.8}, {"beta2": 0.99}, {"epsilon": 1e-7}, {"precision": "float64"},
        {"steps": "last"}, {"source": Uniform()}, {"source": Uniform(Grammar())}, {"source": CutOff()},
        {"training": 10_000}, {"training": 9_999}, {"test": 100}, {"short": Window(2, 40)},
        {"long": Window(52, 90)}, {"decay": 0.1}, {"order": "own"}, {"order": "fixed"}, {"lesson": Lesson()},
        {"lesson": Lesson(kept=10)},
    ]  # fmt: skip
    specs: list[Spec] = [spec_of(**own) for own in settings]
    assert len({group_title(spec) for spec in specs}) == len(set(specs)) == len(specs)
    few = spec_of("anbn", training=5, test=5)  # as many words as usual do not exist
    assert group_title(few) == "aⁿbⁿ · LSTM · 3 units · train words 5 · test words 5"


def test_a_network_of_the_user_s_keeps_what_is_known_of_it_in_its_own_language() -> None:
    run = made_up(spec_of("dyck-2", hidden=5), 0, SHARES)
    own = network_of_user("own", "run 1", language_named("dyck-2"), run.networks, run)
    assert (own.group, own.run) == ("Yours · Dyck-2 · LSTM · 5 units", run)
    other = network_of_user("own", "a\x1b[31m", language_named("shuffle-2"), run.networks, run)
    assert (other.group, other.run, other.label) == ("Yours · Shuffle-2 · LSTM · 5 units", None, r"a\x1b[31m")
