"""The report is valid HTML that anyone can read, by ear or on paper, and names no address."""

from __future__ import annotations

import re
from collections import Counter
from itertools import pairwise
from pathlib import Path

import pytest

from abacist.experiments import Results, Store
from tests.report.report_cases import Page, filled, said, stand_ins, write_with


@pytest.fixture(scope="module", params=[pytest.param("whole", marks=pytest.mark.thorough), "part", "empty"])
def page(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Page:
    folder = tmp_path_factory.mktemp("markup") / "a <b> & 'c'"
    named = {"whole": (), "part": ("last-bracket",)}.get(request.param)
    with Store(folder) if named is None else filled(folder, *named) as store:
        write_with(stand_ins, Results.of(store), folder / "report.html")
        return Page.of(folder / "report.html")  # parses strictly


def test_ids_are_unique_and_whatever_is_pointed_at_is_there(page: Page) -> None:
    ids = Counter(element.get("id") for element in page.root.iter() if element.get("id"))
    assert [name for name, count in ids.items() if count > 1] == []
    targets = {link.removeprefix("#") for link in re.findall(r'href="(#[^"]+)"', page.text)}
    targets |= set(re.findall(r"url\(#([^)]+)\)", page.text))
    for element in page.root.iter():
        targets |= set(element.get("aria-labelledby", "").split())
    assert len(targets) > 20
    assert targets - set(ids) == set()


def test_headings_go_down_step_by_step(page: Page) -> None:
    levels = [int(element.tag[1]) for element in page.all("h1", "h2", "h3", "h4", "h5", "h6")]
    assert levels.count(1) == 1
    assert levels[0] == 1
    assert all(after <= before + 1 for before, after in pairwise(levels))


def test_tables_have_captions_and_every_heading_says_what_it_heads(page: Page) -> None:
    tables = page.all("table")
    assert len(tables) >= 9
    for table in tables:
        assert table[0].tag == "caption"
        assert said(table[0])
    assert {element.get("scope") for element in page.all("th")} <= {"row", "col", "colgroup"}


def test_the_page_says_its_language_and_title_and_describes_its_pictures(page: Page) -> None:
    (root,), (title,) = page.all("html"), page.all("title")
    assert root.get("lang") == "en"
    assert said(title)
    assert all(image.get("alt") for image in page.all("img"))
    drawings = [element for element in page.root.iter() if str(element.tag).endswith("}svg")]
    assert len(drawings) == 2
    assert all(d.get("role") == "img" and d.get("aria-label") for d in drawings)


def test_nothing_outside_is_named(page: Page) -> None:
    assert re.findall(r"https?:|//[a-z]", _plain(page)) == []
    for attribute in ("src", "href"):
        for value in re.findall(rf'\b{attribute}="([^"]*)"', page.text):
            assert value.startswith(("#", "data:"))
    assert "@import" not in page.text
    assert page.all("script", "iframe", "object") == []


def test_its_policy_lets_it_run_no_script_and_ask_nobody(page: Page) -> None:
    """It has no script; styles stand in it, in an element and beside the lines of drawings."""
    policies = [one.get("content") for one in page.all("meta") if one.get("http-equiv")]
    assert policies == ["default-src 'none'; style-src 'unsafe-inline'; img-src data:"]
    for element in page.root.iter():
        assert not [name for name in element.attrib if name.startswith("on")]


def _plain(page: Page) -> str:
    """The page without the data of its images and without the name of its folder."""
    return re.sub(r"base64,[^\"]*|<code>.*?</code>", "", page.text)


def test_no_rule_of_a_drawing_reaches_beyond_it(page: Page) -> None:
    assert len(page.all("style")) == 1
    assert not [element for element in page.root.iter() if str(element.tag).endswith("}style")]


def test_what_comes_from_outside_is_escaped(page: Page) -> None:
    assert "<b>" not in page.text
    assert any("a <b> & " in command for command in page.commands())


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_text_stands_out_from_its_ground(page: Page, scheme: str) -> None:
    """A contrast of 4.5, as the guidelines for accessible pages ask for."""
    blocks = re.findall(r":root \{(.*?)\}", page.text, re.DOTALL)
    colours = dict(re.findall(r"--(\w+): (#\w{6});", blocks[("light", "dark").index(scheme)]))
    for ground in ("ground", "tint"):
        for ink in ("ink", "soft", "link", "holds", "partly", "fails", "open"):
            light, dark = sorted((_luminance(colours[ground]), _luminance(colours[ink])), reverse=True)
            assert (light + 0.05) / (dark + 0.05) >= 4.5, (ink, ground)


def _luminance(colour: str) -> float:
    parts = [int(colour[n : n + 2], 16) / 255 for n in (1, 3, 5)]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def test_a_damaged_page_would_be_found(tmp_path: Path) -> None:
    """The parser is strict indeed."""
    (tmp_path / "bad.html").write_text("<!DOCTYPE html><title>x</title><p><b>unclosed</p>")
    with pytest.raises(Exception, match=r"end.tag|[Uu]nexpected|[Ee]xpected"):
        Page.of(tmp_path / "bad.html")
