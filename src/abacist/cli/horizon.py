"""`abacist horizon`: how far a network is proved to count, and the word on which it stops."""

from __future__ import annotations

import os
from collections.abc import Sequence
from concurrent.futures import as_completed
from dataclasses import asdict, dataclass, replace
from typing import Annotated, Any, Self

from abacist.analysis import Horizon, Search
from abacist.analysis.horizons.configurations import Configurations
from abacist.analysis.horizons.exploration import layer_bytes
from abacist.analysis.horizons.prover import is_provable
from abacist.bridge.pytorch_promise import said_of_pytorch
from abacist.cells.sharpening import check_gates
from abacist.cli.certificates import plain_word
from abacist.cli.networks import Network, NetworksOnWords, settings_of_runs
from abacist.cli.options import JobsOption, JsonOption
from abacist.cli.parameters import NOTHING, Given, OptionsOf
from abacist.cli.screen import say, show_json, warn, working
from abacist.cli.tables import show_table
from abacist.errors import BadFile, BadInput
from abacist.experiments import HorizonAim, Measurement, Run, Store, measure
from abacist.experiments.housekeeping import merge_known
from abacist.experiments.plan import words_text
from abacist.experiments.run_values import differing
from abacist.experiments.work import bracket, sharpened
from abacist.fields import Field, Range
from abacist.languages import Language, words_in
from abacist.progress import Progress, busy
from abacist.report.horizon_tables import bracket_columns, bracket_row, named
from abacist.report.tables import Column, Table, headed
from abacist.specs import Networks
from abacist.threads import ThreadPool
from abacist.wording import plural

#: Bytes of memory that are taken without a word.
_MUCH = 2**30


def horizon(
    *,
    choice: NetworksOnWords,
    search: Annotated[Given, OptionsOf(Search)] = NOTHING,
    seconds: Annotated[
        float | None, "Stop after so many seconds for each network.", "never", Range(above=0)
    ] = None,
    sharpen: Annotated[
        float, Field("Multiply the inputs of all gates by this first.", Range(above=0), formerly="saturate")
    ] = 1.0,
    jobs: JobsOption = None,
    json: JsonOption = False,
) -> None:
    """Bracket the length of the shortest word that a network gets wrong: proved to n, wrong at m.

    On every word of at most n symbols, every prediction at every step is proved right; m is the length of the
    shortest word found that is not. Results about runs of a store are stored there with the search effort,
    and are not computed again.

    Example: abacist horizon --where language=dyck-1 --where hidden=1 --max-length 200
    """
    aim = HorizonAim(Search(**search), sharpen)
    queries = [_Query.of(one, choice.language_of(one), aim) for one in choice.networks()]
    for query in queries:
        query.refuse_too_sharp()
    _say_memory(queries, aim.search)
    answers = [*zip(queries, _horizons(queries, jobs or os.cpu_count() or 1, seconds), strict=True)]
    if json:
        show_json([_plain(*answer) for answer in answers])
    elif len(answers) == 1:
        _say_answer(*answers[0])
    else:
        show_table(_table(answers, aim))


@dataclass(frozen=True, eq=False)
class _Query:
    """A network, its language, and which of its horizons is asked for."""

    network: Network
    language: Language[Any]
    aim: HorizonAim
    run: Run | None

    @classmethod
    def of(cls, network: Network, language: Language[Any], aim: HorizonAim) -> Self:
        """The run that the horizon is one of: none in another language than it was trained on."""
        run, trained_on = network.run, None if network.run is None else network.run.spec.language
        if trained_on is None or (language != trained_on and words_in(language, trained_on) is None):
            return cls(network, language, aim, None)
        return cls(network, language, replace(aim, words=words_text(language, trained_on)), run)

    @property
    def sharpened(self) -> Networks:
        return sharpened(self.network.networks, self.aim.factor)

    @property
    def title(self) -> str:
        """Which words it is about, and what was done to the gates, after a title."""
        words = f", on words of {self.language.word_language.name}" if self.aim.words else ""
        return words + _gates(self.aim)

    def refuse_too_sharp(self) -> None:
        """Refuse to sharpen gates where there are none, or so much that nothing can be proved any more."""
        networks, factor = self.network.networks, self.aim.factor
        if factor == 1:
            return
        check_gates(networks.layout.cell)
        if is_provable(networks, 0) and not is_provable(self.sharpened, 0):
            raise BadInput(
                f"--sharpen {factor:g} makes weights of {self.network.name} larger than 10¹², or large "
                "enough to overflow, and of such a network nothing is proved"
            )

    def stored(self) -> Horizon | None:
        """What the store of a network has of its horizon, if that is as sharp as it is asked for."""
        run = self.run
        answered = run is not None and not run.outcome.unanswered((self.aim,))
        return run.outcome.horizon(*self.aim.question) if run is not None and answered else None

    def search(self, progress: Progress, seconds: float | None) -> tuple[Horizon, Run | None]:
        """The horizon, and the network's run with what is known now, if it has one."""
        aim, steps = self.aim, self.network.steps
        with busy(self.network.name, lambda _progress: progress()) as inner:
            if self.run is None:
                words = Configurations(self.language)
                networks = self.sharpened
                return bracket(networks, words, aim, steps=steps, seconds=seconds, progress=inner), None
            (measured,) = measure(Measurement(self.run, (aim,)), inner, seconds=seconds)
        horizon = measured.outcome.horizon(*aim.question)
        assert horizon is not None
        return horizon, measured

    def keep(self, run: Run) -> bool:
        """Write what is known of a run to its store; whether that was possible, which is said if not."""
        assert self.network.store is not None
        try:
            with Store(self.network.store) as store:
                store.put([merge_known(run, store.get(run.key))])
        except BadFile as error:
            warn(f"{error}; what was found is not kept")
            return False
        return True


def _say_memory(queries: Sequence[_Query], search: Search) -> None:
    """Say how much memory the boxes of one length may take, where that is much."""
    networks = (query.network.networks for query in queries)
    shapes = {(one.layout, str(one.parameters.dtype)) for one in networks}
    if (largest := max(layer_bytes(search.most, *shape) for shape in shapes)) > _MUCH:
        few = min(_MUCH // layer_bytes(1, *shape) for shape in shapes)
        say(f"the boxes of one length may take {largest / 2**30:.1f} GB; with --max-boxes {few} it is 1 GB")


def _horizons(queries: Sequence[_Query], threads: int, seconds: float | None) -> list[Horizon]:
    """The horizons of all networks, each kept as soon as it is known where it came from a store."""
    horizons = {query: stored for query in queries if (stored := query.stored()) is not None}
    written = 0
    with working("networks") as progress, ThreadPool(threads) as pool:
        waiting = {
            pool.submit(query.search, progress, seconds): query for query in queries if query not in horizons
        }
        try:
            for future in as_completed(waiting):
                query = waiting[future]
                horizons[query], run = future.result()
                progress(len(horizons) / len(queries))
                written += run is not None and query.keep(run)
        except BaseException as error:
            progress.cancel()
            if isinstance(error, KeyboardInterrupt):
                done = f"the horizons of {plural(written, 'network')} are kept"
                say(f"{done}; the same command continues from there")
            raise
    return [horizons[query] for query in queries]


def _say_answer(query: _Query, horizon: Horizon) -> None:
    """What is known of one network, in sentences."""
    network, language, wrong = query.network, query.language, horizon.wrong
    say(network.title + query.title, output=True)
    which = "every prediction" if network.steps == "all" else "the prediction at its last step"
    if proved := horizon.proved_in(language):
        words = f"on every word of at most {plural(proved, 'symbol')}"
        say(f"proved to {proved:,}: {words}, {which} is right", output=True)
        if sentence := said_of_pytorch(network.networks, network.metadata):
            say(sentence)
    else:
        say("nothing is proved", output=True)
    if wrong is not None:
        say(f"wrong at {len(wrong):,}: {language.alphabet.shortened(wrong.word, 200)}", output=True)
        say(
            f"  at step {wrong.step:,} it predicts {named(language, wrong.predicted)}, "
            f"and {named(language, wrong.right)} is right",
            output=True,
        )
    elif horizon.looked:
        words = f"no word of at most {plural(horizon.looked, 'symbol')}"
        say(f"{words} was found that it gets wrong", output=True)
    if not horizon.done:
        say(_open(query, horizon))


def _open(query: _Query, horizon: Horizon) -> str:
    """What is not known, and which option searches further."""
    last = horizon.search.to if horizon.wrong is None else len(horizon.wrong) - 1
    lengths = f"words of {horizon.proved + 1:,} to {plural(last, 'symbol')} are open"
    if not is_provable(query.sharpened, 0):
        return (
            f"{lengths}: it has a weight that is not finite, beyond 10¹² or large enough to overflow, "
            "and of such nothing is proved"
        )
    if not horizon.reached:
        return f"{lengths}: there was no time to try all of them once; raise --seconds to search further"
    more = "--boxes" if horizon.reached >= horizon.search.budget else "--seconds"
    boxes = "1 box" if horizon.reached == 1 else f"{horizon.reached:,} boxes"
    return f"{lengths}, after trying up to {boxes} for each configuration; raise {more} to search further"


def _table(answers: Sequence[tuple[_Query, Horizon]], aim: HorizonAim) -> Table:
    """A row for every network; accuracies are those of networks as they are, so sharpened ones have none."""
    settings = settings_of_runs([query.network for query, _ in answers])
    swept = [n for n in differing(settings.values()) if n not in ("language", "cell", "hidden", "steps")]
    steps = {query.network.steps for query, _ in answers}
    columns = (
        *headed("run", "language", "cell"),
        *headed("hidden", digits=0),
        *headed(*swept, *(["steps"] if len(steps) > 1 else [])),
        *headed("seed", digits=0),
        *([Column("long", "set", "long", 2)] if aim.factor == 1 else []),
        *bracket_columns(),
    )
    rows = []
    for query, horizon in answers:
        network, run = query.network, query.network.run
        share = None if run is None else run.accuracy("long")
        row = settings.get(network, {}) | _about(query) | bracket_row(query.language, horizon)
        rows.append(row | {"run": network.name, "long": None if share is None else 100 * share})
    closed = sum(horizon.closed for _, horizon in answers)
    whole = sum(horizon.proved >= aim.search.to for _, horizon in answers)
    note = (
        f"{plural(len(answers), 'network')}: {whole} proved to {aim.search.to:,}, {closed} with a horizon "
        f"that is known exactly, {len(answers) - closed - whole} open."
    )
    note += " Only the prediction at the last step of a word counts." if steps == {"last"} else ""
    return Table("horizons", f"Counting horizons{_gates(aim)}", columns, tuple(rows), note)


def _gates(aim: HorizonAim) -> str:
    """What was done to the gates, after a title."""
    return "" if aim.factor == 1 else f", gates × {aim.factor:g}"


def _about(query: _Query) -> dict[str, Any]:
    network, run = query.network, query.network.run
    seed = None if run is None else run.seed
    return {**network.settings(query.language), "steps": network.steps, "seed": seed}


def _plain(query: _Query, horizon: Horizon) -> dict[str, Any]:
    """All that is known, in plain values; symbols are written as they are."""
    network, language, wrong = query.network, query.language, horizon.wrong
    return {
        "run": None if network.run is None else network.run.key,
        "place": network.place,
        "number": network.number,
        **_about(query),
        "saturate": query.aim.factor,
        "proved": horizon.proved_in(language),
        "wrong": None if wrong is None else plain_word(wrong, language),
        "closed": horizon.closed,
        "search": asdict(horizon.search),
        "reached": horizon.reached,
        "looked": horizon.looked,
        "seconds": round(horizon.seconds, 3),
    }
