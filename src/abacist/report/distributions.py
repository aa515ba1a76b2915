"""Runs beside the thousands of their distributions: p-values of the paper's figures and ours, and tables."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from math import inf
from typing import Any

import numpy as np
from numpy.typing import NDArray

from abacist.experiments import (
    PAPER_SETS,
    Figures,
    Results,
    Task,
    holm,
    joint_p_value,
    p_value,
    percents,
    rank_correlation,
    summarise,
)
from abacist.experiments.distributions import Distribution, Distributions, distributions
from abacist.experiments.outcome import Run
from abacist.experiments.paper_table import RUNS, STATISTICS, printed_figures
from abacist.experiments.statistics import greatest_distance, two_sample_p_value
from abacist.fields import checked
from abacist.languages import largest_length
from abacist.report.run_table import SETTING
from abacist.report.tables import Column, PValue, Table, headed
from abacist.wording import plural

#: Quantiles that are shown, by their headings.
_SHOWN = {"min": 0.0, "5 %": 0.05, "25 %": 0.25, "median": 0.5, "75 %": 0.75, "95 %": 0.95, "max": 1.0}

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
        distribution = _distribution(task, epoch)
        ours = {name: percents(runs, name, epoch) for name in PAPER_SETS}
        others = ours if distribution is None else {name: distribution.sample[name] for name in PAPER_SETS}
        counts = {len(values) for values in others.values()}
        if len(counts) != 1 or min(counts) <= RUNS:
            return None
        among = f"{min(counts):,} of ours" if distribution is None else _among(distribution)
        return cls(figures, others, RUNS, among, f"{task.spec.language.name} {task.spec.cell.name}")

    @classmethod
    def ours(cls, task: Task, runs: Sequence[Run]) -> Placed | None:
        """Our own runs among those of their distribution, without those that have the same seeds; None where
        none is known, or we have nearly as many."""
        distribution = _distribution(task, None)
        if distribution is None or not runs or set(task.sets) != set(PAPER_SETS):
            return None
        others = distribution.without(run.seed for run in runs)
        if len(others[PAPER_SETS[0]]) <= len(runs):
            return None
        figures = {name: Figures(*summarise(percents(runs, name)).values()) for name in PAPER_SETS}
        return cls(figures, others, len(runs), _among(distribution))

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


def note_on(networks: Sequence[Placed]) -> str:
    """What p-values are, and what they come to."""
    chances = [chance for network in networks for chance in network.p_values.values()]
    medians = [c for network in networks for key, c in network.p_values.items() if key.endswith("median")]
    pairs = [pair for network in networks for pair in network.medians]
    ceiling, floor = sum(min(pair) >= 100 for pair in pairs), sum(max(pair) <= FLOOR for pair in pairs)
    above, below = (
        "; ".join(f"{one.name} {', '.join(figures)}" for one in networks if (figures := one.beyond(side)))
        for side in (True, False)
    )
    low = sum(value < 0.05 for value in adjusted(networks))
    return (
        f"P-value: how probable it is that ten runs, {_drawn_from(networks)}, give a figure as unusual as "
        "the paper's, two-sided: of a minimum and a maximum exact by ranks, of a median by drawing ten. "
        f"Joint test: the same of all figures of a network together; Holm: adjusted for "
        f"{plural(len(networks), 'network')}. "
        f"P-values below 0.05: {sum(chance < 0.05 for chance in chances)} of {len(chances)} figures, "
        f"{sum(chance < 0.05 for chance in medians)} of {len(medians)} medians, "
        f"{sum(one.joint < 0.05 for one in networks)} of {plural(len(networks), 'network')}, {low} after "
        f"Holm. Of the medians {ceiling} are 100 in "
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


@checked
def distribution_table(known: Distributions) -> Table:
    """Accuracies: a row for every network and set."""
    rows = [
        _setting(network)
        | {"set": name, "runs": network.runs, "perfect": 100 * of_set.perfect}
        | {heading: of_set.quantile(share) for heading, share in _SHOWN.items()}
        for network in known.networks
        for name, of_set in network.sets.items()
    ]
    columns = (*SETTING, *headed("set", "runs"), *headed(*_SHOWN, digits=2), *headed("perfect", digits=1))
    note = "Quantiles of accuracies in percent, and the share of runs that accept every word."
    return Table("distributions", "Distributions", columns, tuple(rows), note + _made(known))


@checked
def horizon_distribution_table(known: Distributions) -> Table:
    """Counting horizons: two rows for every network of which they are known."""
    rows: list[dict[str, Any]] = []
    for network in known.networks:
        if network.horizons is not None:
            language, wrong = network.spec.language, network.horizons["wrong"]
            proved = [largest_length(language, n) for n in network.horizons["proved"] if n is not None]
            for what, lengths in (("proved to", proved), ("wrong at", wrong)):
                ordered = sorted(lengths, key=lambda length: (length is None, length))  # none come last
                row = {"figures": what, "runs": len(lengths), "none": sum(n is None for n in lengths)}
                figures = {name: ordered[round(q * (len(lengths) - 1))] for name, q in _SHOWN.items()}
                ranked = [inf if length is None else length for length in lengths]
                row["correlation"] = rank_correlation(network.sample["long"][: len(ranked)], ranked)
                rows.append(_setting(network) | row | figures)
    columns = (
        *SETTING,
        *headed("figures", "runs"),
        *headed(*_SHOWN, "none", digits=0),
        Column("correlation", "rank correlation", digits=2),
    )
    note = (
        "Quantiles of lengths in symbols: on every word of at most so many every prediction is proved right, "
        "and the shortest word found that is wrong. None: networks without such a word up to where it was "
        "looked for; they come last. Rank correlation: Spearman's, with the accuracy on the long set."
    )
    title = "Distributions of counting horizons"
    return Table("distributions-of-horizons", title, columns, tuple(rows), note + _made(known))


@checked
def agreement_table(known: Distributions, results: Results) -> Table:
    """The runs of a store beside the distributions that they should come from: a row for every set."""
    rows: list[dict[str, Any]] = []
    for network in known.networks:
        runs = results.by_spec.get(network.network, ())
        others = network.without(run.seed for run in runs)
        for name in network.sets:
            ours, theirs = percents(runs, name), others[name]
            if len(ours):
                row = {"set": name, "runs": len(ours), "ours": float(np.median(ours))}
                row |= {"theirs": network.of(name).quantile(0.5)}
                row |= {"distance": greatest_distance(ours, theirs)}
                row |= {"p": PValue(two_sample_p_value(ours, theirs))}
                rows.append(_setting(network) | row)
    columns = (
        *SETTING,
        *headed("set", "runs"),
        *headed("ours", "theirs", group="median", digits=2),
        *headed("distance", "p", digits=3),
    )
    low = sum(row["p"] < 0.05 for row in rows)
    note = (
        "Theirs: of all runs of the distribution. Distance: between the shares of runs up to an accuracy, "
        "the greatest there is (Kolmogorov and Smirnov), of ours and of those with other seeds, one by one "
        "as far as they are known; p: how probable one so great is where both come from the same. Below "
        f"0.05: {low} of {len(rows)}, which are not independent: who is good on one set is good on others."
    )
    return Table("agreement", "Agreement with the distributions", columns, tuple(rows), note + _made(known))


def _setting(network: Distribution) -> dict[str, Any]:
    spec = network.spec
    return {"language": spec.language.name, "cell": spec.cell.name, "hidden": spec.hidden}


def _made(known: Distributions) -> str:
    origin = known.made
    return f" Networks trained on {origin['processor']} by Abacist {origin['abacist']}." if origin else ""
