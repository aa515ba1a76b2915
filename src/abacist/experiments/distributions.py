"""Distributions of a network's accuracies over thousands of runs: those that come with Abacist, and new ones.

They were made by a device from the experiment `distributions`, and are a summary of it: for each set the
quantiles and a histogram over all runs; and for the first some thousands of runs their accuracies, so
that how the sets go together is known, too.
"""

from __future__ import annotations

import base64
import hashlib
import json
import zlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import cache
from importlib.resources import files
from typing import Any

import numpy as np
from numpy.typing import NDArray

from abacist.errors import BadFile, BadInput, UnknownName
from abacist.experiments.outcome import Run
from abacist.experiments.plan import Task, set_recipe
from abacist.experiments.results import Results
from abacist.fields import Checked, Normalised, checked
from abacist.specs import Spec
from abacist.untrusted import read_json
from abacist.wording import plural

#: Changes when what a file means changes.
FORMAT = 1

#: Steps between the smallest and the largest quantile, and the bins of a histogram: whole percents, rounded
#: down, so that the last is of perfect runs alone.
STEPS, BINS = 100, 101

#: Runs whose accuracies are kept one by one.
SAMPLE = 2_000


@dataclass(frozen=True, eq=False)
class SetDistribution(Normalised):
    """Accuracies on a set of so many words: quantiles, as numbers of accepted words, and a histogram."""

    words: int
    quantiles: tuple[int, ...]
    histogram: tuple[int, ...]

    @classmethod
    def of(cls, accepted: NDArray[np.int64], words: int) -> SetDistribution:
        """That of runs that accept so many of the words, (run,)."""
        places = np.rint(np.linspace(0, len(accepted) - 1, STEPS + 1)).astype(np.int64)
        histogram = np.bincount(accepted * 100 // words, minlength=BINS)
        return cls(words, tuple(np.sort(accepted)[places].tolist()), tuple(histogram.tolist()))

    @property
    def percents(self) -> NDArray[np.float64]:
        """The quantiles in percent, (quantile,), from the smallest run to the largest."""
        return 100 * (np.array(self.quantiles) / self.words)

    @checked
    def quantile(self, share: float) -> float:
        """An accuracy in percent that a share of the runs is not above."""
        return float(self.percents[round(share * STEPS)])

    @property
    def perfect(self) -> float:
        """The share of runs that accept every word."""
        return self.histogram[-1] / sum(self.histogram)


@dataclass(frozen=True, eq=False)
class Distribution(Checked):
    """Many runs of one spec. `sample` has the accuracies in percent of the first of them, by set, (run,).

    `sha256` is that of the numbers of accepted words of all of them. `horizons` are of the first so many
    runs: the lengths to which they are `proved`, and those of a `wrong` word, or None.
    """

    spec: Spec
    runs: int
    sets: Mapping[str, SetDistribution]
    sample: Mapping[str, NDArray[np.float64]]
    sha256: str
    horizons: Mapping[str, Sequence[int | None]] | None = None

    @property
    def network(self) -> Spec:
        """Its spec as one has it who trains a few runs: each on words of its own."""
        return replace(self.spec, pool=0)

    @checked
    def of(self, name: str) -> SetDistribution:
        """Its accuracies on a set."""
        if name not in self.sets:
            raise UnknownName(f"no set is called {name!r}; there are {', '.join(self.sets)}")
        return self.sets[name]

    @checked
    def without(self, seeds: Iterable[int]) -> dict[str, NDArray[np.float64]]:
        """Its sample without the runs that have some seeds: those had the same words and initial weights."""
        count = min(map(len, self.sample.values()))
        left = np.setdiff1d(np.arange(count), list(seeds))
        return {name: values[left] for name, values in self.sample.items()}


@dataclass(frozen=True, eq=False)
class Distributions(Checked):
    """Several of them, and what made them."""

    made: Mapping[str, str]
    networks: tuple[Distribution, ...]

    @checked
    def of(self, spec: Spec) -> Distribution | None:
        """That of a network, whatever pool its words come from."""
        network = replace(spec, pool=0)
        return next((one for one in self.networks if one.network == network), None)


@cache
def distributions() -> Distributions:
    """Those that come with Abacist."""
    text = (files("abacist.experiments") / "distributions.json").read_text(encoding="utf-8")
    return read_distributions(text)


@checked
def written_distributions(summary: Distributions) -> str:
    """Distributions as the text of a file."""
    networks = ",\n".join(json.dumps(_values(one)) for one in summary.networks)
    head = json.dumps({"format": FORMAT, "made": dict(summary.made)}, indent=1)
    return f'{head[:-2]},\n "networks": [\n{networks}\n]}}\n'


@checked
def read_distributions(text: str) -> Distributions:
    """The inverse of `written_distributions`."""
    try:
        values = read_json(text)
        if values["format"] != FORMAT:
            raise BadFile(f"distributions: the format is {FORMAT} here, got {values['format']!r}")
        return Distributions(values["made"], tuple(_read(one) for one in values["networks"]))
    except (ValueError, KeyError, TypeError, zlib.error) as error:
        raise BadFile(f"distributions: a value is missing or of the wrong kind ({error})") from None


def _values(one: Distribution) -> dict[str, Any]:
    accepted = [np.rint(one.sample[name] / 100 * one.sets[name].words) for name in one.sets]
    return {
        "spec": one.spec.key_values(),
        "runs": one.runs,
        "sha256": one.sha256,
        "sets": {name: asdict(accuracies) for name, accuracies in one.sets.items()},
        "sample": _packed(np.array(accepted, "<u2")),
    } | ({} if one.horizons is None else {"horizons": one.horizons})


def _read(values: dict[str, Any]) -> Distribution:
    sets = {name: SetDistribution(**one) for name, one in values["sets"].items()}
    accepted = _unpacked(values["sample"], len(sets))
    sample = {name: 100 * (row / one.words) for row, (name, one) in zip(accepted, sets.items(), strict=True)}
    spec = Spec.from_dict(values["spec"])
    return Distribution(spec, values["runs"], sets, sample, values["sha256"], values.get("horizons"))


def _packed(numbers: NDArray[np.uint16]) -> dict[str, Any]:
    """Small numbers, (set, run), as text, with a checksum."""
    bytes_apart = numbers.view(np.uint8).reshape(-1, 2).T.tobytes()  # those of one kind together pack better
    packed = base64.b64encode(zlib.compress(bytes_apart, 9)).decode()
    return {"packed": packed, "sha256": hashlib.sha256(numbers.tobytes()).hexdigest()}


def _unpacked(values: dict[str, Any], rows: int) -> NDArray[np.uint16]:
    apart = np.frombuffer(zlib.decompress(base64.b64decode(values["packed"])), np.uint8)
    numbers = np.ascontiguousarray(apart.reshape(2, -1).T).view("<u2").reshape(rows, -1)
    if hashlib.sha256(numbers.tobytes()).hexdigest() != values["sha256"]:
        raise BadFile("distributions: the runs of a sample are damaged, their checksum does not match")
    return numbers


@checked
def summarised(tasks: Sequence[Task], results: Results) -> Distributions:
    """The distributions of all tasks, every run of which must be there."""
    networks, versions = [], dict[str, str]()
    for task in tasks:
        runs = results.complete(task)
        if len(runs) < len(task.seeds):
            spec = task.spec
            raise BadInput(
                f"{results.folder} has {len(runs):,} of {len(task.seeds):,} runs of {spec.language.name}, "
                f"{spec.cell.name} with {plural(spec.hidden, 'hidden unit')}, and all are needed"
            )
        versions = dict(runs[0].outcome.versions)
        networks.append(_distribution(task.spec, task.sets, runs))
    return Distributions(versions, tuple(networks))


def _distribution(spec: Spec, names: Sequence[str], runs: Sequence[Run]) -> Distribution:
    sets, sample, digest = {}, {}, hashlib.sha256()
    for name in names:
        recipe, split = set_recipe(spec, 0, name)
        words = next(one.count for one in recipe.splits if one.name == split)
        shares = np.array([run.share(name) for run in runs], np.float64)
        accepted = np.rint(shares * words).astype(np.int64)
        digest.update(accepted.astype("<u2").tobytes())
        sets[name] = SetDistribution.of(accepted, words)
        sample[name] = 100 * (accepted[:SAMPLE] / words)  # as `percents` has it
    return Distribution(spec, len(runs), sets, sample, digest.hexdigest(), _horizons(runs))


def _horizons(runs: Iterable[Run]) -> dict[str, list[int | None]] | None:
    """The horizons of the first runs, as far as all have one."""
    lengths: dict[str, list[int | None]] = {"proved": [], "wrong": []}
    for run in runs:
        if (horizon := run.outcome.horizon()) is None:
            break
        lengths["proved"].append(horizon.proved)
        lengths["wrong"].append(None if horizon.wrong is None else len(horizon.wrong))
    return lengths if lengths["proved"] else None
