"""The table of distributions: quantiles of thousands of runs, by network and set."""

from __future__ import annotations

from typing import Any

import numpy as np

from abacist.experiments import Results, percents
from abacist.experiments.distributions import Distribution, Distributions
from abacist.experiments.two_samples import greatest_distance, two_sample_p_value
from abacist.fields import checked
from abacist.languages import largest_length
from abacist.report.run_table import SETTING
from abacist.report.tables import PValue, Table, headed

#: Quantiles that are shown, by their headings.
_SHOWN = {"min": 0.0, "5 %": 0.05, "25 %": 0.25, "median": 0.5, "75 %": 0.75, "95 %": 0.95, "max": 1.0}


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
            proved = [largest_length(network.spec.language, length) for length in network.horizons.proved]
            for what, lengths in (("proved to", proved), ("wrong at", network.horizons.wrong)):
                ordered = sorted(lengths, key=lambda length: (length is None, length))  # none come last
                row = {"figures": what, "runs": len(lengths), "none": sum(n is None for n in lengths)}
                figures = {name: ordered[round(q * (len(lengths) - 1))] for name, q in _SHOWN.items()}
                rows.append(_setting(network) | row | figures)
    columns = (*SETTING, *headed("figures", "runs"), *headed(*_SHOWN, "none", digits=0))
    note = (
        "Quantiles of lengths in symbols: on every word of at most so many every prediction is proved right, "
        "and the shortest word found that is wrong. None: networks without such a word up to where it was "
        "looked for; they come last."
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
    made = known.made
    return f" Networks trained on {made['processor']} by Abacist {made['abacist']}." if made else ""
