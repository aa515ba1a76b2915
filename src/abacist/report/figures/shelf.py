"""The runs of a store, to be asked for by the figures."""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from abacist.errors import AbacistError
from abacist.experiments import Run, Store, Task, experiment_named
from abacist.specs import Spec


class MissingRuns(AbacistError):
    """A figure cannot be made, because the store has not the runs for it."""


@dataclass(frozen=True, eq=False)
class Shelf:
    """The runs of the store in a folder, by spec, in the order of their seeds."""

    folder: Path
    runs: dict[Spec, tuple[Run, ...]]

    @classmethod
    def of(cls, store: Store) -> Shelf:
        found: dict[Spec, list[Run]] = {}
        for run in store:
            found.setdefault(run.spec, []).append(run)
        ordered = {spec: tuple(sorted(runs, key=lambda run: run.seed)) for spec, runs in found.items()}
        return cls(store.path.parent, ordered)

    def command(self, figure: str) -> str:
        """The command that makes a figure again."""
        return f"abacist figures --results {shlex.quote(str(self.folder))} --only {figure}"

    def experiment(self, figure: str, experiment: str) -> dict[tuple[str, str], tuple[Run, ...]]:
        """All runs of an experiment by language and cell; those that are missing are left empty."""
        tasks = experiment_named(experiment).tasks
        found = {
            (task.spec.language.name, task.spec.cell.name): self.runs.get(task.spec, ()) for task in tasks
        }
        if not any(found.values()):
            raise self._missing(figure, experiment, "runs")
        return found

    def task(self, figure: str, experiment: str, language: str, cell: str) -> tuple[Run, ...]:
        """The runs of one task of an experiment, at least one."""
        spec = task_of(experiment, language, cell).spec
        if not self.runs.get(spec):
            units = f"{spec.hidden} hidden unit{'s' * (spec.hidden > 1)}"
            what = f"runs of {language} by {cell} with {units} and {spec.epochs} epochs"
            raise self._missing(figure, experiment, what)
        return self.runs[spec]

    def _missing(self, figure: str, experiment: str, what: str) -> MissingRuns:
        folder = shlex.quote(str(self.folder))
        return MissingRuns(
            f"{figure}: {self.folder} holds no {what} from the experiment {experiment}; "
            f"`abacist reproduce --results {folder} --only {experiment}` makes them"
        )


def task_of(experiment: str, language: str, cell: str) -> Task:
    """The task of an experiment that trains a cell on a language."""
    (task,) = [
        task
        for task in experiment_named(experiment).tasks
        if (task.spec.language.name, task.spec.cell.name) == (language, cell)
    ]
    return task


def best(runs: Sequence[Run]) -> Run:
    """The run with the highest accuracy on the long set, then the short and the training set, then seed."""

    def rank(run: Run) -> tuple[float, ...]:
        return (*(run.accuracy(name) or 0.0 for name in ("long", "short", "training")), -run.seed)

    return max(runs, key=rank)


def described(run: Run, runs: Sequence[Run]) -> str:
    """A run in a few words, for a caption, with how it was chosen."""
    shares = [(name, run.accuracy(name)) for name in ("short", "long")]
    known = [f"{100 * share:.2f} % of the {name} set" for name, share in shares if share is not None]
    accepts = f"; it accepts {' and '.join(known)}" if known else ""
    return f"Run {run.key[:8]}, seed {run.seed}, the best of {len(runs)} on the long set{accepts}."


def number(runs: Iterable[Sequence[Run]]) -> int:
    """How many runs there are in all."""
    return sum(map(len, runs))
