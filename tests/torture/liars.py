"""Lying workers, and texts nested without end: each is refused, and nothing of it is stored."""

from __future__ import annotations

import json
import random
from concurrent.futures import Executor
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

from abacist.errors import AbacistError
from abacist.experiments import Job, Run, compute, load_experiment
from tests.experiments.cases import content, ran
from tests.experiments.test_lying_workers import LIES, InPlace, Liar
from tests.torture.trial import Broken, command


def lying_workers(ground: Path, chance: random.Random) -> None:
    """Of blocks that are not those that were asked for nothing is stored; an honest worker ends the work."""
    true, tasks = content(ground / "results"), load_experiment(ground / "tiny.toml").tasks

    def lie(job: Job, runs: list[Run]) -> Any:
        if chance.random() < 0.3:
            return runs
        if chance.random() < 0.4:
            return LIES[chance.choice(sorted(LIES))][0](job, runs)
        others = compute(replace(job, seeds=tuple(chance.sample(range(4), 2))))
        return chance.sample([*runs, *others], chance.randrange(5))

    executor: Executor = InPlace(Liar(lie, times=9))
    for _ in range(2):
        with suppress(AbacistError):
            ran(tasks, ground / "new", executor=executor)
        if any(true.get(key) != row for key, row in content(ground / "new").items()):
            raise Broken("a row was stored that nobody asked for, or that is wrong")
    ran(tasks, ground / "new")
    if content(ground / "new") != true:
        raise Broken("an honest worker does not end the work")


def deep_nesting(ground: Path, chance: random.Random) -> None:
    """A text of brackets, tables or dotted keys in the place of every file that is read: one sentence."""
    depth = chance.choice((50, 100, 1_000, 20_000, 200_000))
    opened, closed = chance.choice((("[", "]"), ('{"a":', "}"), ("{a=", "}"), ("[{", "}]")))
    deep = opened * depth + chance.choice(("", "1", '"x"')) + closed * chance.choice((depth, depth - 1, 0))
    toml = chance.choice((f"x = {deep}", ".".join("a" * depth) + " = 1", f"[{'.'.join('a' * depth)}]"))
    (ground / "deep.toml").write_text((ground / "tiny.toml").read_text() + toml)
    (ground / "deep.json").write_text(deep)
    (ground / "deep.jsonl").write_text(f"{deep}\n")
    (ground / "networks" / "run.json").write_text(deep)
    header = chance.choice((deep, json.dumps({"__metadata__": {"cell": deep}}))).encode()
    (ground / "deep.safetensors").write_bytes(len(header).to_bytes(8, "little") + header)
    name = {kind: str(ground / f"deep.{kind}") for kind in ("toml", "json", "jsonl", "safetensors")}
    for arguments in (
        ("run", name["toml"], "--results", str(ground / "new")),
        ("label", name["toml"], "()"),
        ("judge", str(ground / "networks"), "()"),
        ("import", name["safetensors"], "--cell", "rnn", "--out", str(ground / "new")),
        ("score", name["jsonl"], "--corpus", str(ground / "words.npz")),
        ("check", name["json"], str(ground / "results")),
        ("run", str(ground / "tiny.toml"), "--cluster", name["json"], "--results", str(ground / "new")),
    ):
        ended = command(*arguments)
        if not ended.code:
            raise Broken(f"{arguments}: took a text of nothing but brackets")
