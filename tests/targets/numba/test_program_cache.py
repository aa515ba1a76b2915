"""Compiled programs are kept for the next process, and are never trusted when damaged."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from abacist.cells import CELLS
from abacist.engine.reference import forward
from abacist.errors import BadFile
from abacist.targets.numba.forward_programs import TRACE_ARGUMENTS, tracing_program
from abacist.targets.numba.lane_memory import aligned
from abacist.targets.numba.programs import Kernel, Program
from tests.engine.cases import layout_of, random_networks

SHAPE = layout_of(CELLS["rnn"], 1)
WORD = (0, 0, 1, 0, 1, 1)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A cache folder of the test's own."""
    monkeypatch.setenv("ABACIST_CACHE", str(tmp_path))
    return tmp_path / "programs"


def fresh() -> Kernel:
    return Kernel(Program(tracing_program(SHAPE, "float64")), TRACE_ARGUMENTS)


def is_right(kernel: Kernel) -> bool:
    """Run a tracing kernel for a network of one unit and compare its states with the reference."""
    networks = random_networks(SHAPE, 1, seed=1)
    codes, history = aligned((len(WORD), 8), np.uint8), aligned(((len(WORD) + 1) * 3 * 8,), np.float64)
    codes[:] = np.array(WORD)[:, None]
    weights = networks.parameters[0].copy()
    kernel(steps=len(WORD), codes=codes.reshape(-1), weights=weights, history=history)
    found = history.reshape(len(WORD) + 1, 3, 8)[1:, 0, 0]
    return bool(np.allclose(found, forward(networks, 0, WORD)[0]["h"][:, 0], rtol=1e-13))


def hits(kernel: Kernel) -> int:
    return sum(kernel._function.stats.cache_hits.values())  # type: ignore[attr-defined]


def test_a_program_is_compiled_once_and_noted(folder: Path) -> None:
    first = fresh()
    assert is_right(first)
    assert hits(first) == 0
    second = fresh()
    assert is_right(second)
    assert hits(second) == 1
    assert sorted(path.suffix for path in folder.iterdir() if path.is_file()) == [".py", ".sha256"]


def compiled(folder: Path, suffix: str) -> Path:
    (path,) = (folder / "__pycache__").glob(f"trace_*{suffix}")
    return path


def cut(content: bytes) -> bytes:
    return content[: len(content) // 2]


def flip(content: bytes) -> bytes:
    return content[:-100] + bytes([content[-100] ^ 0x10]) + content[-99:]


DAMAGES: list[Callable[[bytes], bytes]] = [cut, flip, lambda _: b"garbage", lambda _: b""]


@pytest.mark.parametrize("suffix", [".nbi", ".nbc"])
@pytest.mark.parametrize("damage", DAMAGES, ids=["cut", "flipped", "garbage", "empty"])
def test_what_is_damaged_is_thrown_away_and_made_again(
    folder: Path, suffix: str, damage: Callable[[bytes], bytes]
) -> None:
    assert is_right(fresh())
    path = compiled(folder, suffix)
    path.write_bytes(damage(path.read_bytes()))
    again = fresh()
    assert is_right(again)
    assert hits(again) == 0
    after = fresh()
    assert is_right(after)
    assert hits(after) == 1


def test_a_damaged_text_is_written_again(folder: Path) -> None:
    program = Program(tracing_program(SHAPE, "float64"))
    assert is_right(fresh())
    for content in (b"", b"raise SystemExit\n", b"\xff\xfe", program.path.read_bytes()[:-1]):
        program.path.write_bytes(content)
        assert is_right(fresh())
        assert program.path.read_text() == program.text


@pytest.mark.parametrize("content", [b"", b"{", b"\xff", b"[]", b"{}"])
def test_a_damaged_note_is_written_again(folder: Path, content: bytes) -> None:
    assert is_right(fresh())
    (note,) = folder.glob("*.sha256")
    whole = note.read_bytes()
    note.write_bytes(content)
    again = fresh()
    assert is_right(again)
    assert hits(again) == 0
    assert note.read_bytes() != content
    assert whole.count(b":") == note.read_bytes().count(b":") == 2


SCRIPT = """
from tests.targets.numba.test_program_cache import fresh, hits, is_right
kernel = fresh()
print(is_right(kernel), hits(kernel))
"""


def processes(count: int) -> list[str]:
    """What other processes say, all at once."""
    root = Path(__file__).parents[3]
    paths = os.pathsep.join([str(root), *sys.path])
    environment = os.environ | {"PYTHONPATH": paths}
    running = [
        subprocess.Popen(
            [sys.executable, "-c", SCRIPT], env=environment, cwd=root, text=True, stdout=subprocess.PIPE
        )
        for _ in range(count)
    ]
    return [process.communicate(timeout=300)[0].strip() for process in running]


def test_another_process_uses_what_the_first_compiled(folder: Path) -> None:
    assert is_right(fresh())
    assert processes(1) == ["True 1"]


def test_two_processes_at_once_do_not_disturb_each_other(folder: Path) -> None:
    assert [line.split()[0] for line in processes(2)] == ["True", "True"]
    assert is_right(fresh())


def test_a_cache_folder_that_cannot_be_is_refused_in_one_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("ABACIST_CACHE", str(tmp_path / "file"))
    with pytest.raises(BadFile, match="file"):
        fresh()
