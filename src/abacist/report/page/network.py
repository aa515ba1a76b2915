"""A network on a page: what it is called there, and what a page cannot show."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from abacist.analysis import constructed
from abacist.cells import Cell
from abacist.errors import BadInput
from abacist.experiments import Run
from abacist.experiments.run_values import settings_of
from abacist.fields import check_fields, records
from abacist.languages import Language
from abacist.report.figures.house_style import title_of
from abacist.specs import Networks, Spec
from abacist.targets.webassembly import language_tables, refusal
from abacist.wording import escape_controls, plural


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
        if len(self.networks) != 1:
            raise BadInput(f"PageNetwork: holds one network, got {len(self.networks)}")
        self.networks.check_language(self.language)
        if self.run is not None:
            check_steps(self.run.spec.steps)
        if reason := refusal(self.networks.layout):
            raise BadInput(reason)
        language_tables(self.language)  # refuses a language that a page cannot follow


def check_steps(steps: str) -> None:
    """Refuse networks that are not judged at every step, as those on a page are."""
    if steps == "last":
        raise BadInput("a page judges every step, not only last ones")


def network_of_run(run: Run, key: str) -> PageNetwork:
    """The network of a run, among others of its kind."""
    label = f"seed {run.seed}{ending(run.networks)}"
    return PageNetwork(key, group_title(run.spec), label, run.spec.language, run.networks, run)


def network_of_user(
    key: str, label: str, language: Language[Any], networks: Networks, run: Run | None = None
) -> PageNetwork:
    """A network that the user has named. What is known of the run counts for the language it is of."""
    if run is not None and run.spec.language != language:
        run = None
    kind = _kind(language, networks.layout.cell, networks.layout.hidden)
    group = f"Yours · {kind if run is None else group_title(run.spec)}"
    return PageNetwork(key, group, escape_controls(label) + ending(networks), language, networks, run)


def network_built(language: Language[Any]) -> PageNetwork:
    """A network whose weights were set by hand, as a control."""
    networks = constructed(language, "float64")
    group = f"{_kind(language, networks.layout.cell, networks.layout.hidden)} · built by hand"
    return PageNetwork(f"built-{language.name}", group, "counts exactly", language, networks)


def group_title(spec: Spec) -> str:
    """A kind of networks: what the paper names, and every setting that differs from the usual one.

    >>> from abacist.cells import cell_named
    >>> from abacist.languages import language_named
    >>> group_title(Spec(language_named("dyck-1"), cell_named("lstm"), 3, epochs=50))
    'Dyck-1 · LSTM · 3 units · epochs 50'
    """
    if spec.outside:
        return f"{title_of(spec.language.name)} · {title_of(spec.cell.name)}"
    usual = Spec(spec.language, spec.cell, spec.hidden)
    told, changed = settings_of(spec), list[str]()
    for own in records(Spec).values():
        if getattr(spec, own.name) != getattr(usual, own.name):
            changed.append(f"{own.column} {told[own.column]}")
    return " · ".join((_kind(spec.language, spec.cell, spec.hidden), *changed))


def ending(networks: Networks) -> str:
    """What a label ends with where networks have diverged."""
    return ", diverged" if networks.diverged.any() else ""


def _kind(language: Language[Any], cell: Cell, hidden: int) -> str:
    return " · ".join((title_of(language.name), title_of(cell.name), plural(hidden, "unit")))
