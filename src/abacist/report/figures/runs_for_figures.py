"""The runs that a figure is made of, and the sentence where they are missing."""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Sequence

from abacist.errors import AbacistError
from abacist.experiments import PAPER_SETS, Results, Run, Task, catalogue, experiment_named
from abacist.wording import plural


class MissingRuns(AbacistError):
    """A figure cannot be made, because the store does not have the runs for it, perhaps an experiment's."""

    def __init__(self, sentence: str, experiment: str = "") -> None:
        super().__init__(sentence)
        self.experiment = experiment


def command(results: Results, figure: str) -> str:
    """The command that makes a figure again."""
    return f"abacist figures --results {shlex.quote(str(results.folder))} --only {figure}"


def runs_of_experiment(
    results: Results, figure: str, experiment: str
) -> dict[tuple[str, str], tuple[Run, ...]]:
    """All runs of an experiment by language and cell; those that are missing are left empty."""
    specs = [task.spec for task in experiment_named(experiment).tasks]
    found = {(spec.language.name, spec.cell.name): results.by_spec.get(spec, ()) for spec in specs}
    if not any(found.values()):
        raise missing(results, figure, experiment, "runs")
    return found


def runs_of_task(results: Results, figure: str, experiment: str, language: str, cell: str) -> tuple[Run, ...]:
    """The runs of one task of an experiment, at least one."""
    spec = task_of(experiment, language, cell).spec
    if spec not in results.by_spec:
        units = plural(spec.hidden, "hidden unit")
        what = f"runs of {language} by {cell} with {units} and {spec.epochs} epochs"
        raise missing(results, figure, experiment, what)
    return results.by_spec[spec]


def missing(results: Results, figure: str, experiment: str, what: str) -> MissingRuns:
    """What to say where a store lacks what a figure is made of."""
    folder = shlex.quote(str(results.folder))
    makes = f"reproduce --results {folder} --only {experiment}"
    if experiment not in catalogue():
        makes = f"run {experiment} --results {folder}"
    return MissingRuns(
        f"{figure}: {results.folder} holds no {what} from the experiment {experiment}; "
        f"`abacist {makes}` makes them",
        experiment,
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
        return (*(run.accuracy(name) or 0.0 for name in reversed(PAPER_SETS)), -run.seed)

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
