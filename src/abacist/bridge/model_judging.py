"""Judging any model by the sets and the measure of the networks here, and keeping what comes of it."""

from __future__ import annotations

import platform
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, pairwise
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from abacist import __version__
from abacist.analysis import Horizon, Search, Stress
from abacist.analysis.horizons.configurations import Configurations
from abacist.analysis.stress_words import families_of
from abacist.bridge.asking import ModelQuery
from abacist.bridge.examination import Examination
from abacist.bridge.failing import refutations
from abacist.bridge.scoring import Score, scored
from abacist.cells import outside_model
from abacist.corpora import EDITS, Words
from abacist.errors import BadInput, Impossible
from abacist.experiments import MEMBERS, RECOGNITION_SETS, KnownHorizon, Outcome, Run, Store
from abacist.experiments.housekeeping import differences, joined
from abacist.experiments.word_sets import WordSets
from abacist.fields import checked
from abacist.languages import Language, Word
from abacist.progress import Progress
from abacist.specs import Spec
from abacist.wording import html_table

#: Of the words that are wrong, so many are shortened: those whose first mistake comes first.
_SHORTENED = 100

#: Words that are wrong, with their first wrong steps, from 0.
Wrong = dict[Word, int]


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
        rows = ((name, f"{100 * share:.2f} %") for name, share in self.accuracy.items())
        tried, wrong = self.horizon.proved_in(self.spec.language), self.horizon.wrong
        end = "no wrong word found" if wrong is None else f"wrong at {len(wrong):,}"
        caption = f"{self.name} on {self.spec.language.name}, seed {self.seed}: tried to {tried:,}, {end}"
        return html_table(rows, caption=caption)


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
    settings = dict(settings or {}) | ({} if threshold == 0.5 else {"threshold": float(threshold)})
    spec = examination.spec(outside_model(name, settings))
    begun, clock = time.time(), time.perf_counter()
    drawn, asked, progress = _Drawn(examination, spec, seed), 0, progress or Progress()

    def count(symbols: int) -> None:
        nonlocal asked
        asked += symbols
        progress(asked / drawn.symbols)

    query = ModelQuery(model, spec.language, threshold, batch, count)
    query.refuse_looking_ahead([*drawn.structured[:8], *chain(*drawn.every_word)])
    accuracy, scores, wrong = _on_sets(query, drawn.sets)
    stress = _stressed(query, drawn, wrong)
    if stress is not None:
        right = stress.wrong_at[0][stress.words > 0] == 0
        accuracy[f"stress to {stress.lengths[-1]}"] = float(right.mean())
    wrong |= _wrong_among(query, drawn.structured, spec.steps)
    horizon = _horizon(query, drawn.every_word, wrong, spec.steps, examination.longest)
    return Judgement(spec, seed, accuracy, scores, stress, horizon, begun, time.perf_counter() - clock)


class _Drawn:
    """All words of an examination, drawn before the model is asked about any.

    `stress` are the words of every family and length; `symbols` is how many there are in all.
    """

    def __init__(self, examination: Examination, spec: Spec, seed: int) -> None:
        if seed < 0:
            raise BadInput(f"judge_model: seed must be at least 0, got {seed}")
        self.spec, self.lengths = spec, examination.stress
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
        self.families = families_of(spec.language)
        self.stress: list[list[list[Word]]] = [
            [[tuple(word.tolist()) for word in family.words(spec.language, n, seed=0)] for n in self.lengths]
            for family in self.families
        ]
        packed = {_shared(name): words.symbols for name, words in self.sets.items()}
        words = chain(*self.every_word, self.structured, *chain(*self.stress))
        self.symbols = sum(map(len, packed.values())) + sum(map(len, words))


def _shared(name: str) -> str:
    """The set whose words another has, too."""
    return name.removeprefix(f"{MEMBERS} ")


def _on_sets(
    query: ModelQuery, sets: Mapping[str, Words]
) -> tuple[dict[str, float], dict[str, Score], Wrong]:
    """Accuracies and scores by set, and the words that are wrong."""
    predicted: dict[str, NDArray[np.bool_]] = {}
    accuracy, scores, wrong = dict[str, float](), dict[str, Score](), Wrong()
    for name, words in sets.items():
        if (shared := _shared(name)) not in predicted:  # the members of a set are its words
            predicted[shared] = query.predictions(words)
        score = scored(predicted[shared], words)
        outside = name.rpartition(" ")[0] in EDITS
        accuracy[name] = float(((score.first_wrong < 0) != outside).mean())
        if not words.partial:
            scores[name] = score
            wrong |= _wrong(words, score)
    return accuracy, scores, wrong


def _stressed(query: ModelQuery, drawn: _Drawn, wrong: Wrong) -> Stress | None:
    """How far the model gets on the families of stress words; those that it gets wrong are added."""
    if not any(chain(*drawn.stress)):
        return None
    rows = np.zeros((len(drawn.families), len(drawn.lengths), 3), np.int64)
    for place in np.ndindex(rows.shape[:2]):
        words = drawn.stress[place[0]][place[1]]
        failed = _wrong_among(query, words, drawn.spec.steps)
        rows[place] = len(words), len(words[0]) if words else 0, min(failed.values(), default=-1) + 1
        wrong |= failed
    counts, actual, wrong_at = np.moveaxis(rows, -1, 0)
    return Stress(drawn.lengths, tuple(one.name for one in drawn.families), counts, actual, wrong_at[None])


def _wrong(words: Words, score: Score) -> Wrong:
    """The words that are wrong by a score."""
    spans = zip(pairwise(words.offsets.tolist()), score.first_wrong.tolist(), strict=True)
    return {tuple(words.symbols[a:b].tolist()): step for (a, b), step in spans if step >= 0}


def _wrong_among(query: ModelQuery, words: Sequence[Word], steps: str) -> Wrong:
    """Of some words those that the model gets wrong."""
    return {one.word: one.step - 1 for one in refutations(query, words, steps)}


def _horizon(
    query: ModelQuery, every_word: Sequence[Sequence[Word]], further: Wrong, steps: str, longest: int
) -> Horizon:
    """How far all words were tried and right, and the shortest wrong one; `further` are longer ones."""
    proved, wrong = 0, Wrong()
    for length, words in enumerate(every_word, 1):
        wrong = _wrong_among(query, words, steps)
        if wrong:
            break
        proved = length
    if not wrong and further:
        configurations, least = Configurations(query.language), int(steps == "last")
        earliest = sorted(further, key=lambda word: (further[word], len(word)))[:_SHORTENED]
        shorter = [configurations.completed(word[: further[word] + 1], least) for word in earliest]
        wrong = _wrong_among(query, list(dict.fromkeys(shorter)), steps) or further
    shortest = min(wrong, key=lambda word: (len(word), word), default=None)
    refutation = None if shortest is None else refutations(query, [shortest], steps)[0]
    looked = max(longest, proved, len(shortest or ()))
    return Horizon(proved, refutation, Search(to=looked), 0, looked=looked, language=query.language)


@checked
def keep(judgement: Judgement, store: Store | Path | str, *, replace: bool = False) -> Run:
    """Write a judgement into a store as a run of its model; what the store knows of it is joined with it.

    A run is known by the model's name and settings, the sets and the seed. One that came out differently is
    of another model, and is refused; with `replace` it takes the place of the one that is there.
    """
    if not isinstance(store, Store):
        with Store(store) as opened:
            return keep(judgement, opened, replace=replace)
    run = judgement.run()
    stored = None if replace else store.get(run.key)
    if stored is not None:
        if differences(stored, run):
            raise BadInput(
                f"{store.path}: has another run of {judgement.name} with seed {run.seed} and other "
                "accuracies; give the model another name or settings, or replace it"
            )
        run = joined(stored, run)
    store.put([run])
    return run
