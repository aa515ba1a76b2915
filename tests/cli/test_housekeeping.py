"""`abacist merge`, `delete` and `vacuum` as they are typed."""

from __future__ import annotations

import io
from pathlib import Path

import pytest

from tests.cli.command import inside, refused
from tests.experiments.cases import content, keep, made_up, results_in, small


@pytest.fixture
def store(tmp_path: Path) -> Path:
    folder = tmp_path / "results"
    keep(folder, [made_up(small(hidden=hidden), seed, {}) for hidden in (1, 2, 3) for seed in range(4)])
    return folder


def test_merge_says_what_it_did(store: Path, tmp_path: Path) -> None:
    assert inside("merge", str(tmp_path / "all"), str(store)) == (
        0,
        "12 new runs, 0 joined with what was known, 0 already there\n",
        f"merged into {tmp_path / 'all'}\n",
    )
    assert content(tmp_path / "all") == content(store)
    assert (
        "0 new runs, 0 joined with what was known, 12 al"
        in inside("merge", str(tmp_path / "all"), str(store))[1]
    )
    said = refused("merge", str(tmp_path / "all"), str(tmp_path / "none"))
    assert "holds no results, so there is nothing to merge" in said


def test_delete_deletes_what_fits_and_nothing_else(store: Path) -> None:
    where = ("--where", "hidden>=2", "--where", "seed=0..1", "--results", str(store))
    before = content(store)
    code, listed, said = inside("delete", *where, "--dry-run")
    assert (code, said) == (0, f"would delete 4 of 12 runs in {store / 'abacist.sqlite'}\n")
    assert content(store) == before
    assert "is not a terminal, so pass --yes" in refused("delete", *where)
    assert content(store) == before
    code, deleted, said = inside("delete", *where, "--yes")
    assert (code, deleted) == (0, listed)
    assert said.startswith("4 runs deleted; `abacist vacuum --results ")
    assert content(store) == {key: run for key, run in before.items() if key not in listed.split()}
    assert results_in(store).left_out == ()


class Typed(io.StringIO):
    """What someone types at a terminal."""

    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(("answer", "left"), [("y\n", 9), ("Yes\n", 9), ("n\n", 12), ("\n", 12), ("", 12)])
def test_delete_asks_who_sits_there(
    store: Path, monkeypatch: pytest.MonkeyPatch, answer: str, left: int
) -> None:
    monkeypatch.setattr("sys.stdin", Typed(answer))
    code, _, said = inside("delete", "--where", "seed=3", "--results", str(store))
    assert said.startswith(f"Delete 3 of 12 runs in {store / 'abacist.sqlite'}? [y/N] ")
    assert code == (0 if left == 9 else 1)
    assert len(content(store)) == left


def test_delete_needs_conditions_that_some_run_fits(store: Path) -> None:
    results = ("--results", str(store))
    assert "say which runs to delete with --where" in refused("delete", *results)
    code, output, said = inside("delete", "--where", "hidden=9", "--yes", *results)
    assert (code, output) == (2, "")
    assert said.endswith("abacist: no runs to delete: the store has none that fit\n")


def test_vacuum_says_how_much_space_it_freed(store: Path) -> None:
    size = (store / "abacist.sqlite").stat().st_size
    before = content(store)
    code, output, said = inside("vacuum", "--results", str(store))
    assert (code, output) == (
        0,
        f"{size:,} bytes before, {(store / 'abacist.sqlite').stat().st_size:,} after\n",
    )
    assert said.endswith(" bytes freed\n")
    assert content(store) == before
    assert "holds no results" in refused("vacuum", "--results", str(store / "none"))
