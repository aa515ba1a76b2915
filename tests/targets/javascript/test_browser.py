"""The module in a real browser: from `file://`, in a worker, in pieces, asking nobody for anything."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from abacist.cells import cell_named
from abacist.engine import train
from abacist.targets.javascript import drawing_tables, language_tables, script_text
from tests.browser import browser, patient
from tests.engine.cases import small
from tests.requirements import need

pytestmark = need("browser")

SPEC = small(cell_named("gru"), precision="float64")

_WORKER = """
const tables = %s, [program] = Object.values(PROGRAMS);
const words = new Language(tables.language).label(drawWords(tables.words, 3).training);
const weights = initialWeights(program, 3), trainer = new Trainer(program, weights, words);
let stopped = false;
onmessage = () => (stopped = true);
const work = () => {
  const { loss } = trainer.advance(8);
  postMessage({ loss, updates: trainer.updates, weights: Array.from(weights), stopped });
  if (!stopped) setTimeout(work);
};
work();
"""

_PAGE = """<!doctype html><meta charset="utf-8"><title>worker</title>
<script type="text/plain" id="worker">%s</script>
<script type="module">
const text = document.getElementById("worker").textContent;
const url = URL.createObjectURL(new Blob([text], { type: "text/javascript" }));
const worker = new Worker(url);
window.messages = [];
worker.onerror = ({ message, lineno }) => console.log(`worker: ${message} at ${lineno}`);
worker.onmessage = ({ data }) => {
  window.messages.push(data);
  if (data.updates === 120) worker.postMessage("stop");
};
</script>"""


@pytest.fixture(scope="module")
def messages(tmp_path_factory: pytest.TempPathFactory) -> list[dict[str, Any]]:
    """What a worker says while it trains, until it is told to stop."""
    tables = {"language": language_tables(SPEC.language), "words": drawing_tables(SPEC.recipe(3))}
    path = Path(tmp_path_factory.mktemp("page")) / "page.html"
    path.write_text(_PAGE % (script_text([SPEC.layout]) + _WORKER % json.dumps(tables)), encoding="utf-8")
    asked: list[str] = []
    complaints: list[str] = []
    with browser() as running:
        page = patient(running.new_page())
        page.on("request", lambda sent: asked.append(sent.url))
        page.on("console", lambda message: complaints.append(message.text))
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.goto(path.as_uri())
        page.wait_for_function("window.messages.some(({ stopped }) => stopped)")
        told: list[dict[str, Any]] = page.evaluate("window.messages")
    assert complaints == []
    assert [url for url in asked if not url.startswith("blob:")] == [path.as_uri()]
    return told


def test_a_worker_trains_the_run_that_the_engine_trains(messages: list[dict[str, Any]]) -> None:
    trained = train(SPEC, [3])
    done = messages[: trained.updates // 8]
    assert [message["updates"] for message in done] == list(range(8, trained.updates + 1, 8))
    assert sum(message["loss"] for message in done) / trained.updates == pytest.approx(trained.losses.mean())
    np.testing.assert_allclose(done[-1]["weights"], trained.networks.parameters[0], rtol=0, atol=1e-9)


def test_it_listens_in_between(messages: list[dict[str, Any]]) -> None:
    assert [message["stopped"] for message in messages[-2:]] == [False, True]
