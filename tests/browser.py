"""A real browser for the tests: Chromium as the system has it, driven through Playwright."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from tests.patience import HUNG

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

#: No part of Chromium is to talk to anyone, and containers have neither its sandbox nor a GPU.
FLAGS = (
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync",
)  # fmt: skip


def chromium() -> str | None:
    """Where Chromium is: ABACIST_CHROMIUM, else where Debian puts it, else on the path; None if nowhere."""
    named = os.environ.get("ABACIST_CHROMIUM")
    if named:
        return named if Path(named).is_file() else None
    usual = "/usr/bin/chromium"
    return usual if Path(usual).is_file() else shutil.which("chromium") or shutil.which("google-chrome")


@contextmanager
def browser() -> Iterator[Browser]:
    """A running browser; ask `need("browser")` first whether there is one."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        running = playwright.chromium.launch(
            executable_path=chromium(), args=list(FLAGS), timeout=1_000 * HUNG
        )
        try:
            yield running
        finally:
            running.close()


def patient(page: Page) -> Page:
    """The same page, which waits as long as it takes; Playwright's own limit is half a minute."""
    page.set_default_timeout(1_000 * HUNG)
    return page
