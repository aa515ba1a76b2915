"""The module in a real browser: from `file://`, in a page and in a worker, asking nobody for anything."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from abacist.cells import cell_named
from abacist.engine import first_mistakes, train, training_words
from abacist.targets.webassembly import (
    drawing_tables,
    language_tables,
    module_text,
    program_name,
    training_text,
    without_exports,
)
from abacist.targets.webassembly.programs import steps_bytes
from tests.browser import browser, patient
from tests.engine.cases import layout_of, small
from tests.requirements import need

pytestmark = need("browser")

SPEC = small(cell_named("gru"))

#: Beside it programs that are long.
_LAYOUTS = [SPEC.layout, *(layout_of(cell_named(name), 8, "dyck-2") for name in ("lstm", "stack_rnn"))]

_SEEDS = list(range(10))

_WORKER = """
const tables = %s, seeds = %s, [program] = Object.values(PROGRAMS), language = new Language(tables.language);
const words = seeds.map((seed) => language.label(drawWords(tables.words, seed).training));
const begun = seeds.map((seed) => initialWeights(program, seed));
const trainer = new Trainer(program, TRAINING[program.name], begun, words);
let stopped = false;
onmessage = () => (stopped = true);
const work = () => {
  trainer.advance(8);
  const { updates, epochs } = trainer, weights = seeds.map((_, run) => trainer.weights(run));
  postMessage({ updates, epochs, weights, words: words[0], stopped });
  if (!stopped) setTimeout(work);
};
work();
"""

_PAGE = """<!doctype html><meta charset="utf-8"><title>worker</title>
<script type="text/plain" id="engine">%s</script>
<script type="text/plain" id="worker">%s</script>
<script type="module">
const [engine, more] = ["engine", "worker"].map((id) => document.getElementById(id).textContent);
const own = new Function(`${engine}\nreturn { PROGRAMS, ready, firstMistakes };`)();
await own.ready;
const worker = new Worker(URL.createObjectURL(new Blob([engine, more], { type: "text/javascript" })));
window.messages = [];
worker.onerror = ({ message, lineno }) => console.log(`worker: ${message} at ${lineno}`);
worker.onmessage = ({ data: { updates, epochs, weights, words, stopped } }) => {
  const [program] = Object.values(own.PROGRAMS);
  const mistakes = Array.from(own.firstMistakes(program, weights[0], words));
  window.messages.push({ updates, stopped, weights: weights.map((run) => Array.from(run)), mistakes });
  if (epochs === 3) worker.postMessage("stop");
};
</script>"""


@pytest.fixture(scope="module")
def messages(tmp_path_factory: pytest.TempPathFactory) -> list[dict[str, Any]]:
    """What a worker says while it trains, until it is told to stop, and how the page judges the first run."""
    tables = {"language": language_tables(SPEC.language), "words": drawing_tables(SPEC.recipe(0))}
    engine, training = (without_exports(text_of(_LAYOUTS)) for text_of in (module_text, training_text))
    worker = training + _WORKER % (json.dumps(tables), json.dumps(_SEEDS))
    path = Path(tmp_path_factory.mktemp("page")) / "page.html"
    path.write_text(_PAGE % (engine, worker), encoding="utf-8")
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


def test_the_steps_are_more_than_a_page_may_compile_at_once() -> None:
    assert len(steps_bytes({program_name(layout): layout for layout in _LAYOUTS})) > 4096


def test_a_worker_trains_the_runs_that_the_engine_trains(messages: list[dict[str, Any]]) -> None:
    trained = train(SPEC, _SEEDS)
    (done,) = (message for message in messages if message["updates"] == trained.updates)
    np.testing.assert_allclose(done["weights"], trained.networks.parameters, rtol=0, atol=1e-5)
    mistakes = first_mistakes(trained.networks, 0, training_words(SPEC, 0))
    assert done["mistakes"] == mistakes.tolist()


def test_it_listens_in_between(messages: list[dict[str, Any]]) -> None:
    assert [message["stopped"] for message in messages[-2:]] == [False, True]
