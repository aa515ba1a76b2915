"""Rules that look into networks: what their units do, and which words they get wrong."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from abacist.analysis import COUNTS
from abacist.experiments.claims.evidence import CellStates, Evidence, Network
from abacist.experiments.claims.rules import Rule, decided
from abacist.experiments.claims.verdicts import FAILS, HOLDS, OPEN, Part
from abacist.wording import plural


@dataclass(frozen=True)
class UnitTest:
    """What may be true of the units of a network, in words, and whether it is."""

    words: str
    passed: Callable[[CellStates], bool]


EVERY_COUNTER = UnitTest(
    f"every pair has a unit that counts it, with an absolute correlation of at least {COUNTS}",
    lambda states: states.counted == states.counters,
)
ONE_EACH = UnitTest(
    "as many units count as there are pairs, one each",
    lambda states: states.counting == states.counted == states.counters,
)
LENGTH = UnitTest(
    f"the absolute correlation of a cell state with the number of the step is at least {COUNTS}, and greater "
    "than with any depth",
    lambda states: states.length >= COUNTS,
)


def units(network: Network, test: UnitTest, about: str, *, every: bool, paper: str) -> Rule:
    """Some run, or every run, passes a test of what its units do."""

    def rule(evidence: Evidence) -> Part:
        passed = [test.passed(states) for states in evidence.units(network)]
        runs = len(passed)
        verdict = decided(evidence, runs, lambda: all(passed) if every else any(passed))
        ours = f"{sum(passed)} of {plural(runs, 'run')}" if runs else "no runs"
        return Part(about, verdict, ours, paper, runs)

    return Rule(f"in {'all' if every else 'one'} of the first ten runs {test.words}", rule)


def every_word(network: Network, *, every: bool = True) -> Rule:
    """Every run, or one at least, is right on every word there is.

    A run is not if a word is known that it gets wrong, and it is if that is proved for words of every
    length; of others it cannot be said.
    """

    def rule(evidence: Evidence) -> Part:
        known = [
            horizon
            for run in evidence.runs(network)
            for horizon in run.outcome.latest_horizons
            if horizon.factor == 1
        ]
        runs, wrong = len(known), [len(one.horizon.wrong) for one in known if one.horizon.wrong is not None]
        proved = sum(bool(one.every_word) for one in known)
        holds = proved == runs if every else proved > 0
        fails = len(wrong) > 0 if every else len(wrong) == runs
        verdict = HOLDS if holds else FAILS if fails else OPEN
        if wrong:
            language = evidence.runs(network)[0].spec.language
            proved_to = [one.horizon.proved_in(language) for one in known]
            ours = (
                f"{len(wrong)} of {plural(runs, 'run')} wrong on words of {min(wrong)} to {max(wrong)} "
                f"symbols, proved right on all of up to {min(proved_to)} symbols"
            )
        else:
            ours = f"{proved} of {plural(runs, 'run')} proved right" if runs else "no horizons"
        about = f"{network.task}, every word"
        return Part(about, verdict if evidence.enough(runs) else OPEN, ours, "not looked at", runs)

    whose = "every run is" if every else "one run is"
    return Rule(f"{whose} proved right on every word there is", rule)
