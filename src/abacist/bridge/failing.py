"""Failing words: the shortest that any model gets wrong, structured ones first, then by length."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, islice, pairwise
from typing import Any

from abacist.analysis.horizons.bracket import MOST_SYMBOLS
from abacist.analysis.horizons.configurations import Configurations
from abacist.analysis.horizons.refuter import Refutation, find_wrong, refutation
from abacist.analysis.stress_words import Family, families_of
from abacist.bridge.asking import ModelQuery, model_of
from abacist.bridge.examination import Examination
from abacist.bridge.scoring import scored
from abacist.corpora import pack_texts
from abacist.fields import checked
from abacist.languages import Language, Word, largest_length
from abacist.progress import Progress
from abacist.specs import Networks, Spec
from abacist.wording import html_table, plural

#: Words that go back and forth, up and down: a family beside those of stress words.
TURNING = "back and forth"

#: Words that a network is asked about at once; states that the horizon's search keeps of a configuration, and
#: of a length.
_BATCH, _BUDGET, _STATES = 256, 64, 100_000

#: Words are searched to this length, or to the longest that a run is tested on, if that is no longer than the
#: second: all families have words of every length.
_USUAL, _LONGEST = 100, 1_000

#: Of the words of a family that are wrong, so many are cut off behind their first mistakes.
_SHORTENED = 20


@dataclass(frozen=True, eq=False)
class FailingWords:
    """Words that a model gets wrong, each with its first wrong step, what is predicted and what is right.

    `structured` is the shortest of each family that has one, `others` are the shortest further ones.
    `searched` words of at most `max_length` symbols were tried one by one, among them all of at most `every`
    symbols; of a network, the search of horizons followed words of at most `looked` symbols, too.
    """

    language: Language[Any]
    structured: Mapping[str, Refutation]
    others: tuple[Refutation, ...]
    searched: int
    every: int
    looked: int = 0
    max_length: int = _USUAL

    @property
    def words(self) -> list[str]:
        """All of them as texts, the structured ones first."""
        return [self.language.alphabet.render(word) for word in self._each]

    @property
    def _each(self) -> list[Word]:
        return [*dict.fromkeys(one.word for one in (*self.structured.values(), *self.others))]

    @property
    def rows(self) -> list[tuple[str, Refutation]]:
        """Where each was found: the name of its family, or by length."""
        return [*self.structured.items(), *(("by length", one) for one in self.others)]

    @property
    def effort(self) -> str:
        """How it was searched, in a sentence."""
        more = f"; the horizon's search went to {plural(self.looked, 'symbol')}" if self.looked else ""
        return (
            f"{plural(self.searched, 'word')} searched, among them every word of at most "
            f"{plural(self.every, 'symbol')}{more}"
        )

    def none(self, option: str = "max_length") -> str:
        """The sentence where no failing word was found; `option` is what raises the length."""
        length = plural(self.max_length, "symbol")
        return f"no failing word of at most {length} found, raise {option} to search further"

    def __str__(self) -> str:
        texts = [self.language.alphabet.shortened(word) for word in self._each]
        return "\n".join([*(texts or [self.none()]), self.effort])

    def __repr__(self) -> str:
        shortest = min(self._each, key=len, default=())
        such = f", such as {self.language.alphabet.shortened(shortest)}" if shortest else ""
        return f"<FailingWords: {plural(len(self._each), 'word')}{such}>"

    def _repr_html_(self) -> str:
        """A row for each, for a notebook."""
        written = self.language.alphabet.shortened
        rows = [(family, written(one.word), len(one), one.step) for family, one in self.rows]
        return html_table(rows, ("found", "word", "length", "first wrong step"), caption=self.effort)


@checked
def failing_words(
    model: Networks | Callable[..., Any],
    language: Language[Any],
    *,
    count: int = 10,
    max_length: int = _USUAL,
    every: int = 2_000,
    steps: str = "all",
    run: int = 0,
    threshold: float = 0.5,
    batch: int | None = None,
    seed: int = 0,
    progress: Progress | None = None,
) -> FailingWords:
    """The shortest words found that a model gets wrong: the shortest of each structured family, and `count`
    further ones.

    The model is a network, or a function as in `judge_model`. All families of `abacist stress` and words that
    go back and forth are tried to `max_length`, then all words by length, at most `every`; of a network the
    search for horizons adds what it finds.
    """
    examination = Examination(language, every=every, longest=max_length)
    if isinstance(model, Networks):
        model.check_language(language)
        query = ModelQuery(model_of(model, run), language, model.layout.threshold or 0.5, _BATCH)
    else:
        query = ModelQuery(model, language, threshold, batch)
    known, asked = Configurations(language), dict[Word, Refutation | None]()

    def confirmed(one: Refutation) -> bool:  # of a network by the plain reference, too
        return not isinstance(model, Networks) or refutation(model, run, known, one.word, steps) is not None

    def wrong(words: Iterable[Word], most: int) -> list[Refutation]:
        distinct = dict.fromkeys(words)
        new = [word for word in distinct if word not in asked]
        asked.update(dict.fromkeys(new))
        asked.update((one.word, one) for one in refutations(query, new, steps))
        failing = sorted(filter(None, map(asked.get, distinct)), key=_shortest_first)
        return [*islice(filter(confirmed, failing), most)]

    families = {
        family.name: _of_family(family, language, max_length, seed) for family in families_of(language)
    }
    families[TURNING] = examination.structured_words(seed)
    query.refuse_looking_ahead([word for words in families.values() for word in words[-2:]])
    structured, tell = dict[str, Refutation](), progress or Progress()
    for number, (family, words) in enumerate(families.items()):
        tell(number / (len(families) + 2), family)
        if failing := wrong(words, _SHORTENED):
            cut = (known.completed(one.word[: one.step], int(steps == "last")) for one in failing)
            structured[family] = (wrong(cut, 1) or failing)[0]
    tell(1 - 2 / (len(families) + 2), "all words by length")
    by_length, looked = examination.every_word(), 0
    tried = largest_length(language, len(by_length))
    others = wrong(chain(*by_length), count + len(structured))
    if isinstance(model, Networks) and len(language.alphabet) <= MOST_SYMBOLS:
        tell(1 - 1 / (len(families) + 2), "the horizon's search")
        shortest = min(
            map(len, (*structured.values(), *others)), default=max_length
        )  # only shorter ones count
        limit = min(shortest, max_length) + 1
        more, looked = find_wrong(
            model, run, known, limit=limit, budget=_BUDGET, max_boxes=_STATES, steps=steps
        )
        others += more
    first = {one.word for one in structured.values()}
    once = {one.word: one for one in sorted(others, key=_shortest_first) if one.word not in first}
    found = tuple(islice(once.values(), count))
    return FailingWords(language, structured, found, len(asked), tried, looked, max_length)


def usual_length(spec: Spec) -> int:
    """How long failing words of a run may be, if nobody says it: as long as those that it is tested on."""
    return min(max(_USUAL, spec.short.high, spec.long.high), _LONGEST)


def refutations(query: ModelQuery, words: Sequence[Word], steps: str) -> list[Refutation]:
    """Those of some words that a model gets wrong."""
    packed = pack_texts(query.language, words, steps)
    if not words:
        return []
    predicted = query.predictions(packed)
    wrong = scored(predicted, packed).first_wrong.tolist()
    spans = zip(words, wrong, pairwise(packed.offsets.tolist()), strict=True)
    return [
        Refutation.of(word, step, predicted[begin:end], packed.targets[begin:end])
        for word, step, (begin, end) in spans
        if step >= 0
    ]


def _shortest_first(one: Refutation) -> tuple[int, Word]:
    return len(one), one.word


def _of_family(family: Family, language: Language[Any], longest: int, seed: int) -> list[Word]:
    """The words of a family up to a length."""
    drawn = (family.words(language, length, seed=seed) for length in range(1, longest + 1))
    return [tuple(word.tolist()) for words in drawn for word in words]
