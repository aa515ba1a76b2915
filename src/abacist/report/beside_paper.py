"""The paper's figures beside many runs of ours: p-values, one test for each network, and plain counts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import product

import numpy as np
from numpy.typing import NDArray

from abacist.experiments import (
    PAPER_SETS,
    Figures,
    Task,
    fisher,
    holm,
    joint_p_value,
    p_value,
    percents,
    summarise,
)
from abacist.experiments.distributions import Distribution, distributions
from abacist.experiments.outcome import Run
from abacist.experiments.paper import RUNS, STATISTICS, printed_figures
from abacist.report.tables import PValue
from abacist.wording import several

#: Medians are at the ceiling where both are 100.00 %, at the floor where both are at most this.
FLOOR = 0.25


@dataclass(frozen=True, eq=False)
class Placed:
    """Figures of some runs of a network, by set, beside the accuracies of many others in percent, by set.

    `among` says which the others are. Figures are the paper's, or our own, of `size` runs.
    """

    figures: dict[str, Figures]
    others: dict[str, NDArray[np.float64]]
    size: int
    among: str
    name: str = ""

    @classmethod
    def paper(cls, task: Task, runs: Sequence[Run], epoch: int | None = None) -> Placed | None:
        """The paper's ten runs among the thousands of their distribution, or else among more than ten of
        ours; None where it is no network of the paper, or there are too few."""
        figures = printed_figures(task.spec)
        if figures is None or set(task.sets) != set(PAPER_SETS):
            return None
        known = _distribution(task, epoch)
        ours = {name: percents(runs, name, epoch) for name in PAPER_SETS}
        others = ours if known is None else {name: known.sample[name] for name in PAPER_SETS}
        counts = {len(values) for values in others.values()}
        if len(counts) != 1 or min(counts) <= RUNS:
            return None
        among = f"{min(counts):,} of ours" if known is None else _among(known)
        return cls(figures, others, RUNS, among, f"{task.spec.language.name} {task.spec.cell.name}")

    @classmethod
    def ours(cls, task: Task, runs: Sequence[Run]) -> Placed | None:
        """Our own runs among those of their distribution, without those that have the same seeds; None where
        none is known, or we have nearly as many."""
        known = _distribution(task, None)
        if known is None or not runs or set(task.sets) != set(PAPER_SETS):
            return None
        others = known.without(run.seed for run in runs)
        if len(others[PAPER_SETS[0]]) <= len(runs):
            return None
        figures = {name: Figures(*summarise(percents(runs, name)).values()) for name in PAPER_SETS}
        return cls(figures, others, len(runs), _among(known))

    @cached_property
    def p_values(self) -> dict[str, PValue]:
        """A p-value for every figure, such as `short max`."""
        return {
            f"{name} {s}": PValue(p_value(self.others[name], self.figures[name].of(s), s, self.size))
            for name, s in product(PAPER_SETS, STATISTICS)
        }

    @cached_property
    def joint(self) -> PValue:
        """The p-value of all figures together."""
        return PValue(joint_p_value(self.others, self.figures, size=self.size))

    def beyond(self, above: bool) -> list[str]:
        """The figures that lie above, or below, all others."""
        ends = {n: round(float(o.max() if above else o.min()), 2) for n, o in self.others.items()}
        values = {(n, s): self.figures[n].of(s) for n, s in product(PAPER_SETS, STATISTICS)}
        return [f"{n} {s}" for (n, s), v in values.items() if (v > ends[n] if above else v < ends[n])]

    @property
    def medians(self) -> list[tuple[float, float]]:
        """The median on every set, the figures' and that of the others."""
        others = (round(float(np.median(self.others[name])), 2) for name in PAPER_SETS)
        return [(self.figures[name].median, other) for name, other in zip(PAPER_SETS, others, strict=True)]


def _among(known: Distribution) -> str:
    return f"{len(known.sample[PAPER_SETS[0]]):,} out of {known.runs:,}"


def _distribution(task: Task, epoch: int | None) -> Distribution | None:
    """The distribution that the networks of a task come from, at their last epoch."""
    return distributions().of(task.spec) if epoch in (None, task.spec.epochs) else None


def adjusted(networks: Sequence[Placed]) -> list[PValue]:
    """The joint p-values of several networks, adjusted for how many there are."""
    return [PValue(value) for value in holm([float(network.joint) for network in networks])]


def everything(networks: Sequence[Placed]) -> PValue:
    """The p-value of all networks together."""
    return PValue(fisher([float(network.joint) for network in networks]))


def note_on(networks: Sequence[Placed]) -> str:
    """What p-values are, and what they come to."""
    chances = [chance for network in networks for chance in network.p_values.values()]
    medians = [c for network in networks for key, c in network.p_values.items() if key.endswith("median")]
    pairs = [pair for network in networks for pair in network.medians]
    ceiling, floor = sum(min(pair) >= 100 for pair in pairs), sum(max(pair) <= FLOOR for pair in pairs)
    above, below = (
        "; ".join(f"{one.name} {', '.join(found)}" for one in networks if (found := one.beyond(side)))
        for side in (True, False)
    )
    low = sum(value < 0.05 for value in adjusted(networks))
    return (
        f"P-value: how probable it is that ten runs, {_drawn_from(networks)}, give a figure as unusual as "
        "the paper's, two-sided: of a minimum and a maximum exact by ranks, of a median by drawing ten. "
        f"Joint test: the same of all figures of a network together; Holm: adjusted for "
        f"{several(len(networks), 'network')}. "
        f"P-values below 0.05: {sum(chance < 0.05 for chance in chances)} of {len(chances)} figures, "
        f"{sum(chance < 0.05 for chance in medians)} of {len(medians)} medians, "
        f"{sum(one.joint < 0.05 for one in networks)} of {several(len(networks), 'network')}, {low} after "
        f"Holm; all networks together (Fisher): {everything(networks)}. Of the medians {ceiling} are 100 in "
        f"both and {floor} at most {FLOOR:g} in both: these can hardly differ. The paper's figures above all "
        f"of theirs: {above or 'none'}. Below all of theirs: {below or 'none'}."
    )


def note_on_ours(networks: Sequence[Placed]) -> str:
    """What p-values of our own runs are."""
    return (
        "P-value, ours: how probable it is that as many runs with other seeds, "
        f"{_drawn_from(networks)}, give a figure as unusual as ours."
    )


def _drawn_from(networks: Sequence[Placed]) -> str:
    among = dict.fromkeys(network.among for network in networks)
    return f"drawn from {' or '.join(among)} of the same network"
