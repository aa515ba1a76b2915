"""`examples/tune.py` gives every cell the settings that did best in `zoo-tuning`; nothing else changes."""

from __future__ import annotations

import runpy
from dataclasses import replace
from pathlib import Path
from typing import Any

from abacist.analysis import Horizon, Refutation
from abacist.experiments import KnownHorizon, Run, Task, experiment_named, parse_experiment
from tests.experiments.cases import made_up, view

EXAMPLE: dict[str, Any] = runpy.run_path(str(Path(__file__).parents[2] / "examples" / "tune.py"))

#: The tuned settings of three cells on one language, with four seeds.
TASKS = [
    replace(task, seeds=task.seeds[:4])
    for task in experiment_named("zoo-tuning").tasks
    if task.spec.language.name == "dyck-1" and task.spec.cell.name in ("rnn", "gru", "lstm")
]


def run_of(task: Task, seed: int, wrong: int | None, share: float) -> Run:
    """A run with a shortest wrong word and an accuracy on the long set."""
    (aim,) = task.horizons
    word = None if wrong is None else Refutation((0, 1) * (wrong // 2), wrong, (0, 1), (0,))
    horizon = Horizon(0, word, aim.search, aim.search.budget, looked=aim.search.to)
    accuracies = {name: {str(task.spec.epochs): share} for name in task.sets}
    return made_up(task.spec, seed, accuracies, horizons=(KnownHorizon(1.0, horizon),))


def results() -> Any:
    """The RNN goes farthest at 0.01, the GRU is most accurate with cross-entropy at 0.03; the LSTM has no
    wrong words at 0.003."""
    runs = []
    for task in TASKS:
        name, setting = task.spec.cell.name, (task.spec.rate, task.spec.objective)
        for seed in task.seeds:
            wrong, share = 20 + 2 * (seed % 4), 0.5
            if name == "rnn" and setting == (0.01, "squared"):
                wrong, share = 40, 0.1
            if name == "gru" and setting == (0.03, "cross-entropy"):
                share = 0.6
            none = name == "lstm" and setting == (0.003, "squared") and seed % 4
            runs.append(run_of(replace(task, seeds=(seed,)), seed, None if none else wrong, share))
    return view(runs)


TEXT = """
# A comment.
hidden = 2
epochs = 1
training = 30
test = 10
short = "2:12"
long = "14:20"

[[task]]
language = ["dyck-1", "parity"]
cell = ["rnn", "gru", "lstm", "mingru"]
horizon = { max_length = 40 }

[[task]]
language = "shuffle-2"
uniform = true
cell = "lstm"
"""


def test_every_cell_has_the_settings_that_did_best_for_it(monkeypatch: Any) -> None:
    tasks = type("Tuning", (), {"tasks": TASKS})
    monkeypatch.setitem(EXAMPLE["choices"].__globals__, "experiment_named", lambda _: tasks)
    chosen = EXAMPLE["choices"](results())
    assert chosen == {
        ("rnn", "dyck-1", False): (0.01, "squared"),
        ("gru", "dyck-1", False): (0.03, "cross-entropy"),
        ("lstm", "dyck-1", False): (0.003, "squared"),
    }
    chosen |= {
        ("lstm", "shuffle-2", False): (0.03, "squared"),
        ("lstm", "shuffle-2", True): (0.01, "squared"),
    }
    text = EXAMPLE["tuned"](TEXT, chosen)
    assert text.startswith(TEXT.partition("[[task]]")[0])
    before, after = (parse_experiment(one, "tuned.toml").tasks for one in (TEXT, text))
    assert len(before) == len(after) == 9
    wanted = []
    for task in before:
        key = (task.spec.cell.name, task.spec.language.name, task.spec.source is not None)
        rate, objective = chosen.get(key, (task.spec.rate, task.spec.objective))
        wanted.append(replace(task, spec=replace(task.spec, rate=rate, objective=objective)))
    assert list(after) == wanted
    assert EXAMPLE["tuned"](text, chosen) == text


def test_the_best_settings_are_chosen_with_seeds_that_nothing_else_has() -> None:
    tuning = {seed for task in experiment_named("zoo-tuning").tasks for seed in task.seeds}
    for name in ("zoo", "zoo-uniform", "zoo-sizes", "blind-gates", "zoo-memories"):
        assert not tuning & {seed for task in experiment_named(name).tasks for seed in task.seeds}
