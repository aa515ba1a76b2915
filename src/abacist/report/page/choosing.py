"""Which networks a page shows: some of every kind that a store has, and those of the user."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from abacist.analysis import constructed
from abacist.errors import BadInput
from abacist.experiments import Results, Run, catalogue, experiment_named
from abacist.experiments.run_values import settings_of
from abacist.fields import check_fields, checked
from abacist.languages import Language, language_named
from abacist.report.figures.house_style import title_of
from abacist.specs import Networks, Spec
from abacist.targets.javascript import language_tables, refusal
from abacist.wording import several

#: Runs of one kind, as many as the paper has.
_RUNS = 10

#: The experiment whose networks stand first; of others in the catalogue only the user's own appear.
_FIRST = "counting"

#: Networks built by hand, as controls.
_BUILT = ("dyck-1", "shuffle-2")


@dataclass(frozen=True)
class PageNetwork:
    """One network for a page: `group` heads those of its kind, `label` tells it from them.

    `networks` holds it alone; `run` is what a store knows of it, where it came from one.
    """

    key: str
    group: str
    label: str
    language: Language[Any]
    networks: Networks
    run: Run | None = None

    def __post_init__(self) -> None:
        check_fields(self)
        self.networks.check_language(self.language)
        if reason := refusal(self.networks.layout):
            raise BadInput(reason)
        language_tables(self.language)  # refuses a language that a page cannot follow


@checked
def networks_for_page(results: Results | None) -> tuple[list[PageNetwork], list[str]]:
    """Networks of every kind in a store, then those built by hand; and a sentence for what is left out."""
    found: list[PageNetwork] = []
    left_out: list[str] = []
    for spec, runs in {} if results is None else _in_order(results).items():
        group = group_title(spec)
        if spec.steps == "last":
            left_out.append(f"{group}: only its last steps count, which the page does not show")
            continue
        try:
            found += [_of_run(run, group) for run in runs[:_RUNS]]
        except BadInput as error:
            left_out.append(f"{group}: {error}")
            continue
        if len(runs) > _RUNS:
            left_out.append(f"{group}: the first {_RUNS} of {several(len(runs), 'run')} are on the page")
    return found + [_built(language_named(name)) for name in _BUILT], left_out


def _in_order(results: Results) -> dict[Spec, Sequence[Run]]:
    """The runs of a store by spec: those that were measured first, then what is nobody's but the user's."""
    experiments = [experiment_named(name) for name in catalogue()]
    (first,) = (one for one in experiments if one.name == _FIRST)
    measured = [task.spec for task in first.tasks]
    known = {task.spec for one in experiments for task in one.tasks}
    order = [*measured, *(spec for spec in results.by_spec if spec not in known)]
    return {spec: results.by_spec[spec] for spec in order if spec in results.by_spec}


def group_title(spec: Spec) -> str:
    """A kind of networks: what the paper names, and what differs from it.

    >>> from abacist.cells import cell_named
    >>> group_title(Spec(language_named("dyck-1"), cell_named("lstm"), 3, epochs=50))
    'Dyck-1 · LSTM · 3 units · epochs 50'
    """
    usual = settings_of(Spec(spec.language, spec.cell, spec.hidden))
    changed = [f"{name} {text}" for name, text in settings_of(spec).items() if text != usual[name]]
    names = (title_of(spec.language.name), title_of(spec.cell.name), several(spec.hidden, "unit"))
    return " · ".join((*names, *changed))


def _of_run(run: Run, group: str) -> PageNetwork:
    return PageNetwork(run.key[:8], group, f"seed {run.seed}", run.spec.language, run.networks, run)


def _built(language: Language[Any]) -> PageNetwork:
    networks = constructed(language, "float64")
    group = f"{title_of(language.name)} · LSTM · {several(networks.layout.hidden, 'unit')} · built by hand"
    return PageNetwork(f"built-{language.name}", group, "counts exactly", language, networks)
