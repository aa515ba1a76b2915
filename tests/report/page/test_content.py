"""What a page knows is what the store has: weights bit by bit, accuracies, horizons, the paper's figures."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from abacist.analysis import Refutation, Search
from abacist.corpora import Uniform
from abacist.experiments import HorizonAim, Run
from abacist.experiments.paper_table import TABLE_3, UNITS
from abacist.languages import language_named
from abacist.report.page import PageNetwork
from abacist.report.page.content import network_of_run
from abacist.specs import Networks
from abacist.targets.webassembly import drawing_tables, language_tables
from tests.experiments.cases import made_up, made_up_horizons
from tests.report.page.unpacking import SHARES, content_in, shown, spec_of, weights_of


def aim(factor: float) -> HorizonAim:
    return HorizonAim(Search(200), factor, certify=True)


def test_weights_are_those_of_the_store_bit_by_bit(tmp_path: Path) -> None:
    size = spec_of().layout.size
    odd = np.full(size, np.nan, np.float32)
    odd[:4] = -0.0, np.inf, np.float32(1e-45), np.float32(0.1)
    runs = [
        Run(spec_of(), 0, made_up(spec_of(), 0, SHARES).outcome, odd),
        made_up(spec_of("shuffle-6", "gru", 8), 1, SHARES),
        made_up(spec_of("dyck-2", "rnn", 20, precision="float64"), 2, SHARES),
    ]
    content = content_in(tmp_path, (network_of_run(run, run.key) for run in runs), searched=True)
    for run, packed in zip(runs, content["networks"], strict=True):
        weights = weights_of(packed)
        assert (packed["key"], packed["language"]) == (run.key, run.spec.language.name)
        assert packed["precision"] == run.weights.dtype.name == weights.dtype.name
        assert weights.tobytes() == run.weights.tobytes()
    assert [packed["label"] for packed in content["networks"]] == ["seed 0, diverged", "seed 1", "seed 2"]


def test_accuracies_are_in_percent_and_those_after_the_last_epoch(tmp_path: Path) -> None:
    spec = spec_of(epochs=3)
    known = made_up(spec, 0, {"short": {"1": 0.1, "3": 0.75}, "long": {"1": 0.5}, "crossing": {"3": 1.0}})
    unknown = made_up(spec, 1, {})
    content = content_in(tmp_path, (network_of_run(run, run.key) for run in (known, unknown)))
    first, second = (packed["accuracy"] for packed in content["networks"])
    assert first == {"training": None, "short": 75, "long": None}
    assert second is None  # nobody judged it


def test_horizons_are_those_of_the_store(tmp_path: Path) -> None:
    found = made_up_horizons(map(aim, (1, 2, 4, 8, 16, 32)), np.random.default_rng(1))
    run = made_up(spec_of(), 0, SHARES, horizons=found)
    (packed,) = content_in(tmp_path, [network_of_run(run, run.key)])["networks"]
    assert len({known.every_word for known in found}) == 2
    for known, told in zip(found, packed["horizons"], strict=True):
        wrong = known.horizon.wrong
        assert (told["factor"], told["proved"]) == (known.factor, known.horizon.proved_in(spec_of().language))
        assert told["wrong"] == (None if wrong is None else list(wrong.word))
        assert told["holds"] == (wrong is None)
        assert told["everyWord"] == (known.every_word is True)


@pytest.mark.parametrize("pairs", [500, 501])
def test_a_wrong_word_is_there_where_a_page_can_hold_it(tmp_path: Path, pairs: int) -> None:
    (known,) = made_up_horizons([aim(1)])
    wrong = Refutation((0, 1) * pairs, 2 * pairs, (0, 1), (0,))
    found = replace(known, horizon=replace(known.horizon, proved=10, wrong=wrong), every_word=False)
    run = made_up(spec_of(), 0, SHARES, horizons=(found,))
    (packed,) = content_in(tmp_path, [network_of_run(run, run.key)])["networks"]
    assert packed["horizons"][0]["proved"] == 10
    assert packed["horizons"][0]["wrong"] == ([0, 1] * pairs if pairs == 500 else None)


def test_the_paper_s_figures_stand_beside_its_own_networks_only(tmp_path: Path) -> None:
    paper = [spec_of(language, cell, UNITS[language]) for language, cell in TABLE_3]
    others: list[dict[str, Any]] = [
        {"hidden": 2}, {"epochs": 21}, {"rate": 0.01}, {"precision": "float64"}, {"cell": "rnn_relu"},
        {"source": Uniform()}, {"order": "own"}, {"language": "dyck-3"}, {"training": 9_999},
    ]  # fmt: skip
    own = PageNetwork("mine", "Mine", "one", language_named("dyck-1"), shown(spec_of()).networks)
    networks = [shown(spec) for spec in (*paper, *(spec_of(**other) for other in others))]
    groups = content_in(tmp_path, [*networks, own])["groups"]
    for (language, cell), group in zip(TABLE_3, groups, strict=False):
        assert (group["language"], group["cell"], group["hidden"]) == (language, cell, UNITS[language])
        figures = TABLE_3[language, cell].items()
        assert group["paper"] == {name: [f.minimum, f.maximum, f.median] for name, f in figures}
    assert [group["paper"] for group in groups[len(paper) :]] == [None] * (len(others) + 1)


def test_languages_come_as_tables_and_some_of_them_can_be_trained_on(tmp_path: Path) -> None:
    names = ["anbn", "shuffle-7", "dyck-3", "dyck-1||anbn", "shuffle-3"]
    networks = []
    for name in names:
        layout = spec_of(name).layout
        networks.append(
            PageNetwork(name, name, "a", language_named(name), Networks.initial(layout, [0], "float64"))
        )
    languages = content_in(tmp_path, networks)["languages"]
    paper = ["dyck-1", "shuffle-2", "shuffle-6", "dyck-2"]
    assert list(languages) == [*paper, *(language_named(name).name for name in names)]
    for name, known in languages.items():
        assert known["tables"] == _plain(language_tables(language_named(name)))
    trained = [name for name, known in languages.items() if known["words"] is not None]
    assert trained == [*paper, *(language_named(name).name for name in names[1:4])]  # few words are anbn's
    for name in trained:
        assert languages[name]["words"] == _plain(drawing_tables(spec_of(name).recipe(0)))


def _plain(value: Any) -> Any:
    """As JSON gives it back."""
    if isinstance(value, dict):
        return {key: _plain(part) for key, part in value.items()}
    return [_plain(part) for part in value] if isinstance(value, list | tuple) else value
