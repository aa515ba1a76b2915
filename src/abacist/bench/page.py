"""Live training, as the page does it, in Node: against plain Python and PyTorch on the same words."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import abacist.bench.torch_peer as torch_peer
from abacist.bench.measure import Missing, Row, rate, side_by_side
from abacist.bench.plain_peer import PlainLstm, in_lists, in_matrices
from abacist.cells import cell_named
from abacist.engine import training_words
from abacist.languages import language_named
from abacist.specs import Networks, Spec
from abacist.targets.webassembly import drawing_tables, language_tables, module_text, training_text

_SCRIPT = """\
import * as abacist from "./abacist.mjs";
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";
const { language, words, seeds } = JSON.parse(readFileSync("given.json", "utf-8"));
const [program] = Object.values(abacist.PROGRAMS), code = abacist.TRAINING[program.name];
const known = new abacist.Language(language);
const drawn = seeds.map((seed) => known.label(abacist.drawWords(words, seed).training));
const weights = seeds.map((seed) => abacist.initialWeights(program, seed));
const trainers = {
  one: new abacist.Trainer(program, code, weights.slice(0, 1), drawn.slice(0, 1)),
  many: new abacist.Trainer(program, code, weights, drawn),
};
for await (const line of createInterface({ input: process.stdin })) {
  const [which, count] = line.split(" ");
  console.log(trainers[which].advance(Number(count)).symbols);
}
"""

#: How many runs are trained at once, and on how many words at a time Node, plain Python and PyTorch train.
_RUNS, _WORDS, _PLAIN, _TORCH = 12, 10_000, 60, 30

#: How many times as fast training on a page is to be, of many runs and of a single one.
_PAGE, _ALONE = 500, 50


def rows() -> Iterator[Row]:
    """Symbols per second of LSTMs that learn Dyck-1, one word per update: several at once, and one alone."""
    spec = Spec(language_named("dyck-1"), cell_named("lstm"), hidden=3, precision="float64")
    many = f"training {_RUNS} LSTMs (dyck-1, 3 units) at once in WebAssembly, against plain Python"
    what = "training one LSTM (dyck-1, 3 units) in WebAssembly, against"
    plain, by_torch = f"{what} plain Python", f"{what} PyTorch, a symbol per call"
    if shutil.which("node") is None:
        for missed, least in ((many, _PAGE), (plain, _ALONE), (by_torch, _PAGE)):
            yield Row(missed, "", "", Missing("node is not installed"), least)
        return
    words = training_words(spec, 0)
    network = PlainLstm(in_matrices(Networks.initial(spec.layout, [0], "float64"), 0))
    listed = in_lists(words, _PLAIN)
    torch = torch_peer.torch_or_none()
    with _in_node(spec) as train:
        seen = {which: train(which, _WORDS) for which in ("one", "many")}  # until its compiler has settled

        def against(what: str, which: str, least: float, job: Callable[[], object], symbols: int) -> Row:
            ours, theirs = side_by_side(5, lambda: train(which, _WORDS), job)
            speed, other = seen[which] / ours, symbols / theirs
            shown = rate(speed) if which == "one" else f"{rate(speed)}, {rate(speed / _RUNS)} a run"
            return Row(what, shown, rate(other), speed / other, least)

        by_plain = (lambda: network.train(listed), int(words.offsets[_PLAIN]))
        yield against(many, "many", _PAGE, *by_plain)
        yield against(plain, "one", _ALONE, *by_plain)
        if torch is None:
            yield Row(by_torch, "", "", Missing("torch is not installed"), _PAGE)
        else:
            peer = torch_peer.symbol_by_symbol(torch, words, spec.hidden, _TORCH)
            yield against(by_torch, "one", _PAGE, *peer)


@contextmanager
def _in_node(spec: Spec) -> Iterator[Callable[[str, int], int]]:
    """Training in a process of Node; the function trains `one` run or `many` on so many more words each.

    It says how many symbols these were; as many words as there are make an epoch, always of the same symbols.
    """
    given = {
        "language": language_tables(spec.language),
        "words": drawing_tables(spec.recipe(0)),
        "seeds": list(range(_RUNS)),
    }
    text = module_text([spec.layout]) + training_text([spec.layout])
    with TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "abacist.mjs").write_text(text, encoding="utf-8")
        (folder / "train.mjs").write_text(_SCRIPT, encoding="utf-8")
        (folder / "given.json").write_text(json.dumps(given), encoding="utf-8")
        with subprocess.Popen(
            ["node", "train.mjs"], cwd=folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        ) as process:
            sent, told = process.stdin, process.stdout
            assert sent is not None
            assert told is not None

            def train(which: str, words: int) -> int:
                print(which, words, file=sent, flush=True)
                return int(told.readline())

            try:
                yield train
            finally:
                sent.close()
