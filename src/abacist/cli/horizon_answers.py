"""What is known of horizons: in sentences, as a table, or in plain values."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from abacist.analysis import Horizon
from abacist.analysis.horizons import is_provable
from abacist.cli.networks import Network
from abacist.cli.saying import say
from abacist.cli.settings import settings_of
from abacist.experiments import HorizonAim
from abacist.experiments.measuring import sharpened
from abacist.experiments.run_values import differing
from abacist.languages import Language
from abacist.report.horizon_tables import bracket_columns, bracket_row, named, shortened
from abacist.report.tables import Column, Table
from abacist.wording import plural

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
        words = f"on every word of at most {plural(proved, 'symbol')}"
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
        say(f"no word of at most {plural(found.looked, 'symbol')} was found that it gets wrong", output=True)
    if not found.done:
        say(_open(answer))


def _open(answer: HorizonAnswer) -> str:
    """What is not known, and what may tell."""
    found = answer.found
    last = found.search.to if found.wrong is None else len(found.wrong) - 1
    lengths = f"words of {found.proved + 1:,} to {plural(last, 'symbol')} are open"
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
        f"{plural(len(found), 'network')}: {whole} proved to {aim.search.to:,}, {closed} with a horizon "
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
