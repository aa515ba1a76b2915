"""A slice of `make torture`: a few trials of every kind that is quick, and what a failure looks like."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from tests.torture import __main__ as torture
from tests.torture.ground import prepare
from tests.torture.trial import CODES, Broken, Ended, damaged, lawful

#: Trials of the kinds that need no process of their own.
QUICK = {
    "stores": 6, "journals": 4, "networks": 8, "corpora": 20, "toml": 15, "commands": 12, "nesting": 3,
    "liars": 1, "texts": 8,
}  # fmt: skip


@pytest.fixture(scope="module")
def ground(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return prepare(tmp_path_factory.mktemp("torture") / "ground")


@pytest.mark.parametrize("kind", QUICK)
@pytest.mark.filterwarnings("ignore")
def test_no_law_is_broken(kind: str, ground: Path) -> None:
    failures = [torture.attempt(kind, number, 2019, ground) for number in range(QUICK[kind])]
    assert [failure for failure in failures if failure is not None] == []


@pytest.mark.thorough
def test_no_law_is_broken_by_a_kill(ground: Path) -> None:
    assert torture.attempt("kills", 0, 2019, ground) is None


def test_a_broken_law_is_told_and_the_same_trial_breaks_it_again(
    ground: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def unlucky(_ground: Path, chance: random.Random) -> None:
        raise Broken(f"drawn: {chance.random()}")

    monkeypatch.setitem(torture.KINDS, "stores", unlucky)
    first, again, other = (torture.attempt("stores", number, 0, ground) for number in (3, 3, 4))
    assert first is not None
    assert "drawn: " in first
    assert first == again != other


@pytest.mark.parametrize(
    "ended", [Ended(1, "", ""), Ended(-6, "", "x"), Ended(1, "", "Traceback (most …"), Ended(120, "", "x")]
)
def test_the_laws_are_looked_at(ended: Ended) -> None:
    with pytest.raises(Broken):
        lawful(ended, ("runs",))
    for code in CODES:
        lawful(Ended(code, "", "abacist: a sentence"), ("runs",))


def test_damage_is_repeatable_and_may_leave_nothing() -> None:
    data = bytes(range(256)) * 20
    made = [damaged(data, random.Random(seed)) for seed in range(200)]
    assert made == [damaged(data, random.Random(seed)) for seed in range(200)]
    assert b"" in made
    assert sum(one != data for one in made) > 190
