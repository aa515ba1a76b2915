"""The names of `import abacist as ab`: what a first script needs.

Languages, cells and words are given as texts; a network is a run of some results, a file, or `Networks` with
their language. Everything else is in the folders beside this file.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from inspect import signature
from pathlib import Path
from typing import Any

import numpy as np
from matplotlib.figure import Figure
from numpy.typing import NDArray

from abacist.analysis import Answer, Horizon, Search, TraceReading, follow
from abacist.analysis import certify as certify_network
from abacist.analysis import horizon as horizon_of
from abacist.bridge import FailingWords, score, usual_length
from abacist.bridge import failing_words as failing_words_of
from abacist.calls import called_right, refuse_keyword
from abacist.cells import KNOWN, Cell, cell_named
from abacist.cells import cell as cell_of
from abacist.corpora import SourceChoice, pack_texts
from abacist.engine import first_mistakes
from abacist.errors import BadField, BadInput
from abacist.experiments import FILE_NAME, Epoch, HorizonAim, Results, Run, Store, Task
from abacist.experiments import run as run_tasks
from abacist.experiments.comparison import compare as compare_runs
from abacist.experiments.plan import ALL_WORDS, on_words, texts_of_words
from abacist.experiments.run_progress import progress_line
from abacist.experiments.word_sets import WordSets
from abacist.field_names import by_field, written_name
from abacist.fields import checked, records
from abacist.files import absence
from abacist.languages import Language, language_asked_for, language_from_text
from abacist.registry import plain
from abacist.report.comparison import Compared, comparison_figure
from abacist.report.figures import store_pictures, trace_figure
from abacist.specs import Networks, Spec, spec_asked_for
from abacist.specs.files import NetworkFile
from abacist.targets import target_of_device
from abacist.wording import plural

__all__ = [
    "Spec", "cell", "certify", "compare", "failing_words", "figure", "horizon", "judge", "language", "open",
    "score", "trace", "train",
]  # fmt: skip

#: A network, a language, a word, where one is asked for.
AnyNetwork = Results | Run | Networks | str | Path
AnyLanguage = str | Language[Any]
AnyWord = str | Sequence[Any] | NDArray[Any]


@checked
def language(text: AnyLanguage) -> Language[Any]:
    """A language: a name, `regex:` and an expression, `X || Y`, or a TOML file.

    >>> "(()" in language("dyck-1"), "(())" in language("dyck-1")
    (False, True)
    """
    return language_asked_for(text)


@checked
def cell(name: Any = None, **formula: Any) -> Any:
    """A cell by its name; or, with `gates="f n"` and the like, what makes a cell of a formula.

    >>> cell("lstm")
    <cell lstm: gates i f g o, states h c>
    >>> from abacist.algebra import sigmoid, tanh
    >>> @cell(gates="f n")
    ... def minimal(w, x, h):
    ...     f = sigmoid(w.f(x, h))
    ...     return (1 - f) * h + f * tanh(w.n(x, h))
    >>> minimal
    <cell minimal: gates f n, states h>
    """
    if name is None:
        return cell_of(**formula)
    gates = not isinstance(name, str) or " " in name.strip() or formula
    return cell_of(name, **formula) if gates else cell_named(name)


@checked
def train(
    language: AnyLanguage,
    cell: str | Cell = "lstm",
    *,
    runs: int = 1,
    seed: int = 0,
    results: str | Path | None = None,
    jobs: int | None = None,
    device: str = "cpu",
    progress: bool = True,
    at_epochs: Sequence[int] = (),
    horizon: int | Mapping[str, Any] | None = None,
    certify: bool = False,
    callback: Callable[[Epoch], None] | Sequence[Callable[[Epoch], None]] | None = None,
    **settings: Any,
) -> Results:
    """Train networks, a seed each, and judge them. Settings are the fields of `Spec`, such as hidden=3.

    With a folder for `results`, its store keeps them, and what it has is not computed again. The networks are
    judged at the end, and after the epochs `at_epochs`. With `horizon=200`, or a dictionary of the keywords
    of `ab.horizon`, results have horizons; with `certify` also whether a network is right on every word.
    `callback`, a function or several, is given every epoch that is trained. `device` is cpu, cuda or auto.

    >>> few = train("dyck-1", "rnn", hidden=1, epochs=1, train_words=50, test_words=10, progress=False)
    >>> few
    <Results: 1 run of rnn on dyck-1>
    >>> few[0].spec
    Spec('dyck-1', 'rnn', hidden=1, epochs=1, training=50, test=10)
    """
    if runs < 1 or seed < 0:
        rule, got = ("runs must be at least 1", runs) if runs < 1 else ("seed must be at least 0", seed)
        raise BadInput(f"train: {rule}, got {got}")
    if isinstance(language, str) and plain(language) in KNOWN:
        example = f'train("dyck-1", "{language}")'
        raise BadInput(f"train: {language} is a cell, and the language comes first: {example}")
    if certify and horizon is None:
        raise BadInput("train: certify goes with horizon, such as horizon=200")
    fields, given = _settings(train, settings)
    with _calling("train", given):
        spec = spec_asked_for({"language": language_asked_for(language), "cell": cell, **fields})
    effort = dict(horizon if isinstance(horizon, Mapping) else {"max_length": horizon or 0})
    words = texts_of_words(effort.pop("words", ALL_WORDS), spec)
    search = None if horizon is None else _search("train: horizon", **effort)
    aims = () if search is None else tuple(HorizonAim(search, certify=certify, words=one) for one in words)
    seeds = tuple(range(int(seed), int(seed) + int(runs)))
    task = Task("train", spec, seeds, at_epochs=tuple(at_epochs), horizons=aims)
    target, title = target_of_device(device), f"training {plural(runs, 'run')} of {spec.cell.name}"
    with tempfile.TemporaryDirectory() as temporary, progress_line(title, progress, callback) as shown:
        with Store(Path(results) if results is not None else Path(temporary)) as store:
            done = run_tasks([task], store, jobs=jobs, progress=shown, target=target).complete(task)
            path = store.path
        return Results(path, tuple(run.whole() for run in done) if results is None else tuple(done))


def _settings(function: Any, given: dict[str, Any]) -> tuple[dict[str, Any], dict[str, str]]:
    """Settings that a function was given, under the names of their fields, and how each field was called."""
    names = {"recipe": "recipe"} if function is train else {}
    for owner in (Spec, SourceChoice):
        fields = records(owner).items()
        names |= {written_name(r): name for name, r in fields if function is train or not r.trains}
    for name in given:
        if name not in names and name not in names.values():
            called = {*names, *signature(function).parameters} - {"settings"}
            refuse_keyword(function.__name__, name, called)
    return by_field(Spec, given), {names.get(name, name): name for name in given}


@contextmanager
def _calling(function: str, keywords: Mapping[str, str]) -> Iterator[None]:
    """A refusal of a field names the keyword that it was given by."""
    try:
        yield
    except BadField as error:
        if error.field not in keywords:
            raise
        raise BadInput(error.sentence(f"{function}: {keywords[error.field]}")) from None


@checked
def open(folder: str | Path) -> Results:
    """All runs of the store in a folder.

    >>> open("nowhere")
    Traceback (most recent call last):
    ...
    abacist.errors.MissingFile: nowhere: holds no results
    """
    if not (Path(folder) / FILE_NAME).is_file():
        raise absence(Path(folder), "holds no results")
    with Store(Path(folder), reading=True) as store:
        return Results.of(store)


@checked
def judge(
    network: AnyNetwork,
    words: AnyWord | None = None,
    *,
    sets: str | Sequence[str] = (),
    seed: int | None = None,
    language: AnyLanguage | None = None,
    **settings: Any,
) -> Any:
    """The accuracies of a run, or of all runs of some results, by set; with words, whether each is all right.

    With `sets`, a network's share of each: those of its run, or else of the seed and settings of words, such
    as `long_lengths="52:100"`, by default those of the paper.

    >>> few = train("dyck-1", "rnn", hidden=1, epochs=1, train_words=50, test_words=10, progress=False)
    >>> sorted(judge(few)), judge(few, "(())"), judge(few, ["()", "(())"]).shape
    (['long', 'short', 'training'], False, (2,))
    """
    if sets or settings or seed is not None:
        if words is not None:
            raise BadInput("judge: give words or sets, and only one of them")
        return _on_sets(network, (sets,) if isinstance(sets, str) else tuple(sets), seed, language, settings)
    if words is None:
        listed = network.runs if isinstance(network, Results) else (network,)
        runs = [run for run in listed if isinstance(run, Run)]
        if len(runs) < len(listed):
            raise BadInput('judge: give words, or sets, such as sets="long"')
        judged = dict.fromkeys(name for run in runs for name in run.outcome.accuracy)
        return {name: np.array([run.share(name) for run in runs], np.float64) for name in judged}
    networks, its_language = _network(network, language)
    packed = pack_texts(its_language, [words] if isinstance(words, str) else words)
    right = first_mistakes(networks, 0, packed) < 0
    return bool(right[0]) if isinstance(words, str) else right


def _on_sets(
    network: AnyNetwork,
    sets: tuple[str, ...],
    seed: int | None,
    language: AnyLanguage | None,
    settings: dict[str, Any],
) -> dict[str, float]:
    """The share of each of some sets that a network gets right."""
    fields, given = _settings(judge, settings)
    networks, its_language = _network(network, language)
    run = network[0] if isinstance(network, Results) else network
    with _calling("judge", given):
        if isinstance(run, Run) and run.spec.language == its_language:
            spec, seed = replace(run.spec, **fields), run.seed if seed is None else seed
        else:
            cell, hidden = networks.layout.cell, networks.layout.hidden
            spec = spec_asked_for({"language": its_language, "cell": cell, "hidden": hidden, **fields})
    chosen = sets or ("short", "long")
    drawn_from = (seed or 0,)
    Task("judge", spec, drawn_from, chosen)  # refuses sets that this language does not have
    shares: list[dict[str, dict[int, float]]] = [{}]
    WordSets(spec, drawn_from).judge(networks, 0, [{(name, 0) for name in chosen}], shares)
    return {name: shares[0][name][0] for name in chosen}


@checked
def trace(network: AnyNetwork, word: AnyWord, *, language: AnyLanguage | None = None) -> TraceReading:
    """Every value of a network on a word, step by step, beside what its language says.

    >>> few = train("dyck-1", "rnn", hidden=1, epochs=1, train_words=50, test_words=10, progress=False)
    >>> trace(few, "(())")["h"].shape
    (4, 1)
    """
    networks, its_language = _network(network, language)
    return follow(networks, 0, its_language, word)


@checked
def horizon(
    network: AnyNetwork,
    *,
    max_length: int = 200,
    boxes: int = 1_024,
    max_boxes: int = 2_000_000,
    language: AnyLanguage | None = None,
    words: AnyLanguage = ALL_WORDS,
) -> Horizon:
    """How far a network is proved right, and the shortest word found that it gets wrong.

    Of all words of the language, of those of another one, or of those it was trained on: words="training".

    >>> from abacist.analysis import constructed
    >>> horizon(constructed(language("dyck-1")), max_length=20, language="dyck-1")
    <Horizon: proved to 20, no wrong word found>
    """
    networks, its_language = _network(network, language, words)
    search = _search("horizon", max_length=max_length, boxes=boxes, max_boxes=max_boxes)
    return horizon_of(networks, 0, its_language, search)


def _search(function: str, **effort: Any) -> Search:
    """The search that some keywords ask for, of at most 200 symbols if they do not say it."""
    with _calling(function, {name: written_name(record) for name, record in records(Search).items()}):
        return Search(**{"max_length": 200, **effort})


@checked
def certify(
    network: AnyNetwork,
    *,
    length: int | None = None,
    depth: int | None = None,
    language: AnyLanguage | None = None,
    words: AnyLanguage = ALL_WORDS,
) -> Answer:
    """Prove a network right on every word, up to a length, a depth, or as far as its precision counts.

    `words` are as in `horizon`.

    >>> from abacist.analysis import constructed
    >>> certify(constructed(language("dyck-1")), length=20, language="dyck-1").proved
    True
    """
    networks, its_language = _network(network, language, words)
    return certify_network(networks, 0, its_language, length=length, depth=depth)


@checked
def failing_words(
    network: AnyNetwork | Callable[..., Any],
    language: AnyLanguage | None = None,
    *,
    words: AnyLanguage = ALL_WORDS,
    **options: Any,
) -> FailingWords:
    """The shortest words found that a network, or any function with scores, gets wrong; see `abacist.bridge`.

    `max_length` is at least 100, and that of the longest words that a run is tested on. `words` are as in
    `horizon`.

    >>> print(failing_words(lambda word: np.ones((len(word), 2)), "dyck-1", count=1).words[0])
    ()
    """
    if not callable(network):
        run = network[0] if isinstance(network, Results) and network else network
        if isinstance(run, Run):
            options.setdefault("max_length", usual_length(run.spec))
        return failing_words_of(*_network(network, language, words), **options)
    if language is None:
        raise BadInput('a function comes without a language: say language="dyck-1" or the like')
    return failing_words_of(network, on_words(language_asked_for(language), words), **options)


def _network(
    source: AnyNetwork, language: AnyLanguage | None, words: AnyLanguage = ALL_WORDS
) -> tuple[Networks, Language[Any]]:
    """A network by itself, and its language, perhaps on some words."""
    if isinstance(source, Results | Networks) and len(source) != 1:
        raise BadInput(f"give one network, such as results[0], got {len(source)}")
    if isinstance(source, Results):
        source = source[0]
    known: Language[Any] | None
    if isinstance(source, Run):
        networks, known = source.networks, source.spec.language
    elif isinstance(source, Networks):
        networks, known = source, source.language
    else:
        path = Path(source)
        file = NetworkFile.load_folder(path) if path.is_dir() else NetworkFile.load(path)
        text = file.about.get("language")
        networks, known = file.networks, None if text is None else language_from_text(text)
    if (asked := language or known) is None:
        raise BadInput('this network comes without a language: say language="dyck-1" or the like')
    chosen = language_asked_for(asked)
    networks.check_language(chosen)
    return networks, on_words(chosen, words, source.spec if isinstance(source, Run) else None)


@called_right
def compare(
    *results: Results,
    by: str = "cell",
    against: str | float | None = None,
    where: str | Sequence[str] = (),
    measures: str | Sequence[str] = (),
    level: float = 0.95,
) -> Compared:
    """Compare the runs of some results that differ in one setting, seed by seed; see `abacist compare`.

    With `against="lstm"`, only the differences other − LSTM.

    >>> tiny = {"hidden": 1, "epochs": 1, "train_words": 50, "test_words": 10, "progress": False}
    >>> compare(train("dyck-1", "rnn", **tiny), train("dyck-1", "gru", **tiny), measures=["long"])
    <Compared by cell: 1 difference>
    """
    if not results or not all(isinstance(result, Results) for result in results):
        raise BadInput("compare: give the results of train or open, such as compare(one, other)")
    where, measures = ((one,) if isinstance(one, str) else one for one in (where, measures))
    return Compared(compare_runs(results, by, against=against, where=where, measures=measures, level=level))


@checked
def figure(of: Compared | Results | TraceReading) -> Figure:
    """A comparison, a trace, or all runs of some results, as a Matplotlib figure.

    >>> few = train("dyck-1", "rnn", hidden=1, epochs=1, train_words=50, test_words=10, progress=False)
    >>> len(figure(trace(few, "(())")).axes)
    2
    """
    if isinstance(of, Compared):
        return comparison_figure(of.comparison)
    if isinstance(of, TraceReading):
        states = [name for name in of.trace.values if name not in ("y", *of.trace.widths)]
        return trace_figure(of, states[:3])
    pictures = store_pictures(of).shown
    if not pictures:
        raise BadInput("figure: there are no runs to draw")
    return pictures[0].make()
