"""Rules: what decides a part of a claim, each made for the networks and sets that it is about."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from abacist.analysis import COUNTS
from abacist.experiments.claims.evidence import CellStates, Evidence, Network, proved_construction
from abacist.experiments.claims.shares import MOST, SOME, Bar, Share, beside, chance, extreme_beside
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


def _on(network: Network, *names: str) -> str:
    return f"{network.task} {', '.join(names)}"


def _counted(evidence: Evidence, share: Share, bar: Bar, about: str, paper: str, further: str = "") -> Part:
    """The share first, with its interval, then what it says."""
    if not share.runs:
        return Part(about, OPEN, "no runs", paper, 0)
    verdict, p = bar.judge(share)
    of_paper = "" if p is None else f", {chance(p)}"
    verdict = verdict if evidence.enough(share.runs) else OPEN
    return Part(about, verdict, share.in_words() + of_paper + further, paper, share.runs)


def _passing(percents: NDArray[Any], bar: float) -> Share:
    """How many runs of how many reach a bar on all sets, of accuracies (run, set)."""
    return Share(int((percents >= bar - 1e-9).all(axis=1).sum()), len(percents))


def accepting(
    network: Network, sets: Sequence[str], runs: Bar, *, bar: float = 100, paper: str = "", about: str = ""
) -> Rule:
    """So many of the runs accept that much of each of the sets, all together."""

    def rule(evidence: Evidence) -> Part:
        share = _passing(evidence.percents(network, sets), bar)
        return _counted(evidence, share, runs, about or _on(network, *sets), paper or runs.paper)

    return Rule(f"{runs.words} accept{'s' * (runs is SOME)} {_words(bar, sets)}", rule, tuple(sets))


def _words(bar: float, sets: Sequence[str]) -> str:
    much = "every word" if bar == 100 else f"{bar:g} % of the words"
    return f"{much} of {{}}{', all together' if len(sets) > 1 else ''}"


def learned_after(network: Network, sets: Sequence[str], epoch: int, bar: float) -> Rule:
    """After an epoch some run accepts that much of each of the sets, all together; says when others did."""

    def rule(evidence: Evidence) -> Part:
        epochs = sorted({e for run in evidence.runs(network) for _, e in run.outcome.known()} | {epoch})
        shares = {at: _passing(evidence.percents(network, sets, at), bar) for at in epochs}
        later = "".join(f"; {one.count} of {one.runs} after {at}" for at, one in shares.items() if at > epoch)
        return _counted(evidence, shares[epoch], SOME, f"after {epoch} epochs", SOME.paper, later)

    return Rule(f"after {epoch} epochs {SOME.words} accepts {_words(bar, sets)}", rule, tuple(sets))


def of_ten(network: Network, name: str, statistic: str) -> Rule:
    """The worst of ten runs is at least as good as the paper's, or the best at most as good.

    Beside the paper's figure stand the smallest, or the largest, of all groups of ten of our runs.
    """
    figure, worst = network.printed(name).of(statistic), statistic == "min"
    called = "worst" if worst else "best"
    about = f"{_on(network, name)}, {called} of ten"

    def rule(evidence: Evidence) -> Part:
        runs, paper = len(evidence.percents(network, [name])), f"{figure:.2f}"
        if not runs:
            return Part(about, OPEN, "no runs", paper, 0)
        values = evidence.comparable(network, name)
        verdict, (middle, low, high), p = extreme_beside(values, figure, statistic)
        ours = f"{middle:.2f} ({_range(low, high)}; of {len(values):,} runs), {chance(p)}"
        return Part(about, verdict if evidence.enough(runs) else OPEN, ours, paper, runs)

    words = f"the {called} of ten runs accepts at {'least' if worst else 'most'} {_words(figure, [name])}"
    return Rule(words, rule, (name,))


def median_is(network: Network, name: str, figure: float) -> Rule:
    """The median of our runs is a figure, to the two digits that the paper prints; it fails if the 95 %
    interval of the median leaves that out."""

    def judge(low: float, high: float, median: float) -> str:
        return HOLDS if round(median, 2) == figure else OPEN if low <= figure <= high else FAILS

    return _median(network, name, judge, f"the median is {figure:.2f} % on {{}}")


def median_at_least(network: Network, name: str, bar: float) -> Rule:
    """The 95 % interval of the median lies at or above a figure, not below it."""

    def judge(low: float, high: float, _: float) -> str:
        return HOLDS if low >= bar else FAILS if high < bar else OPEN

    words = f"the 95 % interval of the median on {{}} lies at or above {bar:g} %"
    return _median(network, name, judge, words)


def _median(network: Network, name: str, judge: Callable[[float, float, float], str], words: str) -> Rule:
    def rule(evidence: Evidence) -> Part:
        percents, paper = evidence.percents(network, [name])[:, 0], f"{network.printed(name).median:.2f}"
        part = _interval(evidence, percents, _on(network, name), paper, judge)
        return replace(part, ours=f"median {part.ours}") if part.runs else part

    return Rule(words, rule, (name,))


def _interval(
    evidence: Evidence,
    values: NDArray[Any],
    about: str,
    paper: str,
    judge: Callable[[float, float, float], str],
) -> Part:
    """What the ends of the 95 % interval of the median of some values, (run,), say."""
    if not len(values):
        return Part(about, OPEN, "no runs", paper, 0)
    low, high = exact_median_interval(values)
    median = float(np.median(values))
    ours = f"{_signed(median)} ({_range(low, high)})"
    verdict = judge(low, high, median) if evidence.enough(len(values)) else OPEN
    return Part(about, verdict, ours, paper, len(values))


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
    above another; it fails if the interval lies outside of these, and is inconclusive if on both sides."""

    def judge(low: float, high: float, _: float) -> str:
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
    """The best of ten runs of one network is worse than the worst of ten of another."""

    def rule(evidence: Evidence) -> Part:
        tens = evidence.tens(worse, better, name)
        share = Share(sum(bool(low.max() < high.min()) for low, high in tens), len(tens))
        runs = len(evidence.differences(better, worse, name))
        about = f"{_on(worse, name)}, {worse.model} and {better.model}"
        paper = f"{worse.printed(name).maximum:.2f} and {better.printed(name).minimum:.2f}"
        if not tens or not evidence.enough(runs):
            return Part(about, OPEN, share.in_words("group"), paper, runs)
        verdict, p = beside(share, 1, 1)
        return Part(about, verdict, f"{share.in_words('group')}, {chance(p)}", paper, runs)

    words = (
        f"the best {worse.model} of ten runs is worse than the worst {better.model} of the same seeds on {{}}"
    )
    return Rule(words, rule, (name,))


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


def units(network: Network, test: UnitTest, about: str, runs: Bar, *, paper: str) -> Rule:
    """So many of the runs pass a test of what their units do."""

    def rule(evidence: Evidence) -> Part:
        passed = [test.passed(states) for states in evidence.units(network)]
        return _counted(evidence, Share(sum(passed), len(passed)), runs, about, paper)

    return Rule(f"in {runs.words}, of the first ten, {test.words}", rule)


def possible(network: Network) -> Rule:
    """Capability: some network of the kind is proved right on every word, a constructed one."""

    def rule(evidence: Evidence) -> Part:
        runs, about = evidence.runs(network), f"{network.task}, capability"
        if not evidence.enough(len(runs)):
            return Part(about, OPEN, "no runs", "not looked at", len(runs))
        units = proved_construction(network.language)
        known = [[one for one in run.outcome.latest_horizons if one.factor != 1] for run in runs]
        sharp = Share(sum(any(one.every_word for one in of) for of in known), sum(map(bool, known)))
        ours = (
            f"proved of a constructed LSTM with {plural(units, 'unit')}" if units else "no constructed LSTM"
        )
        ours += f"; {sharp.in_words()}, once sharpened" if sharp.runs else ""
        return Part(about, HOLDS if units or sharp.count else OPEN, ours, "not looked at", len(runs))

    words = "some network is proved right on every word, to depth 2²⁴, where float32 stops counting"
    return Rule(f"capability: {words}", rule)


def learned(network: Network) -> Rule:
    """Learning: more than half of the networks are proved right on every word, as they were trained.

    A run is not right if a word is known that it gets wrong; of others that are not proved it is not known.
    """

    def rule(evidence: Evidence) -> Part:
        horizons = (run.outcome.known_horizon() for run in evidence.runs(network))
        known, about = [one for one in horizons if one is not None], f"{network.task}, learning"
        if not known:
            return Part(about, OPEN, "no horizons", "not looked at", 0)
        wrong = [len(one.horizon.wrong) for one in known if one.horizon.wrong is not None]
        proved, further = sum(bool(one.every_word) for one in known), ""
        if wrong:
            to = min(one.horizon.proved_in(evidence.runs(network)[0].spec.language) for one in known)
            spans = f"words of {min(wrong)} to {max(wrong)} symbols"
            further = f"; {len(wrong)} wrong on {spans}, all proved right up to {to}"
        share = Share(proved, len(known), len(known) - proved - len(wrong))
        return _counted(evidence, share, MOST, about, "not looked at", further)

    return Rule(f"learning: {MOST.words} are, as trained", rule)
