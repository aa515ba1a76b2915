"""The paper's figures beside many runs of ours: p-values, one test for each network, and plain counts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from abacist.experiments import PAPER_SETS, Figures, Task, fisher, holm, joint_p_value, p_value, percents
from abacist.experiments.outcome import Run
from abacist.experiments.paper import RUNS, STATISTICS, printed_figures
from abacist.report.tables import PValue
from abacist.wording import several

#: Medians are at the ceiling where both are 100.00 %, at the floor where both are at most this.
FLOOR = 0.25


@dataclass(frozen=True, eq=False)
class BesidePaper:
    """A network of table 3: the paper's figures by set, and the accuracies of our runs in percent, by set."""

    name: str
    paper: dict[str, Figures]
    ours: dict[str, NDArray[np.float64]]

    @classmethod
    def of(cls, task: Task, runs: Sequence[Run], epoch: int | None = None) -> BesidePaper | None:
        """The comparison, if it is one: a network of the paper, and more runs than the paper's ten."""
        paper = printed_figures(task.spec)
        ours = {name: percents(runs, name, epoch) for name in PAPER_SETS}
        if paper is None or set(task.sets) != set(PAPER_SETS):
            return None
        if len({len(values) for values in ours.values()}) != 1 or len(ours[PAPER_SETS[0]]) <= RUNS:
            return None
        return cls(f"{task.spec.language.name} {task.spec.cell.name}", paper, ours)

    @cached_property
    def p_values(self) -> dict[str, PValue]:
        """A p-value for every figure, such as `short max`."""
        return {
            f"{name} {s}": PValue(p_value(self.ours[name], self.paper[name].of(s), s))
            for name in PAPER_SETS
            for s in STATISTICS
        }

    @cached_property
    def joint(self) -> PValue:
        """The p-value of all figures together."""
        return PValue(joint_p_value(self.ours, self.paper))

    def beyond(self, above: bool) -> list[str]:
        """The figures of the paper that lie above, or below, all of ours."""
        return [
            f"{name} {s}"
            for name in PAPER_SETS
            for s in STATISTICS
            if (
                self.paper[name].of(s) > round(float(self.ours[name].max()), 2)
                if above
                else self.paper[name].of(s) < round(float(self.ours[name].min()), 2)
            )
        ]

    def medians_at(self, end: str) -> int:
        """How many medians, the paper's and ours alike, are at the ceiling or the floor."""
        pairs = [
            (self.paper[name].median, round(float(np.median(self.ours[name])), 2)) for name in PAPER_SETS
        ]
        if end == "ceiling":
            return sum(min(pair) >= 100 for pair in pairs)
        return sum(max(pair) <= FLOOR for pair in pairs)


def adjusted(networks: Sequence[BesidePaper]) -> list[PValue]:
    """The joint p-values of several networks, adjusted for how many there are."""
    return [PValue(value) for value in holm([float(network.joint) for network in networks])]


def everything(networks: Sequence[BesidePaper]) -> PValue:
    """The p-value of all networks together."""
    return PValue(fisher([float(network.joint) for network in networks]))


def note_on(networks: Sequence[BesidePaper]) -> str:
    """What p-values are, and what they come to."""
    chances = [chance for network in networks for chance in network.p_values.values()]
    medians = [c for network in networks for key, c in network.p_values.items() if key.endswith("median")]
    ceiling, floor = (sum(network.medians_at(end) for network in networks) for end in ("ceiling", "floor"))
    above, below = (
        "; ".join(f"{one.name} {', '.join(found)}" for one in networks if (found := one.beyond(side)))
        for side in (True, False)
    )
    low = sum(value < 0.05 for value in adjusted(networks))
    return (
        "P-value: how probable it is that ten runs of ours give a figure as unusual as the paper's, "
        "two-sided: of a minimum and a maximum exact by ranks, of a median by drawing ten of our runs. Joint "
        "test: the same of all figures of a network together; Holm: adjusted for "
        f"{several(len(networks), 'network')}. "
        f"P-values below 0.05: {sum(chance < 0.05 for chance in chances)} of {len(chances)} figures, "
        f"{sum(chance < 0.05 for chance in medians)} of {len(medians)} medians, "
        f"{sum(one.joint < 0.05 for one in networks)} of {several(len(networks), 'network')}, {low} after "
        f"Holm; all networks together (Fisher): {everything(networks)}. Of the medians {ceiling} are 100 in "
        f"both and {floor} at most {FLOOR:g} in both: these can hardly differ. The paper's figures above all "
        f"of ours: {above or 'none'}. Below all of ours: {below or 'none'}."
    )
