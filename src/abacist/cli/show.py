"""`abacist show`: everything about one run, and whether it comes out the same once more."""

from __future__ import annotations

import hashlib
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated, Any

import typer

from abacist.cli.options import StoreOption, run_named
from abacist.cli.parameters import Argument
from abacist.cli.screen import say, show_json, warn, working
from abacist.cli.tables import show_rows, show_table
from abacist.errors import BadInput
from abacist.experiments import SETS, Job, Run, compute, run_as_toml
from abacist.experiments.housekeeping import differences, on_what
from abacist.experiments.plan import ALL_WORDS, on_stored_words
from abacist.experiments.run_values import settings_of
from abacist.fields import Field
from abacist.languages import largest_length
from abacist.report import Column, Table
from abacist.report.tables import headed
from abacist.specs.networks import LARGEST_WEIGHT
from abacist.targets import target_named
from abacist.wording import plural


def show(
    key: Annotated[str, Argument("A prefix of the run's key.", metavar="KEY")],
    results: StoreOption = Path("results"),
    toml: Annotated[bool, "Print only its settings, as a file for `abacist run`."] = False,
    json: Annotated[bool, "Print JSON, with every loss."] = False,
    repeat: Annotated[bool, "Train it again, and compare it bit for bit with what is kept."] = False,
    program: Annotated[
        str | None,
        Field(
            "Print a program of its network (train, judge, trace, step, boxes): statements, LLVM IR.",
            metavar="NAME",
        ),
    ] = None,
) -> None:
    """Show everything about a run, also as a file that runs it again, or train it again and compare.

    Its settings, accuracies, losses, horizons and lessons, how long it took and what it was computed with.
    With --repeat, nothing in the store is changed, and the exit status is 1 where something is not the same.

    Example: abacist show 5de4f703 --toml > again.toml
    """
    if toml + json + repeat + (program is not None) > 1:
        raise BadInput("choose one of --toml, --json, --repeat and --program")
    run = run_named(key, results)
    if repeat:
        _repeat(run)
    elif program is not None:
        for line in target_named().listing(run.spec, program):
            print(line)
    elif toml:
        print(run_as_toml(run), end="")
    elif json:
        show_json(_record(run))
    else:
        _show_run(run)


def _repeat(run: Run) -> None:
    wanted = frozenset((name, epoch) for name, epoch in run.outcome.known() if name in SETS)
    job = Job(run.spec, (run.seed,), wanted)
    with working("training it again") as progress:
        (again,) = compute(job, progress)
    if differ := differences(run, again):
        where = on_what((run.outcome, again.outcome))
        print(f"run {run.key}: trained again, its {' and '.join(differ)} are not the same{where}")
        _warn_of_versions(run, again)
        raise typer.Exit(1)
    print(f"run {run.key}: trained again, it is the same, bit for bit")
    say(
        f"compared: {plural(run.weights.size, 'weight')}, losses of {plural(run.spec.epochs, 'epoch')}, "
        f"{plural(len(wanted), 'share')} of accepted words"
    )


def _warn_of_versions(run: Run, again: Run) -> None:
    """Name what it was computed with that is different now."""
    then, now = run.outcome.versions, again.outcome.versions
    for name in dict.fromkeys((*then, *now)):
        if then.get(name) != now.get(name):
            warn(f"{name} was {then.get(name, 'not written down')}, and is {now.get(name, 'unknown')} now")


#: How many losses people see of a run.
_LOSSES = 12


def _record(run: Run) -> dict[str, Any]:
    """Everything about a run in plain values."""
    outcome = run.outcome
    return {
        "key": run.key,
        "seed": run.seed,
        "spec": run.spec.as_dict(),
        "toml": _toml(run),
        "parameters": int(run.weights.size),
        "weights": _checksum(run),
        "moments": run.has_moments,
        "accuracy": {name: dict(shares) for name, shares in outcome.accuracy.items()},
        "losses": list(outcome.losses),
        "diverged": outcome.diverged,
        "begun": outcome.begun,
        "seconds": outcome.seconds,
        "horizons": [horizon.as_dict() for horizon in outcome.horizons],
        "taught": None if outcome.taught is None else outcome.taught.as_dict(),
        "versions": dict(outcome.versions),
    }


def _show_run(run: Run) -> None:
    """Print everything about a run that people want to know."""
    spec, outcome = run.spec, run.outcome
    units = "" if spec.outside else f" with {spec.units}"
    print(f"run {run.key}: {spec.cell.name}{units} on {spec.language.name}, seed {run.seed}")
    begun = datetime.fromtimestamp(outcome.begun, UTC).strftime("%Y-%m-%d %H:%M:%S UTC")
    print(f"begun {begun}, {outcome.seconds:.2f} seconds")
    if outcome.diverged is not None:
        print(f"diverged in epoch {outcome.diverged}: a weight is not finite or beyond {LARGEST_WEIGHT:,.0f}")
    if spec.outside:
        print("a model from outside: judged here, its weights are elsewhere\n")
        for name, value in settings_of(spec).items():
            if value is not None:
                print(f"{name}: {value}")
        print()
    else:
        print(f"{plural(run.weights.size, 'weight')}, SHA-256 {_checksum(run)}")
        if run.has_moments:
            print("Adam's moments are kept: more epochs go on from here")
        print(f"\nSettings, which `abacist run` takes as a file (--toml)\n\n{_toml(run) or ''}")
    versions = dict(outcome.versions)
    if "features" in versions:
        versions["features"] = f"{len(versions['features'].split())} of the processor's; --json names them"
    for table in (_accuracies(run), _losses(run), _horizons(run), _rounds(run)):
        if table.rows:
            show_table(table)
            print()
    headings = ("what", "version")
    show_rows(headings, sorted(versions.items()), title="Computed with", left=headings)


def _toml(run: Run) -> str | None:
    if run.spec.outside:
        return None
    try:
        return run_as_toml(run)
    except BadInput as error:
        warn(str(error))
        return None


def _checksum(run: Run) -> str:
    """Over the weights alone, in the byte order of most computers."""
    return hashlib.sha256(run.weights.astype(run.weights.dtype.newbyteorder("<")).tobytes()).hexdigest()


def _accuracies(run: Run) -> Table:
    accuracy = run.outcome.accuracy
    epochs = sorted({epoch for shares in accuracy.values() for epoch in shares})
    columns = (Column("set", "set"), *(Column(str(epoch), str(epoch), "epoch", 2) for epoch in epochs))
    names = sorted(accuracy, key=lambda name: SETS.index(name) if name in SETS else len(SETS))
    rows = [{"set": n} | {str(epoch): 100 * one for epoch, one in accuracy[n].items()} for n in names]
    return Table("", "Accuracy in percent, by set and epoch", columns, tuple(rows))


def _losses(run: Run) -> Table:
    """Some of the losses, evenly spaced, the first and the last among them."""
    losses = list(run.outcome.losses)
    last = len(losses) - 1
    many = max(min(last, _LOSSES - 1), 1)
    listed = sorted({round(last * number / many) for number in range(many + 1)}) if last > 0 else [0]
    columns = (*headed("epoch", digits=0), Column("loss", "loss", "", 8, significant=True))
    rows = tuple({"epoch": place + 1, "loss": losses[place]} for place in listed if losses)
    note = f"{len(rows)} of {len(losses):,}; --json has all." if len(rows) < len(losses) else ""
    return Table("", "Mean loss of an epoch", columns, rows, note)


def _horizons(run: Run) -> Table:
    rows, within = list[dict[str, Any]](), any(one.words for one in run.outcome.horizons)
    columns = (
        *(headed("words") if within else ()),
        *headed("gates"),
        *headed("tried to" if run.spec.outside else "proved to", "wrong at", digits=0),
        *headed("every word proved"),
        *headed("seconds", digits=2),
        *headed("shortest wrong word"),
    )
    for entry in run.outcome.every_horizon:
        horizon, wrong = entry.horizon, entry.horizon.wrong
        language = on_stored_words(run.spec.language, entry.words)
        words = (language.word_language.name if entry.words else ALL_WORDS,) if within else ()
        every = None if entry.every_word is None else "yes" if entry.every_word else "no"
        word = "" if wrong is None else language.alphabet.render(wrong.word)
        values = (
            *words, f"× {entry.factor:g}", horizon.proved_in(language), None if wrong is None else len(wrong),
            every, horizon.seconds, (word if len(word) <= 40 else f"{word[:39]}…") or None,
        )  # fmt: skip
        rows.append({column.key: value for column, value in zip(columns, values, strict=True)})
    return Table("", "Horizons", columns if rows else (), tuple(rows))


def _rounds(run: Run) -> Table:
    taught = run.outcome.taught
    if taught is None:
        return Table("", "", (), ())
    columns = headed("round", "epochs done", "words fed", "then wrong at", digits=0)
    values = ((n, one.epochs, one.fed, one.length) for n, one in enumerate(taught.rounds, 1))
    proved = largest_length(run.spec.language, taught.proved)
    note = f"Proved to {proved:,} symbols, gates × {taught.sharpened:g}."
    rows = tuple({c.key: value for c, value in zip(columns, row, strict=True)} for row in values)
    return Table("", "Rounds of the lesson", columns, rows, note)
