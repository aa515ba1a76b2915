"""A visit to the page in a real browser: what it shows, what it draws, and what its workers tell it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

import numpy as np

from abacist.languages import Language
from abacist.specs import Networks
from tests.browser import patient

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

#: Charts draw onto a canvas and workers answer in silence: this notes the charts, by the id of what they are
#: drawn into, and what workers say.
_RECORDER = """
let own;
window.charts = {};
Object.defineProperty(window, "uPlot", {
  get: () => own,
  set: (made) => {
    own = new Proxy(made, {
      construct: (target, given) => (window.charts[given[2].id] = new target(...given)),
    });
  },
});
window.told = [];
window.Worker = class extends Worker {
  constructor(...given) {
    super(...given);
    this.addEventListener("message", ({ data }) => window.told.push(data));
  }
};
"""

#: What is shown at a step, below the picture.
_ROWS = """() => ({
  rows: [...document.querySelectorAll("#outputs tbody tr")].map((row) => ({
    texts: [...row.cells].map((cell) => cell.textContent.trim()), wrong: row.classList.contains("wrong") })),
  verdict: document.getElementById("step-verdict").className })"""

_ALL_ROWS = f"""() => {{
  const slider = document.getElementById("step"), rows = {_ROWS}, found = [];
  for (let at = 1; at <= Number(slider.max); at++) {{
    slider.value = String(at);
    slider.dispatchEvent(new Event("input", {{ bubbles: true }}));
    found.push(rows());
  }}
  return found;
}}"""

#: All that can be drawn: the columns of every value.
_ALL_COLUMNS = """() => {
  const values = document.getElementById("values"), found = {};
  for (const { value } of [...values.options]) {
    values.value = value;
    values.dispatchEvent(new Event("change", { bubbles: true }));
    found[value] = window.charts.states.data.map((column) => [...column]);
  }
  return found;
}"""

_VISITS = count()

#: Of all windows, in pixels.
HEIGHT = 900

_YES = {"yes": True, "no": False, "—": None}


@dataclass(frozen=True)
class Shown:
    """What the page shows of a step: the score of every output, what is predicted and what is allowed.

    `allowed` is None where the word has left its language; `wrong` are the outputs marked as such, and
    `verdict` is how the whole step is marked: fails, open, or not at all where it is right.
    """

    scores: list[float]
    predicted: list[bool]
    allowed: list[bool] | None
    wrong: list[bool]
    verdict: str


def _shown(found: dict[str, Any]) -> Shown:
    rows = found["rows"]
    texts = [row["texts"] for row in rows]
    allowed = [_YES[own[3]] for own in texts]
    return Shown(
        [float(own[1]) for own in texts],
        [_YES[own[2]] is True for own in texts],
        None if None in allowed else [own is True for own in allowed],
        [row["wrong"] for row in rows],
        found["verdict"].removeprefix("verdict-line").strip(),
    )


@dataclass(frozen=True)
class Visit:
    """A page that is open, what it has asked for, and what it has complained of."""

    page: Page
    width: int
    asked: list[str] = field(default_factory=list)
    complaints: list[str] = field(default_factory=list)

    def open(self, path: Path, link: str = "") -> None:
        """Open the page afresh; in a window where it was open before, which takes a third of the time."""
        if self.page.url == "about:blank":
            self.page.goto(path.as_uri() + link)
        else:
            self.page.set_viewport_size({"width": self.width, "height": HEIGHT})
            self.page.emulate_media(media="null")
            # The old page must not write its own link any more.
            self.page.evaluate(
                """link => { history.replaceState(null, "", link || location.pathname);
                    history.replaceState = () => {}; }""",
                link,
            )
            self.page.reload()
        self.page.wait_for_selector("html[data-ready]")

    def check(self, path: Path) -> None:
        """The page has complained of nothing and asked nobody for anything; so ends a visit."""
        assert self.complaints == []
        assert self.text("failure") == ""
        assert {url.partition(":")[0] for url in self.asked} <= {"file", "blob", "data"}
        assert {url.partition("#")[0] for url in self.asked if url.startswith("file:")} == {path.as_uri()}
        self.asked.clear()

    def go(self, **asked: object) -> None:
        """Follow a link within the page; a number that nobody reads makes it another one every time."""
        self.page.evaluate(
            """link => new Promise((done) => {
                addEventListener("hashchange", () => done(null), { once: true });
                location.hash = link;
            })""",
            urlencode({**asked, "visit": next(_VISITS)}),
        )

    def wait(self, condition: str, given: object = None) -> None:
        """Wait until something holds."""
        self.page.wait_for_function(condition, arg=given)

    def reload(self) -> None:
        self.page.reload()
        self.page.wait_for_selector("html[data-ready]")

    def text(self, name: str) -> str:
        return self.page.locator(f"#{name}").inner_text()

    def value(self, name: str) -> str:
        return self.page.locator(f"#{name}").input_value()

    def type(self, text: str) -> None:
        """Type with the keyboard, with nothing in focus."""
        self.page.evaluate("document.activeElement.blur()")
        self.page.keyboard.type(text)

    @property
    def at(self) -> int:
        """How many symbols have been read."""
        return int(self.value("step"))

    @property
    def tiles(self) -> list[tuple[str, set[str]]]:
        """The symbols side by side, and how each is marked."""
        found = self.page.locator("#tape .tile").evaluate_all(
            "tiles => tiles.map((tile) => [tile.textContent, tile.className])"
        )
        return [(glyph, set(look.split()) - {"tile"}) for glyph, look in found]

    def columns(self, name: str = "states") -> list[list[float | None]]:
        """The columns of a chart, as they are drawn."""
        found: list[list[float | None]] = self.page.evaluate(
            "name => window.charts[name].data.map((column) => [...column])", name
        )
        return found

    def values(self, language: Language[Any]) -> tuple[Any, dict[str, Any]]:
        """All that can be drawn: the depths, (time, counter), and every value by name, (time, unit)."""
        found, counters = {}, len(language.counter_names)
        for name, columns in self.page.evaluate(_ALL_COLUMNS).items():
            steps = np.array(columns, dtype=float)[:, 1:].T  # without the beginning, where nothing is read
            assert steps[:, 0].tolist() == list(range(1, len(steps) + 1))
            depths, found[name] = steps[:, 1 : 1 + counters], steps[:, 1 + counters :]
        return depths, found

    @property
    def step(self) -> Shown:
        """What is shown of the step that is looked at."""
        return _shown(self.page.evaluate(_ROWS))

    @property
    def verdict(self) -> str:
        """How the whole word is marked: holds, fails, or open."""
        look = self.page.get_attribute("#verdict", "class") or ""
        return look.removeprefix("verdict-line").strip()

    def steps(self) -> list[Shown]:
        """What is shown of every step, one after the other."""
        return [_shown(rows) for rows in self.page.evaluate(_ALL_ROWS)]

    def told(self, kind: str) -> list[dict[str, Any]]:
        """What workers have said so far."""
        found: list[dict[str, Any]] = self.page.evaluate(
            """kind => window.told.filter((own) => own.kind === kind)
                .map((own) => ({ ...own, ...(own.weights && { weights: [...own.weights] }) }))""",
            kind,
        )
        return found

    def frames(self, count: int) -> None:
        """Let the page draw so many frames."""
        self.page.evaluate(
            """async count => {
                for (let n = 0; n < count; n++) await new Promise((go) => requestAnimationFrame(go));
            }""",
            count,
        )


def new_visit(browser: Browser, width: int, **wishes: Any) -> Visit:
    """A window of its own, in which nothing is open yet."""
    context = browser.new_context(viewport={"width": width, "height": HEIGHT}, **wishes)
    context.add_init_script(_RECORDER)
    visit = Visit(patient(context.new_page()), width)
    visit.page.on("request", lambda sent: visit.asked.append(sent.url))
    visit.page.on("console", lambda message: visit.complaints.append(message.text))
    visit.page.on("pageerror", lambda error: visit.complaints.append(str(error)))
    return visit


def in_single(networks: Networks) -> Networks:
    """Networks in the precision of the page."""
    return Networks(networks.layout, networks.parameters.astype("float32"))


def one_network(layout: Any, weights: Sequence[float]) -> Networks:
    """A network with the weights that a page has."""
    return Networks(layout, np.array([weights], dtype="float32"))
