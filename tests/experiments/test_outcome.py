"""Outcomes: what is known of a run, and the JSON that stores have kept of it since version 1."""

from __future__ import annotations

from array import array
from dataclasses import replace

import pytest

from abacist.errors import BadInput
from abacist.experiments import Outcome, percents
from tests.experiments.cases import made_up, small

OUTCOME = Outcome(
    accuracy={"short": {10: 0.25, 2: 1 / 3}, "crossing long": {10: 1.0}},
    losses=(0.5, 0.1 + 0.2),
    diverged=None,
    begun=1700000000.125,
    seconds=0.5,
    versions={"python": "3.11", "abacist": "0.1"},
)

LOSSES = OUTCOME.losses

#: Byte for byte as the first stores have it; later ones have the losses elsewhere.
OLD = (
    '{"accuracy": {"crossing long": {"10": 1.0}, "short": {"10": 0.25, "2": 0.3333333333333333}}, '
    '"begun": 1700000000.125, "diverged": null, "losses": [0.5, 0.30000000000000004], "seconds": 0.5, '
    '"versions": {"abacist": "0.1", "python": "3.11"}}'
)
TEXT = OLD.replace('"losses": [0.5, 0.30000000000000004], ', "")


def test_its_json_is_that_of_all_stores() -> None:
    assert OUTCOME.as_json() == TEXT
    for read in (Outcome.from_json(OLD), Outcome.from_json(TEXT, array("d", LOSSES).tobytes())):
        assert read == OUTCOME
        assert read.as_json() == TEXT


def test_what_blew_up_is_read_from_older_stores_too() -> None:
    blown = Outcome.from_json(OLD.replace("0.5, 0.30000000000000004", "0.5, NaN, Infinity"))
    assert repr(blown.losses) == repr(array("d", (0.5, float("nan"), float("inf"))))


@pytest.mark.parametrize(
    "text", ["", "{}", "[]", "3", TEXT.replace('"10"', '"ten"'), TEXT.replace('"seconds"', '"hours"')]
)
def test_another_text_is_refused(text: str) -> None:
    with pytest.raises(BadInput, match="Outcome: a value is missing or of the wrong kind"):
        Outcome.from_json(text)


@pytest.mark.parametrize(("epoch", "share"), [(3, 1.5), (3, -0.1), (3, float("nan")), (-1, 0.5)])
def test_a_share_is_from_0_to_1_after_an_epoch(epoch: int, share: float) -> None:
    with pytest.raises(BadInput, match="Outcome: accuracy must be a share from 0 to 1 after an epoch"):
        replace(OUTCOME, accuracy={"short": {epoch: share}})


def test_percents_are_those_that_are_known() -> None:
    runs = [made_up(small(), seed, {"short": {"3": seed / 4, "1": 0.5}}) for seed in range(3)]
    runs.append(made_up(small(), 3, {"long": {"3": 1.0}}))
    assert percents(runs, "short").tolist() == [0, 25, 50]
    assert percents(runs, "short", 1).tolist() == [50, 50, 50]
    assert percents(runs, "training").tolist() == []


@pytest.mark.parametrize(
    "written",
    [
        "0.5, null",
        '0.5, "0.25"',
        "0.5, [0.25]",
        "0.5,",
        "0.5 0.25",
        "0.5], [0.25",
        "0.5, nothing",
    ],
)
def test_losses_that_are_no_numbers_are_refused(written: str) -> None:
    with pytest.raises(BadInput, match="Outcome: "):
        Outcome.from_json(OLD.replace("0.5, 0.30000000000000004", written, 1))


@pytest.mark.parametrize("more", ["x", "}", ", 3", ' {"a": 1}'])
def test_text_behind_the_end_is_refused(more: str) -> None:
    with pytest.raises(BadInput, match="Outcome: "):
        Outcome.from_json(TEXT + more)
