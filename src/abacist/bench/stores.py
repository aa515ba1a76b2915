"""What commands cost as a store grows: seconds and memory, against growing in step with its rows."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

from abacist.bench.made_up import fill
from abacist.bench.measure import Row

#: Rows of the stores that are measured, each larger than the one before.
_SIZES = (1_000, 10_000, 100_000)

#: What a command with a short answer may take on the largest.
_SECONDS, _MEGABYTES = 5.0, 300.0

_SHORT = {
    "runs --where": ("runs", "--where", "language=dyck-1", "--where", "cell=lstm", "--where", "seed=3"),
    "table table-3": ("table", "table-3"),
    "table claims": ("table", "claims"),
    "run --dry-run": ("run", "table-3", "--dry-run"),
    "repair": ("repair",),
}

#: Answers as long as the store: only their growth is limited.
_LONG = {"runs --sort": ("runs", "--sort", "long"), "export --csv": ("export", "--csv", "-")}

#: Runs a command, and says how many seconds it took and how many megabytes.
_MEASURED = """
import sys, time
from abacist.bench.measure import peak_megabytes
from abacist.cli.app import run
clock = time.perf_counter()
code = run(sys.argv[1:])
print(time.perf_counter() - clock, peak_megabytes(), file=sys.stderr)
sys.exit(code)
"""


def rows() -> Iterator[Row]:
    """For every command its time and memory on the largest store, and how its time grows with the rows."""
    with tempfile.TemporaryDirectory() as name:
        folders = [Path(name) / str(size) for size in _SIZES]
        for folder, size in zip(folders, _SIZES, strict=True):
            fill(folder, size)
        for command, arguments in (_SHORT | _LONG).items():
            costs = [_cost(folder, arguments) for folder in folders]
            yield from growth(command, costs, short=command in _SHORT)


def growth(command: str, costs: Sequence[tuple[float, float]], *, short: bool) -> Iterator[Row]:
    """The rows of a command, from its seconds and megabytes on every store."""
    seconds, megabytes = costs[-1]
    what = f"`{command}` on {_SIZES[-1]:,} runs"
    if short:
        limit, most = f"{_SECONDS:g} s", f"{_MEGABYTES:g} MB"
        yield Row(f"{what}, against {limit}", f"{seconds:.1f} s", limit, _SECONDS / seconds, 1)
        yield Row(f"{what}, against {most}", f"{megabytes:.0f} MB", most, _MEGABYTES / megabytes, 1)
    (first, _), (middle, _), (last, _) = costs
    in_step = (_SIZES[2] - _SIZES[0]) / (_SIZES[1] - _SIZES[0])
    grown = max(last - first, 1e-3) / max(middle - first, 1e-3)
    yield Row(
        f"`{command}` over 1,000, 10,000 and 100,000 runs, linear growth against its own",
        " / ".join(f"{one:.1f}" for one in (first, middle, last)) + " s",
        f"{in_step:g} times the first step",
        in_step / grown,
        0.5,
    )


def _cost(folder: Path, arguments: Sequence[str]) -> tuple[float, float]:
    """Seconds and megabytes of a command on a store, in a process of its own."""
    called = [sys.executable, "-c", _MEASURED, *arguments, "--results", str(folder)]
    done = subprocess.run(called, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, check=True)
    seconds, megabytes = done.stderr.splitlines()[-1].split()
    return float(seconds), float(megabytes)
