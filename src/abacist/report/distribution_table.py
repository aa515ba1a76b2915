"""The table of distributions: quantiles of thousands of runs, by network and set."""

from __future__ import annotations

from typing import Any

from abacist.experiments.distributions import Distribution, Distributions, KnownHorizons
from abacist.fields import checked
from abacist.report.tables import Column, Table

#: Quantiles that are shown, by their headings.
_SHOWN = {"min": 0.0, "5 %": 0.05, "25 %": 0.25, "median": 0.5, "75 %": 0.75, "95 %": 0.95, "max": 1.0}

_NOTE = (
    "Quantiles of accuracies in percent over all runs, and the share of runs that accept every word. "
    "Horizons are those of the first runs: the lengths to which they are proved, and those of the shortest "
    "wrong words found."
)


@checked
def distribution_table(known: Distributions) -> Table:
    """A row for every network and set."""
    rows = [row for network in known.networks for row in _rows(network)]
    columns = (
        *(Column(name, heading) for name, heading in _SETTING.items()),
        Column("set", "set"),
        Column("runs", "runs"),
        *(Column(heading, heading, digits=2) for heading in _SHOWN),
        Column("perfect", "perfect", digits=1),
    )
    made = known.made
    where = f" Made on {made['processor']} by Abacist {made['abacist']}." if made else ""
    return Table("distributions", "Distributions", columns, tuple(rows), _NOTE + where)


_SETTING = {"language": "task", "cell": "model", "hidden": "units"}


def _rows(network: Distribution) -> list[dict[str, Any]]:
    spec = network.spec
    setting = {"language": spec.language.name, "cell": spec.cell.name, "hidden": spec.hidden}
    rows = []
    for name, own in network.sets.items():
        quantiles = {heading: own.quantile(share) for heading, share in _SHOWN.items()}
        rows.append(
            setting | {"set": name, "runs": network.runs} | quantiles | {"perfect": 100 * own.perfect}
        )
    if network.horizons is not None:
        rows += [setting | row for row in _horizons(network.horizons)]
    return rows


def _horizons(known: KnownHorizons) -> list[dict[str, Any]]:
    """Lengths: those without a wrong word come last, and are not shown."""
    rows = []
    for name, lengths in (("proved to", known.proved), ("wrong at", known.wrong)):
        ordered = sorted(length if length is not None else float("inf") for length in lengths)
        shown: dict[str, Any] = {"set": name, "runs": len(ordered)}
        for heading, share in _SHOWN.items():
            length = ordered[round(share * (len(ordered) - 1))]
            shown[heading] = None if length == float("inf") else length
        rows.append(shown)
    return rows
