"""Pictures: figures with all that there is to say about them, the runs that they are made of, their files."""

from __future__ import annotations

import io
import shlex
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

from matplotlib.figure import Figure

from abacist.errors import AbacistError, BadInput
from abacist.experiments import PAPER_SETS, Results, Run, Task, experiment_named
from abacist.files import write_whole
from abacist.report.figures.house_style import style
from abacist.untrusted import read_toml
from abacist.wording import plural

#: The forms of figures; what would differ from one day to the next is left out of the files.
_METADATA: dict[str, dict[str, Any]] = {
    "svg": {"Date": None, "Creator": None},
    "pdf": {"CreationDate": None, "Producer": None, "Creator": None},
    "png": {"Software": None},
}
FIGURE_FORMS = tuple(_METADATA)


@dataclass(frozen=True)
class Picture:
    """A figure that can be made: `caption` says what to see in it, `command` makes it again."""

    name: str
    title: str
    caption: str
    command: str
    make: Callable[[], Figure]


#: The title and caption of a picture, and what makes its figure.
Content = tuple[str, str, Callable[[], Figure]]

#: The files of a picture in the order of the forms, or why it could not be drawn.
Drawn = list[bytes] | AbacistError


@cache
def _captions() -> dict[str, dict[str, str]]:
    text = (files("abacist.report.figures") / "captions.toml").read_text(encoding="utf-8")
    return read_toml(text)


def captioned(name: str, make: Callable[[], Figure], **values: object) -> Content:
    """What makes a figure, with the title and the caption that go by a name, and values in their places."""
    texts = _captions()[name]
    return texts["title"].format_map(values), texts["caption"].format_map(values), make


class MissingRuns(AbacistError):
    """A figure cannot be made, because the store does not have the runs for it, perhaps an experiment's."""

    def __init__(self, sentence: str, experiment: str = "") -> None:
        super().__init__(sentence)
        self.experiment = experiment


def picture_of(results: Results, name: str, content: Callable[[], Content]) -> Picture | MissingRuns:
    """The picture of this name, or why it cannot be made, a sentence that begins with the name."""
    try:
        title, caption, make = content()
    except MissingRuns as error:
        return MissingRuns(f"{name}: {error}", error.experiment)
    command = f"abacist figures --results {shlex.quote(str(results.folder))} --only {name}"
    return Picture(name, title, caption, command, style()(make))


def runs_of_experiment(results: Results, experiment: str) -> dict[tuple[str, str], tuple[Run, ...]]:
    """All runs of an experiment by language and cell; those that are missing are left empty."""
    specs = [task.spec for task in experiment_named(experiment).tasks]
    runs = {(spec.language.name, spec.cell.name): results.by_spec.get(spec, ()) for spec in specs}
    if not any(runs.values()):
        raise missing(results, experiment, "runs")
    return runs


def runs_of_task(results: Results, experiment: str, language: str, cell: str) -> tuple[Run, ...]:
    """The runs of one task of an experiment, at least one."""
    spec = task_of(experiment, language, cell).spec
    if spec not in results.by_spec:
        units = plural(spec.hidden, "hidden unit")
        what = f"runs of {language} by {cell} with {units} and {spec.epochs} epochs"
        raise missing(results, experiment, what)
    return results.by_spec[spec]


def missing(results: Results, experiment: str, what: str) -> MissingRuns:
    """What to say where a store lacks what a figure is made of."""
    command = f"abacist run {experiment} --results {shlex.quote(str(results.folder))}"
    sentence = f"{results.folder} holds no {what} from the experiment {experiment}; `{command}` makes them"
    return MissingRuns(sentence, experiment)


def task_of(experiment: str, language: str, cell: str) -> Task:
    """The task of an experiment that trains a cell on a language."""
    tasks = experiment_named(experiment).tasks
    (task,) = (t for t in tasks if (t.spec.language.name, t.spec.cell.name) == (language, cell))
    return task


def best(runs: Sequence[Run]) -> Run:
    """The run with the highest accuracy on the long set, then the short and the training set, then seed."""
    names = PAPER_SETS[::-1]
    return max(runs, key=lambda run: (*(run.share(name) or 0.0 for name in names), -run.seed))


def described(run: Run, runs: Sequence[Run]) -> str:
    """A run in a few words, for a caption, with how it was chosen."""
    shares = [(name, run.accuracy(name)) for name in ("short", "long")]
    accuracies = [f"{100 * share:.2f} % of the {name} set" for name, share in shares if share is not None]
    accepts = f"; it accepts {' and '.join(accuracies)}" if accuracies else ""
    return f"Run {run.key[:8]}, seed {run.seed}, the best of {len(runs)} on the long set{accepts}."


def draw_picture(picture: Picture, forms: Sequence[str] = FIGURE_FORMS) -> Drawn:
    """Make a picture and draw it in every form."""
    try:
        with style():
            figure = picture.make()
        return [figure_bytes(figure, form) for form in forms]
    except AbacistError as error:
        return error


def save_drawn(picture: Picture, drawn: Sequence[bytes], folder: Path, forms: Sequence[str]) -> list[Path]:
    """Write what was drawn of a picture in some forms, each file whole or not at all."""
    paths = [folder / f"{picture.name}.{form}" for form in forms]
    for path, content in zip(paths, drawn, strict=True):
        write_whole(path, content)
    return paths


def write_figure(figure: Figure, path: Path) -> None:
    """Write a figure whole or not at all; the suffix says how."""
    write_whole(path, figure_bytes(figure, path.suffix.removeprefix(".")))


def figure_bytes(figure: Figure, form: str) -> bytes:
    """A figure as the bytes of a file, the same whenever it is made."""
    if form not in FIGURE_FORMS:
        raise BadInput(f"a figure is written as {', '.join(FIGURE_FORMS)}, got {form!r}")
    buffer = io.BytesIO()
    with style():
        figure.savefig(buffer, format=form, metadata=_METADATA[form])
    return buffer.getvalue()
