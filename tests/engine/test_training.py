"""Training as a whole: what it reports on the way and at the end, and what it refuses."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose

from abacist.cells import CELLS
from abacist.engine import judge, train, training_words
from abacist.errors import BadInput
from abacist.languages import language_named
from abacist.progress import Progress
from abacist.specs import Networks, Spec
from tests.cells.toys import TOYS
from tests.engine.cases import any_words, each, layout_of, random_networks, small, thorough_but, train_on
from tests.engine.reference import loss

SPEC = small(CELLS["lstm"], precision="float64")


@pytest.mark.parametrize("batch", [1, 4, 7, 40, 100])
@pytest.mark.parametrize("steps", ["all", "last"])
def test_a_loss_is_the_mean_over_all_words(batch: int, steps: str) -> None:
    """Of the weights as they were at each word: with a rate of nearly nothing, the first ones."""
    spec = replace(SPEC, batch=batch, rate=1e-200, epochs=2, steps=steps)
    trained = train(spec, [1, 2])
    start = Networks.initial(spec.layout, [1, 2], "float64")
    for run in range(2):
        losses = [loss(start, run, *word) for word in each(training_words(spec, 1 + run))]
        assert_allclose(trained.losses[run], [np.mean(losses)] * 2, rtol=1e-12)


def test_the_first_weights_are_those_of_the_seed() -> None:
    untrained = train(replace(SPEC, epochs=0), [3, 1])
    assert untrained.networks == Networks.initial(SPEC.layout, [3, 1], "float64")
    assert untrained.losses.shape == (2, 0)
    assert (untrained.updates, untrained.epochs) == (0, 0)


@pytest.mark.parametrize(("batch", "updates"), [(1, 120), (3, 42), (40, 3), (100, 3)])
def test_the_last_batch_of_an_epoch_may_be_smaller(batch: int, updates: int) -> None:
    assert train(replace(SPEC, batch=batch), [0]).updates == updates


def test_progress_ends_where_it_should() -> None:
    told: list[float] = []
    train(SPEC, range(10), progress=Progress(lambda own: told.append(own.share)))
    assert told == sorted(told)
    assert told[-1] == pytest.approx(1)


def test_the_loss_that_progress_tells_is_a_mean_over_words() -> None:
    told: list[str] = []
    progress = Progress(lambda own: told.append(own.text))
    trained = train(replace(SPEC, batch=7), [0], progress=progress)
    assert told == [f"loss {loss:.9g}" for loss in trained.losses[0]]


def test_what_progress_raises_ends_the_training() -> None:
    def stop(_: Progress) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        train(SPEC, range(20), progress=Progress(stop))


def test_training_counts() -> None:
    """A network of one unit learns what comes next in Dyck-1, better than by chance."""
    trained = train(replace(small(CELLS["rnn_relu"]), epochs=60, rate=0.01), range(4))
    assert trained.losses[:, -1].min() < 0.3 * trained.losses[:, 0].min()


@pytest.mark.parametrize("name", thorough_but(("deep", "forgetful", "shaped"), TOYS))
def test_training_lowers_the_loss(name: str) -> None:
    networks = random_networks(layout_of(TOYS[name], 2), 2, seed=2)
    spec = Spec(language_named("dyck-1"), TOYS[name], 2, precision="float64", rate=0.02, epochs=40)
    runs = [any_words("dyck-1", [1, 12, 5, 8, 20, 3], seed=seed) for seed in range(2)]
    trained = train_on(spec, networks, runs)
    assert (trained.losses[:, -1] < 0.7 * trained.losses[:, 0]).all()
    for run, words in enumerate(runs):
        mean = np.mean([loss(trained.networks, run, *word) for word in each(words)])
        assert mean < 0.8 * trained.losses[run, 0]


def test_what_does_not_fit_is_refused() -> None:
    done = train(SPEC, [0, 1])
    with pytest.raises(BadInput, match="at least one seed"):
        train(SPEC, [])
    with pytest.raises(BadInput, match="the same seeds"):
        train(SPEC, [1, 0], start=done)
    with pytest.raises(BadInput, match="at least as many epochs"):
        train(replace(SPEC, epochs=2), [0, 1], start=done)
    with pytest.raises(BadInput, match="do not fit"):
        train(SPEC, [0], start=done.networks)
    with pytest.raises(BadInput, match="do not fit"):
        train(replace(SPEC, hidden=2), [0, 1], start=done.networks)
    with pytest.raises(BadInput, match="seed must be at least 0"):
        train(SPEC, [-1])


@pytest.mark.parametrize("change", [{"hidden": 2}, {"cell": CELLS["gru"]}, {"precision": "float32"}])
def test_going_on_with_another_spec_is_refused(change: dict[str, object]) -> None:
    """Weights of another shape or precision are not the beginning of these runs."""
    done = train(SPEC, [0, 1])
    with pytest.raises(BadInput):
        train(replace(SPEC, epochs=4, **change), [0, 1], start=done)  # type: ignore[arg-type]


def test_no_network_for_a_seed_is_refused() -> None:
    nothing = Networks(SPEC.layout, np.zeros((0, SPEC.layout.size)))
    with pytest.raises(BadInput, match="do not fit"):
        train(SPEC, [0], start=nothing)


@pytest.mark.parametrize("seeds", [[3, 5], (3, 5), np.array([3, 5]), range(3, 6, 2), iter([3, 5])])
def test_seeds_come_in_anything_that_counts(seeds: Any) -> None:
    trained = train(small(CELLS["rnn"], epochs=1), seeds)
    assert trained.seeds == (3, 5)


def test_judging_wants_networks_of_the_spec_and_as_many_seeds() -> None:
    spec = small(CELLS["rnn"], epochs=0)
    trained = train(spec, [0, 1])
    assert judge(spec, np.arange(2), trained.networks).shares.shape == (3, 2)
    for seeds, networks, why in (
        ([0], trained.networks, "2 networks need as many seeds, got 1"),
        ([0, 1, 2], trained.networks, "2 networks need as many seeds, got 3"),
        ([0, 1], trained, "networks must be Networks .*, such as trained.networks, got Trained"),
    ):
        with pytest.raises(BadInput, match=f"^judge: {why}"):
            judge(spec, seeds, networks)  # type: ignore[arg-type]
    with pytest.raises(BadInput, match=r"^judge: the networks have a cell or sizes other than"):
        judge(small(CELLS["rnn"], hidden=2), [0, 1], trained.networks)
