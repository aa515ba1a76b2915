"""One page and one browser for all tests of the page in a process; windows are used again."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from abacist.report.page import PageNetwork, write_page
from tests.browser import browser
from tests.report.page.shown_networks import on_the_page
from tests.report.page.visits import Visit, new_visit

if TYPE_CHECKING:
    from playwright.sync_api import Browser


@pytest.fixture(scope="session")
def networks(tmp_path_factory: pytest.TempPathFactory) -> list[PageNetwork]:
    return on_the_page(tmp_path_factory.mktemp("store"))


@pytest.fixture(scope="session")
def page_file(networks: list[PageNetwork], tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("page") / "page.html"
    write_page(networks, path)
    return path


@pytest.fixture(scope="package")
def running() -> Iterator[Browser]:
    with browser() as started:
        yield started


@pytest.fixture(scope="package")
def windows(running: Browser) -> dict[str, list[Visit]]:
    """Windows of the browser that nobody looks at, by what they show and what was wished of them."""
    return {}


@pytest.fixture
def open_page(
    running: Browser, page_file: Path, windows: dict[str, list[Visit]]
) -> Iterator[Callable[..., Visit]]:
    """Opens the page as often as it is asked to, each time in a window of its own, wide and without motion.

    Whatever it complains of, or asks of anyone, fails the test.
    """
    opened: list[tuple[str, Visit]] = []

    def open_one(*, link: str = "", width: int = 1280, **wishes: str) -> Visit:
        wishes = {"reduced_motion": "reduce"} | wishes
        kind = f"{page_file} {width} {wishes}"
        free = windows.setdefault(kind, [])
        visit = free.pop() if free else new_visit(running, width, **wishes)
        visit.open(page_file, link)
        opened.append((kind, visit))
        return visit

    yield open_one
    for kind, visit in opened:
        visit.check(page_file)
        windows[kind].append(visit)


@pytest.fixture
def visit(open_page: Callable[..., Visit]) -> Visit:
    """The page on a wide screen, without motion."""
    return open_page()
