"""The ground of all trials, made once: an experiment, its store, networks and corpora, undisturbed."""

from __future__ import annotations

import shutil
from pathlib import Path

from tests.experiments.cases import TINY
from tests.torture.trial import Broken, command

#: Twelve blocks of one shape, of two runs each.
EXPERIMENT = f"{TINY}runs = 2\nrate = {[round(0.01 * (n + 1), 2) for n in range(12)]}\n"

RUNS = 24


def prepare(folder: Path) -> Path:
    """Make a ground in a folder."""
    folder.mkdir(parents=True)
    experiment, results = folder / "tiny.toml", folder / "results"
    experiment.write_text(EXPERIMENT, encoding="utf-8")
    _done("run", str(experiment), "--results", str(results), "--jobs", "1")
    _done("export", str(results), "--run", "0", "--out", str(folder / "one.safetensors"))
    _done("import", str(folder / "one.safetensors"), "--cell", "rnn", "--out", str(folder / "networks"))
    sizes = (
        "--train-words",
        "40",
        "--test-words",
        "10",
        "--train-lengths",
        "2:12",
        "--long-lengths",
        "14:20",
    )
    _done("corpus", "dyck-1", *sizes, "--out", str(folder / "words.npz"))
    _done("construct", "dyck-1", "--out", str(folder / "counter"))
    return folder


def copy(ground: Path, folder: Path) -> Path:
    """A ground that may be spoilt."""
    shutil.copytree(ground, folder)
    return folder


def _done(*arguments: str) -> None:
    ended = command(*arguments)
    if ended.code:
        raise Broken(f"{arguments}: the ground cannot be made\n{ended.errors}")
