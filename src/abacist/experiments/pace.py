"""How fast the work goes, by kind of block, as measured meanwhile; and so how long the rest will take."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from abacist.experiments.job import AnyJob
from abacist.experiments.measuring import SEARCHING


@dataclass
class _Begun:
    """A block in flight: its kind and size, since when, and how much of it has been done."""

    kind: str
    size: float
    since: float
    done: float = 0.0


class Pace:
    """Seconds that blocks take for a unit of `Job.size`, each in one worker: training and searching differ.

    Blocks count from the first time that they tell of themselves, those in flight as far as they have come.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock, self._workers, self._blocks = clock, 1, 0
        self._begun: dict[int, _Begun] = {}
        self._todo: dict[str, float] = {}
        self._measured: dict[str, tuple[float, float]] = {}  # seconds, size

    def begin(self, jobs: Iterable[AnyJob], searches: float) -> None:
        """These blocks are all that is left, and after them searches of a size."""
        self._todo, self._blocks = {SEARCHING: searches}, 0
        for job in jobs:
            self._todo[job.kind] = self._todo.get(job.kind, 0.0) + job.size
            self._blocks += 1

    def reached(self, job: AnyJob, work: float) -> None:
        """So much of a block's work has been done."""
        if id(job) not in self._begun:
            self._begun[id(job)] = _Begun(job.kind, job.size, self._clock())
        begun = self._begun[id(job)]
        begun.done = min(work, begun.size)
        self._workers = max(self._workers, len(self._begun))

    def finish(self, job: AnyJob) -> None:
        """A block is done, or given up."""
        kind = job.kind
        self._todo[kind] = max(self._todo.get(kind, 0.0) - job.size, 0.0)
        self._blocks -= 1
        if (begun := self._begun.pop(id(job), None)) is not None:
            seconds, size = self._measured.get(kind, (0.0, 0.0))
            self._measured[kind] = seconds + self._clock() - begun.since, size + begun.size

    def left(self) -> tuple[float | None, bool]:
        """About how many seconds the rest takes; and whether searches come on top, since none is measured.

        None where nothing else has been measured.
        """
        todo, measured, now = dict(self._todo), dict(self._measured), self._clock()
        for begun in self._begun.values():
            seconds, size = measured.get(begun.kind, (0.0, 0.0))
            measured[begun.kind] = seconds + now - begun.since, size + begun.done
            todo[begun.kind] = max(todo.get(begun.kind, 0.0) - begun.done, 0.0)
        speeds = {kind: seconds / size for kind, (seconds, size) in measured.items() if size}
        unforeseen = todo.get(SEARCHING, 0.0) > 0 and SEARCHING not in speeds
        if unforeseen:
            del todo[SEARCHING]
        usual = max((speed for kind, speed in speeds.items() if kind != SEARCHING), default=None)
        total = 0.0
        for kind, size in todo.items():
            speed = speeds.get(kind, usual)
            if size and speed is None:
                return None, unforeseen
            total += size * (speed or 0.0)
        later = todo.get(SEARCHING, 0.0) > 0
        return total / (self._workers if later else max(min(self._workers, self._blocks), 1)), unforeseen
