"""Rules: what decides a part of a claim, each made for the networks and sets that it is about."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from abacist.analysis import COUNTS
from abacist.experiments.claims.evidence import CellStates, Evidence, Network
from abacist.experiments.claims.verdicts import FAILS, HOLDS, OPEN, Part
from abacist.experiments.statistics import exact_median_interval, summarise
from abacist.wording import plural

#: What the smallest, largest and median accuracy are called.
_CALLED = {"min": "worst run", "max": "best run", "median": "median"}


@dataclass(frozen=True)
class Rule:
    """What decides a part of a claim: in words, in which `{}` stands for `sets`, and by evidence."""

    words: str
    decide: Callable[[Evidence], Part]
    sets: tuple[str, ...] = ()


def in_words(rules: Iterable[Rule]) -> str:
    """What decides some parts; what differs only in the sets is said once, of all of them."""
    sets: dict[str, dict[str, None]] = {}
    for rule in rules:
        sets.setdefault(rule.words, {}).update(dict.fromkeys(rule.sets))
    return ", and ".join(words.format(_listed(list(names))) for words, names in sets.items())


def _listed(sets: Sequence[str]) -> str:
    *first, last = sets or [""]
    return f"the {', '.join(first)} and {last} sets" if first else f"the {last} set"


def decided(evidence: Evidence, runs: int, holds: Callable[[], bool]) -> str:
    """Whether a part holds, if there are runs enough to ask."""
    return (HOLDS if holds() else FAILS) if evidence.enough(runs) else OPEN


def _of(passing: int, runs: int) -> str:
    return f"{passing} of {plural(runs, 'run')}" if runs else "no runs"


def _on(network: Network, *names: str) -> str:
    return f"{network.task} {', '.join(names)}"


def _passing(percents: NDArray[Any], bar: float) -> tuple[int, int]:
    """How many runs of how many reach a bar on all sets, of accuracies (run, set)."""
    return int((percents >= bar - 1e-9).all(axis=1).sum()), len(percents)


def accepting(
    network: Network,
    sets: Sequence[str],
    *,
    bar: float = 100,
    share: float = 1,
    paper: str,
    about: str = "",
) -> Rule:
    """So large a share of the runs, and one at least, accepts that much of each of the sets, all together."""

    def rule(evidence: Evidence) -> Part:
        passing, runs = _passing(evidence.percents(network, sets), bar)
        verdict = decided(evidence, runs, lambda: passing >= max(1, share * runs))
        return Part(about or _on(network, *sets), verdict, _of(passing, runs), paper, runs)

    who: dict[float, str] = {0: "one run accepts", 1: "every run accepts"}
    words = f"{who.get(share, f'{100 * share:g} % of the runs accept')} {_words(bar, sets)}"
    return Rule(words, rule, tuple(sets))


def _words(bar: float, sets: Sequence[str]) -> str:
    much = "every word" if bar == 100 else f"{bar:g} % of the words"
    return f"{much} of {{}}{', all together' if len(sets) > 1 else ''}"


def learned_after(network: Network, sets: Sequence[str], epoch: int, bar: float, *, paper: str) -> Rule:
    """After an epoch one run accepts that much of each of the sets, all together; says when others did."""

    def rule(evidence: Evidence) -> Part:
        epochs = sorted({e for run in evidence.runs(network) for _, e in run.outcome.known()} | {epoch})
        counts = {at: _passing(evidence.percents(network, sets, at), bar) for at in epochs}
        passing, runs = counts[epoch]
        later = [f"{_of(*count)} after {at}" for at, count in counts.items() if at > epoch]
        ours = "; ".join([_of(passing, runs), *later])
        return Part(f"after {epoch} epochs", decided(evidence, runs, lambda: passing > 0), ours, paper, runs)

    return Rule(f"after {epoch} epochs one run accepts {_words(bar, sets)}", rule, tuple(sets))


def _figure(
    network: Network, name: str, statistic: str, holds: Callable[[float], bool], words: str, about: str = ""
) -> Rule:
    """What is said of the smallest, largest or median accuracy of a network's runs on a set."""

    def rule(evidence: Evidence) -> Part:
        percents = evidence.percents(network, [name])[:, 0]
        runs, ours, verdict = len(percents), "no runs", OPEN
        if runs:
            figure = summarise(percents)[statistic]
            ours = f"{_CALLED[statistic]} {figure:.2f}"
            verdict = decided(evidence, runs, lambda: holds(figure))
        paper = f"{network.printed(name).of(statistic):.2f}"
        return Part(_on(network, name) + about, verdict, ours, paper, runs)

    return Rule(words, rule, (name,))


def worst_at_least(network: Network, name: str, bar: float) -> Rule:
    """The worst run accepts so much of a set."""
    words = f"the worst run accepts {_words(bar, [name])}"
    return _figure(network, name, "min", lambda worst: worst >= bar - 1e-9, words, ", the others")


def best_below(network: Network, name: str, bar: float, *, reached: bool = False) -> Rule:
    """The best run accepts less than so much of a set, or just so much where that is allowed."""
    words = f"no run accepts {'more than ' * reached}{_words(bar, [name])}"
    most = bar + 1e-9 if reached else bar - 1e-9
    return _figure(network, name, "max", lambda best: best < most, words, f", {network.model}")


def median_is(network: Network, name: str, figure: float) -> Rule:
    """The median of our runs is a figure, to the two digits that the paper prints."""
    words = f"the median of our runs is {figure:.2f} % on {{}}"
    return _figure(network, name, "median", lambda median: round(median, 2) == figure, words)


def _interval(
    evidence: Evidence, values: NDArray[Any], about: str, paper: str, judge: Callable[[float, float], str]
) -> Part:
    """What the ends of the 95 % interval of the median of some values, (run,), say."""
    if not len(values):
        return Part(about, OPEN, "no runs", paper, 0)
    low, high = exact_median_interval(values)
    ours = f"{_signed(float(np.median(values)))} ({_range(low, high)})"
    return Part(about, judge(low, high) if evidence.enough(len(values)) else OPEN, ours, paper, len(values))


def median_at_least(network: Network, name: str, bar: float) -> Rule:
    """The 95 % interval of the median lies at or above a figure, not below it."""

    def judge(low: float, high: float) -> str:
        return HOLDS if low >= bar else FAILS if high < bar else OPEN

    def rule(evidence: Evidence) -> Part:
        percents, paper = evidence.percents(network, [name])[:, 0], f"{network.printed(name).median:.2f}"
        part = _interval(evidence, percents, _on(network, name), paper, judge)
        return replace(part, ours=f"median {part.ours}") if part.runs else part

    return Rule(f"the 95 % interval of the median on {{}} lies at or above {bar:g} %", rule, (name,))


def _range(low: float, high: float) -> str:
    """An interval as people read it; of few runs it has no ends.

    >>> _range(-1.5, 2), _range(float("-inf"), float("inf"))
    ('−1.50 to 2.00', '−∞ to ∞')
    """
    return f"{_signed(low)} to {_signed(high)}"


def _signed(value: float) -> str:
    return f"{value:.2f}".replace("-", "−").replace("inf", "∞")


def ahead(better: Network, worse: Network, name: str, *, above: float = 0, most: float = np.inf) -> Rule:
    """How far one network is ahead of another lies, with its 95 % interval, above one figure and not
    above another; it fails if the interval lies outside of these, and cannot be said if on both sides."""

    def judge(low: float, high: float) -> str:
        inside, outside = low > above and high <= most, high <= above or low > most
        return HOLDS if inside else FAILS if outside else OPEN

    def rule(evidence: Evidence) -> Part:
        about = f"{_on(better, name)}, {better.model} − {worse.model}"
        paper = f"{better.printed(name).median - worse.printed(name).median:.2f}"
        return _interval(evidence, evidence.differences(better, worse, name), about, paper, judge)

    lies = f"above {above:.0f}" + (f" and not above {most:.0f} point" if np.isfinite(most) else "")
    words = f"the 95 % interval of the median difference between runs of one seed on {{}} lies {lies}"
    return Rule(words.replace("-", "−"), rule, (name,))


def always_below(worse: Network, better: Network, name: str) -> Rule:
    """The best run of one network is worse than the worst run of another."""

    def rule(evidence: Evidence) -> Part:
        low, high = (evidence.percents(one, [name])[:, 0] for one in (worse, better))
        runs = min(len(low), len(high))
        about = f"{_on(worse, name)}, {worse.model} and {better.model}"
        paper = f"{worse.printed(name).maximum:.2f} and {better.printed(name).minimum:.2f}"
        if not runs:
            return Part(about, OPEN, "no runs", paper, 0)
        best, worst = low.max(), high.min()
        verdict = decided(evidence, runs, lambda: bool(best < worst))
        return Part(about, verdict, f"best {best:.2f}, worst {worst:.2f}", paper, runs)

    return Rule(f"the best {worse.model} is worse than the worst {better.model} on {{}}", rule, (name,))


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
        return Part(about, verdict, _of(sum(passed), runs), paper, runs)

    return Rule(f"in {'all' if every else 'one'} of the first ten runs {test.words}", rule)


def every_word(network: Network, *, every: bool = True) -> Rule:
    """Every run, or one at least, is right on every word there is.

    A run is not if a word is known that it gets wrong, and it is if that is proved for words of every
    length; of others it cannot be said.
    """

    def rule(evidence: Evidence) -> Part:
        horizons = (run.outcome.known_horizon() for run in evidence.runs(network))
        known = [one for one in horizons if one is not None]
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
