"""Several runs at once in a real browser: from `file://`, in a worker, asking nobody for anything."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np

from abacist.cells import cell_named
from abacist.engine import train
from abacist.targets.javascript import drawing_tables, language_tables, script_text
from abacist.targets.webassembly import lanes_script_text
from tests.browser import browser, patient
from tests.engine.cases import small
from tests.requirements import need

pytestmark = need("browser")

SPEC = small(cell_named("gru"))

_SEEDS = list(range(10))

_WORKER = """
const tables = %s, seeds = %s, [program] = Object.values(PROGRAMS);
const language = new Language(tables.language);
const words = seeds.map((seed) => language.label(drawWords(tables.words, seed).training));
const weights = seeds.map((seed) => initialWeights(program, seed));
const trainer = new LaneTrainer(LANES[program.name], weights, words);
while (trainer.epochs < 3) trainer.advance(8);
postMessage(seeds.map((_, run) => Array.from(trainer.weights(run))));
"""

_PAGE = """<!doctype html><meta charset="utf-8"><title>worker</title>
<script type="text/plain" id="worker">%s</script>
<script type="module">
const text = document.getElementById("worker").textContent;
const worker = new Worker(URL.createObjectURL(new Blob([text], { type: "text/javascript" })));
worker.onerror = ({ message, lineno }) => console.log(`worker: ${message} at ${lineno}`);
worker.onmessage = ({ data }) => (window.trained = data);
</script>"""


def test_a_worker_trains_the_runs_that_the_engine_trains(tmp_path: Path) -> None:
    tables = {"language": language_tables(SPEC.language), "words": drawing_tables(SPEC.recipe(0))}
    text = script_text([SPEC.layout]) + lanes_script_text([SPEC.layout])
    path = tmp_path / "page.html"
    path.write_text(_PAGE % (text + _WORKER % (json.dumps(tables), json.dumps(_SEEDS))), encoding="utf-8")
    asked: list[str] = []
    complaints: list[str] = []
    with browser() as running:
        page = patient(running.new_page())
        page.on("request", lambda sent: asked.append(sent.url))
        page.on("console", lambda message: complaints.append(message.text))
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.goto(path.as_uri())
        page.wait_for_function("window.trained !== undefined")
        found = page.evaluate("window.trained")
    assert complaints == []
    assert [url for url in asked if not url.startswith("blob:")] == [path.as_uri()]
    np.testing.assert_allclose(found, train(SPEC, _SEEDS).networks.parameters, rtol=0, atol=1e-5)
