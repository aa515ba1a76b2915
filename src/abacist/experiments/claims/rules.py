"""Rules: what decides a part of a claim, each made for the networks and sets that it is about."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from abacist.experiments.claims.evidence import Evidence, Network
from abacist.experiments.claims.verdicts import FAILS, HOLDS, OPEN, Part
from abacist.experiments.statistics import exact_median_interval
from abacist.wording import plural


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


def _of(found: int, runs: int) -> str:
    return f"{found} of {plural(runs, 'run')}" if runs else "no runs"


def _on(network: Network, *names: str) -> str:
    return f"{network.task} {', '.join(names)}"


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
        percents = evidence.percents(network, sets)
        found, runs = int((percents >= bar - 1e-9).all(axis=1).sum()), len(percents)
        verdict = decided(evidence, runs, lambda: found >= max(1, share * runs))
        return Part(about or _on(network, *sets), verdict, _of(found, runs), paper, runs)

    who: dict[float, str] = {0: "one run accepts", 1: "every run accepts"}
    words = f"{who.get(share, f'{100 * share:g} % of the runs accept')} {_words(bar, sets)}"
    return Rule(words, rule, tuple(sets))


def _words(bar: float, sets: Sequence[str]) -> str:
    much = "every word" if bar == 100 else f"{bar:g} % of the words"
    return f"{much} of {{}}{', all together' if len(sets) > 1 else ''}"


def learned_after(network: Network, sets: Sequence[str], epoch: int, bar: float, *, paper: str) -> Rule:
    """After an epoch one run accepts that much of each of the sets, all together; says when others did."""

    def rule(evidence: Evidence) -> Part:
        counts = {}
        for at in sorted({e for run in evidence.runs(network) for _, e in run.outcome.known()} | {epoch}):
            percents = evidence.percents(network, sets, at)
            counts[at] = int((percents >= bar - 1e-9).all(axis=1).sum()), len(percents)
        found, runs = counts[epoch]
        later = [f"{_of(*count)} after {at}" for at, count in counts.items() if at > epoch]
        ours = "; ".join([_of(found, runs), *later])
        return Part(f"after {epoch} epochs", decided(evidence, runs, lambda: found > 0), ours, paper, runs)

    return Rule(f"after {epoch} epochs one run accepts {_words(bar, sets)}", rule, tuple(sets))


def worst_at_least(network: Network, name: str, bar: float) -> Rule:
    """The worst run accepts so much of a set."""

    def rule(evidence: Evidence) -> Part:
        percents = evidence.percents(network, [name])[:, 0]
        verdict = decided(evidence, len(percents), lambda: percents.min() >= bar - 1e-9)
        worst = f"worst run {percents.min():.2f}" if len(percents) else "no runs"
        about = f"{_on(network, name)}, the others"
        return Part(about, verdict, worst, f"{network.printed(name).minimum:.2f}", len(percents))

    return Rule(f"the worst run accepts {_words(bar, [name])}", rule, (name,))


def best_below(network: Network, name: str, bar: float, *, reached: bool = False) -> Rule:
    """The best run accepts less than so much of a set, or just so much where that is allowed."""

    def rule(evidence: Evidence) -> Part:
        percents = evidence.percents(network, [name])[:, 0]
        most = bar + 1e-9 if reached else bar - 1e-9
        verdict = decided(evidence, len(percents), lambda: bool(percents.max() < most))
        best = f"best run {percents.max():.2f}" if len(percents) else "no runs"
        about = f"{_on(network, name)}, {network.model}"
        return Part(about, verdict, best, f"{network.printed(name).maximum:.2f}", len(percents))

    return Rule(f"no run accepts {'more than ' * reached}{_words(bar, [name])}", rule, (name,))


def median_is(network: Network, name: str, figure: float) -> Rule:
    """The median of our runs is a figure, to the two digits that the paper prints."""

    def rule(evidence: Evidence) -> Part:
        percents = evidence.percents(network, [name])[:, 0]
        verdict = decided(evidence, len(percents), lambda: round(float(np.median(percents)), 2) == figure)
        median = f"median {np.median(percents):.2f}" if len(percents) else "no runs"
        return Part(_on(network, name), verdict, median, f"{network.printed(name).median:.2f}", len(percents))

    return Rule(f"the median of our runs is {figure:.2f} % on {{}}", rule, (name,))


def median_at_least(network: Network, name: str, bar: float) -> Rule:
    """The 95 % interval of the median lies at or above a figure, not below it."""

    def rule(evidence: Evidence) -> Part:
        percents = evidence.percents(network, [name])[:, 0]
        runs, paper = len(percents), f"{network.printed(name).median:.2f}"
        if not runs:
            return Part(_on(network, name), OPEN, "no runs", paper, 0)
        low, high = exact_median_interval(percents)
        verdict = HOLDS if low >= bar else FAILS if high < bar else OPEN
        ours = f"median {np.median(percents):.2f} ({_range(low, high)})"
        return Part(_on(network, name), verdict if evidence.enough(runs) else OPEN, ours, paper, runs)

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

    def rule(evidence: Evidence) -> Part:
        gaps = evidence.differences(better, worse, name)
        about = f"{_on(better, name)}, {better.model} − {worse.model}"
        paper = f"{better.printed(name).median - worse.printed(name).median:.2f}"
        if not len(gaps):
            return Part(about, OPEN, "no runs", paper, 0)
        low, high = exact_median_interval(gaps)
        inside, outside = low > above and high <= most, high <= above or low > most
        verdict = HOLDS if inside else FAILS if outside else OPEN
        ours = f"{_signed(float(np.median(gaps)))} ({_range(low, high)})"
        return Part(about, verdict if evidence.enough(len(gaps)) else OPEN, ours, paper, len(gaps))

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
