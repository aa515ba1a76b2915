"""The picture of the page in the README: `python -m tests.page_picture` takes it anew."""

from __future__ import annotations

from pathlib import Path

from tests.browser import browser

ROOT = Path(__file__).parent.parent
PAGE, PICTURE = ROOT / "docs" / "page" / "index.html", ROOT / "docs" / "page" / "picture.png"


def take() -> None:
    """The first network, with a failing word, as a visitor sees it."""
    with browser() as running:
        context = running.new_context(
            viewport={"width": 1280, "height": 780}, reduced_motion="reduce", color_scheme="light"
        )
        page = context.new_page()
        page.goto(PAGE.as_uri())
        page.wait_for_selector("html[data-ready=yes]")
        page.click("#break-search")
        page.wait_for_selector("#broken.fails")
        page.evaluate("window.scrollTo(0, document.getElementById('type').offsetTop - 8)")
        page.wait_for_function("document.querySelector('#states canvas') !== null")
        page.screenshot(path=PICTURE)


if __name__ == "__main__":
    take()
