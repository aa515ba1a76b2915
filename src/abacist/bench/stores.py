"""What commands cost as a store grows: seconds, against growing in step with its rows."""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

from abacist.bench.made_up import fill
from abacist.bench.measure import Row

#: Rows of the stores that are measured, each larger than the one before.
_SIZES = (1_000, 10_000, 100_000)

_COMMANDS = {
    "runs --where": ("runs", "--where", "language=dyck-1", "--where", "cell=lstm", "--where", "seed=3"),
    "table claims": ("table", "claims"),
    "repair": ("repair",),
    "export --csv": ("export", "--csv", "-"),
}


def rows() -> Iterator[Row]:
    """How the time of every command grows with the rows."""
    with tempfile.TemporaryDirectory() as name:
        folders = [Path(name) / str(size) for size in _SIZES]
        for folder, size in zip(folders, _SIZES, strict=True):
            fill(folder, size)
        for command, arguments in _COMMANDS.items():
            yield growth(command, [_seconds(folder, arguments) for folder in folders])


def growth(command: str, seconds: Sequence[float]) -> Row:
    """The row of a command, from its seconds on every store."""
    first, middle, last = seconds
    in_step = (_SIZES[2] - _SIZES[0]) / (_SIZES[1] - _SIZES[0])
    grown = max(last - first, 1e-3) / max(middle - first, 1e-3)
    return Row(
        f"`{command}` over 1,000, 10,000 and 100,000 runs, linear growth against its own",
        " / ".join(f"{one:.1f}" for one in seconds) + " s",
        f"{in_step:g} times the first step",
        in_step / grown,
        0.5,
    )


def _seconds(folder: Path, arguments: Sequence[str]) -> float:
    """Seconds of a command on a store, in a process of its own."""
    called = [sys.executable, "-m", "abacist", *arguments, "--results", str(folder)]
    begun = time.perf_counter()
    subprocess.run(called, capture_output=True, check=True)
    return time.perf_counter() - begun
