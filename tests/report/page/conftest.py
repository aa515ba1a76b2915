"""One page for all tests of a process, and one browser for those of a module."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from abacist.report.page import PageNetwork, write_page
from tests.browser import browser
from tests.report.page.shown_networks import on_the_page
from tests.report.page.visits import Visit, visiting

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


@pytest.fixture(scope="module")
def running() -> Iterator[Browser]:
    with browser() as started:
        yield started


@pytest.fixture
def open_page(running: Browser, page_file: Path) -> Iterator[Callable[..., Visit]]:
    """Opens the page as often as it is asked to: see `visiting`."""
    with ExitStack() as visits:

        def opened(**wishes: Any) -> Visit:
            return visits.enter_context(visiting(running, page_file, **{"reduced_motion": "reduce"} | wishes))

        yield opened


@pytest.fixture
def visit(open_page: Callable[..., Visit]) -> Visit:
    """The page on a wide screen, without motion."""
    return open_page()
