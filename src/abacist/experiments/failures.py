"""What can go wrong with blocks while the rest goes on, and what ends the whole."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from abacist.errors import AbacistError
from abacist.experiments.job import AnyJob
from abacist.experiments.outcome import Run
from abacist.experiments.results import Results
from abacist.fields import short_repr
from abacist.wording import plural


class BlockFailed(AbacistError):
    """A block could not be computed somewhere."""

    def __init__(self, sentence: str, place: str = "") -> None:
        super().__init__(sentence, place)  # both, so that it can be sent
        self.place = place

    def __str__(self) -> str:
        return str(self.args[0])


class Refused(BlockFailed):
    """A worker does not compute as this process would: that says nothing about the block."""


class Cancelled(BlockFailed):
    """Somebody else called a block off."""


class WorkersLost(AbacistError):
    """Those who were to compute cannot be reached any more."""


@dataclass(frozen=True, eq=False)
class Failure:
    """A block that failed twice, and why it did the second time."""

    job: AnyJob
    error: str


class BlocksFailed(AbacistError):
    """Some blocks failed twice, and all others are done; `results` are what the store has."""

    def __init__(self, failed: Sequence[Failure], results: Results) -> None:
        self.failed, self.results = tuple(failed), results
        runs = len({key for failure in failed for key in failure.job.keys})
        super().__init__(
            f"{plural(len(self.failed), 'block')} with {plural(runs, 'run')} failed twice; all others are "
            f"done and kept in {results.path}, and the same command tries these again"
        )


def wrong_block(job: AnyJob, result: object) -> BlockFailed | None:
    """Why a result is not the block that was asked for, None if it is: workers need not be ours."""
    if not isinstance(result, list) or not all(isinstance(run, Run) for run in result):
        return BlockFailed(f"{short_repr(result)} came back instead of a list of runs")
    by_key = {run.key: run for run in result}
    if by_key.keys() != set(job.keys) or len(result) != len(job.keys):
        returned = len(by_key.keys() & set(job.keys))
        others = f", and {len(result) - returned:,} that nobody asked for" if len(result) > returned else ""
        return BlockFailed(f"{returned:,} of {plural(len(job.keys), 'run')} came back{others}")
    for run in result:
        right = (run.spec.layout.size, run.spec.precision)
        if not callable(run.kept) and (run.weights.size, run.weights.dtype) != right:
            return BlockFailed(f"run {run.key} came back without its weights")
    if not job.is_answered_by(by_key):
        return BlockFailed("a run came back without all the results that were asked for")
    return None
