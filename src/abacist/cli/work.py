"""The options of commands that fill a store, and how these compute what is missing there."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

from abacist.cli.estimates import say_what_would_run
from abacist.cli.options import (
    JobsOption,
    ResultsOption,
    has_store,
    open_results,
    seeds_named,
    setting_named,
    settings_of,
)
from abacist.cli.parameters import Option
from abacist.cli.progress_lines import progress_lines
from abacist.cli.screen import say, warn
from abacist.errors import BadFile, BadInput
from abacist.experiments import (
    Results,
    Run,
    Shard,
    Store,
    Task,
    check_cluster,
    jobs_for,
    open_cluster,
    run,
)
from abacist.fields import Choice
from abacist.specs import Spec
from abacist.specs.files import is_folder_of_networks
from abacist.specs.networks import LARGEST_WEIGHT
from abacist.targets import DEVICES, target_of_device
from abacist.wording import plural


@dataclass(frozen=True)
class Work:
    """The options of the commands that fill a store, and how these do it."""

    results: ResultsOption = Path("results")
    jobs: JobsOption = None
    cluster: Annotated[
        str | None,
        "Compute on a Dask cluster: the address of its scheduler, a file with it, or local:N for N "
        "processes here.",
        "threads of this process",
    ] = None
    shard: Annotated[
        str | None, "Only part i of n, written i/n, in a store of its own, to be merged later.", "all"
    ] = None
    force: Annotated[bool, "Recompute what the store already has."] = False
    dry_run: Annotated[bool, "Only say what would run, and about how long it would take."] = False
    quiet: Annotated[bool, Option("Suppress progress output.", also=("-q",))] = False
    verbose: Annotated[bool, Option("A line for every finished block, on a terminal, too.", also=("-v",))] = (
        False
    )
    log: Annotated[Path | None, "A file that these lines are added to.", "none"] = None
    events: Annotated[
        Path | None, "A folder for TensorBoard: losses and accuracies of every run, epoch by epoch.", "none"
    ] = None
    device: str = "cpu"
    keep_moments: bool = False

    def __post_init__(self) -> None:
        if self.quiet and self.verbose:
            raise BadInput("--quiet and --verbose exclude each other")
        if self.cluster is not None and self.device != "cpu":
            raise BadInput("--device is for this machine: the workers of --cluster train on their processors")
        if self.cluster is not None and self.events is not None:
            raise BadInput("--events is for this machine: the workers of --cluster report no epochs")
        check_cluster(self.cluster)

    def on(self, tasks: Sequence[Task]) -> Results | None:
        """Compute what is missing of these tasks, or of a shard of them, and give all that the store has.

        A dry run only says what it is, and gives None. Ctrl-C keeps the blocks that are finished, and says
        so; so does the end of a cluster. Blocks that fail are named.
        """
        target, tasks = target_of_device(self.device, say), self._share(tasks)
        if self.shard is not None and not tasks:
            say(f"shard {self.shard} has no runs: the plan is too small for so many shards")
        if self.dry_run:
            stored = open_results(self.results) if has_store(self.results) else None
            todo = jobs_for(tasks, stored, force=self.force, target=target)
            say_what_would_run(tasks, todo, stored, self.jobs)
            return None
        with (
            Store(self.results) as store,
            nullcontext() if self.cluster is None else open_cluster(self.cluster, warn) as workers,
            progress_lines(
                tasks,
                store,
                jobs=self.jobs,
                log=self.log,
                events=self.events,
                quiet=self.quiet,
                verbose=self.verbose,
            ) as progress,
        ):
            results = run(
                tasks,
                store,
                jobs=self.jobs,
                force=self.force,
                keep_moments=self.keep_moments,
                executor=workers,
                progress=progress,
                warn=warn,
                target=target,
            )
        _say_what_diverged(tasks, results)
        return results

    def on_one(self, name: str, spec: Spec, runs: int, seed: int) -> tuple[Task, list[Run]] | None:
        """The runs of one spec, those that are missing computed; None after a dry run, or for no runs."""
        if is_folder_of_networks(self.results):
            raise BadFile(
                f"{self.results}: is already a folder of networks; choose another folder for the results"
            )
        spec.recipe(seed)  # refuses the impossible before anything is made
        tasks = [Task(name, spec, tuple(range(seed, seed + runs)))]
        results = self.on(tasks)
        if results is None or not (tasks := self._share(tasks)):
            return None
        return tasks[0], results.complete(tasks[0])

    def _share(self, tasks: Sequence[Task]) -> list[Task]:
        """The tasks of the shard, by default all."""
        return list(tasks) if self.shard is None else Shard.parse(self.shard).of(tasks)


@dataclass(frozen=True)
class DeviceWork(Work):
    """The same, on a device."""

    device: Annotated[
        str,
        "Where to train and judge: cpu; cuda, an NVIDIA device; or auto, the device if there is one.",
        Choice(DEVICES),
    ] = "cpu"
    keep_moments: Annotated[bool, "Keep Adam's moments, too: more epochs later go on from there."] = False


def _say_what_diverged(tasks: Sequence[Task], results: Results) -> None:
    """Name the runs that diverged, a line for every spec."""
    for spec, setting in settings_of(task.spec for task in tasks).items():
        seeds = {seed for task in tasks if task.spec == spec for seed in task.seeds}
        runs = (run for run in results.by_spec.get(spec, ()) if run.seed in seeds)
        if diverged := [run.seed for run in runs if run.outcome.diverged is not None]:
            say(
                f"{setting_named(setting)}: {len(diverged)} of {plural(len(seeds), 'run')} diverged "
                f"(a weight is not finite or beyond {LARGEST_WEIGHT:,.0f}), {seeds_named(diverged)}"
            )
