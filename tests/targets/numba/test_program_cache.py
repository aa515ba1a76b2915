"""Programs run as they were printed, whatever lies in the cache; their code is kept for the next process."""

from __future__ import annotations

import hashlib
import importlib.util
import json
import marshal
import os
import pickle
import shutil
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numba
import numpy as np
import pytest

from abacist.cells import CELLS
from abacist.engine.reference import forward
from abacist.errors import BadFile
from abacist.targets.numba.forward_programs import TRACE_ARGUMENTS, tracing_program
from abacist.targets.numba.lane_memory import aligned
from abacist.targets.numba.programs import Kernel, Program
from tests.engine.cases import layout_of, random_networks
from tests.machine_code.hostile import flip, trap

SHAPE = layout_of(CELLS["rnn"], 1)
WORD = (0, 0, 1, 0, 1, 1)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A cache folder of the test's own."""
    monkeypatch.setenv("ABACIST_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache"


def fresh() -> Any:
    """The compiled function of a tracing program, as a new process has it."""
    return Program(tracing_program(SHAPE, "float64")).load()


def is_right(function: Callable[..., Any]) -> bool:
    """Run a tracing program for a network of one unit and compare its states with the reference."""
    networks = random_networks(SHAPE, 1, seed=1)
    codes, history = aligned((len(WORD), 8), np.uint8), aligned(((len(WORD) + 1) * 3 * 8,), np.float64)
    codes[:] = np.array(WORD)[:, None]
    values = {"steps": len(WORD), "codes": codes.reshape(-1), "weights": networks.parameters[0].copy()}
    function(*((values | {"history": history})[name] for name in TRACE_ARGUMENTS))
    found = history.reshape(len(WORD) + 1, 3, 8)[1:, 0, 0]
    return bool(np.allclose(found, forward(networks, 0, WORD)[0]["h"][:, 0], rtol=1e-13))


def hits(function: Any) -> int:
    return sum(function.stats.cache_hits.values())


def used() -> int:
    """Whether a right program came from the cache."""
    function = fresh()
    assert is_right(function)
    return hits(function)


def test_a_program_is_compiled_once(folder: Path) -> None:
    assert [used(), used(), used()] == [0, 1, 1]
    assert sorted(path.name for path in folder.iterdir()) == ["compiled", "key", "programs"]
    assert [path.suffix for path in (folder / "programs").iterdir()] == [".py"]


def only_file(folder: Path) -> Path:
    (path,) = folder.iterdir()
    return path


def cut(content: bytes) -> bytes:
    return content[: len(content) // 2]


DAMAGES: list[Callable[[bytes], bytes]] = [
    cut, lambda whole: flip(whole, 4 * len(whole)), lambda _: b"garbage", lambda _: b"",
]  # fmt: skip


@pytest.mark.parametrize("damage", DAMAGES, ids=["cut", "flipped", "garbage", "empty"])
def test_what_is_damaged_is_made_again(folder: Path, damage: Callable[[bytes], bytes]) -> None:
    assert used() == 0
    path = only_file(folder / "compiled")
    path.write_bytes(damage(path.read_bytes()))
    assert [used(), used()] == [0, 1]


def test_a_damaged_text_is_written_again(folder: Path) -> None:
    program = Program(tracing_program(SHAPE, "float64"))
    assert used() == 0
    for content in (b"", b"raise SystemExit\n", b"\xff\xfe", program.path.read_bytes()[:-1]):
        program.path.write_bytes(content)
        assert used() == 1
        assert program.path.read_text() == program.text


def test_byte_code_is_neither_read_nor_written(folder: Path) -> None:
    """Python trusts byte code by its source's date and size, so it may be that of another program."""
    program = Program(tracing_program(SHAPE, "float64"))
    assert used() == 0
    assert list(folder.rglob("*.pyc")) == []
    other = program.text.replace("h_u0 = tanh(", "h_u0 = sigmoid(")
    assert other != program.text
    found = program.path.stat()
    stamps = (0, int(found.st_mtime), found.st_size)
    planted = Path(importlib.util.cache_from_source(str(program.path)))
    planted.parent.mkdir()
    header = importlib.util.MAGIC_NUMBER + b"".join(stamp.to_bytes(4, "little") for stamp in stamps)
    planted.write_bytes(header + marshal.dumps(compile(other, program.path, "exec")))
    shutil.rmtree(folder / "compiled")
    assert used() == 0
    assert list(folder.rglob("*.pyc")) == [planted]


def test_numba_s_own_files_are_not_read(folder: Path, tmp_path: Path) -> None:
    """A forged index, with the checksum of it beside, as it would lie in a folder of Numba's own cache."""
    program, marker = Program(tracing_program(SHAPE, "float64")), tmp_path / "marker"
    function: Any = program.load()
    line, version = function.py_func.__code__.co_firstlineno, sys.version_info
    index = f"{program.path.stem}.trace-{line}.py{version.major}{version.minor}{sys.abiflags}.nbi"
    place = program.path.parent / "__pycache__" / index
    place.parent.mkdir(exist_ok=True)
    forged = pickle.dumps(numba.__version__) + trap(marker)
    place.write_bytes(forged)
    program.path.with_suffix(".sha256").write_text(json.dumps({index: hashlib.sha256(forged).hexdigest()}))
    assert used() == 0
    assert not marker.exists()


def test_forged_code_is_not_run(folder: Path, tmp_path: Path) -> None:
    assert used() == 0
    path, forged = only_file(folder / "compiled"), trap(tmp_path / "marker")
    for beginning in (path.read_bytes()[:32], hashlib.sha256(forged).digest(), b""):
        path.write_bytes(beginning + forged)
        assert used() == 0
    assert not (tmp_path / "marker").exists()


def test_a_mistake_in_a_program_is_shown_with_its_line(folder: Path) -> None:
    """A traceback names the file, and the file has the line."""
    program = Program('"""A program."""\n\n\ndef fail():\n    return 1 // 0\n')
    with pytest.raises(ZeroDivisionError) as caught:
        program.load()()
    last = caught.traceback[-1]
    assert (str(last.path), last.lineno) == (str(program.path), 4)
    assert "return 1 // 0" in str(last.statement)


def test_threads_share_one_compilation(folder: Path) -> None:
    kernel = Kernel(Program(tracing_program(SHAPE, "float64")), TRACE_ARGUMENTS)

    def run(_: int) -> bool:
        return is_right(lambda *values: kernel(**dict(zip(TRACE_ARGUMENTS, values, strict=True))))

    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(run, range(4))) == [True] * 4
    assert used() == 1


SCRIPT = """
from tests.targets.numba.test_program_cache import used
print(used())
"""


def processes(count: int) -> list[str]:
    """How often other processes, all at once, took their program from the cache."""
    root = Path(__file__).parents[3]
    paths = os.pathsep.join([str(root), *sys.path])
    environment = os.environ | {"PYTHONPATH": paths}
    running = [
        subprocess.Popen(
            [sys.executable, "-c", SCRIPT], env=environment, cwd=root, text=True, stdout=subprocess.PIPE
        )
        for _ in range(count)
    ]
    return [process.communicate()[0].strip() for process in running]


def test_another_process_uses_what_the_first_compiled(folder: Path) -> None:
    assert used() == 0
    assert processes(1) == ["1"]


def test_two_processes_at_once_do_not_disturb_each_other(folder: Path) -> None:
    assert set(processes(2)) <= {"0", "1"}
    assert used() == 1


def test_a_cache_folder_that_cannot_be_is_refused_in_one_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("ABACIST_CACHE", str(tmp_path / "file"))
    with pytest.raises(BadFile, match="file"):
        fresh()
