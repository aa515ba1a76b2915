"""The prover of certificates: it searches for proofs and for words that refute, and the checker decides."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from operator import itemgetter
from typing import Any

import numpy as np

from abacist.analysis.certificates.answer import Answer
from abacist.analysis.certificates.certificate import Certificate, Cover, Statement, weights_hash
from abacist.analysis.certificates.checker import check
from abacist.analysis.certificates.cover_search import CoverSearch
from abacist.analysis.certificates.search import counters_of, find_boxes, guess_slopes, ways_between
from abacist.analysis.certificates.steps import Steps
from abacist.analysis.horizons.configurations import Configurations
from abacist.analysis.horizons.refuter import Refutation, find_wrong, refutation
from abacist.analysis.turning_words import up_and_down
from abacist.corpora import pack_texts
from abacist.engine import first_mistakes
from abacist.errors import BadInput
from abacist.fields import checked
from abacist.languages import Language, Within, Word, language_text, refuse_recogniser
from abacist.progress import Progress
from abacist.specs import Networks

#: Thresholds and how many symbols are remembered, in the order in which they are tried.
_DIVISIONS = ((1, 0), (1, 1), (2, 1), (2, 2), (4, 2), (8, 2), (16, 1))

#: The longest words of which anything is said.
_LONGEST = 2**60

#: How finely the largest length and depth are determined.
_FINE = 64

#: How many counters a language may have: there are at least as many regions as subsets of them.
_COUNTERS = 10

#: The largest depth that covers are tried for, and how many depths wrong words are looked for in.
_DEEPEST, _DEPTHS = 64, 4

#: How long the words are that are searched, and those that go up and down; how many states of a configuration
#: the search keeps.
_SEARCHED, _LONG, _BUDGET = 300, 4000, 64


@checked
def certify(
    networks: Networks,
    run: int,
    language: Language[Any],
    *,
    length: int | None = None,
    depth: int | None = None,
    steps: str = "all",
    progress: Progress | None = None,
) -> Answer:
    """Prove that a network is right on every word: up to a length, up to a depth, or both.

    Without either: on words of any length, up to the depth where the precision stops counting; where that
    cannot be proved, the largest depth or length for which it can is looked for, and a wrong word
    that is as shallow as possible. A language with a stack needs a depth, or words that are not
    deeper than some. The text of `progress` is what is being tried.
    """
    refuse_recogniser(language, "certify")
    if not (counters := len(language.depths(language.start))):
        raise BadInput(f"certify: {language.name} has no counters; its horizon is what can be shown of it")
    if depth is None and isinstance(language, Within):
        depth = language.deepest or None  # which no word exceeds
    if depth is None:
        counters_of(language)
    if counters > _COUNTERS:
        raise BadInput(
            f"certify: {language.name} has {counters} counters, and there may be {_COUNTERS}: "
            "regions double with each"
        )
    if steps not in ("all", "last"):
        raise BadInput(f"certify: steps must be all or last, got {steps!r}")
    search = _Search(networks, run, language, steps, progress)
    for name, value, most in (("length", length, _LONGEST), ("depth", depth, search.whole)):
        if value is not None and not 1 <= value <= most:
            raise BadInput(f"certify: {name} must be from 1 to {most:,}, got {value:,}")
    if depth is None:
        depth = search.whole if length is None else min(max(length // 2, 1), search.whole)
    asked = search.statement(length, depth)
    certificate = search.proof(asked)
    if certificate is not None:
        return Answer(language, asked, "proved", certificate, None)
    search.progress(text="looking for a word that it gets wrong")
    word = search.refutation(asked)
    if not asked.unbounded:
        return Answer(language, asked, "open" if word is None else "refuted", None, word)
    weaker, deep = search.strongest()
    if word is None:
        return Answer(language, asked, "open", weaker, None, search.deepest_cover(deep + 1, _DEEPEST))
    wrong_depth = int(language.depth_path(word.word).max())
    cover = search.deepest_cover(deep + 1, min(wrong_depth - 1, _DEEPEST))
    deep = deep if cover is None else cover.statement.depth
    shallowest = search.shallowest(word, deep + 1, wrong_depth)
    return Answer(language, asked, "refuted", weaker, word, cover, shallowest)


@checked
def certify_every_word(
    networks: Networks,
    run: int,
    language: Language[Any],
    *,
    steps: str = "all",
    progress: Progress | None = None,
) -> Certificate | None:
    """A certificate that a network is right on every word, None where none was found.

    Every word: with depths up to where the precision stops counting. Nothing weaker is looked for.
    """
    refuse_recogniser(language, "certify")
    counters_of(language)
    search = _Search(networks, run, language, steps, progress)
    proof = search.proof(search.statement(None, search.whole))
    assert not isinstance(proof, Cover)  # whose depths are few
    return proof


class _Search:
    """The search for certificates of one network."""

    def __init__(
        self, networks: Networks, run: int, language: Language[Any], steps: str, progress: Progress | None
    ) -> None:
        networks.check_language(language)
        self._networks, self._run, self._language = networks, networks.checked_run(run), language
        self.progress = progress or Progress()
        self._counted, self._steps = steps, Steps(networks, run)
        self._slopes = guess_slopes(networks, run, language)
        self._covers = CoverSearch(networks, run, language)
        self.whole = self._steps.grid.whole

    def statement(self, length: int | None, depth: int) -> Statement:
        cell, precision = self._networks.layout.cell.name, self._steps.precision
        return Statement(language_text(self._language), cell, precision, self._counted, length, depth)

    def proof(self, statement: Statement) -> Certificate | Cover | None:
        """A certificate of a statement, with the first division into regions that gives one, or a cover."""
        with suppress(BadInput):  # no counters recognise the language, or forms do not know the cell
            for division in _DIVISIONS:
                if (certificate := self._attempt(statement, division)) is not None:
                    return certificate
        return None if statement.unbounded else self._covers.find(replace(statement, length=None))

    def shallowest(self, word: Refutation, least: int, depth: int) -> Refutation:
        """A wrong word of a depth from `least` on, or one that is known, of some depth."""
        statements = (self.statement(None, lower) for lower in range(least, min(depth, least + _DEPTHS)))
        return next(filter(None, map(self.refutation, statements)), word)

    def refutation(self, statement: Statement) -> Refutation | None:
        """A short word for which a statement is false, if there is one: of the refuter, or up and down."""
        networks, run, language, steps = self._networks, self._run, self._language, self._counted
        configurations = Configurations(language, statement.depth)
        longest = _LONG if statement.length is None else min(statement.length, _LONG)

        def fits(word: Word) -> bool:
            return len(word) <= longest and int(language.depth_path(word).max(initial=0)) <= statement.depth

        limit = min(longest, _SEARCHED) + 1
        refutations, _ = find_wrong(networks, run, configurations, limit=limit, budget=_BUDGET, steps=steps)
        if short := [one for one in refutations if fits(one.word)]:
            return min(short, key=len)
        words = [word for word in up_and_down(language, longest) if fits(word)]
        if not words:
            return None
        mistakes = first_mistakes(networks, run, pack_texts(language, words, steps)).tolist()
        for wrong, word in sorted(zip(mistakes, words, strict=True), key=itemgetter(0)):
            if wrong >= 0:  # cut off behind the mistake and ended
                ended = configurations.completed(word[: wrong + 1])
                if (confirmed := refutation(networks, run, configurations, ended, steps)) is not None:
                    return confirmed
        return None

    def strongest(self) -> tuple[Certificate | None, int]:
        """The certificate for the largest depth, or for the largest length where that says more.

        And that depth, 0 if there is none.
        """
        deep = self._largest(lambda depth: self.statement(None, depth), self.whole)
        long = self._largest(lambda length: self.statement(length, max(length // 2, 1)), 2 * self.whole)
        reach = 0 if long is None or long.statement.length is None else long.statement.length
        depth = 0 if deep is None else deep.statement.depth
        return (long if deep is None or 2 * depth + 1 < reach else deep), depth

    def deepest_cover(self, depth: int, deepest: int) -> Cover | None:
        """The cover for the largest depth of a range."""
        best = None
        while depth <= deepest and (cover := self._covers.find(self.statement(None, depth))) is not None:
            best, depth = cover, depth + 1
            self.progress(text=f"trying: {cover.statement}")
        return best

    def _largest(self, statement: Callable[[int], Statement], most: int) -> Certificate | None:
        """A certificate for the largest value that is found by doubling, then by halving the difference."""
        best, value, chosen = None, 0, _DIVISIONS[0]
        for division in _DIVISIONS:
            tried = max(1, 2 * value)
            while tried <= most and (next_best := self._attempt(statement(tried), division)) is not None:
                best, value, chosen = next_best, tried, division
                tried *= 2
        high = 2 * value
        while best is not None and high - value > max(1, value // _FINE):
            middle = high - 1 if high == 2 * value else (value + high) // 2  # it may fail by one
            between = self._attempt(statement(middle), chosen) if middle <= most else None
            if between is None:
                high = middle
            else:
                best, value = between, middle
        return best

    def _attempt(self, statement: Statement, division: tuple[int, int]) -> Certificate | None:
        """A certificate with one division into regions, if the checker agrees."""
        self.progress(text=f"trying: {statement}")
        threshold, memory = division
        if threshold > max(statement.depth, 1):
            return None  # all counters are exact with a lower threshold, too
        ways = ways_between(self._language, threshold, memory, statement.depth, self._counted)
        with np.errstate(all="ignore"):  # what overflows is unknown, and shows nothing
            boxes = None if ways is None else find_boxes(self._steps, ways, self._slopes, statement.length)
        if ways is None or boxes is None:
            return None
        (offsets, growth), weights = boxes, weights_hash(self._networks, self._run)
        certificate = Certificate(
            statement, weights, threshold, memory, self._slopes, growth.lower, growth.upper, ways.regions,
            offsets.lower, offsets.upper,
        )  # fmt: skip
        return certificate if check(certificate, self._networks, self._run).holds else None
