"""A full disk: one sentence with the file's name, and what was finished before is kept."""

from __future__ import annotations

import random
import resource
from pathlib import Path

import pytest

from abacist.errors import BadFile
from abacist.experiments import FILE_NAME, Store
from tests.cli.command import inside
from tests.experiments.cases import TINY, child, content, ended, everything, keep, made_up, runs_of, small
from tests.experiments.interrupted import Interrupted

#: Runs the command where no file may grow beyond some bytes.
LIMITED = """
import resource, signal, sys
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
import numba  # its files are not those that are meant
resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[1]), int(sys.argv[1])))
from abacist.cli.app import main
sys.argv[1:] = sys.argv[2:]
main()
"""

#: The same after all code that it needs is loaded, which takes temporary files.
LOADED_AND_LIMITED = (
    """
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from abacist.experiments import Store, load_experiment, run
with TemporaryDirectory() as folder, Store(Path(folder)) as store:
    run(load_experiment(Path(sys.argv[3])).tasks[:1], store)
"""
    + LIMITED
)


@pytest.mark.thorough
def test_the_disk_is_full_in_the_midst_of_the_work(tmp_path: Path) -> None:
    """Found out when a block is written: those before it are there, and one can go on."""
    file, folder, true = tmp_path / "sweep.toml", tmp_path / "results", tmp_path / "true"
    rates = [round(0.01 * (n + 1), 2) for n in range(12)]
    file.write_text(TINY + f"rate = {rates}\nruns = 16\n")
    assert inside("run", str(file), "--results", str(true), "--jobs", "1")[0] == 0
    finished, half = content(true), (true / FILE_NAME).stat().st_size // 2
    code, output, errors = ended(
        child(LOADED_AND_LIMITED, str(half), "run", str(file), "--results", str(folder), "--jobs", "1", "-q")
    )
    assert (code, output) == (1, ""), errors
    assert errors.startswith(f"abacist: {folder / FILE_NAME}: cannot be written, ")
    assert errors.count("\n") == 1
    kept = content(folder)
    assert 0 < len(kept) < len(finished)
    assert all(kept[key] == finished[key] for key in kept)
    assert inside("run", str(file), "--results", str(folder))[0] == 0
    assert content(folder) == finished


@pytest.mark.thorough
def test_there_is_no_room_for_a_store_at_all(tmp_path: Path) -> None:
    file = tmp_path / "sweep.toml"
    file.write_text(TINY)
    code, output, errors = ended(
        child(LIMITED, "600", "run", str(file), "--results", str(tmp_path / "results"))
    )
    assert (code, output) == (1, ""), errors
    assert errors.startswith(f"abacist: {tmp_path / 'results' / FILE_NAME}: cannot be written, ")
    assert errors.count("\n") == 1


def test_a_store_that_is_full_can_be_used_again_when_there_is_room(tmp_path: Path) -> None:
    runs = [made_up(small(), seed, {"short": {"3": 0.5}}) for seed in range(60)]
    with Store(tmp_path) as store:
        store.put(runs[:10])
        largest = max(path.stat().st_size for path in tmp_path.iterdir())
        before = resource.getrlimit(resource.RLIMIT_FSIZE)
        resource.setrlimit(resource.RLIMIT_FSIZE, (largest + 4096, before[1]))
        try:
            for _ in range(2):
                with pytest.raises(BadFile, match=f"{FILE_NAME}: cannot be written, d.* (full|I/O error)$"):
                    store.put(runs[10:])
            assert [everything(run) for run in runs_of(store)] == [everything(run) for run in runs[:10]]
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, before)
        store.put(runs[10:])
        assert [everything(run) for run in runs_of(store)] == [everything(run) for run in runs]


@pytest.mark.parametrize("interrupted", [pytest.param(False, marks=pytest.mark.thorough), True])
def test_a_store_on_a_full_disk_can_be_read(tmp_path: Path, interrupted: bool) -> None:
    """Also where a write has been interrupted: to undo it takes no room."""
    runs = [made_up(small(), seed, {"short": {"3": 0.5}}) for seed in range(20)]
    keep(tmp_path, runs[:3])
    before = (tmp_path / FILE_NAME).read_bytes()
    if interrupted:
        Interrupted(tmp_path / "draft", runs[:3], runs).leave(tmp_path, random.Random(0))
        assert (tmp_path / FILE_NAME).read_bytes() != before
    limit = str(len(before) if interrupted else 0)
    code, output, errors = ended(child(LIMITED, limit, "runs", "--results", str(tmp_path), "--format", "csv"))
    assert (code, errors) == (0, "")
    assert output.count("\n") == 4
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == {FILE_NAME: before}
