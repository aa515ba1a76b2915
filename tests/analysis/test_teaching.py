"""Teaching: what is fed back was failed, nothing depends on neighbours, what is said to be proved is so."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from abacist.analysis import sharpened
from abacist.analysis.teaching import Teaching
from abacist.corpora import pack_texts
from abacist.engine import begin, first_mistakes, train, training_words
from abacist.engine.reference import forward
from abacist.errors import BadInput
from abacist.languages import Word
from abacist.specs import Networks, Spec
from tests.analysis.short_lessons import short_lesson, teaching
from tests.targets.fake import registered

SEEDS = (3, 0, 4)


def is_wrong(networks: Networks, run: int, spec: Spec, word: Word) -> bool:
    """Whether the plain reference predicts some step of a word wrongly."""
    _, outputs = forward(networks, run, word)
    return bool(((outputs > 0.5) != spec.language.targets(word)).any())


def shortest_failing(networks: Networks, run: int, spec: Spec, longest: int) -> int | None:
    """The length of the shortest word that a network gets wrong, by trying all of them."""
    for length in range(1, longest + 1):
        words = list(spec.language.words(length))
        if words and (first_mistakes(networks, run, pack_texts(spec.language, words)) >= 0).any():
            return length
    return None


@pytest.mark.parametrize(
    ("cell", "feed", "rounds"),
    [("lstm", "nothing", 1), ("gru", "nothing", 1), ("lstm", "nothing", 2), ("lstm", "counterexamples", 2)],
)
def test_a_lesson_without_anything_and_the_first_round_are_plain_training(
    cell: str, feed: str, rounds: int
) -> None:
    spec = short_lesson(cell=cell, feed=feed, rounds=rounds, epochs=3 * rounds, sharpen=1.5)
    taught = teaching(spec, SEEDS).train(3)
    plain = train(replace(spec, lesson=None, epochs=3), SEEDS)
    assert taught.networks.parameters.tobytes() == plain.networks.parameters.tobytes()
    assert taught.losses.tobytes() == plain.losses.tobytes()
    assert [moment.tobytes() for moment in taught.moments] == [moment.tobytes() for moment in plain.moments]


def test_a_target_trains_and_the_processor_searches_and_proves() -> None:
    spec = short_lesson(rounds=2, epochs=4)
    here, words = teaching(spec, SEEDS), [training_words(spec, seed) for seed in SEEDS]
    with registered() as fake:
        there = Teaching(begin(spec, SEEDS), words, target=fake.name)
        assert there.train(4).networks == here.train(4).networks
    assert there.taught == here.taught
    assert set(fake.uses) == {"training"}


def test_words_fed_back_are_words_that_the_network_of_that_round_gets_wrong() -> None:
    spec = short_lesson()
    assert spec.lesson is not None
    lesson, runs = teaching(spec, SEEDS), range(len(SEEDS))
    before: tuple[tuple[Word, ...], ...] = ((),) * len(SEEDS)
    fed = 0
    for number, end in enumerate(spec.lesson.ends(spec.epochs)):
        networks = lesson.train(end).networks
        for run in runs:
            new = [word for word in lesson.words[run] if word not in before[run]]
            assert all(word in spec.language and len(word) <= spec.lesson.to for word in new)
            assert all(is_wrong(networks, run, spec, word) for word in new)
            rounds = lesson.taught[run].rounds
            text = rounds[number].word if len(rounds) > number else None
            if text is not None:
                shortest = spec.language.alphabet.parse(text)
                assert len(shortest) == rounds[number].length
                assert is_wrong(networks, run, spec, shortest)
                assert shortest in lesson.words[run]
            assert len(lesson.words[run]) <= spec.lesson.kept
            fed += len(new)
        before = lesson.words
    assert fed > 0


@pytest.mark.parametrize(("language", "hidden", "to"), [("dyck-1", 1, 40), ("shuffle-2", 2, 16)])
def test_a_run_does_not_depend_on_its_neighbours(language: str, hidden: int, to: int) -> None:
    spec = short_lesson(language, hidden=hidden, to=to, sharpen=1.5, finish=8.0)
    together = teaching(spec, range(6))
    whole = together.train(spec.epochs)
    assert language != "dyck-1" or len({len(log.rounds) for log in together.taught}) > 1  # some end early
    for seed in range(6):
        alone = teaching(spec, [seed])
        one = alone.train(spec.epochs)
        assert one.networks.parameters[0].tobytes() == whole.networks.parameters[seed].tobytes()
        np.testing.assert_array_equal(one.losses[0], whole.losses[seed])
        assert alone.taught[0] == together.taught[seed]
        assert alone.words[0] == together.words[seed]


def test_looking_on_in_between_changes_nothing() -> None:
    spec = short_lesson(sharpen=1.5)
    at_once, in_steps = teaching(spec, SEEDS), teaching(spec, SEEDS)
    for epochs in (0, 1, 4, 4, 5, 8):
        assert in_steps.train(epochs).epochs == epochs
    last = in_steps.train(spec.epochs)
    assert last.networks.parameters.tobytes() == at_once.train(spec.epochs).networks.parameters.tobytes()
    assert in_steps.taught == at_once.taught


@pytest.mark.parametrize(("language", "cell", "hidden"), [("dyck-1", "lstm", 1), ("anbn", "rnn", 2)])
def test_what_is_said_of_the_end_stands_against_all_words(language: str, cell: str, hidden: int) -> None:
    few = {"training": 10, "test": 1} if language == "anbn" else {}
    spec = short_lesson(language, cell, hidden=hidden, to=14, finish=16.0, **few)
    lesson = teaching(spec, SEEDS)
    networks = lesson.train(spec.epochs).networks
    for run, log in enumerate(lesson.taught):
        shortest = shortest_failing(networks, run, spec, 14)
        assert shortest is None or log.proved < shortest
        if log.sharpened == 1 and log.rounds[-1].length is not None:
            assert shortest is not None
            assert shortest <= log.rounds[-1].length


def test_the_last_sharpening_is_saturation() -> None:
    blunt, sharp = (short_lesson(rounds=1, epochs=9, rate=0.01, finish=finish) for finish in (1.0, 64.0))
    before, lesson = teaching(blunt, range(6)), teaching(sharp, range(6))
    unsharpened, after = before.train(9).networks, lesson.train(9).networks
    factors = [log.sharpened for log in lesson.taught]
    assert max(factors) > 1
    assert set(factors) <= {1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0}
    assert all(b.proved <= a.proved for b, a in zip(before.taught, lesson.taught, strict=True))
    for run, factor in enumerate(factors):
        expected = sharpened(unsharpened, factor).parameters[run]
        assert after.parameters[run].tobytes() == expected.tobytes()


def test_a_run_that_is_proved_is_taught_no_further() -> None:
    spec = short_lesson(rounds=6, epochs=18, to=6)
    lesson = teaching(spec, SEEDS)
    done = lesson.train(18)
    assert done.epochs == 18
    for run, log in enumerate(lesson.taught):
        trained = log.rounds[-1].epochs
        assert np.isfinite(done.losses[run, :trained]).all()
        assert np.isnan(done.losses[run, trained:]).all()
        assert trained == 18 or log.proved == 6
    assert any(log.rounds[-1].epochs < 18 for log in lesson.taught)


def test_stress_words_are_fed_from_the_beginning() -> None:
    spec = short_lesson(feed="stress", rounds=1, epochs=2)
    lesson = teaching(spec, SEEDS)
    words = lesson.words
    assert all(len(own) == 20 and all(word in spec.language for word in own) for own in words)
    assert len(set(words)) == len(SEEDS)  # each run has its own
    parameters = lesson.train(2).networks.parameters
    assert lesson.words == words
    plain = train(replace(spec, lesson=None), SEEDS).networks.parameters
    assert (parameters != plain).any(axis=1).all()


def test_weights_that_are_not_finite_are_neither_searched_nor_proved() -> None:
    spec = short_lesson(rate=1e38, sharpen=2.0, finish=4.0)
    lesson = teaching(spec, SEEDS)
    assert all(epoch is not None for epoch in lesson.train(spec.epochs).diverged)
    assert [log.proved for log in lesson.taught] == [0, 0, 0]
    assert all(one.word is None for log in lesson.taught for one in log.rounds)


def test_what_cannot_be_taught_is_refused() -> None:
    spec = short_lesson()
    plain = replace(spec, lesson=None)
    with pytest.raises(BadInput, match="the spec must have a lesson, got none"):
        Teaching(begin(plain, [0]), [training_words(plain, 0)])
    with pytest.raises(BadInput, match="2 runs need words each, got 1 sets"):
        Teaching(begin(spec, [0, 1]), [training_words(spec, 0)])
    started = train(replace(plain, epochs=1), [0])
    with pytest.raises(BadInput, match="begins at the beginning, got 1 epoch done"):
        Teaching(replace(started, spec=spec), [training_words(spec, 0)])


def test_random_words_are_as_many_and_as_long_as_those_found() -> None:
    """Whichever words of a length: those of four symbols are (()) and ()()."""
    seeds = range(4)
    found, drawn = (
        teaching(short_lesson("shuffle-2", feed=feed, hidden=2, to=16, rate=0.003), seeds)
        for feed in ("counterexamples", "random")
    )
    for lesson in (found, drawn):
        lesson.train(4)
    fed = [sorted(map(len, words)) for words in found.words]
    assert max(map(len, fed)) > 1
    assert [sorted(map(len, words)) for words in drawn.words] == fed
    assert drawn.words != found.words
    assert drawn.taught == found.taught
    dyck_1 = teaching(short_lesson(feed="random"), seeds)
    one, other, third = (dyck_1._random_words(run, [(0, 1, 0, 1)] * 400) for run in (0, 1, 0))
    assert 160 < one.count((0, 0, 1, 1)) < 240
    assert set(one) == {(0, 0, 1, 1), (0, 1, 0, 1)}
    assert one == third != other


@pytest.mark.parametrize("language", ["dyck-1", "shuffle-2"])
def test_random_words_do_not_depend_on_neighbours(language: str) -> None:
    spec = short_lesson(language, feed="random", hidden=2, to=16)
    together = teaching(spec, range(4))
    whole = together.train(spec.epochs)
    assert all(word in spec.language for words in together.words for word in words)
    alone = teaching(spec, [2])
    assert alone.train(spec.epochs).networks.parameters[0].tobytes() == whole.networks.parameters[2].tobytes()
    assert alone.words[0] == together.words[2]
