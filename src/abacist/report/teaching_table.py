"""What taught networks reached: the shortest words they get wrong, and how many are proved right."""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt
from typing import Any

import numpy as np

from abacist.experiments import Run
from abacist.report.tables import Column

#: The columns of what was reached, in a table of tasks.
REACHED = (
    Column("wrong min", "min", "wrong at"),
    Column("wrong quarter", "¼", "wrong at"),
    Column("wrong median", "median", "wrong at"),
    Column("wrong three quarters", "¾", "wrong at"),
    Column("proved", "proved"),
    Column("share", "%", "proved", 1),
    Column("share low", "% low", "proved", 1),
    Column("share high", "% high", "proved", 1),
    Column("every word", "word", "every", 0),
    Column("epochs trained", "epochs", "median"),
    Column("seconds each", "seconds", "mean", 2),
)

#: For programs: how many runs there are, how many are proved, and up to which length.
FURTHER = ("runs", "proved runs", "proved to")

NOTE = (
    "Wrong at: length of the shortest word found that a network gets wrong, after its last round and before "
    "any sharpening at the end. Proved: runs proved right on every word of up to so many symbols, in percent "
    "with a 95 % interval (Wilson's). Every word: runs proved right on every word of any length, up to the "
    "depth where their precision stops counting."
)


def wrong_at(runs: Sequence[Run], number: int = -1) -> list[float]:
    """The length of the shortest failing word of each run after a round, its last if it had fewer; infinite
    where none was found."""
    lengths = []
    for run in runs:
        taught = run.outcome.taught
        if taught is not None:
            length = taught.rounds[min(number, len(taught.rounds) - 1)].length
            lengths.append(float("inf") if length is None else float(length))
    return lengths


def quartiles(lengths: Sequence[float], to: int) -> list[str]:
    """Minimum, first quartile, median and third quartile; what is longer than was searched as `>to`."""
    if not lengths:
        return []
    found = np.quantile(lengths, [0, 0.25, 0.5, 0.75], method="lower")
    return [f"{length:.0f}" if np.isfinite(length) else f">{to}" for length in found]


def proved_to(runs: Sequence[Run], length: int) -> int:
    """How many runs are proved right on all words of up to some length."""
    return sum(run.outcome.taught is not None and run.outcome.taught.proved >= length for run in runs)


def share_interval(count: int, of: int) -> tuple[float, float]:
    """Wilson's 95 % interval for a share, from 0 to 1."""
    z = 1.959963984540054
    share, scale = count / of, 1 + z * z / of
    middle = (share + z * z / (2 * of)) / scale
    half = z * sqrt(share * (1 - share) / of + z * z / (4 * of * of)) / scale
    return max(0.0, middle - half), min(1.0, middle + half)


def _every_word(runs: Sequence[Run]) -> int | None:
    """How many runs are proved right on every word; None where nobody tried."""
    tried = [own.every_word for run in runs for own in run.outcome.latest_horizons if own.factor == 1]
    known = [proved for proved in tried if proved is not None]
    return sum(known) if known else None


def reached(runs: Sequence[Run]) -> dict[str, Any]:
    """The values of those columns for the runs of one task."""
    taught = [run for run in runs if run.outcome.taught is not None]
    if not taught or taught[0].spec.lesson is None:
        return {}
    to = taught[0].spec.lesson.to
    proved = proved_to(taught, to)
    low, high = share_interval(proved, len(taught))
    names = [column.key for column in REACHED[:4]]
    return {
        **dict(zip(names, quartiles(wrong_at(taught), to), strict=True)),
        "proved": f"{proved} of {len(taught)} to {to}",
        "runs": len(taught),
        "proved runs": proved,
        "proved to": to,
        "share": 100 * proved / len(taught),
        "share low": 100 * low,
        "share high": 100 * high,
        "every word": _every_word(taught),
        "epochs trained": int(np.median([len(run.outcome.losses) for run in taught])),
        "seconds each": float(np.mean([run.outcome.seconds for run in taught])),
    }
