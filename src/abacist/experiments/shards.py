"""Shards: a plan divided among processes that know nothing of each other, each with a store of its own."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Self

from abacist.errors import BadInput
from abacist.experiments.missing import jobs_for
from abacist.experiments.plan import Task, run_key
from abacist.fields import check_fields, checked


@dataclass(frozen=True)
class Shard:
    """One of `count` parts of a plan, from 1 on; the parts are disjoint, and together they are all of it."""

    number: int
    count: int

    def __post_init__(self) -> None:
        check_fields(self)
        if not 1 <= self.number <= self.count:
            raise BadInput(f"Shard: its number must be from 1 to {self.count}, got {self.number}")

    @classmethod
    @checked
    def parse(cls, text: str) -> Self:
        """The inverse of `str`.

        >>> Shard.parse("2/8")
        Shard(number=2, count=8)
        """
        number, _, count = text.partition("/")
        if not all(part.isascii() and part.isdigit() and len(part) < 10 for part in (number, count)):
            raise BadInput(f"a shard is written i/n, such as 2/8, got {text!r}")
        if not 1 <= int(number) <= int(count):
            raise BadInput(f"a shard i/n has i from 1 to n, got {text!r}")
        return cls(int(number), int(count))

    def __str__(self) -> str:
        return f"{self.number}/{self.count}"

    @checked
    def of(self, tasks: Sequence[Task]) -> list[Task]:
        """The tasks with the seeds that are in this shard; those without any are left out.

        Whole blocks are dealt out, the longest first, each to the shard that has the least work. So it
        depends on the tasks alone, and neither on a store nor on the machine.
        """
        work = [0.0] * self.count
        mine: set[str] = set()
        for job in jobs_for(tasks, None):
            least = work.index(min(work))
            work[least] += job.size
            if least == self.number - 1:
                mine.update(job.keys)
        parts = (
            replace(task, seeds=tuple(seed for seed in task.seeds if run_key(task.spec, seed) in mine))
            for task in tasks
        )
        return [task for task in parts if task.seeds]
