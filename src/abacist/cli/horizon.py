"""`abacist horizon`: how far a network is proved to count, and the word on which it stops."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import Future, as_completed
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Annotated, Any

import typer

from abacist.analysis import Horizon, Search
from abacist.analysis.horizons import Configurations, is_provable
from abacist.analysis.horizons.exploration import layer_bytes
from abacist.cells.sharpening import check_gates
from abacist.cli.networks import CellOption, LanguageOption, Network, NetworksArgument, chosen_networks
from abacist.cli.options import JobsOption, StoreOption, check_counts, check_factor
from abacist.cli.parameters import NOTHING, Given, OptionsOf
from abacist.cli.screen import say, show_json, warn, working
from abacist.cli.stores import WhereOption, settings_of
from abacist.cli.tables import show_table
from abacist.engine.training import workers
from abacist.errors import BadFile, BadInput
from abacist.experiments import HorizonAim, Measurement, Run, Store, measure
from abacist.experiments.measuring import bracket, merge_known, sharpened
from abacist.experiments.run_values import differing
from abacist.languages import Language
from abacist.progress import Progress, busy
from abacist.report.horizon_tables import bracket_columns, bracket_row, named, shortened
from abacist.report.tables import Column, Table
from abacist.threads import ThreadPool
from abacist.wording import several

#: Bytes of memory that are taken without a word.
_MUCH = 2**30

#: Networks from which on it is said how to make it quicker.
_MANY = 10


def horizon(
    networks: NetworksArgument = None,
    results: StoreOption = Path("results"),
    where: WhereOption = None,
    language: LanguageOption = None,
    cell: CellOption = None,
    search: Annotated[Given, OptionsOf(Search)] = NOTHING,
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
    check_counts(jobs=jobs)
    if seconds is not None and not seconds > 0:
        raise BadInput(f"--seconds must be above 0, got {seconds}")
    check_factor("--saturate", saturate)
    aim = HorizonAim(Search(**search), saturate)
    chosen = chosen_networks(networks, results, where, cell=cell)
    languages = [network.language_or(language) for network in chosen]
    _refuse_too_sharp(chosen, aim)
    _say_memory(chosen, aim.search)
    found = _found(chosen, languages, aim, seconds, workers(jobs, max(len(chosen), 1)))
    answers = [HorizonAnswer(*row[:2], aim, row[2]) for row in zip(chosen, languages, found, strict=True)]
    if json:
        show_json([plain_answer(answer) for answer in answers])
    elif len(answers) == 1:
        say_answer(answers[0])
    else:
        show_table(answers_table(answers), spare=SPARE)


def _refuse_too_sharp(networks: Sequence[Network], aim: HorizonAim) -> None:
    """Refuse to sharpen gates where there are none, or so much that nothing can be proved any more."""
    for network in networks if aim.factor != 1 else ():
        check_gates(network.networks.layout.cell)
        sharper = sharpened(network.networks, aim.factor)
        if is_provable(network.networks, 0) and not is_provable(sharper, 0):
            raise BadInput(
                f"--saturate {aim.factor:g} makes weights of {network.name} larger than 10¹², or large "
                "enough to overflow, and of such a network nothing is proved"
            )


def _say_memory(networks: Sequence[Network], search: Search) -> None:
    """Say how much memory the boxes of one length may take, where that is much."""
    layouts = {(one.networks.layout, str(one.networks.parameters.dtype)) for one in networks}
    if (largest := max(layer_bytes(search.most, *own) for own in layouts)) > _MUCH:
        few = min(_MUCH // layer_bytes(1, *own) for own in layouts)
        say(f"the boxes of one length may take {largest / 2**30:.1f} GB; with --most {few} it is 1 GB")


def _found(
    networks: Sequence[Network],
    languages: Sequence[Language[Any]],
    aim: HorizonAim,
    seconds: float | None,
    threads: int,
) -> list[Horizon]:
    """The horizons of all networks, each kept as soon as it is known where it came from a store."""
    found: dict[int, Horizon] = {}
    with working("networks") as progress, ThreadPool(threads) as pool:
        waiting: dict[Future[tuple[Horizon, Run | None]], int] = {}
        for number, (network, own) in enumerate(zip(networks, languages, strict=True)):
            known = _known(network, own, aim)
            if known is not None:
                found[number] = known
            else:
                waiting[pool.submit(_one, network, own, aim, seconds, progress)] = number
        if len(waiting) >= _MANY and seconds is None:
            say(
                f"looking for the horizons of {several(len(waiting), 'network')}; where that takes too long, "
                "--seconds limits the time for each, --to the length of the words and --where the networks"
            )
        kept = 0
        try:
            for future in as_completed(waiting):
                number = waiting[future]
                found[number], run = future.result()
                progress(len(found) / len(networks))
                if run is not None:
                    kept += _keep(networks[number].store, run)
        except BaseException as error:
            progress.cancel()
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
    progress: Progress,
) -> tuple[Horizon, Run | None]:
    """The horizon of a network, and its run with what is known now, if it has one."""
    run = network.run
    if run is None or run.spec.language != language:
        known = Configurations(language)
        own = sharpened(network.networks, aim.factor)
        with busy(network.name, lambda _own: progress()) as shown:
            return bracket(own, known, aim, steps=network.steps, seconds=seconds, progress=shown), None
    with busy(network.name, lambda _own: progress()) as shown:
        (measured,) = measure(Measurement(run, (aim,)), shown, seconds=seconds)
    found = measured.outcome.horizon(aim.factor)
    assert found is not None
    return found, measured


def _keep(folder: Path | None, run: Run) -> bool:
    """Write what is known of a run to its store; whether that was possible, which is said if not."""
    assert folder is not None
    try:
        with Store(folder) as store:
            store.put([merge_known(run, store.get(run.key))])
    except BadFile as error:
        warn(f"{error}; what was found is not kept")
        return False
    return True


#: Columns that a narrow terminal does without, the first of them first; --json has all.
SPARE = ("right", "predicted", "step", "seed", "long")


@dataclass(frozen=True)
class HorizonAnswer:
    """A network, its language, what was asked, and what is known of its horizon."""

    network: Network
    language: Language[Any]
    aim: HorizonAim
    found: Horizon


def say_answer(answer: HorizonAnswer) -> None:
    """What is known of one network, in sentences."""
    network, language, found = answer.network, answer.language, answer.found
    say(network.title + _gates(answer.aim), output=True)
    which = "every prediction" if network.steps == "all" else "the prediction at its last step"
    if proved := found.proved_in(language):
        words = f"on every word of at most {several(proved, 'symbol')}"
        say(f"proved to {proved:,}: {words}, {which} is right", output=True)
    else:
        say("nothing is proved", output=True)
    wrong = found.wrong
    if wrong is not None:
        say(f"wrong at {len(wrong):,}: {shortened(language, wrong.word, 200)}", output=True)
        say(
            f"  at step {wrong.step:,} it predicts {named(language, wrong.predicted)}, "
            f"and {named(language, wrong.right)} is right",
            output=True,
        )
    elif found.looked:
        say(f"no word of at most {several(found.looked, 'symbol')} was found that it gets wrong", output=True)
    if not found.done:
        say(_open(answer))


def _open(answer: HorizonAnswer) -> str:
    """What is not known, and what may tell."""
    found = answer.found
    last = found.search.to if found.wrong is None else len(found.wrong) - 1
    lengths = f"words of {found.proved + 1:,} to {several(last, 'symbol')} are open"
    if not is_provable(sharpened(answer.network.networks, answer.aim.factor), 0):
        return (
            f"{lengths}: it has a weight that is not finite, beyond 10¹² or large enough to overflow, "
            "and of such nothing is proved"
        )
    if not found.reached:
        return f"{lengths}: there was no time to try all of them once; more may tell, with --seconds"
    more = "--budget" if found.reached >= found.search.budget else "--seconds"
    boxes = "1 box" if found.reached == 1 else f"{found.reached:,} boxes"
    return f"{lengths}, after trying up to {boxes} for each configuration; more may tell, with {more}"


def _gates(aim: HorizonAim) -> str:
    """What was done to the gates, after a title."""
    return "" if aim.factor == 1 else f", gates × {aim.factor:g}"


def answers_table(answers: Sequence[HorizonAnswer]) -> Table:
    """A row for every network; accuracies are those of networks as they are, so sharpened ones have none."""
    runs = [answer.network.run for answer in answers]
    settings = settings_of(dict.fromkeys(run.spec for run in runs if run is not None))
    swept = [n for n in differing(settings.values()) if n not in ("language", "cell", "hidden", "steps")]
    aim, steps = answers[0].aim, {answer.network.steps for answer in answers}
    columns = (
        Column("run", "run"),
        Column("language", "language"),
        Column("cell", "cell"),
        Column("hidden", "hidden", "", 0),
        *(Column(name, name) for name in swept),
        *([Column("steps", "steps")] if len(steps) > 1 else []),
        Column("seed", "seed", "", 0),
        *([Column("long", "set", "long", 2)] if aim.factor == 1 else []),
        *bracket_columns(),
    )
    rows = []
    for answer, run in zip(answers, runs, strict=True):
        network, layout = answer.network, answer.network.networks.layout
        share = None if run is None else run.accuracy("long")
        rows.append(
            ({} if run is None else settings[run.spec])
            | {
                "run": f"{network.place}, {network.number}" if run is None else run.key[:8],
                "language": answer.language.name,
                "cell": layout.cell.name,
                "hidden": layout.hidden,
                "steps": network.steps,
                "seed": None if run is None else run.seed,
                "long": None if share is None else 100 * share,
            }
            | bracket_row(answer.language, answer.found)
        )
    note = _in_all([answer.found for answer in answers], aim)
    note += " Only the prediction at the last step of a word counts." if steps == {"last"} else ""
    return Table("horizons", f"Counting horizons{_gates(aim)}", columns, tuple(rows), note)


def _in_all(found: Sequence[Horizon], aim: HorizonAim) -> str:
    """How many are proved to the end, known exactly, or open."""
    closed = sum(own.closed for own in found)
    whole = sum(own.proved >= aim.search.to for own in found)
    return (
        f"{several(len(found), 'network')}: {whole} proved to {aim.search.to:,}, {closed} with a horizon "
        f"that is known exactly, {len(found) - closed - whole} open."
    )


def plain_answer(answer: HorizonAnswer) -> dict[str, Any]:
    """All that is known, in plain values; symbols are written as they are."""
    network, language, found = answer.network, answer.language, answer.found
    layout, run, wrong = network.networks.layout, network.run, found.wrong
    return {
        "run": None if run is None else run.key,
        "place": network.place,
        "number": network.number,
        "language": language.name,
        "cell": layout.cell.name,
        "hidden": layout.hidden,
        "steps": network.steps,
        "seed": None if run is None else run.seed,
        "saturate": answer.aim.factor,
        "proved": found.proved_in(language),
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
