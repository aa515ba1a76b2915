"""Networks judged on the sets of words of experiments: each alone, and what several have in common."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from abacist.cli.networks import Network
from abacist.cli.screen import show_json
from abacist.cli.status import working
from abacist.cli.tables import show_table
from abacist.engine import cross_entropy
from abacist.experiments import Task
from abacist.experiments.grouping import statistic
from abacist.experiments.word_sets import WordSets
from abacist.languages import Language
from abacist.specs import Spec

#: What is said of several networks.
_SHOWN = ("min", "q25", "median", "q75", "max", "mean", "std")

#: Words of a set at which a network is compared with its source.
_COMPARED = 1_000


def show_sets(
    found: Sequence[Network], language: Language[Any], sets: Sequence[str], seed: int | None, *, json: bool
) -> None:
    """Judge networks on sets of words, and print the shares that each gets right."""
    shares: list[dict[str, float]] = []
    seeds = []
    with working("judging") as progress:
        for done, network in enumerate(found):
            spec = _spec(network, language)
            own = _seed(network, seed)
            Task(
                "judge", spec, (own,), tuple(sets)
            )  # refuses sets that there are not, or not of this language
            shares.append(_judged(network, spec, own, sets))
            seeds.append(own)
            progress((done + 1) / len(found))
    together = {name: [one[name] for one in shares] for name in sets}
    if json:
        rows = zip(found, seeds, shares, strict=True)
        networks = [{"run": one.number, "seed": own, "sets": share} for one, own, share in rows]
        summary = {name: {s: statistic(s, np.array(v)) for s in _SHOWN} for name, v in together.items()}
        show_json({"language": language.name, "networks": networks, "summary": summary})
        return
    cells = [
        [one.number, own, *(f"{100 * share[name]:.2f}" for name in sets)]
        for one, own, share in zip(found, seeds, shares, strict=True)
    ]
    if len(found) > 1:
        for name in _SHOWN:
            values = [statistic(name, 100 * np.array(together[one])) for one in sets]
            cells.append([name, "", *("—" if value is None else f"{value:.2f}" for value in values)])
    show_table(["run", "seed", *sets], cells, title=f"Accuracy in percent on sets of {language.name}")


def show_cross_entropies(
    found: Sequence[Network], language: Language[Any], sets: Sequence[str], seed: int | None, *, json: bool
) -> None:
    """Print the cross-entropy of networks on sets of words, beside the entropy of their source."""
    rows: list[dict[str, Any]] = []
    with working("comparing") as progress:
        for done, network in enumerate(found):
            spec, own = _spec(network, language), _seed(network, seed)
            Task("judge", spec, (own,), tuple(sets))
            drawn = WordSets(spec, (own,))
            for name in sets:
                measured = cross_entropy(network.networks, 0, drawn.corpus(0, name), words=_COMPARED)
                about = {"run": network.number, "seed": own, "set": name, "steps": measured.steps}
                rows.append(about | dict(zip(("network", "source", "excess"), measured.bits, strict=True)))
            progress((done + 1) / len(found))
    if json:
        show_json({"language": language.name, "unit": "bits per step", "networks": rows})
        return
    cells = [[f"{v:.4f}" if isinstance(v, float) else v for v in row.values()] for row in rows]
    title = f"Cross-entropy in bits per step on sets of {language.name}, at most {_COMPARED:,} words of each"
    show_table(list(rows[0]), cells, title=title, left=("set",))


def _seed(network: Network, seed: int | None) -> int:
    """The seed that the words come from: the one that is asked for, or the run's."""
    return seed if seed is not None else 0 if network.run is None else network.run.seed


def _spec(network: Network, language: Language[Any]) -> Spec:
    """The spec that the sets of a network come from: its run's, or one that leaves them to the paper."""
    if network.run is not None and network.run.spec.language == language:
        return network.run.spec
    layout = network.networks.layout
    return Spec(language, layout.cell, layout.hidden, steps=network.steps)


def _judged(network: Network, spec: Spec, seed: int, sets: Sequence[str]) -> dict[str, float]:
    accuracy: list[dict[str, dict[int, float]]] = [{}]
    wanted = {(name, spec.epochs) for name in sets}
    WordSets(spec, (seed,)).judge(network.networks, spec.epochs, [wanted], accuracy)
    return {name: accuracy[0][name][spec.epochs] for name in sets}
