"""Taught runs are runs like any other: in files, in jobs, in a store, killed and resumed."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from abacist.errors import BadInput
from abacist.experiments import Job, Outcome, Task, compute, parse_experiment, run_key
from abacist.experiments.rows import row_of, run_of
from abacist.progress import Progress
from abacist.specs import Lesson, Round, Taught
from tests.analysis.short_lessons import short_lesson, teaching
from tests.experiments.cases import TINY, content, described, made_up, ran, small

SPEC = short_lesson(sharpen=1.5)
WANTED = frozenset({("training", 4), ("training", 12), ("long", 12)})


def test_a_job_gives_what_teaching_gives() -> None:
    runs = compute(Job(SPEC, (4, 0), WANTED))
    lesson = teaching(SPEC, (4, 0))
    lesson.train(4)
    trained = lesson.train(12)
    for number, run in enumerate(runs):
        assert run.weights.tobytes() == trained.networks.parameters[number].tobytes()
        assert run.outcome.taught == lesson.taught[number]
        assert len(run.outcome.losses) == lesson.taught[number].rounds[-1].epochs
        assert np.isfinite(run.outcome.losses).all()
        assert run.outcome.known() == WANTED
    assert len(runs[0].outcome.losses) < 12


def test_a_search_can_be_interrupted() -> None:
    looks, before = 0, 1.0

    def stop(progress: Progress) -> None:
        nonlocal looks, before
        looks, before = looks + (progress.share == before), progress.share
        if looks == 3:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        compute(Job(SPEC, (4, 0), WANTED), Progress(stop))
    assert looks == 3


def test_what_was_taught_is_kept_and_not_taught_again(tmp_path: Path) -> None:
    """In one go, or some seeds first and the others later, and judged on another set after that."""
    task = Task("taught", SPEC, (0, 1, 4))
    ran([task], tmp_path / "whole")
    for seeds in ((4,), (0, 1, 4)):
        ran([replace(task, seeds=seeds, sets=("short",))], tmp_path / "parts")
    results = ran([task], tmp_path / "parts")
    whole, parts = content(tmp_path / "whole"), content(tmp_path / "parts")
    assert whole == parts
    assert results.runs[0].outcome.taught is not None


def test_a_row_with_a_lesson_is_read_back() -> None:
    taught = Taught((Round(4, 0, "()", 2), Round(8, 1, None, None)), 40, 1.0)
    run = made_up(SPEC, 3, {"short": {"12": 1.0}}, taught=taught)
    assert described(run_of(row_of(run))) == described(run)
    assert run_of(row_of(run)).outcome.taught == taught


def test_rows_without_a_lesson_keep_their_bytes() -> None:
    """Neither spec nor results name what there was not when the first stores were written."""
    row = row_of(made_up(small(), 3, {"short": {"3": 1.0}}))
    assert {"lesson", "decay"}.isdisjoint(json.loads(row[1]))
    assert "taught" not in json.loads(row[3])
    assert "taught" in json.loads(row_of(made_up(SPEC, 3, {}, taught=Taught((), 0, 1.0)))[3])


def test_a_damaged_log_is_refused() -> None:
    text = made_up(SPEC, 3, {}, taught=Taught((), 0, 1.0)).outcome.as_json()
    with pytest.raises(BadInput, match="a value is missing or of the wrong kind"):
        Outcome.from_json(text.replace('"proved"', '"prooved"'))


def test_lessons_in_a_file_can_be_swept() -> None:
    teach = '[{feed = "nothing", rounds = 1}, {rounds = 3, to = 30, sharpen = 1.5}]'
    experiment = parse_experiment(f"{TINY}runs = 2\ndecay = [0.0, 0.1]\nteach = {teach}", "own.toml")
    lessons = [task.spec.lesson for task in experiment.tasks]
    swept = [Lesson("nothing", rounds=1), Lesson(rounds=3, to=30, sharpen=1.5)]
    assert lessons == swept * 2
    assert [task.spec.decay for task in experiment.tasks] == [0.0, 0.0, 0.1, 0.1]
    assert len({run_key(task.spec, 0) for task in experiment.tasks}) == 4


@pytest.mark.parametrize(
    ("teach", "message"),
    [
        ('"often"', "own.toml: teach must be a table, such as { feed = .*, got 'often'"),
        ("{rounds = 0}", "own.toml: teach: rounds must be from 1 to 1,000, got 0"),
        ("{pace = 1}", "own.toml: teach: pace is unknown: there is no such field"),
        ("{rounds = 9}", "own.toml: teach: rounds must be at most the 3 epochs that are divided .*, got 9"),
    ],
)
def test_a_lesson_that_cannot_be_is_refused(teach: str, message: str) -> None:
    with pytest.raises(BadInput, match=message):
        parse_experiment(f"{TINY}teach = {teach}", "own.toml")
