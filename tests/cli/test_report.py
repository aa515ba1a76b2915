"""The command `abacist report`."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from abacist.experiments import FILE_NAME, Store
from tests.cli.command import inside, refused
from tests.experiments.cases import made_up, small
from tests.ordinary import closed, closed_folder
from tests.report.report_cases import Page


@pytest.fixture
def results(tmp_path: Path) -> Path:
    """A store with a run of one's own: no table and no picture to wait for."""
    folder = tmp_path / "results"
    with Store(folder) as store:
        store.put([made_up(small(), 0, {"short": {"3": 0.5}})])
    return folder


def test_it_says_where_it_wrote_and_what_is_missing(results: Path) -> None:
    code, output, errors = inside("report", "--results", str(results))
    assert (code, output) == (0, "")
    page = Page.of(results / "report.html")
    assert errors == (
        f"report written to {results / 'report.html'}: 1 table, 0 claims, 1 figure; nothing missing\n"
    )
    assert f"abacist report --results {results}" in page.commands()
    assert "This store has 1 trained network with settings of its own." in page.said()
    assert not {"table-3", "claims", "choices", "missing"} & {own.get("id") for own in page.all("section")}


def test_the_file_can_be_named(results: Path, tmp_path: Path) -> None:
    code, _, errors = inside("report", "--results", str(results), "--out", str(tmp_path / "mine.html"))
    assert code == 0
    assert str(tmp_path / "mine.html") in errors
    assert not (results / "report.html").exists()
    assert "1" in Page.of(tmp_path / "mine.html").said("ran")


def test_what_cannot_be_done_gets_one_sentence(results: Path, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    sentence = refused("report", "--results", str(tmp_path / "empty"), code=1)
    assert f"{tmp_path / 'empty'}: holds no results" in sentence
    assert list((tmp_path / "empty").iterdir()) == []
    for place, code in (
        (tmp_path, 1),
        (tmp_path / "no" / "report.html", 2),
        (results / FILE_NAME / "report.html", 2),
    ):
        sentence = refused("report", "--results", str(results), "--out", str(place), code=code)
        assert f"{place}: cannot be written" in sentence
    (tmp_path / "damaged").mkdir()
    (tmp_path / "damaged" / FILE_NAME).write_text("no database")
    assert "the store is damaged" in refused("report", "--results", str(tmp_path / "damaged"), code=1)


def test_a_folder_without_leave_to_write(results: Path, tmp_path: Path) -> None:
    """The results can be read there; the report must go elsewhere."""
    with closed_folder() as folder:
        shutil.copy(results / FILE_NAME, folder)
        place = ("report", "--results", str(folder), "--out")
        assert inside(*place, str(tmp_path / "before.html"))[0] == 0
        with closed(folder):
            assert "cannot be written" in refused(*place, str(folder / "report.html"), code=1)
        assert not (folder / "report.html").exists()
