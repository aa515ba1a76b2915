"""The pages under docs/ are true: their Python runs, their commands and files exist."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import threading
from functools import cache
from pathlib import Path
from types import FrameType
from typing import Any

import numpy as np
import pytest

from abacist.cli.app import VERBS, command_of
from abacist.experiments import parse_experiment
from abacist.experiments.distributions import distributions
from abacist.experiments.paper_table import STATISTICS
from abacist.languages import CATALOGUE
from abacist.report.distributions import horizon_distribution_table
from tests import distribution_page, dynamics_page, teaching_page, zoo_page
from tests.catalogue_page import PAGE as CATALOGUE_PAGE
from tests.catalogue_page import PLACE as CATALOGUE_PLACE
from tests.catalogue_page import tables
from tests.cli.command import inside
from tests.command_page import PAGE, PLACE, commands
from tests.report.page.unpacking import unpacked

ROOT = Path(__file__).parent.parent
PAGES = sorted((ROOT / "docs").glob("*.md"))

#: Pages whose Python trains networks of shapes that no other test has.
SLOW = ("training",)


@pytest.mark.parametrize(
    "page",
    [pytest.param(page, marks=pytest.mark.thorough if page.stem in SLOW else ()) for page in PAGES],
    ids=lambda page: page.stem,
)
def test_its_python_runs(page: Path) -> None:
    namespace: dict[str, object] = {}
    for block in re.findall(r"```python\n(.*?)```", page.read_text(), re.DOTALL):
        exec(block, namespace)


@pytest.mark.parametrize("page", [*PAGES, ROOT / "README.md"], ids=lambda page: page.stem)
def test_its_experiments_parse_and_its_files_are_there(page: Path) -> None:
    text = page.read_text()
    for block in re.findall(r"```toml\n(.*?)```", text, re.DOTALL):
        assert parse_experiment(block, f"{page.stem}.toml").tasks
    for path in re.findall(r"`((?:docs|src|examples)/[\w./-]+)`", text):
        assert (ROOT / path).exists(), path
    for path in re.findall(r"\]\(([\w./-]+)\)", text):
        assert (page.parent / path).exists(), path


@pytest.mark.parametrize("page", [*PAGES, ROOT / "README.md"], ids=lambda page: page.stem)
def test_its_commands_are_there(page: Path) -> None:
    for verb in set(re.findall(r"`abacist ([a-z]+)", page.read_text())):
        assert has_help(verb), verb


@cache
def has_help(verb: str) -> bool:
    return inside(verb, "--help")[0] == 0


@pytest.mark.parametrize("page", [*PAGES, ROOT / "README.md"], ids=lambda page: page.stem)
def test_its_commands_have_the_options_that_they_are_shown_with(page: Path) -> None:
    shown = re.findall(r"(?:^|\$ |`)abacist ([a-z]+)\b([^`\n]*)", page.read_text(), re.MULTILINE)
    for verb, rest in shown:
        known = {name for parameter in command_of(VERBS[verb]).params for name in parameter.opts}
        assert set(re.findall(r"(?<![\w-])--[a-z-]+", rest)) <= known, (verb, rest)


@pytest.mark.parametrize("page", [*PAGES, ROOT / "README.md"], ids=lambda page: page.stem)
def test_a_caption_names_all_commands_that_make_a_figure(page: Path) -> None:
    """What draws or prints runs fails until another command has computed them."""
    for made in re.findall(r"Made by\s(.*?)\.?\*?\n\n", page.read_text(), re.DOTALL):
        commands = re.findall(r"`(?:abacist|make) (\w+)", made)
        assert commands[0] in ("run", "reproduce", "train"), made


def test_the_tables_of_teaching_are_the_files() -> None:
    """If they are not: `python -m tests.teaching_page`."""
    page = teaching_page.PAGE.read_text()
    for name, part in teaching_page.parts().items():
        assert teaching_page.place(name).findall(page) == [part]


@pytest.mark.parametrize("page", [*PAGES, ROOT / "README.md"], ids=lambda page: page.stem)
def test_what_is_proved_of_every_word_is_said_with_the_depth(page: Path) -> None:
    """A proof for words of any length ends at the depth where float32 stops counting."""
    for paragraph in re.split(r"\n\n|\n(?=[-|])", page.read_text()):
        said = re.sub(r"[*\s]+", " ", paragraph)
        if re.search(r"right on every word of any length|proved (right )?on every word of any length", said):
            assert re.search("2²⁴|16,777,216", said), paragraph


def test_rank_correlations_are_those_that_the_commands_show() -> None:
    """Of accuracy and horizon, in the pages that say how little the one tells of the other."""
    rows = horizon_distribution_table(distributions()).rows
    found = [row["correlation"] for row in rows if row["figures"] == "wrong at"]
    pages = [(ROOT / "docs" / name).read_text() for name in ("distributions.md", "horizon.md")]
    assert "{:.2f}, {:.2f} and {:.2f}".format(*found).replace("-", "−") in pages[0]
    note = json.loads((ROOT / "docs" / "results" / "counting.json").read_text())["note"]
    figures = re.search(
        r"of a setting: (.+) in the median of (\d+) settings, (.+) of (\d+) with LSTMs\.", note
    )
    assert figures is not None
    for page in pages:
        text = " ".join(page.split())
        assert f"{figures[1]} in the median of {figures[2]}" in text
        assert f"{figures[3]} of {figures[4]} " in text


def test_the_tables_of_training_dynamics_are_the_files() -> None:
    """If they are not: `python -m tests.dynamics_page`."""
    page = dynamics_page.PAGE.read_text()
    for name, part in dynamics_page.parts().items():
        assert dynamics_page.place(name).findall(page) == [part]


def test_the_tables_of_distributions_are_those_that_the_command_shows() -> None:
    """If they are not: `python -m tests.distribution_page`."""
    page = distribution_page.PAGE.read_text()
    for name, part in distribution_page.parts().items():
        assert distribution_page.place(name).findall(page) == [part]


def test_what_is_said_of_recognition_is_the_table_s() -> None:
    rows = json.loads((ROOT / "docs" / "results" / "recognition.json").read_text())["rows"]
    assert len(rows) == 24
    assert all(row["runs"] == "10" for row in rows)
    assert all(row["taken median"] >= row["accepted median"] for row in rows)  # what is accepted is taken
    assert all(row["swapped median"] >= 99 for row in rows)
    stack = [row for row in rows if row["language"] == "dyck-2"]
    assert all(row["rejected min"] >= 97 for row in stack)
    long = [row for row in stack if row["set"] == "long"]
    assert all(row["taken median"] < 1 and 49 < row["balanced median"] < 51 for row in long)
    (perfect,) = (r for r in rows if (r["language"], r["cell"], r["set"]) == ("dyck-1", "lstm", "short"))
    assert perfect["rejected min"] == perfect["balanced median"] == 100


def test_the_page_shows_the_networks_of_the_tables() -> None:
    """If it does not: `abacist page --results results --out docs/page/index.html`."""
    place = ROOT / "docs" / "page" / "index.html"
    content = unpacked(place)["content"]
    assert place.stat().st_size < 1_000_000
    groups = {(own["language"], own["cell"], own["hidden"]): own for own in reversed(content["groups"])}
    for row in json.loads((ROOT / "docs" / "results" / "table-3.json").read_text())["rows"]:
        if row["figures"].startswith("p-value"):
            continue
        group = groups[row["language"], row["cell"], row["hidden"]]
        own = [one for one in content["networks"] if content["groups"][one["group"]] is group]
        for name, figures in group["paper"].items():
            if row["figures"] != "paper":
                shares = [one["accuracy"][name] for one in own]
                figures = [min(shares), max(shares), float(np.median(shares))]
            assert [row[f"{name} {which}"] for which in STATISTICS] == pytest.approx(figures, abs=0.0051)
    for row in json.loads((ROOT / "docs" / "results" / "counting.json").read_text())["rows"]:
        group = groups[row["language"], row["cell"], row["hidden"]]
        own = [one for one in content["networks"] if content["groups"][one["group"]] is group]
        known = [horizon for one in own for horizon in one["horizons"] if horizon["factor"] == row["gates"]]
        wrong = [len(horizon["wrong"]) for horizon in known if horizon["wrong"] is not None]
        assert (len(known), len(known) - len(wrong)) == (row["runs there"], row["none wrong runs"])
        assert min(horizon["proved"] for horizon in known) == row["proved min"]
        assert min(wrong, default=None) == row["wrong min"]


def test_every_command_is_there_with_all_its_options() -> None:
    """If it is not: `python -m tests.command_page`."""
    assert PLACE.findall(PAGE.read_text()) == [commands()]


def test_the_catalogue_is_there_as_it_is() -> None:
    """If it is not: `python -m tests.catalogue_page`."""
    assert CATALOGUE_PLACE.findall(CATALOGUE_PAGE.read_text()) == [tables()]


def test_the_references_are_what_the_pages_cite() -> None:
    """Each by its full entry, once, in order; those of the catalogue as its file has them."""
    related = (ROOT / "docs" / "related-work.md").read_text()
    name = r"[A-Z][\w-]*[a-zé]"
    cited = re.compile(
        rf"((?:van der )?{name}(?: et al\.|(?:, {name})* and {name})?),? \(?((?:19|20)\d\d[a-c]?)\b"
    )
    apart = re.compile(r"<!-- references -->.*<!-- end of references -->|```.*?```", re.DOTALL)
    texts = [" ".join(apart.sub("", page.read_text()).replace("*", "").split()) for page in PAGES]
    entries = dict(
        re.findall(r"^- \*\*(.+?)\*\*: (.+)", related.partition("<!-- references -->")[2], re.MULTILINE)
    )
    assert list(entries) == sorted(entries, key=str.casefold)
    assert set(entries) == {f"{who} {when}" for text in texts for who, when in cited.findall(text)}
    for source in {source for entry in CATALOGUE for source in entry.sources}:
        assert f" {source.title}. {source.published}" in entries[source.cited]


def test_a_run_passes_the_hops_that_the_ideas_list(tmp_path: Path) -> None:
    listed = re.search(
        r"<!-- hops -->\n(.*?)<!-- end of hops -->", (ROOT / "docs" / "ideas.md").read_text(), re.DOTALL
    )
    assert listed is not None
    hops = re.findall(r"^\d+\. `([\w/.]+)`, `(\w+)`", listed[1], re.MULTILINE)
    assert 0 < len(hops) <= 10
    wanted = {(str(ROOT / "src" / "abacist" / file), function): (file, function) for file, function in hops}
    passed: dict[tuple[str, str], None] = {}

    def watch(frame: FrameType, event: str, _: Any) -> None:
        hop = wanted.get((frame.f_code.co_filename, frame.f_code.co_name))
        if event == "call" and hop is not None:
            passed.setdefault(hop)

    words = ("--train-words", "40", "--test-words", "5", "--train-lengths", "2:12", "--long-lengths", "14:16")
    before = sys.getprofile()
    threading.setprofile(watch)
    sys.setprofile(watch)
    try:
        code, printed, _ = inside(
            "train", "dyck-1", "lstm", "--runs", "2", "--epochs", "1", *words, "--out", str(tmp_path)
        )
    finally:
        sys.setprofile(before)
        threading.setprofile(None)
    assert code == 0
    assert "median" in printed
    assert list(passed) == hops


@pytest.mark.thorough
def test_the_walk_through_the_paper_runs() -> None:
    done = subprocess.run(
        [sys.executable, str(ROOT / "examples" / "walkthrough.py"), "--quick"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert "(())()() makes 5 turns of its counter" in done.stdout
    assert "([]) in shuffle-2: 1 3 1 0" in done.stdout
    assert "| shuffle-2 | lstm | 4 | ours, 4 runs |" in done.stdout
    short = dict(re.findall(r"^(rnn|gru|lstm) .*short ([\d.]+) %", done.stdout, re.MULTILINE))
    assert float(short["rnn"]) < float(short["gru"]) < float(short["lstm"])
    assert float(short["lstm"]) > 95
    path = re.findall(r"^ +[()] +(\d+) +([+-][\d.]+) ", done.stdout, re.MULTILINE)
    depths, states = np.array(path, float).T
    assert len(path) == len("(())()()")
    assert abs(np.corrcoef(depths, states)[0, 1]) > 0.99  # it counts


def test_the_tables_of_the_zoo_are_the_files() -> None:
    """If they are not: `python -m tests.zoo_page`."""
    page = zoo_page.PAGE.read_text()
    for name, part in zoo_page.parts().items():
        assert zoo_page.place(name).findall(page) == [part]
