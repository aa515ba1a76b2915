"""What commands let the user name: options that several share, words on standard input, and stores.

`chosen` picks runs of a store by conditions; `settings_of` tells the specs of runs apart.
"""

from __future__ import annotations

import gc
import sys
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any

from abacist.cells import CELLS
from abacist.cli.parameters import Argument, Option
from abacist.cli.screen import say, warn
from abacist.corpora import PAPER
from abacist.errors import BadFile, BadInput, UnknownName
from abacist.experiments import (
    FILE_NAME,
    Conditions,
    Experiment,
    Results,
    Run,
    Store,
    experiment_named,
    load_experiment,
    run_values,
)
from abacist.experiments.run_values import fields_of, run_rows
from abacist.experiments.statistics import in_order
from abacist.fields import Choice, Field, Range
from abacist.files import absence, check_parent, reason
from abacist.progress import busy
from abacist.specs import Spec
from abacist.wording import a_few, one_of, spans, unknown

#: The cells that there are, for help.
CELL_NAMES = f"{one_of(CELLS)}, another that `abacist cells` lists, or one of --plugin"

#: How a table can be printed.
FORMS = ("text", "md", "tex", "latex", "csv", "json")


def _check_figure_file(path: Path | None) -> None:
    """Refuse a file that no figure is written as, or whose folder is missing, before any work."""
    if path is not None:
        from abacist.report.figures import FIGURE_FORMS  # Matplotlib: most commands draw nothing

        if path.suffix.removeprefix(".") not in FIGURE_FORMS:
            raise BadInput(f"{path}: a figure is written as {', '.join(f'.{form}' for form in FIGURE_FORMS)}")
        check_parent(path)


def draw(figure: Any, path: Path, what: str = "") -> None:
    """Write a figure into a file, and say so."""
    from abacist.report.figures import write_figure

    write_figure(figure, path)
    say(f"{what}drawn in {path}")


FormOption = Annotated[
    str, Field("text, md, tex (latex is the same), csv or json.", Choice(FORMS), option="format")
]
FigureOption = Annotated[Path | None, Option("Draw a figure: .svg, .pdf or .png.", check=_check_figure_file)]
LengthsOption = Annotated[str, Field("The lengths of the words.", metavar="LOW:HIGH")]
ResultsOption = Annotated[Path, Option("The folder with the store.", option="results", also=("--out",))]
StoreOption = Annotated[Path, "The folder with the store."]
JobsOption = Annotated[
    int | None,
    Option("How many blocks of runs to compute at once.", Range(1), also=("--threads",), usual="all cores"),
]
WhereOption = Annotated[
    list[str] | None,
    Field(
        "Only runs that fit, such as cell=gru,lstm or seed=0..9 or 'hidden>=2' (quoted, for the shell); "
        "also !=, <, <= and >. Accuracies are in percent: 'long>90'. May be repeated: all must hold, "
        "only values of one field are alternatives.",
        metavar="CONDITION",
    ),
]
RunsOption = Annotated[int | None, "Runs per task, instead of what the experiment says.", Range(1)]
JsonOption = Annotated[bool, "Print JSON instead of a table."]
SeedOption = Annotated[int, "The same seed gives the same words everywhere."]
LanguageArgument = Annotated[
    str,
    Argument(
        "A language, such as dyck-1 or shuffle-6 (see `abacist languages`), regex:EXPRESSION, or a TOML "
        "file with a table [language]."
    ),
]

#: The lengths of short words, as the command line writes them.
SHORT = str(PAPER.short)


def picked(names: Sequence[str], offered: Iterable[str], what: str) -> tuple[str, ...]:
    """What there is of some names, by default all, in the order in which it is offered; refuses others."""
    offered = tuple(offered)
    for name in names:
        if name not in offered:
            raise UnknownName(unknown(what, name, offered))
    return tuple(name for name in offered if not names or name in names)


def separated(values: Sequence[str] | None) -> list[str]:
    """The values of an option that may be repeated, or list several with commas between them."""
    return [name.strip() for value in values or () for name in value.split(",")]


#: Bytes of standard input that are read at most.
_MOST_INPUT = 50_000_000


def input_lines() -> list[str]:
    """The lines of standard input that are not empty."""
    try:
        with busy("" if sys.stdin.isatty() else "reading standard input"):
            data = sys.stdin.buffer.read(_MOST_INPUT + 1)
    except OSError as error:
        raise BadInput(f"no words are given, and standard input cannot be read, {reason(error)}") from None
    if len(data) > _MOST_INPUT:
        raise BadInput(f"standard input has more than {_MOST_INPUT:,} bytes")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise BadInput(f"standard input is not text in UTF-8, see line {line:,}") from None
    return [line for line in text.splitlines() if line.strip()]


def has_store(folder: Path) -> bool:
    """Whether there is a store in a folder."""
    return (folder / FILE_NAME).is_file()


def check_has_store(folder: Path, otherwise: str = "") -> None:
    """Refuse a folder without a store, in one sentence."""
    if not has_store(folder):
        otherwise = otherwise or "; run `abacist reproduce`, `abacist run` or `abacist train` first"
        raise absence(folder, f"holds no results{otherwise}")


def experiment_asked_for(name: str, runs: int | None) -> Experiment:
    """An experiment that comes with Abacist, by its name, or that of a TOML file."""
    path = Path(name)
    if path.suffix or path.is_file():
        return load_experiment(path, runs=runs)
    return experiment_named(name, runs=runs)


def open_results(folder: Path) -> Results:
    """All that the store of a folder has; what cannot be read there is named on standard error."""
    check_has_store(folder)
    with Store(folder, reading=True) as store:
        results = Results.of(store)
    gc.freeze()  # none of it becomes garbage before the command ends (`app.py`): it is not looked through
    for sentence in results.left_out:
        warn(sentence)
    return results


def run_named(beginning: str, folder: Path) -> Run:
    """The run of a store whose key begins so; only it is read."""
    check_has_store(folder)
    with Store(folder, reading=True) as store:
        keys = store.keys(beginning) if beginning else []
        run = store.get(keys[0]) if len(keys) == 1 else None
    if not keys:
        raise UnknownName(f"no run in {folder} has a key that begins with {beginning!r}; see `abacist runs`")
    if len(keys) > 1:
        some = ", ".join(key[:8] for key in keys[:5]) + (" …" if len(keys) > 5 else "")
        raise UnknownName(f"{len(keys)} runs in {folder} have keys that begin with {beginning!r}: {some}")
    if run is None:
        raise BadFile(f"{folder}: run {keys[0]} is damaged; `abacist repair` removes it")
    return run


def chosen(
    runs: Sequence[Run], where: Sequence[str], fields: Mapping[str, str] | None = None
) -> list[tuple[Run, dict[str, Any]]]:
    """The runs that fit all conditions, with their rows; says which values no run has."""
    conditions = Conditions.parse(where, fields_of(runs) if fields is None else fields)
    pairs = zip(runs, run_rows(runs), strict=True)
    fitting = [(run, row) for run, row in pairs if conditions.fit(row)]
    silent = True
    for condition in conditions.listed:
        values = {row.get(condition.field) for row in run_rows(runs)}
        if condition.sign == "!=" or any(map(condition.is_whole, values)):
            continue
        for alternative in condition.alternatives:
            if runs and not any(map(alternative.has, values)):
                value, silent = f"{condition.sign} {alternative.text}".removeprefix("= "), False
                say(f"no run has {condition.field} {value}{_there_are(condition.field, values)}")
    if where and runs and not fitting and silent:
        say("no run fits all of these conditions")
    return fitting


def _there_are(field: str, values: Iterable[Any]) -> str:
    """The values that there are, where they are few, or the least and the most of many numbers."""
    present: list[Any] = sorted((value for value in values if in_order(value)[0] < 2), key=in_order)
    if field == "key":
        present = sorted({str(key)[:8] for key in present})
    if len(present) > 5 and not isinstance(present[0], str):
        return f"; there are {present[0]} to {present[-1]}"
    return f"; there are {a_few(map(str, present)) or 'none'}"


def settings_of(specs: Iterable[Spec]) -> dict[Spec, dict[str, Any]]:
    """For every spec the fields that are worth showing, as tables have them."""
    values = {spec: run_values.settings_of(spec) for spec in specs}
    layers = ["layers"] if any(spec.layers > 1 for spec in values) else []
    names = dict.fromkeys((*run_values.FIRST, *layers, *run_values.differing(values.values())))
    return {spec: {name: setting[name] for name in names} for spec, setting in values.items()}


def setting_named(setting: Mapping[str, Any]) -> str:
    """A setting in a sentence: `language dyck-1, cell lstm, hidden 1`."""
    return ", ".join(f"{name} {value}" for name, value in setting.items())


def seeds_named(seeds: Sequence[int]) -> str:
    """Seeds in a sentence: `seed 4`, `seeds 0–9`, or `seeds 0, 3, 7`."""
    return f"{'seed' if len(seeds) == 1 else 'seeds'} {spans(seeds)}"
