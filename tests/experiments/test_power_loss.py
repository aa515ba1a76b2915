"""A loss of power at any moment: the store opens, and has every block that was reported as finished."""

from __future__ import annotations

import os
import random
from pathlib import Path

import pytest

from abacist.errors import BadFile
from abacist.experiments import FILE_NAME, Results, Run, Store
from tests.experiments.cases import everything, made_up, small
from tests.experiments.power_loss import Change, after, build, recorded
from tests.requirements import need

pytestmark = [pytest.mark.thorough, need("gcc")]

#: How often the power goes, and when.
CUTS = int(os.environ.get("ABACIST_CUTS", "200"))
SEED = int(os.environ.get("ABACIST_SEED", "2019"))
BLOCKS, RUNS = 14, 3

#: Works as an experiment does: claims, blocks, claims renewed and given up; closed and opened again.
WORKER = """
import sys
from pathlib import Path
from abacist.experiments import Store, store
from tests.experiments.test_power_loss import BLOCKS, block

def work(blocks):
    with Store(Path(sys.argv[1])) as filled:
        for number in blocks:
            runs = block(number)
            filled.claim([run.key for run in runs] + ["other"])
            filled.put(runs)
            mark(number)
            filled.renew()
        filled.release()

if sys.argv[2:] == ["unsynced"]:
    opened = store.open_to_fill
    def unsynced(path):
        connection = opened(path)
        connection.execute("PRAGMA synchronous = OFF")
        return connection
    store.open_to_fill = unsynced
work(range(BLOCKS // 2))
work(range(BLOCKS // 3, BLOCKS))
"""


def block(number: int) -> list[Run]:
    return [made_up(small(), number * RUNS + place, {"short": {"3": 0.5}}) for place in range(RUNS)]


def cuts(changes: list[Change]) -> list[tuple[int, random.Random]]:
    """Moments at which the power goes, with a chance of their own each."""
    chance = random.Random(SEED)
    return [(chance.randrange(len(changes) + 1), random.Random(chance.random())) for _ in range(CUTS)]


def lost(changes: list[Change], cut: int, chance: random.Random, folder: Path) -> set[int]:
    """The blocks that were reported as finished before a cut and are not there after it."""
    folder.mkdir(parents=True)
    for name, content in after(changes[:cut], chance).items():
        (folder / Path(name).name).write_bytes(content)
    reported = {int(change.name) for change in changes[:cut] if change.kind == "M"}
    if not (folder / FILE_NAME).exists():
        return reported
    with Store(folder) as store:
        results = Results.of(store)
    assert results.left_out == ()
    true = {run.key: everything(run) for number in range(BLOCKS) for run in block(number)}
    assert all(everything(run) == true[run.key] for run in results.runs)
    return {number for number in reported if not {run.key for run in block(number)} <= results.by_key.keys()}


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build(tmp_path_factory.mktemp("library"))


def test_every_block_that_was_reported_outlives_a_loss_of_power(library: Path, tmp_path: Path) -> None:
    changes = recorded(library, tmp_path / "true", WORKER)
    assert sum(change.kind == "M" for change in changes) > BLOCKS
    assert {"C", "W", "S", "D", "L", "U"} <= {change.kind for change in changes}
    for number, (cut, chance) in enumerate(cuts(changes)):
        assert lost(changes, cut, chance, tmp_path / str(number)) == set(), f"seed {SEED}, cut {cut}"


def test_a_store_that_does_not_sync_would_lose_blocks(library: Path, tmp_path: Path) -> None:
    """So that the test above can fail."""
    changes = recorded(library, tmp_path / "true", WORKER, "unsynced")
    for number, (cut, chance) in enumerate(cuts(changes)):
        try:
            if lost(changes, cut, chance, tmp_path / str(number)):
                return
        except (BadFile, AssertionError):
            return
    pytest.fail("nothing was lost")
