"""The names of `import abacist as ab`: what a first script needs.

Languages, cells and words are given as texts; a network is a run of some results, a file, or `Networks` with
their language. Everything else is in the folders beside this file.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from matplotlib.figure import Figure

from abacist.analysis import Answer, Horizon, Search, TraceReading, follow
from abacist.analysis import certify as certify_network
from abacist.analysis import horizon as horizon_of
from abacist.bridge import FailingWords, score
from abacist.bridge import failing_words as failing_words_of
from abacist.cells import Cell, cell_named
from abacist.cells import cell as cell_of
from abacist.corpora import SourceChoice, pack_texts
from abacist.engine import first_mistakes
from abacist.errors import BadInput, UnknownName
from abacist.experiments import FILE_NAME, Epoch, Results, Run, RunProgress, Store, Task
from abacist.experiments import run as run_tasks
from abacist.experiments.comparison import Comparison
from abacist.experiments.comparison import compare as compare_runs
from abacist.fields import records
from abacist.files import absence
from abacist.languages import Language, language_asked_for, language_from_text
from abacist.report import Table
from abacist.report.comparison import comparison_figure, comparison_table, sentences
from abacist.report.figures import store_pictures, trace_figure
from abacist.report.tables import latex
from abacist.specs import Networks, Spec, spec_asked_for
from abacist.specs.files import NetworkFile
from abacist.specs.spec import read_values
from abacist.wording import did_you_mean

__all__ = [
    "Spec", "cell", "certify", "compare", "failing_words", "figure", "horizon", "judge", "language", "open",
    "score", "trace", "train",
]  # fmt: skip

#: What other libraries call a setting.
_ALIASES = {
    "lr": "rate",
    "learning_rate": "rate",
    "units": "hidden",
    "hidden_size": "hidden",
    "seeds": "runs",
}

#: A network, where one is asked for.
AnyNetwork = Run | Networks | str | Path


def language(text: str | Language[Any]) -> Language[Any]:
    """A language: a name, `regex:` and an expression, `X || Y`, or a TOML file.

    >>> "(()" in language("dyck-1"), "(())" in language("dyck-1")
    (False, True)
    """
    return language_asked_for(text) if isinstance(text, str) else text


def cell(name: str | None = None, **formula: Any) -> Any:
    """A cell by its name; or, with `gates="f n"` and the like, what makes a cell of a formula.

    >>> cell("lstm").state_names
    ('h', 'c')
    """
    if name is None:
        return cell_of(**formula)
    return cell_of(name, **formula) if " " in name else cell_named(name)


def train(
    language: str | Language[Any],
    cell: str | Cell = "lstm",
    *,
    runs: int = 1,
    seed: int = 0,
    results: str | Path | None = None,
    jobs: int | None = None,
    progress: bool = True,
    at_epochs: Sequence[int] = (),
    callback: Callable[[Epoch], None] | None = None,
    **settings: Any,
) -> Results:
    """Train networks, a seed each, and judge them. Settings are the fields of `Spec`, such as hidden=3.

    With a folder for `results`, its store keeps them, and what it has is not computed again. The networks are
    judged at the end, and after the epochs `at_epochs`. `callback` is given every epoch that is trained.

    >>> found = train("dyck-1", "rnn", hidden=1, epochs=1, train_words=50, test_words=10, progress=False)
    >>> found.runs[0].spec.hidden
    1
    """
    if not isinstance(runs, int) or runs < 1:
        raise BadInput(f"train: runs must be a whole number of at least 1, got {runs!r}")
    source = language_asked_for(language) if isinstance(language, str) else language
    chosen = cell_named(cell) if isinstance(cell, str) else cell
    spec = spec_asked_for({"language": source, "cell": chosen, **_settings(settings)})
    task = Task("train", spec, tuple(range(seed, seed + runs)), at_epochs=tuple(at_epochs))
    with tempfile.TemporaryDirectory() as temporary, _shown(progress, callback) as shown:
        with Store(Path(results) if results is not None else Path(temporary)) as store:
            done = run_tasks([task], store, jobs=jobs, progress=shown).complete(task)
            path = store.path
        return Results(path, tuple(run.whole() for run in done) if results is None else tuple(done))


def _settings(given: dict[str, Any]) -> dict[str, Any]:
    """Settings under the names of their fields; a mistake is answered with what was probably meant."""
    names = {"recipe": "recipe"}
    for owner in (Spec, SourceChoice):
        for name, record in records(owner).items():
            names |= {name: name, (record.option or name).replace("-", "_"): name}
    settings: dict[str, Any] = {}
    for name, value in given.items():
        if name not in names:
            meant = f", did you mean {_ALIASES[name]}?" if name in _ALIASES else did_you_mean(name, names)
            raise UnknownName(f"train: there is no setting {name!r}{meant}")
        read = read_values(Spec, {names[name]: value}) if isinstance(value, str) else {}
        settings |= {names[name]: value} | read
    return settings


@contextmanager
def _shown(wanted: bool, callback: Callable[[Epoch], None] | None) -> Iterator[RunProgress]:
    """Progress as one line on standard error, which goes away at the end."""

    shown = [""]

    def show(progress: RunProgress) -> None:
        text = f"training … {progress.share:.0%}, {progress.text}"
        if text != shown[0]:
            shown[0] = text
            print(f"\r{text:<60}", end="", file=sys.stderr, flush=True)

    yield RunProgress(show if wanted else None, callback=callback)
    if shown[0]:
        print(f"\r{'':<60}\r", end="", file=sys.stderr, flush=True)


def open(folder: str | Path) -> Results:
    """All runs of the store in a folder."""
    if not (Path(folder) / FILE_NAME).is_file():
        raise absence(Path(folder), "holds no results")
    with Store(Path(folder), reading=True) as store:
        return Results.of(store)


def judge(network: AnyNetwork | Results, words: str | Sequence[str] | None = None, **given: Any) -> Any:
    """The accuracies of a run, or of all runs of some results, by set; with words, whether each is all right.

    >>> found = train("dyck-1", "rnn", hidden=1, epochs=1, train_words=50, test_words=10, progress=False)
    >>> sorted(judge(found))
    ['long', 'short', 'training']
    """
    if words is None:
        listed = network.runs if isinstance(network, Results) else (network,)
        runs = [run for run in listed if isinstance(run, Run)]
        if len(runs) < len(listed):
            raise BadInput("judge: without words, give a run or results, which were judged on their sets")
        sets = dict.fromkeys(name for run in runs for name in run.outcome.accuracy)
        return {name: np.array([run.accuracy(name) for run in runs], np.float64) for name in sets}
    networks, its_language = _network(network, **given)
    every = [words] if isinstance(words, str) else list(words)
    packed = pack_texts(its_language, [its_language.alphabet.parse(word) for word in every])
    right = first_mistakes(networks, 0, packed) < 0
    return bool(right[0]) if isinstance(words, str) else right


def trace(network: AnyNetwork | Results, word: str, **given: Any) -> TraceReading:
    """Every value of a network on a word, step by step, beside what its language says."""
    networks, its_language = _network(network, **given)
    return follow(networks, 0, its_language, word)


def horizon(
    network: AnyNetwork | Results,
    *,
    max_length: int = 200,
    boxes: int = 1_024,
    max_boxes: int = 2_000_000,
    **given: Any,
) -> Horizon:
    """How far a network is proved right, and the shortest word found that it gets wrong."""
    networks, its_language = _network(network, **given)
    return horizon_of(networks, 0, its_language, Search(max_length, boxes, max_boxes))


def certify(
    network: AnyNetwork | Results, *, length: int | None = None, depth: int | None = None, **given: Any
) -> Answer:
    """Prove a network right on every word, up to a length, a depth, or as far as its precision counts."""
    networks, its_language = _network(network, **given)
    return certify_network(networks, 0, its_language, length=length, depth=depth)


def failing_words(
    network: AnyNetwork | Results | Callable[..., Any],
    language: str | Language[Any] | None = None,
    **options: Any,
) -> FailingWords:
    """The shortest words found that a network, or any function with scores, gets wrong; see `abacist.bridge`.

    >>> print(failing_words(lambda word: np.ones((len(word), 2)), "dyck-1", count=1).words[0])
    ()
    """
    if not callable(network):
        return failing_words_of(*_network(network, language), **options)
    if language is None:
        raise BadInput('a function comes without a language: say language="dyck-1" or the like')
    chosen = language_asked_for(language) if isinstance(language, str) else language
    return failing_words_of(network, chosen, **options)


def _network(
    source: AnyNetwork | Results, language: str | Language[Any] | None = None
) -> tuple[Networks, Language[Any]]:
    """A network by itself, and its language."""
    if isinstance(source, Results):
        if len(source.runs) != 1:
            raise BadInput(f"give one network, such as results.runs[0], got {len(source.runs)}")
        source = source.runs[0]
    if isinstance(source, Run):
        networks, known = source.networks, source.spec.language
    elif isinstance(source, Networks):
        networks, known = source, None
    else:
        path = Path(source)
        file = NetworkFile.load_folder(path) if path.is_dir() else NetworkFile.load(path)
        text = file.about.get("language")
        networks, known = file.networks, None if text is None else language_from_text(text)
    if len(networks) != 1:
        raise BadInput(f"give one network, such as results.runs[0], got {len(networks)}")
    chosen = language_asked_for(language) if isinstance(language, str) else language or known
    if chosen is None:
        raise BadInput('this network comes without a language: say language="dyck-1" or the like')
    networks.check_language(chosen)
    return networks, chosen


@dataclass(frozen=True)
class Compared:
    """A comparison, as it is printed: a sentence for every difference; in a notebook a table."""

    comparison: Comparison

    @cached_property
    def table(self) -> Table:
        return comparison_table(self.comparison)

    def latex(self) -> str:
        return latex(self.table)

    def frame(self) -> dict[str, list[Any]]:
        """A row for every difference, as columns of numbers and texts, which pandas and polars take."""
        texts = {f"{100 * self.comparison.level:g} %", "P(first larger)", "P interval"}
        keys = [key for key in self.table.all_keys if key not in texts]
        columns = {key: [row.get(key) for row in self.table.rows] for key in keys}
        return columns | {"difference": [one.known_difference for one in self.comparison.differences]}

    def __str__(self) -> str:
        return "\n".join(sentences(self.comparison))

    def _repr_html_(self) -> str:
        return self.table._repr_html_()


def compare(
    *results: Results,
    by: str = "cell",
    where: Sequence[str] = (),
    measures: Sequence[str] = (),
    level: float = 0.95,
) -> Compared:
    """Compare the runs of some results that differ in one setting, seed by seed; see `abacist compare`."""
    if not results or not all(isinstance(result, Results) for result in results):
        raise BadInput("compare: give the results of train or open, such as compare(one, other)")
    runs = tuple({run.key: run for result in results for run in result.runs}.values())
    return Compared(
        compare_runs(Results(results[0].path, runs), by, where=where, measures=measures, level=level)
    )


def figure(of: Compared | Results | TraceReading) -> Figure:
    """A comparison, a trace, or all runs of some results, as a Matplotlib figure."""
    if isinstance(of, Compared):
        return comparison_figure(of.comparison)
    if isinstance(of, TraceReading):
        states = [name for name in of.trace.values if name not in ("y", *of.trace.widths)]
        return trace_figure(of, states[:3])
    pictures = store_pictures(of).shown
    if not pictures:
        raise BadInput("figure: there are no runs to draw")
    return pictures[0].make()
