"""Pretraining: a first phase, then sharper gates, then the spec's training: bit for bit as each alone."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from abacist.cells import CELLS
from abacist.engine import train
from abacist.errors import BadInput
from abacist.experiments import Task, parse_experiment, run_key
from abacist.experiments.run_files import run_as_toml
from abacist.specs import Lesson, Pretraining, Spec, sharpened
from tests.experiments.cases import TINY, content, made_up, ran, runs_in, small

FIRST: dict[str, dict[str, Any]] = {
    "as the spec": {},
    "its own": {"rate": 0.03, "decay": 0.1, "objective": "squared"},
    "other states": {"carry_states": False, "state_noise": 0.0},
}


@pytest.mark.parametrize("first", FIRST)
def test_it_is_the_first_phase_then_sharper_gates_then_the_second(first: str, tmp_path: Path) -> None:
    plain = small(epochs=2, rate=0.01, objective="cross-entropy", cell=CELLS["lstm"], carry_states=True)
    spec = replace(plain, pretrain=Pretraining(epochs=3, sharpen=4, **FIRST[first]))
    before = train(replace(plain, epochs=3, **FIRST[first]), range(20)).networks
    after = train(plain, range(20), start=sharpened(before, 4))
    whole = train(spec, range(20))
    assert whole.networks == after.networks
    assert whole.losses.tolist() == after.losses.tolist()
    ran([Task("pretrained", spec, (17, 3))], tmp_path)
    for run in runs_in(tmp_path):
        assert run.weights.tobytes() == after.networks.parameters[run.seed].tobytes()


def test_runs_with_fewer_epochs_and_continued_ones_are_the_runs_themselves(tmp_path: Path) -> None:
    pretrain = Pretraining(epochs=1, sharpen=2)
    tasks = [
        Task(f"to {n}", small(epochs=n, cell=CELLS["gru"], pretrain=pretrain), (0, 1)) for n in (0, 2, 3)
    ]
    ran(tasks, tmp_path / "together")
    for task in tasks:
        ran([task], tmp_path / "alone")
        ran([task], tmp_path / "on", keep_moments=True)  # each from the one before, the first after no epoch
    assert content(tmp_path / "together") == content(tmp_path / "alone") == content(tmp_path / "on")


def test_files_keys_and_json_have_it() -> None:
    text = TINY + 'runs = 1\npretrain = [{ epochs = 1 }, { epochs = 1, objective = "cross-entropy" }]'
    specs = [task.spec for task in parse_experiment(text, "one.toml").tasks]
    assert [spec.pretrain for spec in specs] == [Pretraining(1), Pretraining(1, objective="cross-entropy")]
    for spec in specs:
        assert Spec.from_dict(json.loads(json.dumps(spec.as_dict()))) == spec
        (again,) = parse_experiment(run_as_toml(made_up(spec, 3, {})), "run.toml").tasks
        assert run_key(again.spec, 3) == run_key(spec, 3)
    assert len({run_key(spec, 3) for spec in (*specs, replace(specs[0], pretrain=None))}) == 3
    assert "pretrain" not in small().key_values()


def test_what_does_not_fit_is_refused() -> None:
    sharp = Pretraining(sharpen=2)
    refused: list[tuple[dict[str, Any], str]] = [
        (
            {"cell": CELLS["rnn_relu"], "pretrain": sharp},
            "Pretraining: sharpen must be 1: rnn_relu has no gates",
        ),
        ({"lesson": Lesson(rounds=1), "pretrain": sharp}, "Spec: pretrain must be left out where there is a"),
        (
            {"objective": "next-symbol", "pretrain": Pretraining(objective="squared")},
            "must be next-symbol, as",
        ),
    ]
    for values, sentence in refused:
        with pytest.raises(BadInput, match=sentence):
            small(**values)
    with pytest.raises(BadInput, match=r"one.toml: pretrain must be a table, such as \{ epochs = 20"):
        parse_experiment(TINY + "runs = 1\npretrain = 20", "one.toml")
    with pytest.raises(BadInput, match="pretrain: epochs must be from 0"):
        parse_experiment(TINY + "runs = 1\npretrain = { epochs = -1 }", "one.toml")
