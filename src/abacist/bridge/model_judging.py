"""Judging any model by the same sets and the same measure as the networks here."""

from __future__ import annotations

import platform
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from html import escape
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from abacist import __version__
from abacist.analysis import ALL_FAMILIES, Horizon, Stress
from abacist.bridge.asking import ModelQuery
from abacist.bridge.examination import Examination
from abacist.bridge.scoring import Score, scored
from abacist.bridge.wrong_words import horizon_of, wrong_among
from abacist.cells import outside_model
from abacist.corpora import EDITS, Words
from abacist.errors import BadInput, Impossible
from abacist.experiments import MEMBERS, RECOGNITION_SETS, KnownHorizon, Outcome, Run
from abacist.experiments.word_sets import WordSets
from abacist.fields import check_fields, checked
from abacist.languages import Language, Word
from abacist.progress import Progress
from abacist.specs import Spec


@dataclass(frozen=True, eq=False)
class Judgement:
    """What came of an examination, under the seed that its sets were drawn from.

    `accuracy` is by set: of words the share that is right at every step, of strings outside the language the
    share that is rejected. `scores` has more on the sets of words, `stress` is of one network, and `horizon`
    says up to which length every word was tried and right, and the shortest wrong word found.
    """

    spec: Spec
    seed: int
    accuracy: Mapping[str, float]
    scores: Mapping[str, Score]
    stress: Stress | None
    horizon: Horizon
    begun: float
    seconds: float

    def __post_init__(self) -> None:
        check_fields(self)

    @property
    def name(self) -> str:
        """What the model is called in tables."""
        return self.spec.cell.name

    def run(self) -> Run:
        """The same as a run that a store keeps: without weights, after no epoch of ours."""
        versions = {"abacist": __version__, "numpy": np.__version__, "python": platform.python_version()}
        outcome = Outcome(
            accuracy={name: {self.spec.epochs: share} for name, share in self.accuracy.items()},
            losses=(),
            diverged=None,
            begun=round(self.begun, 3),
            seconds=round(self.seconds, 4),
            versions=versions,
            horizons=(KnownHorizon(1.0, self.horizon),),
        )
        return Run(self.spec, self.seed, outcome, np.zeros(0, self.spec.precision))

    def _repr_html_(self) -> str:
        """Accuracies by set, for a notebook."""
        rows = "".join(
            f"<tr><td>{escape(name)}</td><td>{100 * share:.2f} %</td></tr>"
            for name, share in self.accuracy.items()
        )
        tried, wrong = self.horizon.proved_in(self.spec.language), self.horizon.wrong
        came = f"tried to {tried:,}, " + (
            "no wrong word found" if wrong is None else f"wrong at {len(wrong):,}"
        )
        caption = escape(f"{self.name} on {self.spec.language.name}, seed {self.seed}: {came}")
        return f"<table><caption>{caption}</caption>{rows}</table>"


@checked
def judge_model(
    model: Callable[..., Any],
    on: Examination | Language[Any],
    *,
    name: str,
    settings: Mapping[str, Any] | None = None,
    seed: int = 0,
    threshold: float = 0.5,
    batch: int | None = None,
    progress: Progress | None = None,
) -> Judgement:
    """Judge any function that gives scores for what may come next, after every symbol of a word.

    It takes a word and gives scores, (time, output), or with `batch` for a list of words: see `ModelQuery`.
    `name` and `settings` are what it goes by; run it with several seeds to have several runs. A threshold
    other than 0.5 is one of its settings. `progress` counts the symbols that it was asked about.
    """
    examination = on if isinstance(on, Examination) else Examination(on)
    known = dict(settings or {}) | ({} if threshold == 0.5 else {"threshold": float(threshold)})
    spec = examination.spec(outside_model(name, known))
    begun, clock = time.time(), time.perf_counter()
    work = _Work(examination, spec, seed)
    done = 0

    def asked_about(symbols: int) -> None:
        nonlocal done
        done += symbols
        if progress is not None:
            progress(done / work.symbols)

    query = ModelQuery(model, spec.language, threshold, batch, asked_about)
    return work.judged(query, begun, clock)


class _Work:
    """All words of an examination, drawn before the model is asked about any."""

    def __init__(self, examination: Examination, spec: Spec, seed: int) -> None:
        if seed < 0:
            raise BadInput(f"judge_model: seed must be at least 0, got {seed}")
        self.examination, self.spec, self.seed = examination, spec, seed
        sets = WordSets(spec, (seed,))
        self.sets = dict[str, Words]()
        for name in examination.names:
            try:
                self.sets[name] = sets.of(0, name)
            except Impossible:
                if examination.sets is not None or name not in RECOGNITION_SETS:
                    raise
        self.every_word = examination.every_word()
        self.structured = examination.structured_words(seed)
        lengths = examination.stress
        given = spec.language.given_by_automaton
        self.families = {name: family for name, family in ALL_FAMILIES.items() if family.own == given}
        self.stress = [
            [_words(f.words(spec.language, n, seed=0)) for n in lengths] for f in self.families.values()
        ]
        drawn = {_shared(name): len(words.symbols) for name, words in self.sets.items()}
        listed = [*self.every_word, self.structured, *(words for own in self.stress for words in own)]
        self.symbols = sum(drawn.values()) + sum(len(word) for words in listed for word in words)

    def judged(self, query: ModelQuery, begun: float, clock: float) -> Judgement:
        query.refuse_looking_ahead([*self.structured[:8], *(w for words in self.every_word for w in words)])
        predicted: dict[str, NDArray[np.bool_]] = {}
        accuracy, scores, wrong = dict[str, float](), dict[str, Score](), dict[Word, int]()
        for name, words in self.sets.items():
            if (own := _shared(name)) not in predicted:  # the members of a set are its words
                predicted[own] = query.predictions(words.symbols, words.offsets)
            score = scored(predicted[own], words)
            outside = name.rpartition(" ")[0] in EDITS
            accuracy[name] = float(((score.first_wrong < 0) != outside).mean())
            if not words.partial:
                scores[name] = score
                wrong |= _wrong(words, score)
        stress, failed = self._stressed(query)
        if stress is not None:
            accuracy[f"stress to {stress.lengths[-1]}"] = _share_right(stress)
        wrong |= failed | wrong_among(query, self.structured, self.spec.steps)
        horizon = horizon_of(query, self.every_word, wrong, self.spec.steps, self.examination.longest)
        seconds = time.perf_counter() - clock
        return Judgement(self.spec, self.seed, accuracy, scores, stress, horizon, begun, seconds)

    def _stressed(self, query: ModelQuery) -> tuple[Stress | None, dict[Word, int]]:
        """How far the model gets on the families of stress words, and those that it gets wrong."""
        lengths = self.examination.stress
        if not lengths or not any(words for own in self.stress for words in own):
            return None, {}
        wrong: dict[Word, int] = {}
        wrong_at = np.zeros((1, len(self.families), len(lengths)), np.int64)
        for family, own in enumerate(self.stress):
            for place, words in enumerate(own):
                found = wrong_among(query, words, self.spec.steps)
                wrong_at[0, family, place] = min(found.values(), default=-1) + 1
                wrong |= found
        counts = np.array([[len(words) for words in own] for own in self.stress], np.int64)
        actual = [[len(words[0]) if words else 0 for words in own] for own in self.stress]
        return Stress(lengths, tuple(self.families), counts, np.array(actual, np.int64), wrong_at), wrong


def _words(arrays: Iterable[NDArray[Any]]) -> list[Word]:
    return [tuple(word.tolist()) for word in arrays]


def _shared(name: str) -> str:
    """The set whose words another has, too."""
    return name.removeprefix(f"{MEMBERS} ")


def _wrong(words: Words, score: Score) -> dict[Word, int]:
    """Of labelled words those that are wrong, with their first wrong steps."""
    spans = list(pairwise(words.offsets.tolist()))
    places = np.flatnonzero(score.first_wrong >= 0).tolist()
    return {tuple(words.symbols[slice(*spans[n])].tolist()): int(score.first_wrong[n]) for n in places}


def _share_right(stress: Stress) -> float:
    """The share of families and lengths, of those that have words, on which nothing is wrong."""
    there = stress.words > 0
    return float((stress.wrong_at[0][there] == 0).mean())
