"""The report says all that a store has, with the right numbers, and what it has not."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from abacist.errors import BadFile, BadInput
from abacist.experiments import (
    FAILS,
    HOLDS,
    OPEN,
    PARTLY,
    Results,
    Store,
    catalogue,
    check_claims,
    experiment_named,
)
from abacist.report import table_of
from abacist.report.figures import Pictures
from abacist.report.html import Written
from abacist.specs import Spec
from tests.experiments.cases import made_up, results_in, runs_of, small
from tests.report.report_cases import Page, fill, filled, said, stand_ins, without_pictures, write_with

MARKS = {HOLDS: "✓", PARTLY: "½", FAILS: "✗", OPEN: "?"}


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    with filled(tmp_path_factory.mktemp("whole")) as opened:
        yield opened


@pytest.fixture(scope="module")
def page(store: Store) -> Page:
    path = store.path.parent / "report.html"
    assert write_with(stand_ins, Results.of(store), path) == Written(
        tables=8, claims=22, pictures=3, missing=1
    )
    return Page.of(path)


def report_on(store: Store) -> Page:
    path = store.path.parent / "report.html"
    write_with(without_pictures, Results.of(store), path)
    return Page.of(path)


@pytest.mark.thorough
@pytest.mark.parametrize("name", catalogue())
def test_every_table_has_the_numbers_of_its_command(store: Store, page: Page, name: str) -> None:
    table = table_of(experiment_named(name), Results.of(store))
    assert page.headings(f"rows-{name}") == table.headings()
    assert page.cells(f"rows-{name}") == table.cells()
    rows = [row for body in page.by_id(f"rows-{name}").iter("tbody") for row in body]
    assert [row.get("class") == "paper" for row in rows] == [r.get("figures") == "paper" for r in table.rows]
    assert table.note in page.said(f"caption-{name}")
    assert f"abacist table {name} --results {store.path.parent}" in page.commands()


def test_every_claim_has_its_verdict_and_the_figures_that_decide_it(store: Store, page: Page) -> None:
    verdicts = check_claims(Results.of(store))
    articles = page.all("article")
    assert len(articles) == len(verdicts)
    for number, (article, verdict) in enumerate(zip(articles, verdicts, strict=True), 1):
        text = said(article)
        assert text.startswith(f"“{verdict.claim}”")
        assert verdict.rule in text
        assert verdict.place in text
        (mark,) = [p for p in article.iter("p") if "verdict" in p.get("class", "").split()]
        assert said(mark) == f"{MARKS[verdict.verdict]} {verdict.verdict}"
        assert page.cells(f"rows-claim-{number}") == [
            [part.about, part.ours, part.paper, str(part.runs), part.verdict] for part in verdict.parts
        ]
    assert f"abacist table claims --results {store.path.parent}" in page.commands()
    counts = Counter(verdict.verdict for verdict in verdicts)
    assert len(counts) > 2
    for kind, words in ((HOLDS, "hold"), (PARTLY, "hold in part"), (FAILS, "fail"), (OPEN, "inconclusive")):
        said_of = words if counts[kind] != 1 or kind == OPEN else kind
        sentence = f"{MARKS[kind]} {counts[kind]} of 22 claims {said_of}"
        assert (sentence in page.said()) == (counts[kind] > 0)


def test_every_picture_is_there_with_its_caption_and_command(store: Store, page: Page) -> None:
    for picture in stand_ins(Results.of(store)).shown:
        figure = page.by_id(f"figure-{picture.name}")
        assert said(next(figure.iter("h3"))) == picture.title
        assert picture.caption in said(figure)
        assert picture.command in [said(code) for code in figure.iter("code")]
        drawing = next(e for e in figure.iter() if str(e.tag).endswith(("svg", "img")))
        assert picture.title in (drawing.get("aria-label"), drawing.get("alt"))
        assert str(drawing.tag).endswith("img" if picture.name == "large" else "svg")


def test_what_was_run_is_said(store: Store, page: Page) -> None:
    assert [row[0] for row in page.cells("rows-experiments")] == catalogue()
    assert [row[2] for row in page.cells("rows-experiments")] == [
        "120 of 120", "20 of 20", "10 of 10", "120 of 120", "60 of 60", "120 of 120", "140 of 140",
        "240 of 240",
    ]  # fmt: skip
    for name in catalogue():
        assert f"abacist run {name} --results {store.path.parent}" in page.commands()
    settings = page.cells("rows-settings")
    assert len(settings) == len({run.spec for run in runs_of(store)})
    assert settings[2] == ["dyck-1", "lstm", "3", "20", "0.001", "all", "10,000", "10", "0–9", "1.2"]
    assert page.cells("rows-versions") == [["abacist", "0.0.7", "510"], ["python", "3.99.1", "510"]]
    assert "2023-11-14 22:13 UTC" in page.said("ran")
    same = {said(term): said(value) for term, value in (list(e) for e in page.by_id("same"))}
    assert (same["batch"], same["precision"]) == ("1", "float32")
    assert (same["lengths of training and short set"], same["lengths of long set"]) == ("2–50", "52–100")
    for verb in ("reproduce", "report", "runs"):
        assert f"abacist {verb} --results {store.path.parent}" in page.commands()
    assert "bias" in page.said("choices")


def test_the_same_store_gives_the_same_bytes(tmp_path: Path) -> None:
    with filled(tmp_path, "last-bracket", "few-units") as store:
        for name in ("first", "again"):
            write_with(stand_ins, Results.of(store), tmp_path / name)
    assert (tmp_path / "again").read_bytes() == (tmp_path / "first").read_bytes()


def test_a_store_without_some_experiments_says_what_is_missing(tmp_path: Path) -> None:
    with filled(tmp_path, "few-units", "last-bracket", runs=4) as store:
        write_with(stand_ins, Results.of(store), tmp_path / "report.html")
        page = Page.of(tmp_path / "report.html")
        said_missing = page.said("missing")
        for name, runs in (("table-3", 120), ("epochs", 120), ("crossing", 60)):
            assert f"Experiment {name}: none of its {runs} runs is in the store" in said_missing
        assert "Experiment few-units: 8 of its 20 runs are in the store" in said_missing
        assert f"third: {tmp_path} holds no runs; abacist run third makes them." in said_missing
        for verdict in check_claims(Results.of(store)):
            assert verdict.claim in said_missing
        assert "22 of 22 claims inconclusive" in page.said()
        assert "no run of table 3" in page.said("table-3")
        assert {table.get("id") for table in page.all("table")} >= {"rows-few-units", "rows-last-bracket"}
        assert "ours, 4 of 10 runs" in [cell for row in page.cells("rows-few-units") for cell in row]


def test_nine_runs_decide_no_claim_and_the_fewest_are_named(tmp_path: Path) -> None:
    with filled(tmp_path, "few-units", runs=9) as store, filled(tmp_path / "more", "table-3") as more:
        fill(store, "table-3", runs=4)
        store.put(run for run in runs_of(more) if run.spec.cell.name != "lstm")
        page = report_on(store)
        verdicts = check_claims(Results.of(store))
        assert {verdict.verdict for verdict in verdicts} > {"inconclusive"}
        fewest = {v.claim: min(part.runs for part in v.parts) or "none" for v in verdicts}
        assert set(fewest.values()) == {"none", 4, 10}
        for verdict in verdicts:
            sentence = (
                f"Claim “{verdict.claim}”: not decided in all its parts; it takes 10 runs for each of them, "
                f"and one has {fewest[verdict.claim]}."
            )
            assert (sentence in page.said("missing")) == (fewest[verdict.claim] != 10)


def test_an_empty_store_gives_a_report_that_says_so(tmp_path: Path) -> None:
    with Store(tmp_path) as store:
        page = report_on(store)
    assert "has no runs yet" in page.said("ran")
    assert len(page.by_id("missing")[1]) == len(catalogue()) + 22


def test_more_runs_than_asked_for_are_all_shown(tmp_path: Path) -> None:
    with filled(tmp_path, "few-units", runs=12) as store:
        page = report_on(store)
        table = table_of(experiment_named("few-units", runs=12), Results.of(store))
        assert page.cells("rows-few-units") == table.cells()
        assert f"abacist table few-units --results {tmp_path} --runs 12" in page.commands()
        assert "bootstrap" in page.said("caption-few-units")
        assert "Experiment few-units" not in page.said("missing")


def test_runs_that_one_task_has_and_another_lacks_are_asked_for(tmp_path: Path) -> None:
    with Store(tmp_path) as store:
        task = experiment_named("few-units", runs=12).tasks[0]
        share = {name: {str(epoch): 0.5} for name, epoch in task.wanted()}
        store.put([made_up(task.spec, seed, share) for seed in task.seeds])
        said_missing = report_on(store).said("missing")
        assert "Experiment few-units: 12 of its 24 runs are in the store" in said_missing
        assert f"abacist run few-units --results {tmp_path} --runs 12 adds the rest" in said_missing


def test_how_many_runs_there_are_how_long_they_took_and_when_they_began(tmp_path: Path) -> None:
    with Store(tmp_path) as store:
        for seed, (begun, seconds) in enumerate(((1.65e9, 1000.0), (1.7e9, 500.4), (1.6e9, 34.0))):
            store.put([made_up(small(), seed, {}, begun=begun, seconds=seconds)])
        page = report_on(store)
        assert "3 trained networks with settings of their own" in page.said()
        assert "The store has 3 runs, 1,534 seconds of training and judging in all," in page.said("ran")
        assert "began on 2020-09-13 12:26 UTC, the last on 2023-11-14 22:13 UTC." in page.said("ran")
        assert page.cells("rows-settings")[0][-1] == "1534.4"


def test_runs_judged_on_other_sets_do_not_count_for_an_experiment(tmp_path: Path) -> None:
    """Those of table 3 are those of the experiment on crossing brackets, but for what they are judged on."""
    with filled(tmp_path, "table-3") as store:
        page = report_on(store)
    assert "Experiment crossing: none of its 60 runs" in page.said("missing")


def test_a_store_that_mixes_processors_says_so_where_results_are_compared(tmp_path: Path) -> None:
    kinds = [{}, {"processor": "znver4", "features": "avx avx2"}, {"processor": "haswell", "features": "avx"}]
    alike = "may differ in their last bits"
    with Store(tmp_path) as store:
        for seed, kind in enumerate(kinds):
            store.put([made_up(small(), seed, {}, versions={"abacist": "1"} | kind)])
            page = report_on(store)
            assert (alike in page.said("settings")) == (alike in page.said("again")) == (seed == 2)
    assert "2 kinds of processors (haswell with 1 feature, znver4 with 2 features)" in page.said("settings")
    versions = {row[0]: row[1:] for row in page.cells("rows-versions")}
    assert versions["processor"][1] == "1"
    assert versions["features"][0].startswith(("1 feature, ", "2 features, "))


def test_settings_that_differ_are_columns_and_runs_of_ones_own_are_there(tmp_path: Path) -> None:
    with Store(tmp_path) as store:
        fill(store, "few-units")
        spec: Spec = small(rate=0.125)
        store.put(
            [made_up(spec, seed, {}, versions={"abacist": "1"}, diverged=seed or None) for seed in (0, 1, 4)]
        )
        page = report_on(store)
        row = page.cells("rows-settings")[-1]
        assert row[:3] == ["dyck-1", "rnn", "2"]
        letters = Spec.from_dict({"language": "anbn", "cell": "rnn", "training": 5, "test": 5})
        store.put([made_up(letters, 0, {})])
        sources = {row[0]: row for row in report_on(store).cells("rows-settings")}
        assert "the paper’s grammar, p = 1/2, q = 1/4" in sources["dyck-1"]
        assert "uniform" in sources["anbn"]
        assert {"0.125", "0–1, 4", "2–12", "40"} <= set(row)
        assert "diverged" in said(next(page.by_id("rows-settings").iter("thead")))
        assert row[-2] == "2"


def test_a_picture_that_fails_is_named_and_the_others_are_drawn(tmp_path: Path) -> None:
    def fail() -> None:
        raise BadInput("no such word")

    def draw(results: Results) -> Pictures:
        first, second, _ = stand_ins(results).shown
        return Pictures((replace(first, make=fail), second))  # type: ignore[arg-type]

    assert write_with(draw, results_in(tmp_path), tmp_path / "report.html").pictures == 1
    page = Page.of(tmp_path / "report.html")
    assert "Figure first: no such word." in page.said("missing")
    page.by_id("figure-second")


def test_a_file_that_cannot_be_written_is_refused_at_once(tmp_path: Path) -> None:
    def never(_: Results) -> Pictures:
        raise AssertionError("nothing is drawn for a file that cannot be written")

    with Store(tmp_path) as store:
        for path in (tmp_path, tmp_path / "no" / "report.html"):
            with pytest.raises(BadFile, match=f"{path}: cannot be written"):
                write_with(never, Results.of(store), path)
