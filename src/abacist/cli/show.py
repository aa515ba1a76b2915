"""`abacist show`: everything about one run, and whether it comes out the same once more."""

from __future__ import annotations

import hashlib
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated, Any

import typer

from abacist.cli.options import StoreOption
from abacist.cli.screen import say, show_json, warn, working
from abacist.cli.stores import run_named
from abacist.cli.tables import show_table
from abacist.errors import BadInput
from abacist.experiments import SETS, Job, Run, compute, run_as_toml
from abacist.experiments.joining import differences, on_what
from abacist.experiments.run_values import settings_of
from abacist.languages import largest_length
from abacist.report import Column, Table
from abacist.specs.networks import LARGEST_WEIGHT
from abacist.targets import target_named
from abacist.wording import several, visible


def show(
    key: Annotated[str, typer.Argument(metavar="KEY", help="The beginning of the run's key.")],
    results: StoreOption = Path("results"),
    toml: Annotated[
        bool, typer.Option("--toml", help="Print only its settings, as a file for `abacist run`.")
    ] = False,
    json: Annotated[bool, typer.Option("--json", help="Print JSON, with every loss.")] = False,
    repeat: Annotated[
        bool, typer.Option("--repeat", help="Train it again, and compare it bit for bit with what is kept.")
    ] = False,
    program: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help="Print a program of its network (train, judge, trace, step, boxes): statements, LLVM IR.",
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
        show_json(record_of(run))
    else:
        show_run(run)


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
        f"compared: {several(run.weights.size, 'weight')}, losses of {several(run.spec.epochs, 'epoch')}, "
        f"{several(len(wanted), 'share')} of accepted words"
    )


def _warn_of_versions(run: Run, again: Run) -> None:
    """Name what it was computed with that is different now."""
    then, now = run.outcome.versions, again.outcome.versions
    for name in dict.fromkeys((*then, *now)):
        if then.get(name) != now.get(name):
            warn(f"{name} was {then.get(name, 'not written down')}, and is {now.get(name, 'unknown')} now")


#: How many losses people see of a run.
_LOSSES = 12


def record_of(run: Run) -> dict[str, Any]:
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
        "horizons": [known.as_dict() for known in outcome.horizons],
        "taught": None if outcome.taught is None else outcome.taught.as_dict(),
        "versions": dict(outcome.versions),
    }


def show_run(run: Run) -> None:
    """Print everything about a run that people want to know."""
    spec, outcome = run.spec, run.outcome
    units = "" if spec.outside else f" with {spec.units}"
    print(f"run {run.key}: {spec.cell.name}{units} on {spec.language.name}, seed {run.seed}")
    begun = datetime.fromtimestamp(outcome.begun, UTC).strftime("%Y-%m-%d %H:%M:%S UTC")
    print(f"begun {begun}, {outcome.seconds:.2f} seconds")
    if outcome.diverged is not None:
        print(f"diverged in epoch {outcome.diverged}: a weight is not finite or beyond {LARGEST_WEIGHT:,.0f}")
    if spec.outside:
        print(f"a model from outside: judged here, its weights are elsewhere\n\n{_judged_by(run)}\n")
    else:
        print(f"{several(run.weights.size, 'weight')}, SHA-256 {_checksum(run)}")
        if run.has_moments:
            print("Adam's moments are kept: more epochs go on from here")
        print(f"\nSettings, which `abacist run` takes as a file (--toml)\n\n{_toml(run) or ''}")
    for table in (_accuracies(run), _losses(run), _horizons(run), _rounds(run)):
        if table.rows:
            show_table(table)
            print()
    show_table(_versions(run))


def _judged_by(run: Run) -> str:
    """The settings that the sets of a model from outside come from, a line each."""
    known = settings_of(run.spec).items()
    return "\n".join(f"{name}: {value}" for name, value in known if value is not None)


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
    known = run.outcome.accuracy
    epochs = sorted({epoch for shares in known.values() for epoch in shares})
    names = sorted(known, key=lambda name: SETS.index(name) if name in SETS else len(SETS))
    rows = ({"set": n} | {str(epoch): 100 * share for epoch, share in known[n].items()} for n in names)
    columns = (Column("set", "set"), *(Column(str(epoch), str(epoch), "epoch", 2) for epoch in epochs))
    return Table("accuracy", "Accuracy in percent, by set and epoch", columns, tuple(rows))


def _losses(run: Run) -> Table:
    """Some of the losses, evenly spaced, the first and the last among them."""
    losses = list(run.outcome.losses)
    last = len(losses) - 1
    many = min(last, _LOSSES - 1)
    shown = sorted({round(last * number / max(many, 1)) for number in range(many + 1)}) if losses else []
    columns = (Column("epoch", "epoch", "", 0), Column("loss", "loss", "", 8, significant=True))
    note = f"{len(shown)} of {len(losses):,}; --json has all." if len(shown) < len(losses) else ""
    rows = tuple({"epoch": place + 1, "loss": losses[place]} for place in shown)
    return Table("losses", "Mean loss of an epoch", columns, rows, note)


def _horizons(run: Run) -> Table:
    rows = []
    for known in run.outcome.latest_horizons:
        own = known.horizon
        every = None if known.every_word is None else "yes" if known.every_word else "no"
        rows.append(
            {
                "gates": f"× {known.factor:g}",
                "proved": own.proved_in(run.spec.language),
                "wrong": None if own.wrong is None else len(own.wrong),
                "word": None if own.wrong is None else _word(run, own.wrong.word),
                "every": every,
                "seconds": own.seconds,
            }
        )
    columns = (
        Column("gates", "gates"),
        Column("proved", "tried to" if run.spec.outside else "proved to", "", 0),
        Column("wrong", "wrong at", "", 0),
        Column("every", "every word proved"),
        Column("seconds", "seconds", "", 2),
        Column("word", "shortest wrong word"),
    )
    return Table("horizons", "Horizons", columns, tuple(rows))


def _word(run: Run, word: tuple[int, ...]) -> str:
    text = visible(run.spec.language.alphabet.render(word))
    return text if len(text) <= 40 else f"{text[:39]}…"


def _rounds(run: Run) -> Table:
    taught = run.outcome.taught
    rows, title = taught.rounds if taught is not None else (), "Rounds of the lesson"
    note = ""
    if taught is not None:
        proved = largest_length(run.spec.language, taught.proved)
        note = f"Proved to {proved:,} symbols, gates × {taught.sharpened:g}."
    columns = (
        Column("round", "round", "", 0),
        Column("epochs", "epochs done", "", 0),
        Column("fed", "words fed", "", 0),
        Column("length", "then wrong at", "", 0),
    )
    made = ({"round": n, "epochs": r.epochs, "fed": r.fed, "length": r.length} for n, r in enumerate(rows, 1))
    return Table("lesson", title, columns, tuple(made), note)


def _versions(run: Run) -> Table:
    known = dict(run.outcome.versions)
    if "features" in known:
        known["features"] = f"{len(known['features'].split())} of the processor's; --json names them"
    rows = tuple({"what": name, "version": text} for name, text in sorted(known.items()))
    return Table("versions", "Computed with", (Column("what", "what"), Column("version", "version")), rows)
