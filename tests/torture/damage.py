"""Damaged bytes in stores, networks and corpora: what is read is the truth, or the file is refused."""

from __future__ import annotations

import json
import random
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import numpy as np

from abacist.corpora.files import load
from abacist.errors import BadFile
from abacist.experiments import FILE_NAME
from tests.experiments.cases import runs_in
from tests.experiments.interrupted import JOURNAL, Interrupted, make_old, spoilt
from tests.ordinary import closed, closed_folder
from tests.torture.ground import RUNS
from tests.torture.trial import Broken, Ended, command, damaged


def _spoil(path: Path, chance: random.Random) -> None:
    path.write_bytes(damaged(path.read_bytes(), chance))


def _rows(ended: Ended) -> dict[tuple[Any, ...], dict[str, Any]]:
    rows = json.loads(ended.output)["rows"]
    return {(row["key"], row["seed"]): row for row in rows}


def damaged_store(ground: Path, chance: random.Random) -> None:
    """Every row is listed as it was, or named, or the whole store is refused; repair takes no other."""
    results = str(ground / "results")
    listing = ("runs", "--results", results, "--format", "json")
    true = _rows(command(*listing))
    _spoil(ground / "results" / FILE_NAME, chance)
    ended = command(*listing)
    if ended.code:
        _refused(ended, FILE_NAME)
    else:
        found = _rows(ended)
        _same(found, true)
        if len(found) + len(ended.errors.splitlines()) < RUNS:
            raise Broken(f"{RUNS - len(found)} rows are gone, and only this is said:\n{ended.errors}")
    command("table", str(ground / "tiny.toml"), "--results", results)
    command("export", "--csv", "-", "--results", results)
    repaired = command("repair", "--results", results)
    after = command(*listing)
    if not repaired.code and not after.code:
        _same(_rows(after), true)
        if not ended.code and _rows(after).keys() != _rows(ended).keys():
            raise Broken("repair has taken rows that were whole")


def interrupted_store(ground: Path, chance: random.Random) -> None:
    """What was committed is listed after an interrupted write, also through a link, and where nothing may be
    written. If the journal was spoilt as well, no row is lost in silence. An older store keeps its log."""
    with closed_folder() as place:
        _interrupt(ground, place, chance)


def _interrupt(ground: Path, place: Path, chance: random.Random) -> None:
    true = _rows(command("runs", "--results", str(ground / "results"), "--format", "json"))
    runs, left, link = runs_in(ground / "results"), place / "left", place / "link"
    committed, spoil, old = runs[: chance.randrange(1, RUNS)], chance.random() < 0.6, chance.random() < 0.2
    link.mkdir()
    if old:
        left.mkdir()
        make_old(left, committed, runs[len(committed) :], version=chance.choice((1, 2)))
        committed = runs
    else:
        store = Interrupted(ground / "draft", committed, chance.sample(runs, chance.randrange(1, RUNS)))
        store.leave(left, chance)
        if spoil:
            (left / JOURNAL).write_bytes(spoilt(store.journal, chance))
    (link / FILE_NAME).symlink_to(left / FILE_NAME)
    for folder in chance.sample((left, link), 2):
        with closed(left) if chance.random() < 0.5 else nullcontext():
            ended = command("runs", "--results", str(folder), "--format", "json")
        if ended.code and (old or not spoil):
            raise Broken(f"a store that was only interrupted is refused:\n{ended.errors}")
        if ended.code:
            _refused(ended, FILE_NAME)
            continue
        found = _rows(ended)
        _same(found, true)
        gone = len({run.key for run in committed} - {key for key, _ in found})
        if gone > (len(ended.errors.splitlines()) if spoil and not old else 0):
            raise Broken(f"{gone} rows are gone, and only this is said:\n{ended.errors}")


def _same(found: dict[tuple[Any, ...], dict[str, Any]], true: dict[tuple[Any, ...], dict[str, Any]]) -> None:
    for key, row in found.items():
        if true.get(key) != row:
            raise Broken(f"a row has changed: {row}")


def _refused(ended: Ended, name: str) -> None:
    if ended.output or name not in ended.errors or not ended.errors.startswith("abacist: "):
        raise Broken(f"is refused without its name:\n{ended.output}{ended.errors}")


def damaged_networks(ground: Path, chance: random.Random) -> None:
    """A folder of networks judges as before, or is refused; a file without a record is only read in peace."""
    asked = ("judge", str(ground / "networks"), "--language", "dyck-1", "()", "(())()")
    true = command(*asked)
    _spoil(ground / "networks" / "networks.safetensors", chance)
    ended = command(*asked)
    if ended.code:
        _refused(ended, "networks")
    elif ended != true:
        raise Broken(f"networks judge otherwise:\n{ended.output}")
    _spoil(ground / "one.safetensors", chance)
    command("import", str(ground / "one.safetensors"), "--cell", "rnn", "--out", str(ground / "again"))


def damaged_corpora(ground: Path, chance: random.Random) -> None:
    """A file of corpora is read as it was, or is refused."""
    path = ground / "words.npz"
    true = load(path)
    _spoil(path, chance)
    try:
        found = load(path)
    except BadFile as error:
        if not str(error).startswith(f"{path}: "):
            raise Broken(f"is refused without its name: {error}") from None
        return
    for one, other in zip(found, true, strict=True):
        if not (np.array_equal(one.symbols, other.symbols) and np.array_equal(one.offsets, other.offsets)):
            raise Broken("words have changed")
