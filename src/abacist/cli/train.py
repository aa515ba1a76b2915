"""`abacist train`: an experiment of one task, its networks kept in a store like any other."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from abacist.cells import OBJECTIVES, cell_named
from abacist.cli.devices import DeviceOption, target_of_device
from abacist.cli.logs import LogOption, QuietOption, Reporting, VerboseOption
from abacist.cli.options import (
    CELL_NAMES,
    ClusterOption,
    DryRunOption,
    ForceOption,
    KeepMomentsOption,
    ResultsOption,
    ShardOption,
    naming_options,
)
from abacist.cli.saying import say
from abacist.cli.screen import show_json
from abacist.cli.source import (
    LONG,
    SHORT,
    TEST,
    ByCountOption,
    ByLengthOption,
    CutOffOption,
    GrammarOption,
    LanguageArgument,
    LengthsOption,
    LengthWeightsOption,
    LongOption,
    TestOption,
    TrainingOption,
    UniformOption,
)
from abacist.cli.tables import show_table
from abacist.cli.work import check_one_task, work_on_one
from abacist.corpora import PAPER, Window, source_asked_for
from abacist.experiments import Run, Task, percents, summarise
from abacist.experiments.paper import STATISTICS
from abacist.languages import language_asked_for
from abacist.optimisers import OPTIMISERS
from abacist.specs import Spec, recipe_values
from abacist.wording import one_of, several


def train(
    language: LanguageArgument,
    cell: Annotated[str, typer.Argument(help=f"A cell: {CELL_NAMES}.")],
    hidden: Annotated[int, typer.Option(help="Hidden units.")] = Spec.hidden,
    layers: Annotated[
        int, typer.Option(help="Layers, each of which reads the hidden units of the one below.")
    ] = Spec.layers,
    runs: Annotated[
        int, typer.Option(help="How many networks to train; run r has seed SEED + r.")
    ] = PAPER.runs,
    epochs: Annotated[int, typer.Option(help="Passes over the training set.")] = Spec.epochs,
    seed: Annotated[int, typer.Option(help="The seed of the first run, for its words and its weights.")] = 0,
    batch: Annotated[int, typer.Option(help="Words per update; the loss is their mean.")] = Spec.batch,
    rate: Annotated[float, typer.Option(help="The optimiser's learning rate.")] = Spec.rate,
    objective: Annotated[
        str, typer.Option(help=f"What training makes small: {one_of(OBJECTIVES)}.")
    ] = Spec.objective,
    threshold: Annotated[
        float,
        typer.Option(
            help="With next-symbol: how likely something must be to count as predicted; 0: a tenth of what "
            "it is if all are alike."
        ),
    ] = Spec.threshold,
    optimiser: Annotated[
        str, typer.Option(help=f"How weights are updated: {one_of(OPTIMISERS)}.")
    ] = Spec.optimiser,
    momentum: Annotated[float, typer.Option(help="The momentum of sgd and rmsprop.")] = Spec.momentum,
    smoothing: Annotated[
        float, typer.Option(help="How much rmsprop keeps of its mean of squared gradients.")
    ] = Spec.smoothing,
    decay: Annotated[float, typer.Option(help="How weights decay, as those of AdamW.")] = Spec.decay,
    clip_norm: Annotated[
        float, typer.Option(help="The largest norm of a gradient; 0: not clipped.")
    ] = Spec.clip_norm,
    clip_value: Annotated[
        float, typer.Option(help="The largest size of each number of a gradient; 0: not clipped.")
    ] = Spec.clip_value,
    precision: Annotated[
        str | None, typer.Option(help="float32 or float64.", show_default=Spec.precision)
    ] = None,
    order: Annotated[
        str | None,
        typer.Option(
            help="How a run visits its words: shared (all runs alike, by length), own (shuffled by its "
            "seed), fixed (as drawn, in every epoch).",
            show_default=Spec.order,
        ),
    ] = None,
    recipe: Annotated[
        str,
        typer.Option(
            help="paper, or published: --cut-off, --order fixed and --precision float64, as in the authors' "
            "later code."
        ),
    ] = "paper",
    steps: Annotated[
        str, typer.Option(help="Which steps count: all, or last (only the last bracket).")
    ] = Spec.steps,
    pool: Annotated[
        int,
        typer.Option(
            help="How many corpora there are, which runs share: run r has the words of run r modulo POOL. 0: "
            "each run has its own.",
        ),
    ] = Spec.pool,
    training: TrainingOption = None,
    test: TestOption = TEST,
    lengths: LengthsOption = SHORT,
    long: LongOption = LONG,
    repeats: Annotated[
        bool,
        typer.Option(
            "--repeats",
            help="Draw each word by itself, so that likely ones come again and again; without it, all words "
            "of all sets are distinct.",
        ),
    ] = not Spec.distinct,
    grammar: GrammarOption = None,
    uniform: UniformOption = False,
    by_count: ByCountOption = False,
    cut_off: CutOffOption = False,
    by_length: ByLengthOption = False,
    length_weights: LengthWeightsOption = None,
    results: ResultsOption = Path("results"),
    jobs: Annotated[
        int | None,
        typer.Option(
            "--jobs",
            "--threads",
            help="How many blocks of runs to compute at once.",
            show_default="all cores",
        ),
    ] = None,
    cluster: ClusterOption = None,
    device: DeviceOption = "cpu",
    shard: ShardOption = None,
    force: ForceOption = False,
    keep_moments: KeepMomentsOption = False,
    dry_run: DryRunOption = False,
    quiet: QuietOption = False,
    verbose: VerboseOption = False,
    log: LogOption = None,
    json: Annotated[bool, typer.Option("--json", help="Print JSON, with every single run.")] = False,
) -> None:
    """Train networks and judge them on their training, short and long sets.

    Prints minimum, maximum and median accuracy as the paper's table 3 does. The networks are kept in
    a store, and what it has is not computed again. Interrupt it when you like: the same command
    continues.

    Example: abacist train dyck-1 lstm --hidden 3 --runs 10 --epochs 20 --seed 0 --out dyck-1-lstm
    """
    check_one_task(runs, jobs, results)
    reporting = Reporting(quiet, verbose, log)
    target = target_of_device(device, cluster)
    chosen, values = language_asked_for(language), recipe_values(recipe)
    cut_off = values.pop("cut_off", False) or cut_off
    said = {"precision": precision, "order": order}
    values |= {name: value for name, value in said.items() if value is not None}
    source = source_asked_for(
        chosen,
        grammar=grammar,
        uniform=uniform,
        by_count=by_count,
        cut_off=cut_off,
        by_length=by_length,
        length_weights=length_weights,
    )
    with naming_options(Spec):
        spec = Spec(
            chosen,
            cell_named(cell),
            hidden=hidden,
            layers=layers,
            epochs=epochs,
            batch=batch,
            rate=rate,
            objective=objective,
            threshold=threshold,
            optimiser=optimiser,
            momentum=momentum,
            smoothing=smoothing,
            decay=decay,
            clip_norm=clip_norm,
            clip_value=clip_value,
            steps=steps,
            source=source,
            training=training,
            test=test,
            short=Window.parse(lengths),
            long=Window.parse(long),
            pool=pool,
            distinct=not repeats,
            **values,
        )
    seeds = range(seed, seed + runs)
    found = work_on_one(
        "train",
        spec,
        seeds,
        results,
        jobs=jobs,
        force=force,
        keep_moments=keep_moments,
        dry_run=dry_run,
        cluster=cluster,
        shard=shard,
        reporting=reporting,
        target=target,
    )
    if found is None:
        return
    task, trained = found
    if json:
        show_json(_record(task, trained))
    else:
        _show(task, trained)
    say(f"kept in {results}")


def _record(task: Task, runs: list[Run]) -> dict[str, Any]:
    return {
        "language": task.spec.language.name,
        "spec": task.spec.as_dict(),
        "seeds": list(task.seeds),
        "accuracy": {name: [run.accuracy(name) for run in runs] for name in task.sets},
        "losses": [list(run.outcome.losses) for run in runs],
        "diverged": [run.outcome.diverged for run in runs],
    }


def _show(task: Task, runs: list[Run]) -> None:
    """Minimum, maximum and median accuracy on every set."""
    spec, first, last = task.spec, task.seeds[0], task.seeds[-1]
    seeds = f"seeds {first} to {last}" if last > first else f"seed {first}"
    title = (
        f"{spec.language.name}, {spec.cell.name} with {spec.units}, "
        f"{several(len(runs), 'run')}, {several(spec.epochs, 'epoch')}, {seeds}"
    )
    rows = []
    for name in task.sets:
        figures = summarise(percents(runs, name))
        rows.append([name, *(f"{figure:.2f}" for figure in figures.values())])
    show_table(["set", *STATISTICS], rows, title=title, left=("set",))
