"""Schedules of the learning rate against PyTorch's, and as texts."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from abacist.cells import CELLS
from abacist.engine import train
from abacist.errors import BadInput
from abacist.languages import language_named
from abacist.optimisers import OPTIMISERS, Schedule
from abacist.specs import Spec
from abacist.targets.cuda.updating import numbers_of
from tests.engine import pytorch
from tests.engine.cases import small
from tests.requirements import need

TEXTS = ("constant", "cosine:1", "cosine:7", "step:1:0.1", "step:4:0.5", "step:3:1.25")


def spec_of(**settings: Any) -> Spec:
    return Spec(language_named("dyck-1"), CELLS["rnn"], **settings)


@need("torch")
@pytest.mark.parametrize("text", TEXTS)
def test_rates_are_those_of_pytorch_s_scheduler(text: str) -> None:
    """Also beyond the period, where a cosine rises again."""
    import torch

    spec = spec_of(rate=0.05, schedule=Schedule.parse(text))
    optimiser = pytorch.optimiser_of(spec, [torch.nn.Parameter(torch.zeros(1))])
    scheduler = pytorch.scheduler_of(spec, optimiser)
    for epoch in range(25):
        expected = optimiser.param_groups[0]["lr"]
        assert spec.schedule.rate(spec.rate, epoch) == pytest.approx(expected, rel=1e-12, abs=1e-16)
        optimiser.step()
        scheduler.step()


@pytest.mark.parametrize("text", TEXTS)
def test_a_schedule_is_written_as_it_is_read(text: str) -> None:
    assert str(Schedule.parse(text)) == text
    assert Schedule.parse(text).rate(0.3, 0) == 0.3


@pytest.mark.parametrize(
    "text",
    ["", "warm", "step", "step:0", "step:2:0", "step:-1", "constant:3", "cosine:2:0.5", "step:1:2:3"],
)  # fmt: skip
def test_what_is_no_schedule_is_refused_in_one_sentence(text: str) -> None:
    with pytest.raises(
        BadInput, match=r"^Spec: schedule must be constant, cosine, .* or step:EPOCHS:FACTOR, got"
    ):
        Spec.from_dict({**spec_of().as_dict(), "schedule": text})


@pytest.mark.parametrize(
    "values", [("constant", 2), ("step",), ("cosine", 2, 0.5), ("cosine", -1), ("warm", 1)]
)
def test_so_it_is_where_it_is_made(values: tuple[Any, ...]) -> None:
    with pytest.raises(BadInput, match=r"^Schedule: "):
        Schedule(*values)


def test_a_constant_rate_is_no_part_of_a_key() -> None:
    assert "schedule" not in spec_of().key_values()
    assert spec_of(schedule=Schedule("step", 5)).key_values()["schedule"] == "step:5:0.1"


def test_a_cosine_lasts_as_long_as_the_training_that_was_asked_for() -> None:
    """Specs that differ in their epochs alone have the same rates, so that training can go on."""
    spec = spec_of(epochs=30, schedule=Schedule("cosine"))
    assert spec.schedule == Schedule("cosine", 30)
    assert spec_of(epochs=0, schedule=Schedule("cosine")).schedule == Schedule("cosine", 1)
    longer = replace(spec, epochs=60)
    assert longer.schedule == spec.schedule
    assert longer.key_text_but_epochs == spec.key_text_but_epochs
    assert longer.key_text_but_epochs != spec_of(epochs=60, schedule=Schedule("cosine")).key_text_but_epochs


def test_the_epochs_of_a_schedule_are_those_of_constant_rates() -> None:
    """Training with a step after an epoch is an epoch at the one rate and another at the other."""
    spec = replace(small(CELLS["rnn"]), epochs=2, optimiser="sgd", rate=0.5)
    first = train(replace(spec, epochs=1), [0, 1])
    second = train(replace(spec, rate=0.125), [0, 1], start=first)
    whole = train(replace(spec, schedule=Schedule("step", 1, 0.25)), [0, 1])
    assert whole.networks == second.networks
    np.testing.assert_array_equal(whole.losses, second.losses)
    assert train(spec, [0, 1]).networks != whole.networks


@pytest.mark.parametrize("optimiser", OPTIMISERS)
def test_the_numbers_at_a_rate_are_those_of_a_spec_with_it(optimiser: str) -> None:
    spec = spec_of(optimiser=optimiser, rate=0.5, decay=0.25)
    other = replace(spec, rate=0.125)
    numbers = spec.rule.numbers(spec, 1, 9, other.rate)
    np.testing.assert_array_equal(numbers, other.rule.numbers(other, 1, 9))
    np.testing.assert_array_equal(numbers_of(spec, 1, 9, other.rate), numbers_of(other, 1, 9))
