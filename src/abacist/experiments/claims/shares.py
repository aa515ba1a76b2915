"""Shares: how many runs do what is said, what is asked of that, and what the paper's ten runs say of it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from math import comb

import numpy as np
from numpy.typing import NDArray

from abacist.experiments.claims.verdicts import FAILS, HOLDS, OPEN
from abacist.experiments.p_values import exact_p_value, extreme_interval, share_p_value
from abacist.experiments.paired import binomial_interval
from abacist.experiments.paper_table import RUNS
from abacist.wording import plural

#: The p-value below which runs of ours differ from the paper's.
LEVEL = 0.05


@dataclass(frozen=True)
class Share:
    """How many of some runs do what is said; of others it may be `unknown`."""

    count: int
    runs: int
    unknown: int = 0

    @property
    def interval(self) -> tuple[float, float]:
        """A 95 % interval of the share, whatever the unknown ones do."""
        low, high = self.count, self.count + self.unknown
        return binomial_interval(low, self.runs)[0], binomial_interval(high, self.runs)[1]

    def in_words(self, what: str = "run") -> str:
        if not self.runs:
            return f"no {what}s"
        low, high = self.interval
        percent = f"{100 * self.count / self.runs:.0f} % ({100 * low:.0f} to {100 * high:.0f})"
        return f"{self.count} of {plural(self.runs, what)}, {percent}"


@dataclass(frozen=True)
class Bar:
    """What a share has to be: in words, in the paper, and what a share of ours says of it."""

    words: str
    paper: str
    judge: Callable[[Share], tuple[str, float | None]]


def beside(share: Share, count: int, size: int) -> tuple[str, float]:
    """A share beside the paper's `count` of `size`: at least so many, or none, of `size` runs of ours.

    It holds if at least half of all groups of `size` of our runs do so, and fails if our share is worse than
    the paper's by Fisher's exact test.
    """
    done, of = (share.count, count) if count else (share.runs - share.count, size)
    p = share_p_value(share.count, share.runs, count, size)
    if share.runs < size:
        return OPEN, p
    ways = (comb(done, k) * comb(share.runs - done, size - k) for k in range(of, size + 1))
    if 2 * sum(ways) >= comb(share.runs, size):
        return HOLDS, p
    return FAILS if p < LEVEL else OPEN, p


def extreme_beside(
    values: NDArray[np.float64], figure: float, statistic: str
) -> tuple[str, tuple[float, float, float], float]:
    """The paper's smallest or largest of ten beside that of ten of our runs: the verdict, the median and the
    ends of the interval of ours, and the p-value.

    It is said that the worst is at least so good, or the best at most: that holds if it does for at least
    half of all groups of ten, and fails if the figure is too unusual.
    """
    middle, low, high = extreme_interval(values, statistic)
    p = exact_p_value(values, figure, statistic)
    ours = round(middle, 2)
    holds = ours >= figure if statistic == "min" else ours <= figure
    return HOLDS if holds else FAILS if p < LEVEL else OPEN, (middle, low, high), p


def trials(count: int) -> Bar:
    """As many of ten runs as in the paper, or more; none of them where there it is none."""
    words = {0: "none", RUNS: "all"}.get(count, f"at least {count}")
    return Bar(f"{words} of ten runs", f"{count} of {RUNS} runs", partial(beside, count=count, size=RUNS))


def _some(share: Share) -> tuple[str, float | None]:
    if share.count:
        return HOLDS, None
    p = share_p_value(0, share.runs, 1, 1)
    return FAILS if p < LEVEL else OPEN, p


def _most(share: Share) -> tuple[str, float | None]:
    low, high = share.interval
    return HOLDS if low > 0.5 else FAILS if high < 0.5 else OPEN, None


#: One run at least, beside the paper's one; and more than half, by the interval.
SOME, MOST = Bar("some run", "one network", _some), Bar("more than half of the runs", "often", _most)


def chance(p: float) -> str:
    """A p-value as people read it."""
    return f"p = {p:.{2 if p >= 0.1 else 3}f}" if p >= 0.001 else "p < 0.001"
