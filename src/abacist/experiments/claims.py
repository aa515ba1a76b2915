"""The paper's statements, each decided by figures: it holds, it fails, or we cannot say."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from abacist.cells import cell_named
from abacist.errors import BadInput
from abacist.experiments.outcome import percents
from abacist.experiments.paper import CELLS, COUNTING, EPOCHS, RUNS, UNITS
from abacist.experiments.plan import PAPER_SETS
from abacist.experiments.results import Results
from abacist.fields import checked
from abacist.languages import language_named
from abacist.specs import Spec

HOLDS, FAILS, OPEN = "holds", "fails", "cannot say"


@dataclass(frozen=True)
class Verdict:
    """A claim, what became of it, and the figures that decide it."""

    claim: str
    place: str
    rule: str
    verdict: str
    figures: dict[str, Any]


#: Accuracies in percent, (run), by what they are called.
_Percents = dict[str, NDArray[np.float64]]


@dataclass(frozen=True)
class _Claim:
    text: str
    place: str
    rule: str
    asks: Callable[[Results], _Percents]
    decide: Callable[[_Percents], bool]


def _of(
    results: Results,
    language: str,
    cell: str,
    name: str,
    *,
    hidden: int | None = None,
    epoch: int | None = None,
    steps: str = "all",
) -> NDArray[np.float64]:
    """The accuracies on a set of all runs of a network, the paper's by default, trained as usual."""
    units = UNITS[language] if hidden is None else hidden
    spec = Spec(language_named(language), cell_named(cell), hidden=units, epochs=EPOCHS, steps=steps)
    return percents(results.by_spec.get(spec, ()), name, epoch)


def _medians(found: _Percents) -> dict[str, float]:
    return {name: float(np.median(values)) for name, values in found.items()}


def _pairs(first: str, second: str, names: Sequence[str]) -> Callable[[Results], _Percents]:
    return lambda results: {
        f"{language} {cell} {name}": _of(results, language, cell, name)
        for language in COUNTING
        for cell in (first, second)
        for name in names
    }


def _apart(found: _Percents, first: str, second: str, name: str, by: float) -> bool:
    medians = _medians(found)
    return all(
        medians[f"{language} {first} {name}"] + by <= medians[f"{language} {second} {name}"]
        for language in COUNTING
    )


_CLAIMS = (
    _Claim(
        "LSTMs are perfect on the training and short sets of the counting languages",
        "sections 6.1 and 6.2, table 3",
        "the median is 100 % on each of the six sets",
        lambda results: {
            f"{language} {name}": _of(results, language, "lstm", name)
            for language in COUNTING
            for name in ("training", "short")
        },
        lambda s: all(median == 100 for median in _medians(s).values()),
    ),
    _Claim(
        "GRUs are close behind LSTMs on the short sets",
        "sections 6.1 and 6.2, table 3",
        "the median is within 1 point of the LSTM's on each",
        _pairs("gru", "lstm", ("short",)),
        lambda s: (
            not any(
                abs(_medians(s)[f"{lang} gru short"] - _medians(s)[f"{lang} lstm short"]) > 1
                for lang in COUNTING
            )
        ),
    ),
    _Claim(
        "GRUs are clearly worse than LSTMs on the long sets",
        "sections 6.1 and 6.2, table 3",
        "the median is at least 3 points below the LSTM's on each",
        _pairs("gru", "lstm", ("long",)),
        lambda s: _apart(s, "gru", "lstm", "long", 3),
    ),
    _Claim(
        "RNNs fail even on the training sets",
        "sections 6.1 and 6.2, table 3",
        "the median is below 90 % on each counting language",
        lambda results: {
            f"{language} rnn": _of(results, language, "rnn", "training") for language in COUNTING
        },
        lambda s: all(median < 90 for median in _medians(s).values()),
    ),
    _Claim(
        "No network learns Dyck-2",
        "section 6.3, table 3",
        "no run accepts 90 % of the short or 50 % of the long set",
        lambda results: {
            f"{cell} {name}": _of(results, "dyck-2", cell, name)
            for cell in CELLS
            for name in ("short", "long")
        },
        lambda s: all(values.max() < (90 if "short" in name else 50) for name, values in s.items()),
    ),
    _Claim(
        "An LSTM with one unit learns Dyck-1",
        "section 7.2",
        "the median is 100 % on the short and at least 99 % on the long set",
        lambda results: {name: _of(results, "dyck-1", "lstm", name, hidden=1) for name in ("short", "long")},
        lambda s: _medians(s)["short"] == 100 and _medians(s)["long"] >= 99,
    ),
    _Claim(
        "An LSTM with two units can recognise Shuffle-2",
        "section 7.2",
        "the best run accepts at least 99.9 % of the short set",
        lambda results: {"short": _of(results, "shuffle-2", "lstm", "short", hidden=2)},
        lambda s: bool(s["short"].max() >= 99.9),
    ),
    _Claim(
        "The last bracket is learned in a couple of epochs",
        "section 7.3",
        "after 5 epochs the best run is right on at least 99 % of all three sets",
        lambda results: {
            name: _of(results, "dyck-2", "lstm", name, epoch=5, steps="last") for name in PAPER_SETS
        },
        lambda s: all(values.max() >= 99 for values in s.values()),
    ),
)


@checked
def check_claims(results: Results, *, at_least: int = RUNS) -> list[Verdict]:
    """Decide every claim; with fewer runs than `at_least` on any set it cannot be said."""
    if at_least < 1:
        raise BadInput(f"check_claims: at least 1 run must be asked for, got {at_least}")
    verdicts = []
    for claim in _CLAIMS:
        found = claim.asks(results)
        enough = all(len(values) >= at_least for values in found.values())
        verdict = (HOLDS if claim.decide(found) else FAILS) if enough else OPEN
        figures = {
            name: {"runs": len(v), "min": round(float(v.min()), 2), "max": round(float(v.max()), 2),
                   "median": round(float(np.median(v)), 2)} if len(v) else {"runs": 0}
            for name, v in found.items()
        }  # fmt: skip
        verdicts.append(Verdict(claim.text, claim.place, claim.rule, verdict, figures))
    return verdicts
