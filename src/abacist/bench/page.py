"""Live training, as the page does it, in Node: against plain Python and PyTorch on the same words."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from abacist.bench import torch_peer
from abacist.bench.measure import Missing, Row, rate, side_by_side
from abacist.bench.plain_peer import PlainLstm, in_lists, in_matrices
from abacist.cells import cell_named
from abacist.engine import training_words
from abacist.languages import language_named
from abacist.specs import Networks, Spec
from abacist.targets.javascript import drawing_tables, language_tables, module_text

_SCRIPT = """\
import * as abacist from "./abacist.mjs";
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";
const tables = JSON.parse(readFileSync("tables.json", "utf-8")), [program] = Object.values(abacist.PROGRAMS);
const words = new abacist.Language(tables.language).label(abacist.drawWords(tables.words, 0).training);
const trainer = new abacist.Trainer(program, abacist.initialWeights(program, 0), words);
for await (const line of createInterface({ input: process.stdin })) {
  console.log(trainer.advance(Number(line)).symbols);
}
"""

#: Words that Node trains on at a time, that plain Python does, and that PyTorch does.
_WORDS, _PLAIN, _TORCH = 10_000, 60, 30


def rows() -> Iterator[Row]:
    """Symbols per second of one LSTM that learns Dyck-1, one word per update."""
    spec = Spec(language_named("dyck-1"), cell_named("lstm"), hidden=3, precision="float64")
    what = "training one LSTM (dyck-1, 3 units) in JavaScript, against"
    plain, by_torch = f"{what} plain Python", f"{what} PyTorch, a symbol per call"
    if shutil.which("node") is None:
        for missed in (plain, by_torch):
            yield Row(missed, "", "", Missing("node is not installed"), 500)
        return
    words = training_words(spec, 0)
    network = PlainLstm(in_matrices(Networks.initial(spec.layout, [0], "float64"), 0))
    listed = in_lists(words, _PLAIN)
    torch = torch_peer.torch_or_none()
    with _in_node(spec) as train:
        train(2 * _WORDS)  # until its compiler has settled

        def against(what: str, job: Callable[[], object], symbols: int) -> Row:
            ours, theirs = side_by_side(5, lambda: train(_WORDS), job)
            speed, other = len(words.symbols) / ours, symbols / theirs
            return Row(what, rate(speed), rate(other), speed / other, 500)

        yield against(plain, lambda: network.train(listed), int(words.offsets[_PLAIN]))
        if torch is None:
            yield Row(by_torch, "", "", Missing("torch is not installed"), 500)
        else:
            yield against(by_torch, *torch_peer.symbol_by_symbol(torch, words, spec.hidden, _TORCH))


@contextmanager
def _in_node(spec: Spec) -> Iterator[Callable[[int], int]]:
    """Training in a process of Node; the function trains on so many more words and says how many symbols."""
    tables = {"language": language_tables(spec.language), "words": drawing_tables(spec.recipe(0))}
    with TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "abacist.mjs").write_text(module_text([spec.layout]), encoding="utf-8")
        (folder / "train.mjs").write_text(_SCRIPT, encoding="utf-8")
        (folder / "tables.json").write_text(json.dumps(tables), encoding="utf-8")
        with subprocess.Popen(
            ["node", "train.mjs"], cwd=folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        ) as process:
            sent, told = process.stdin, process.stdout
            assert sent is not None
            assert told is not None

            def train(words: int) -> int:
                print(words, file=sent, flush=True)
                return int(told.readline())

            try:
                yield train
            finally:
                sent.close()
