"""The paper's statements, each decided by figures: it holds, it fails, or we cannot say."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from abacist.experiments.store import Run
from abacist.specs import Spec

HOLDS, FAILS, OPEN = "holds", "fails", "cannot say"

#: The counting languages of table 1 and the units that their networks have.
COUNTING = (("dyck-1", 3), ("shuffle-2", 4), ("shuffle-6", 8))
_TABLE_EPOCHS = 20


@dataclass(frozen=True)
class Verdict:
    """A claim, what became of it, and the figures that decide it."""

    claim: str
    place: str
    rule: str
    verdict: str
    figures: dict[str, Any]


class Runs:
    """Finished runs, to be asked for accuracies in percent."""

    def __init__(self, runs: Iterable[Run]) -> None:
        self._runs = list(runs)

    def shares(
        self,
        language: str,
        cell: str,
        hidden: int,
        name: str,
        *,
        epoch: int | None = None,
        steps: str = "all",
    ) -> NDArray[np.float64]:
        """The accuracies on a set of all runs of a shape that were trained as usual."""
        found = []
        for run in self._runs:
            spec = run.spec
            shape = (spec.language.name, spec.cell.name, spec.hidden, spec.steps)
            if shape == (language, cell, hidden, steps) and _usual(run):
                share = run.accuracy(name, epoch)
                if share is not None:
                    found.append(100 * share)
        return np.array(found)


def _usual(run: Run) -> bool:
    """Whether a run was trained for the epochs of the table with the usual settings."""
    usual = Spec(
        run.spec.language, run.spec.cell, hidden=run.spec.hidden, epochs=_TABLE_EPOCHS, steps=run.spec.steps
    )
    return usual == run.spec


_Shares = dict[str, NDArray[np.float64]]


@dataclass(frozen=True)
class _Claim:
    text: str
    place: str
    rule: str
    asks: Callable[[Runs], _Shares]
    decide: Callable[[_Shares], bool]


def _lstm_short(runs: Runs) -> _Shares:
    return {
        f"{lang} {s}": runs.shares(lang, "lstm", h, s) for lang, h in COUNTING for s in ("training", "short")
    }


def _medians(shares: _Shares) -> dict[str, float]:
    return {name: float(np.median(values)) for name, values in shares.items()}


def _pairs(first: str, second: str, names: Sequence[str]) -> Callable[[Runs], _Shares]:
    return lambda runs: {
        f"{lang} {cell} {s}": runs.shares(lang, cell, h, s)
        for lang, h in COUNTING
        for cell in (first, second)
        for s in names
    }


def _apart(shares: _Shares, first: str, second: str, name: str, by: float) -> bool:
    medians = _medians(shares)
    return all(
        medians[f"{lang} {first} {name}"] + by <= medians[f"{lang} {second} {name}"] for lang, _ in COUNTING
    )


_CLAIMS = (
    _Claim(
        "LSTMs are perfect on the training and short sets of the counting languages",
        "sections 6.1 and 6.2, table 1",
        "the median is 100 % on each of the six sets",
        _lstm_short,
        lambda s: all(median == 100 for median in _medians(s).values()),
    ),
    _Claim(
        "GRUs are close behind LSTMs on the short sets",
        "sections 6.1 and 6.2, table 1",
        "the median is within 1 point of the LSTM's on each",
        _pairs("gru", "lstm", ("short",)),
        lambda s: (
            not any(
                abs(_medians(s)[f"{lang} gru short"] - _medians(s)[f"{lang} lstm short"]) > 1
                for lang, _ in COUNTING
            )
        ),
    ),
    _Claim(
        "GRUs are clearly worse than LSTMs on the long sets",
        "sections 6.1 and 6.2, table 1",
        "the median is at least 3 points below the LSTM's on each",
        _pairs("gru", "lstm", ("long",)),
        lambda s: _apart(s, "gru", "lstm", "long", 3),
    ),
    _Claim(
        "RNNs fail even on the training sets",
        "sections 6.1 and 6.2, table 1",
        "the median is below 90 % on each counting language",
        lambda runs: {f"{lang} rnn": runs.shares(lang, "rnn", h, "training") for lang, h in COUNTING},
        lambda s: all(median < 90 for median in _medians(s).values()),
    ),
    _Claim(
        "No network learns Dyck-2",
        "section 6.3, table 1",
        "no run accepts 90 % of the short or 50 % of the long set",
        lambda runs: {
            f"{cell} {s}": runs.shares("dyck-2", cell, 4, s)
            for cell in ("rnn", "gru", "lstm")
            for s in ("short", "long")
        },
        lambda s: all(values.max() < (90 if "short" in name else 50) for name, values in s.items()),
    ),
    _Claim(
        "An LSTM with one unit learns Dyck-1",
        "section 7.2",
        "the median is 100 % on the short and at least 99 % on the long set",
        lambda runs: {s: runs.shares("dyck-1", "lstm", 1, s) for s in ("short", "long")},
        lambda s: _medians(s)["short"] == 100 and _medians(s)["long"] >= 99,
    ),
    _Claim(
        "An LSTM with two units can recognise Shuffle-2",
        "section 7.2",
        "the best run accepts at least 99.9 % of the short set",
        lambda runs: {"short": runs.shares("shuffle-2", "lstm", 2, "short")},
        lambda s: bool(s["short"].max() >= 99.9),
    ),
    _Claim(
        "The last bracket is learned in a couple of epochs",
        "section 7.3",
        "after 5 epochs the best run is right on at least 99 % of all three sets",
        lambda runs: {
            s: runs.shares("dyck-2", "lstm", 4, s, epoch=5, steps="last")
            for s in ("training", "short", "long")
        },
        lambda s: all(values.max() >= 99 for values in s.values()),
    ),
)


def check_claims(runs: Iterable[Run], *, at_least: int = 10) -> list[Verdict]:
    """Decide every claim; with fewer runs than `at_least` on any set it cannot be said."""
    known = Runs(runs)
    verdicts = []
    for claim in _CLAIMS:
        shares = claim.asks(known)
        enough = all(len(values) >= at_least for values in shares.values())
        verdict = (HOLDS if claim.decide(shares) else FAILS) if enough else OPEN
        figures = {
            name: {"runs": len(v), "min": round(float(v.min()), 2), "max": round(float(v.max()), 2),
                   "median": round(float(np.median(v)), 2)} if len(v) else {"runs": 0}
            for name, v in shares.items()
        }  # fmt: skip
        verdicts.append(Verdict(claim.text, claim.place, claim.rule, verdict, figures))
    return verdicts
