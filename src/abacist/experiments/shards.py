"""Shards: a plan divided among processes that know nothing of each other, each with a store of its own."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Self

from abacist.errors import BadInput
from abacist.experiments.continuing import but_epochs
from abacist.experiments.plan import Task
from abacist.fields import check_fields, checked

#: Neighbouring seeds that stay together: as many runs as a core trains for the price of one. It says which
#: runs are in a shard, so it never changes, whatever targets have for blocks.
_GROUP = 16


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
        """The tasks with the seeds that are in this shard; those without any are left out."""
        parts = (replace(task, seeds=self._seeds(task)) for task in tasks)
        return [task for task in parts if task.seeds]

    def _seeds(self, task: Task) -> tuple[int, ...]:
        """The seeds of a task whose runs are in this shard.

        It depends on what a run's key is made of and on nothing else: neither on the machine, its blocks and
        its store, nor on the other runs of the plan. Groups of neighbouring seeds go round the shards, from
        one that the spec says; runs that differ in their epochs alone are trained at once, so they share one.
        """
        first = int.from_bytes(hashlib.sha256(but_epochs(task.spec).encode()).digest()[:8])
        return tuple(seed for seed in task.seeds if (first + seed // _GROUP) % self.count == self.number - 1)
