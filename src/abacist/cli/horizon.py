"""`abacist horizon`: how far a network is proved to count, and the word on which it stops."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, as_completed
from dataclasses import asdict
from pathlib import Path
from threading import Event
from typing import Annotated, Any

import typer

from abacist.analysis import Horizon, Search
from abacist.analysis.horizons import Configurations
from abacist.cli.bars import brackets
from abacist.cli.conditions import WhereOption
from abacist.cli.networks import LanguageOption, Network
from abacist.cli.options import JobsOption, StoreOption, check_counts
from abacist.cli.saying import say, warn
from abacist.cli.screen import show_json
from abacist.cli.several_networks import NetworksArgument, chosen_networks
from abacist.cli.tables import show
from abacist.engine.training import workers
from abacist.errors import BadFile, BadInput
from abacist.experiments import HorizonAim, Measurement, Run, Store, measure
from abacist.experiments.measuring import bracket, brought_up_to_date, sharpened
from abacist.languages import Language
from abacist.report.horizon_tables import bracket_columns, bracket_row, named, shortened
from abacist.report.tables import Column, Table
from abacist.wording import several


def horizon(
    networks: NetworksArgument = None,
    results: StoreOption = Path("results"),
    where: WhereOption = None,
    language: LanguageOption = None,
    to: Annotated[int, typer.Option(help="Look at words of at most so many symbols.")] = Search.to,
    budget: Annotated[
        int, typer.Option(help="Boxes that a configuration may have in the end: more prove more.")
    ] = Search.budget,
    seconds: Annotated[
        float | None, typer.Option(help="Stop after so many seconds for each network.", show_default="never")
    ] = None,
    saturate: Annotated[float, typer.Option(help="Multiply the inputs of all gates by this first.")] = 1.0,
    jobs: JobsOption = None,
    json: Annotated[bool, typer.Option("--json", help="Print JSON instead of a table.")] = False,
) -> None:
    """Bracket the length of the shortest word that a network gets wrong: proved to n, wrong at m.

    On every word of at most n symbols, every prediction at every step is proved right; m is the length of the
    shortest word found that is not. What is found about runs of a store is kept there, with how hard it
    was looked for, and is not looked for again.

    Example: abacist horizon --where language=dyck-1 --where hidden=1 --to 200
    """
    check_counts(to=to, budget=budget, jobs=jobs)
    if seconds is not None and not seconds > 0:
        raise BadInput(f"seconds must be above 0, got {seconds}")
    aim = HorizonAim(Search(to, budget), saturate)
    chosen = chosen_networks(networks, results, where)
    languages = [network.language_or(language) for network in chosen]
    found = _found(chosen, languages, aim, seconds, workers(jobs, max(len(chosen), 1)))
    if json:
        show_json([_plain(*row, aim) for row in zip(chosen, languages, found, strict=True)])
    elif len(chosen) == 1:
        _say(chosen[0], languages[0], found[0])
    else:
        show(_table(chosen, languages, found))


def _found(
    networks: Sequence[Network],
    languages: Sequence[Language[Any]],
    aim: HorizonAim,
    seconds: float | None,
    threads: int,
) -> list[Horizon]:
    """The horizons of all networks, each kept as soon as it is known where it came from a store."""
    found: dict[int, Horizon] = {}
    stop = Event()
    with brackets(len(networks)) as bars, ThreadPoolExecutor(threads) as pool:
        waiting: dict[Future[tuple[Horizon, Run | None]], int] = {}
        for number, (network, own) in enumerate(zip(networks, languages, strict=True)):
            known = _known(network, own, aim)
            if known is not None:
                found[number] = known
                bars.finish(number)
                continue

            def tell(best: Horizon, length: int, number: int = number, title: str = network.title) -> None:
                if stop.is_set():
                    raise KeyboardInterrupt
                bars.show(number, title, best, length)

            waiting[pool.submit(_one, network, own, aim, seconds, tell)] = number
        kept = 0
        try:
            for future in as_completed(waiting):
                number = waiting[future]
                found[number], run = future.result()
                bars.finish(number)
                if run is not None:
                    kept += _keep(networks[number].store, run)
        except BaseException as error:
            stop.set()
            for future in waiting:
                future.cancel()
            if isinstance(error, KeyboardInterrupt):
                done = f"the horizons of {several(kept, 'network')} are kept"
                say(f"{done}; the same command continues from there")
            raise
    return [found[number] for number in range(len(networks))]


def _known(network: Network, language: Language[Any], aim: HorizonAim) -> Horizon | None:
    """What the store of a network has of its horizon, if that is as sharp as it is asked for."""
    run = network.run
    if run is None or run.spec.language != language or run.outcome.unanswered((aim,)):
        return None
    return run.outcome.horizon(aim.factor)


def _one(
    network: Network,
    language: Language[Any],
    aim: HorizonAim,
    seconds: float | None,
    tell: Callable[[Horizon, int], None],
) -> tuple[Horizon, Run | None]:
    """The horizon of a network, and its run with what is known now, if it has one."""
    run = network.run
    if run is None or run.spec.language != language:
        known = Configurations(language)
        own = sharpened(network.networks, aim.factor)
        return bracket(own, known, aim, steps=network.steps, seconds=seconds, tell=tell), None
    (measured,) = measure(Measurement(run, (aim,)), seconds=seconds, tell=tell)
    found = measured.outcome.horizon(aim.factor)
    assert found is not None
    return found, measured


def _keep(folder: Path | None, run: Run) -> bool:
    """Write what is known of a run to its store; whether that was possible, which is said if not."""
    assert folder is not None
    try:
        with Store(folder) as store:
            store.put([brought_up_to_date(run, store.get(run.key))])
    except BadFile as error:
        warn(f"{error}; what was found is not kept")
        return False
    return True


def _say(network: Network, language: Language[Any], found: Horizon) -> None:
    """What is known of one network, in sentences."""
    print(network.title)
    proved = f"{found.proved:,}"
    print(f"proved to {proved}: on every word of at most {proved} symbols, every prediction is right")
    wrong = found.wrong
    if wrong is None:
        print(f"no word of at most {found.looked:,} symbols was found that it gets wrong")
    else:
        print(f"wrong at {len(wrong):,}: {shortened(language, wrong.word, 200)}")
        print(
            f"  at step {wrong.step:,} it predicts {named(language, wrong.predicted)}, "
            f"and {named(language, wrong.right)} is right"
        )
    if not found.done:
        last = found.search.to if wrong is None else len(wrong) - 1
        more = "--budget" if found.reached >= found.search.budget else "--seconds"
        say(
            f"words of {found.proved + 1:,} to {last:,} symbols are open, after trying up to "
            f"{found.reached:,} boxes for each configuration; more may tell, with {more}"
        )


def _table(
    networks: Sequence[Network], languages: Sequence[Language[Any]], found: Sequence[Horizon]
) -> Table:
    """A row for every network."""
    columns = (
        Column("run", "run"),
        Column("language", "task"),
        Column("cell", "model"),
        Column("hidden", "units", "", 0),
        Column("seed", "seed", "", 0),
        Column("long", "long set", "", 2),
        *bracket_columns(),
    )
    rows = []
    for network, language, own in zip(networks, languages, found, strict=True):
        layout, run = network.networks.layout, network.run
        share = None if run is None else run.accuracy("long")
        rows.append(
            {
                "run": f"{network.place}, {network.number}" if run is None else run.key[:8],
                "language": language.name,
                "cell": layout.cell.name,
                "hidden": layout.hidden,
                "seed": None if run is None else run.seed,
                "long": None if share is None else 100 * share,
            }
            | bracket_row(language, own)
        )
    closed = sum(own.closed for own in found)
    note = f"{several(len(found), 'network')}, of {closed} the horizon is known exactly."
    return Table("horizons", "Counting horizons", columns, tuple(rows), note)


def _plain(network: Network, language: Language[Any], found: Horizon, aim: HorizonAim) -> dict[str, Any]:
    """All that is known, in plain values; symbols are written as they are."""
    layout, run, wrong = network.networks.layout, network.run, found.wrong
    return {
        "run": None if run is None else run.key,
        "place": network.place,
        "number": network.number,
        "language": language.name,
        "cell": layout.cell.name,
        "hidden": layout.hidden,
        "seed": None if run is None else run.seed,
        "saturate": aim.factor,
        "proved": found.proved,
        "wrong": None
        if wrong is None
        else {
            "length": len(wrong),
            "word": language.alphabet.render(wrong.word),
            "step": wrong.step,
            "predicted": language.alphabet.render_set(wrong.predicted).split(),
            "right": language.alphabet.render_set(wrong.right).split(),
        },
        "closed": found.closed,
        "search": asdict(found.search),
        "reached": found.reached,
        "looked": found.looked,
        "seconds": round(found.seconds, 3),
    }
