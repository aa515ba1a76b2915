"""Mutated texts for every reader of outside text: a value, or a sentence."""

from __future__ import annotations

import random
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

from abacist.analysis import load_certificate
from abacist.bridge.prediction_files import load_predictions, load_words
from abacist.cells import cell_named, cell_written
from abacist.corpora import SourceChoice, Window
from abacist.errors import AbacistError
from abacist.experiments.cluster import check_cluster
from abacist.experiments.conditions import Conditions
from abacist.experiments.files import load_experiment
from abacist.experiments.outcome import Outcome
from abacist.experiments.plan import Shard
from abacist.languages import language_named
from abacist.languages.writing import language_asked_for, language_from_text, load_language
from abacist.specs.files import NetworkFile
from abacist.specs.spec import Spec
from abacist.untrusted import read_json
from tests.torture.trial import Broken, in_time

_COUNTER = """[language]
kind = "counter"
counters = 2
glyphs = "abc"
accepting = ["A ++", "B"]
moves = ["A a ** A +0", "A b +* B -+", "B c *+ B 0-", "B a 0* A =0"]
"""
_PUSHDOWN = """[language]
kind = "pushdown"
start = "first"
accepting = ["second"]
moves = ["first a * first push A", "first b * first push B", "first c - second", "first c A second",
    "second a A second pop", "second b B second pop push A"]
"""
_EXPERIMENT = """title = "x"
language = ["more", "dyck-1"]
cell = "lstm"
hidden = [1, 2]
runs = 2
training = 50
test = 5
short = "2:12"
horizon = { to = 20 }
[languages.more]
regex = "(ab|c)*"
[languages.both]
kind = "shuffle"
parts = ["more", { kind = "renamed", of = "dyck-1", glyphs = "[]" }]
"""
_PREDICTIONS = '{"word": "()", "predictions": [[0.1, 0.9], "()"], "split": "a"}\n["()", "("]\n'
_HEADER = (
    '{"__metadata__":{"cell":"lstm","format":"pt","language":"dyck-1","threshold":"0.5"},'
    '"a":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}}'
)
_OUTCOME = (
    '{"accuracy": {"training": {"1": 0.5}}, "losses": [0.5, NaN], "seconds": 1.0, "updates": 3, '
    '"versions": {"abacist": "0"}}'
)
_TABLE = '{"accepting": ["0"], "glyphs": ["a"], "kind": "finite", "moves": ["0 a 0"], "name": "own"}'
_RECORD = '{"cell": "lstm", "runs": 1, "sha256": "00", "language": "dyck-1"}'
_WHERE = {"cell": "text", "hidden": "number", "key": "key", "long": "percent"}


def _of_file(name: str, read: Callable[[Path], Any]) -> Callable[[Path, bytes], Any]:
    def reading(folder: Path, data: bytes) -> Any:
        (folder / name).write_bytes(data)
        return read(folder / name)

    return reading


def _of_text(read: Callable[[str], Any]) -> Callable[[Path, bytes], Any]:
    return lambda _, data: read(data.decode(errors="surrogateescape"))


@cache
def _dyck() -> Any:
    return language_named("dyck-1")


def _safetensors(folder: Path, data: bytes) -> Any:
    path = folder / "text.safetensors"
    path.write_bytes(len(data).to_bytes(8, "little") + data + bytes(4))
    return NetworkFile.load(path)


def _language(path: Path) -> Any:
    language: Any = load_language(path)
    return [language.read(word) for word in ([], [0], [0, 0])], language.counts(4), language.longest


#: Every reader by its name, and texts that it takes.
READERS: dict[str, tuple[Callable[[Path, bytes], Any], tuple[str, ...]]] = {
    "language": (_of_file("own.toml", _language), (_COUNTER, _PUSHDOWN, '[language]\nregex = "(ab|c)*"\n')),
    "experiment": (_of_file("own-experiment.toml", load_experiment), (_EXPERIMENT,)),
    "expression": (
        _of_text(lambda text: language_asked_for(f"regex:{text}")),
        ("(aa|bb)*[abc]?.+ε", "a*|'up'(b+c)?", "((a|b)*(c|d)+)*"),
    ),
    "language's name": (
        _of_text(language_asked_for),
        ("anbn || dyck-2+end", "shuffle-6", "d-12", "boolean-3"),
    ),
    "language's text": (_of_text(language_from_text), (_TABLE,)),
    "cell's name": (_of_text(cell_named), ("lstm_x2", "stack_rnn", "rnn_relu")),
    "cell's text": (_of_text(cell_written), ("mine#0123456789ab_x2", "lstm")),
    "network": (_safetensors, (_HEADER,)),
    "record": (_of_file("run.json", lambda path: NetworkFile.load_folder(path.parent)), (_RECORD,)),
    "certificate": (_of_file("c.json", load_certificate), ('{"format": 1, "statement": {"depth": 3}}',)),
    "scheduler": (
        _of_file("scheduler.json", lambda path: check_cluster(str(path))),
        ('{"address": "tcp://127.0.0.1:8786", "workers": {}}',),
    ),
    "predictions": (
        _of_file("p.jsonl", lambda path: load_predictions(path, _dyck(), [(0, 1), (0, 1)])),
        (_PREDICTIONS,),
    ),
    "words": (_of_file("w.jsonl", lambda path: load_words(path, _dyck())), ('{"word": "()"}\n"(())"\n',)),
    "outcome": (_of_text(Outcome.from_json), (_OUTCOME,)),
    "spec": (
        _of_text(lambda text: Spec.from_dict(read_json(text))),
        ('{"language": "dyck-1", "cell": "lstm", "hidden": 3, "rate": 0.001, "short": "2:12"}',),
    ),
    "condition": (
        _of_text(lambda text: Conditions.parse([text], _WHERE)),
        ("cell=gru,lstm", "hidden=1..3,none", "hidden>=2", "long<99%", "key=ab"),
    ),
    "shard": (_of_text(Shard.parse), ("2/8",)),
    "window": (_of_text(Window.parse), ("2:50", "100")),
    "source": (
        _of_text(lambda text: SourceChoice(grammar=text).of(_dyck())),
        ("1/2,1/4", "0.5,0.25"),
    ),
    "weights": (
        _of_text(lambda text: SourceChoice(length_weights=text).of(_dyck())),
        ("10:1,20..30:3",),
    ),
}

#: What texts are mutated with.
_PIECES = (
    "[", "]", "{", "}", "(", ")", "*", "+", "?", "|", ".", "ε", "'", '"', "\\", "\n", " ", "\0", "\ufeff",
    "=", ",", ":", "-", "/", "#", "..", "||", "+end", "_x2", "0", "1", "9" * 30, "9" * 5_000, "1e999", "nan",
    "inf", "NaN", "-1", "true", "null", "[]", "{}", '""', "1979-05-27", "\\ud800", "ß", "٣", "²", "%",
    "regex:", "push", "pop", "a", "A", "kind", "language", "a.b", "=\n", "⊣",
)  # fmt: skip


def mutated(text: str, chance: random.Random) -> bytes:
    """A text with pieces put in, taken out, repeated or moved, and sometimes with other bytes."""
    for _ in range(chance.randrange(1, 5)):
        at, to = sorted(chance.randrange(len(text) + 1) for _ in range(2))
        piece = chance.choice(_PIECES)
        match chance.choice(("put", "put", "instead", "gone", "often", "twice", "many")):
            case "put":
                text = text[:at] + piece + text[at:]
            case "instead":
                text = text[:at] + piece + text[min(at + len(piece), len(text)) :]
            case "gone":
                text = text[:at] + text[to:]
            case "often":
                text = text[:at] + piece * chance.choice((70, 1_500, 20_000)) + text[at:]
            case "twice":
                text = text[:to] + text[at:to] + text[to:]
            case _:
                text = text[:at] + text[at:to] * chance.choice((3, 50)) + text[to:]
        text = text[:200_000]
    data = bytearray(text.encode(errors="surrogatepass"))
    if data and chance.random() < 0.2:
        data[chance.randrange(len(data))] = chance.randrange(256)
    return bytes(data)


def mutated_texts(ground: Path, chance: random.Random) -> None:
    """Twenty readers, a text each: what comes out is a value or one sentence."""
    for name, (read, texts) in READERS.items():
        data = mutated(chance.choice(texts), chance)
        try:
            with in_time((name, repr(data[:500]))):
                read(ground, data)
        except AbacistError as error:
            if not str(error) or "\n" in str(error):
                raise Broken(f"{name}: {str(error)[:500]!r} is no sentence") from error
        except Exception as error:
            raise Broken(f"{name}: {error!r:.300} from {data[:2000]!r}") from error
