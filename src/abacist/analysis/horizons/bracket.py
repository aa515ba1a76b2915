"""The counting horizon of a network: the length of the shortest word that it gets wrong, in a bracket.

Its lower end is what the `prover` proves, its upper end what the `refuter` finds.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from itertools import count
from math import inf
from typing import Annotated, Any

from abacist.analysis.horizons.configurations import Configurations
from abacist.analysis.horizons.exploration import boxes_that_fit, influences
from abacist.analysis.horizons.prover import prove
from abacist.analysis.horizons.refuter import Refutation, find_wrong
from abacist.compiler import plan_boxes
from abacist.errors import BadInput
from abacist.field_names import keywords_answered
from abacist.fields import Field, Range, check_fields, checked
from abacist.languages import Language, Within, largest_length
from abacist.limits import BOXES, HORIZON
from abacist.progress import Progress
from abacist.specs import Networks
from abacist.wording import html_table

#: Boxes of a configuration at first, then four times as many, and so on; and the most symbols of a language.
_FIRST_BUDGET, MOST_SYMBOLS = 64, 32

#: The share of a budget for states near a wrong decision, at least, in the second search for wrong words.
_NEAREST = 0.25

#: How many searches for wrong words each budget has; older versions had one.
SEARCHES = 2

#: Configurations at most of the low words that are searched first.
_LOW = 2_000


@keywords_answered
@dataclass(frozen=True)
class Search:
    """How far, and how hard, to look for a horizon.

    With `most` memory and time are bounded: a length with more configurations than that is the last.
    """

    to: Annotated[
        int, Field("Look at words of at most so many symbols.", Range(1, HORIZON.most), "max-length", "to")
    ] = 1_000
    budget: Annotated[
        int,
        Field(
            "Boxes that a configuration may have in the end: more prove more.",
            Range(1, BOXES.most),
            "boxes",
            "budget",
        ),
    ] = 1_024
    most: Annotated[
        int,
        Field(
            "Boxes that all words of one length may have together.", Range(1, BOXES.most), "max-boxes", "most"
        ),
    ] = 2_000_000

    def __post_init__(self) -> None:
        check_fields(self)

    def budgets(self) -> list[int]:
        """The budgets that are tried one after the other."""
        tried = [min(_FIRST_BUDGET, self.budget)]
        while tried[-1] < self.budget:
            tried.append(min(4 * tried[-1], self.budget))
        return tried

    def runs_every_word(self, language: Language[Any], longest: int) -> bool:
        """Whether words up to a length are so few that each is run: aⁿbⁿ has one for every n.

        A beginning belongs to a word, so there are no more states of one length than words, and of one
        configuration than words of one length; where that many may be kept, none is left out.
        """
        counts = language.counts(longest)
        return self.to >= longest and max(counts) <= self.budget and max(counts) * sum(counts) <= self.most


@dataclass(frozen=True)
class Horizon:
    """What is known of a network's horizon.

    On every word of at most `proved` symbols every prediction that counts is right; `wrong` is the shortest
    word found that it gets wrong, if any. Between the two nothing is known. `search` is how hard it was
    looked for, `reached` the largest budget that was tried to the end, `looked` the length up to which
    wrong words were looked for, and `searches` how many searches for them each budget had. With its
    `language` it is shown in lengths that words have.
    """

    proved: int
    wrong: Refutation | None
    search: Search
    reached: int
    seconds: float = 0.0
    looked: int = 0
    searches: int = SEARCHES
    language: Language[Any] | None = field(default=None, compare=False, repr=False)

    def __post_init__(self) -> None:
        check_fields(self)
        if self.wrong is not None and self.proved >= len(self.wrong):
            raise BadInput(
                f"Horizon: proved to {self.proved} symbols, but wrong on a word of {len(self.wrong)}: "
                "one of the two is not true, please report it"
            )

    def proved_in(self, language: Language[Any]) -> int:
        """What people are told of `proved`: the largest such length that words have, 0 if there is none.

        Dyck-1 has no word of an odd number of symbols, so what is proved to 45 there is proved to 44.
        """
        return largest_length(language, self.proved)

    @property
    def _proved(self) -> int:
        return self.proved if self.language is None else self.proved_in(self.language)

    @property
    def closed(self) -> bool:
        """Whether the horizon is known exactly."""
        return self.wrong is not None and self.proved + 1 == len(self.wrong)

    @property
    def done(self) -> bool:
        """Whether there is nothing more to find out up to the length that was asked for."""
        return self.closed or self.proved >= self.search.to

    def answers(self, search: Search, searches: int = SEARCHES) -> bool:
        """Whether a search, with so many for wrong words, would find nothing that is not known already."""
        before = self.search
        harder = self.reached >= search.budget and before.to >= search.to and before.most >= search.most
        return self.closed or self.proved >= search.to or (harder and self.searches >= searches)

    def joined(self, other: Horizon) -> Horizon:
        """What is known from both, under the search of the other."""
        words = [horizon.wrong for horizon in (other, self) if horizon.wrong is not None]
        shortest = min(words, key=len, default=None)
        proved, looked = max(self.proved, other.proved), max(self.looked, other.looked)
        return replace(other, proved=proved, wrong=shortest, looked=looked)

    def _repr_html_(self) -> str:
        """Both ends of the bracket, for a notebook."""
        wrong = (
            "none found" if self.wrong is None else f"{len(self.wrong):,} symbols, step {self.wrong.step:,}"
        )
        heads = ("every word is right up to", "shortest wrong word")
        return html_table([(f"{self._proved:,} symbols", wrong)], heads)

    def __repr__(self) -> str:
        return f"<Horizon: {self}>"

    def __str__(self) -> str:
        proved = f"proved to {self._proved:,}" if self._proved else "nothing proved"
        wrong = "no wrong word found" if self.wrong is None else f"wrong at {len(self.wrong):,}"
        return f"{proved}, {wrong}"


@checked
def horizon(
    networks: Networks,
    run: int,
    language: Language[Any],
    search: Search | None = None,
    *,
    steps: str = "all",
    seconds: float | None = None,
    configurations: Configurations | None = None,
    progress: Progress | None = None,
) -> Horizon:
    """Bracket the horizon of one network.

    With `seconds`, what is known by then; without, the result depends on the search alone.
    `configurations`, those of the language, saves time where many networks share them. The text of
    `progress` is the bracket and the length that is being looked at.
    """
    networks.check_language(language)
    networks.checked_run(run)
    plan_boxes(networks.layout, str(networks.parameters.dtype))  # refuses what cannot be read as boxes
    if (symbols := len(language.alphabet)) > MOST_SYMBOLS:
        raise BadInput(
            f"horizon: {language.name} has {symbols} symbols, and there may be {MOST_SYMBOLS}: "
            "its configurations are too many to follow"
        )
    search, configurations = search or Search(), configurations or Configurations(language)
    if configurations.language != language:
        raise BadInput(
            f"horizon: the configurations are those of {configurations.language.name}, not of {language.name}"
        )
    begun = time.perf_counter()
    deadline = inf if seconds is None else begun + seconds
    best, budgets, passes = Horizon(0, None, search, 0, language=language), search.budgets(), count(1)
    effort: dict[str, Any] = {
        "steps": steps,
        "max_boxes": boxes_that_fit(search.most, networks.layout),
        "influence": influences(networks, run, configurations),
        "deadline": deadline,
    }

    if isinstance(language, Within) and language.inner != language.outer:
        best = replace(best, wrong=_wrong_low_word(networks, run, language, search, **effort))

    def explore(function: Callable[..., Any], budget: int, **share: float) -> Any:
        number, limit = next(passes), search.to + 1 if best.wrong is None else len(best.wrong)

        def watch(explored: Progress) -> None:
            if progress is not None:
                progress(
                    text=f"{best}, pass {number} of at most {(1 + SEARCHES) * len(budgets)}, {explored.text}"
                )

        more = {"limit": limit, "budget": budget, "progress": Progress(watch), **share}
        return function(networks, run, configurations, **effort, **more)

    def refuted(budget: int, nearest: float) -> Horizon:
        refutations, looked = explore(find_wrong, budget, nearest=nearest)
        wrong = refutations[0] if refutations else best.wrong
        return replace(best, wrong=wrong, looked=max(best.looked, looked))

    for budget in budgets:
        best = refuted(budget, 0.0)
        best = replace(best, proved=max(best.proved, explore(prove, budget) - 1))
        if not best.done:
            best = refuted(budget, _NEAREST)
        now = time.perf_counter()
        best = replace(best, reached=best.reached if now > deadline else budget, seconds=now - begun)
        if best.done or now > deadline:
            break
    return best


def _wrong_low_word(
    networks: Networks, run: int, language: Language[Any], search: Search, **effort: Any
) -> Refutation | None:
    """A short word that a network gets wrong and in which depths have small sums.

    Words with a stack have so many configurations that a search of all of them ends early.
    """
    wrong, count = None, 0
    for height in range(1, search.to):
        low, limit = Configurations(language, height=height), search.to + 1 if wrong is None else len(wrong)
        found, _ = find_wrong(networks, run, low, limit=limit, budget=search.budget, **effort)
        wrong = found[0] if found else wrong
        if not count < len(low) <= _LOW:
            break
        count = len(low)
    return wrong
