"""Programs run as they were emitted, whatever the cache has; their object files serve the next process."""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from unittest.mock import patch

import numpy as np
import pytest

from abacist.cells import CELLS
from abacist.engine.reference import forward
from abacist.targets.llvm import launching, machine
from abacist.targets.llvm.forward import tracing_program
from abacist.targets.llvm.machine import Function
from abacist.targets.llvm.packing import aligned
from tests.engine.cases import layout_of, random_networks
from tests.machine_code.hostile import flip, trap

SHAPE = layout_of(CELLS["rnn"], 1)
WORD = (0, 0, 1, 0, 1, 1)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A cache folder of the test's own."""
    monkeypatch.setenv("ABACIST_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache"


def fresh() -> Function:
    """The compiled function of a tracing program, as a new process has it."""
    own = tracing_program(SHAPE, "float64")
    return Function(own)


def is_right(function: Function) -> bool:
    """Run a tracing program for a network of one unit and compare its states with the reference."""
    networks = random_networks(SHAPE, 1, seed=1)
    codes, history = aligned((len(WORD), 8), np.uint8), aligned(((len(WORD) + 1) * 3 * 8,), np.float64)
    codes[:] = np.array(WORD)[:, None]
    weights = networks.parameters[0].copy()
    result = function(steps=len(WORD), codes=codes.reshape(-1), weights=weights, history=history)
    found = history.reshape(len(WORD) + 1, 3, 8)[1:, 0, 0]
    states = forward(networks, 0, WORD)[0]["h"][:, 0]
    return result == 0 and bool(np.allclose(found, states, rtol=1e-13))


def used() -> int:
    """Whether a right program came from the cache."""
    with patch.object(machine, "object_code", wraps=machine.object_code) as compiling:
        assert is_right(fresh())
    return int(not compiling.called)


def only_file(folder: Path) -> Path:
    (path,) = folder.iterdir()
    return path


def test_a_program_is_compiled_once(folder: Path) -> None:
    assert [used(), used(), used()] == [0, 1, 1]
    assert sorted(path.name for path in folder.iterdir()) == ["compiled", "key", "programs"]
    text, code = only_file(folder / "programs"), only_file(folder / "compiled")
    assert text.name == f"{code.name}.ll"
    assert code.read_bytes()[32:36] == b"\x7fELF" or sys.platform != "linux"


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
    assert used() == 0
    path = only_file(folder / "programs")
    text = path.read_text()
    assert text.endswith(tracing_program(SHAPE, "float64").ir)
    for content in (b"", b"no program\n", b"\xff\xfe", text.encode()[:-1]):
        path.write_bytes(content)
        assert used() == 1
        assert path.read_text() == text


def test_a_text_is_not_read(folder: Path) -> None:
    """Another program in its place, and no object file: what is compiled is what was emitted."""
    assert used() == 0
    path = only_file(folder / "programs")
    text = path.read_text()
    other = re.sub("fadd", "fsub", text)
    assert other != text
    path.write_text(other)
    shutil.rmtree(folder / "compiled")
    with patch.object(machine, "keep_text", lambda name, text: None):
        assert used() == 0
    assert path.read_text() == other
    assert used() == 1
    assert path.read_text() == text


def test_forged_code_is_not_run(folder: Path, tmp_path: Path) -> None:
    """Neither a function that returns another number, nor a pickle, however it is introduced."""
    assert used() == 0
    path = only_file(folder / "compiled")
    code = path.read_bytes()[:32]
    other = machine.object_code("define i64 @trace(i64 %a, ptr %b, ptr %c, ptr %d) { ret i64 7 }")
    for forged in (other, trap(tmp_path / "marker")):
        for beginning in (code, hashlib.sha256(forged).digest(), b""):
            path.write_bytes(beginning + forged)
            assert used() == 0
    assert not (tmp_path / "marker").exists()


def test_threads_share_one_compilation(folder: Path) -> None:
    launching._compiled.cache_clear()
    with (
        patch.object(machine, "object_code", wraps=machine.object_code) as compiling,
        ThreadPoolExecutor(4) as pool,
    ):
        functions = list(pool.map(lambda _: launching.compiled(tracing_program, SHAPE, "float64"), range(4)))
        assert list(pool.map(is_right, functions)) == [True] * 4
    assert len(set(map(id, functions))) == compiling.call_count == 1
    launching._compiled.cache_clear()
    assert used() == 1


SCRIPT = """
from tests.targets.llvm.test_program_cache import used
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


@pytest.mark.thorough
def test_two_processes_at_once_do_not_disturb_each_other(folder: Path) -> None:
    assert set(processes(2)) <= {"0", "1"}
    assert used() == 1
