"""Outside text is a value or a sentence, whoever reads it: never a traceback."""

from __future__ import annotations

import json
import struct
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from abacist import limits
from abacist.analysis import load_certificate
from abacist.bridge.prediction_files import load_predictions
from abacist.errors import AbacistError, BadFile, BadInput
from abacist.experiments.cluster import check_cluster
from abacist.experiments.distributions import read_distributions
from abacist.experiments.files import load_experiment
from abacist.experiments.outcome import Outcome
from abacist.languages import language_named
from abacist.languages.writing import language_from_text, load_language
from abacist.limits import NESTING, TOML_BYTES, Limit
from abacist.specs.files import NetworkFile
from abacist.untrusted import load_text, read_json, read_toml

#: Depths at which parsers, or whoever walks through their values, run out of stack.
DEPTHS = (NESTING.most + 1, 990, 100_000)

#: Text without halves of surrogate pairs, which UTF-8 does not have.
TEXT = st.text(st.characters(exclude_categories=["Cs"]))
PLAIN = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**64) + 1, 2**64 - 1)
    | st.floats(allow_nan=False, allow_infinity=False)
    | TEXT,
    lambda inner: st.lists(inner) | st.dictionaries(TEXT, inner),
)


@given(PLAIN)
def test_json_is_read_as_it_was_written(value: Any) -> None:
    text = json.dumps(value, ensure_ascii=False)
    assert read_json(text) == read_json(text, lax=True) == read_json(f"\ufeff{text}".encode()) == value


@pytest.mark.parametrize("lax", [False, True])
@pytest.mark.parametrize("opened", ["[", '{"a":', '[{"b]":', '["]",'])
def test_json_is_nested_as_deeply_as_allowed_and_no_deeper(opened: str, lax: bool) -> None:
    signs = opened.replace("b]", "").replace('"]"', "")
    closing = "".join({"[": "]", "{": "}"}.get(sign, "") for sign in reversed(signs))
    for times in (NESTING.most // len(closing), *DEPTHS):
        text, levels = opened * times + "0" + closing * times, times * len(closing)
        if levels <= NESTING.most:
            read_json(text, lax=lax)
            continue
        with pytest.raises(BadInput, match=rf"^is nested {levels:,} levels deep, and 64 are allowed$"):
            read_json(text, lax=lax)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('{"a": 1, "b": 2, "a": 3}', "^has the key 'a' twice in one object$"),
        ("[NaN]", "^is not JSON, which has no number NaN$"),
        ("-Infinity", "^is not JSON, which has no number -Infinity$"),
        ("9" * 30, "^a whole number in it has more than 64 bits$"),
        ("-" + "9" * 5_000, "^a whole number in it has more than 64 bits$"),
        (b'"\xff"', "^is not a text file in UTF-8$"),
        (b"\xef\xbb\xbf[", r"^is not JSON, expecting value \(line 1, column 2\)$"),
        ("", r"^is not JSON, expecting value \(line 1, column 1\)$"),
        ("[] []", r"^is not JSON, extra data \(line 1, column 4\)$"),
        ('"' + "\\" * 101, "^is not JSON, "),
    ],
    ids=lambda value: repr(value)[:20],
)
def test_ambiguous_json_is_refused(text: str | bytes, said: str) -> None:
    with pytest.raises(BadInput, match=said):
        read_json(text)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        *((f"a = {'[' * depth}", f"^is nested {depth:,} levels deep") for depth in DEPTHS),
        *((f"a = {'{b=' * depth}", f"^is nested {depth:,} levels deep") for depth in DEPTHS),
        ("a" + ".a" * 100_000 + "=1", "^a key: may have at most 64 parts in a dotted key, got 100,001$"),
        ("[a" + ' . "]"' * 70 + "]", "^a key: may have at most 64 parts in a dotted key, got 71$"),
        (f"a = {'9' * 30}", "^a whole number in it has more than 64 bits$"),
        (f"a = [{{ b = -{'9' * 30} }}]", "^a whole number in it has more than 64 bits$"),
        (f"a = {'9' * 5_000}", "^is not TOML, a number or a date is out of range$"),
        ("a = 1\na = 2", "^is not TOML, "),
        (b"a = '\xff'", "^is not a text file in UTF-8$"),
    ],
    ids=lambda value: repr(value)[:20],
)
def test_hostile_toml_is_refused(text: str | bytes, said: str) -> None:
    with pytest.raises(BadInput, match=said):
        read_toml(text)


@pytest.mark.parametrize("inside", ["'{}'", "'''\n{}\n'''", '"{}"', '"""\n\\"{}\n"""', "1 # {}"], ids=repr)
def test_brackets_and_dots_in_texts_and_comments_are_no_nesting(inside: str) -> None:
    hostile = "[" * 1_000 + "a." * 1_000
    assert set(read_toml(f"\ufeffa = {inside.format(hostile)}\nb = [1]\n")) == {"a", "b"}


@pytest.mark.parametrize("signs", ["'", '"', "-", "a ", "s.", "\\", "[", "a=", "\n", "#"], ids=repr)
def test_no_text_takes_time_out_of_proportion(signs: str) -> None:
    """Patterns that begin anew at every sign would take minutes here."""
    for text in (signs * 150_000, f"a = {signs * 150_000}"):
        for read in (read_json, read_toml):
            with suppress(BadInput):
                read(text)


def test_no_more_is_read_than_there_may_be(tmp_path: Path) -> None:
    (tmp_path / "a.toml").write_text("a = 1\n")
    with pytest.raises(BadFile, match=r"a\.toml: has more than 5 bytes of TOML$"):
        load_text(tmp_path / "a.toml", Limit(5, "bytes of TOML"))
    with pytest.raises(BadFile, match=r"^/dev/zero: has more than 4,194,304 bytes of TOML$"):
        load_text(Path("/dev/zero"), TOML_BYTES)


def _deep(depth: int) -> str:
    return "[" * depth + "]" * depth


def _in_a_file(read: Callable[[Path], Any], name: str, form: str) -> Callable[[Path, int], Any]:
    def reading(folder: Path, depth: int) -> Any:
        data = form.replace("DEEP", _deep(depth)).encode()
        if name.endswith(".safetensors"):
            data = struct.pack("<Q", len(data)) + data
        (folder / name).write_bytes(data)
        return read(folder / name)

    return reading


_DYCK = language_named("dyck-1")

#: Every reader of outside text, and a text of it that is too deep.
READERS: dict[str, Callable[[Path, int], Any]] = {
    "language": _in_a_file(load_language, "own.toml", "[language]\nmoves = DEEP"),
    "experiment": _in_a_file(load_experiment, "own.toml", "hidden = DEEP"),
    "header": _in_a_file(NetworkFile.load, "one.safetensors", '{"a": DEEP}'),
    "metadata": _in_a_file(NetworkFile.load, "one.safetensors", '{"__metadata__": {"a": DEEP}}'),
    "record": _in_a_file(lambda path: NetworkFile.load_folder(path.parent), "run.json", '{"cell": DEEP}'),
    "scheduler": _in_a_file(lambda path: check_cluster(str(path)), "scheduler.json", '{"address": DEEP}'),
    "predictions": _in_a_file(lambda path: load_predictions(path, _DYCK, [(0, 1)]), "p.jsonl", "DEEP"),
    "certificate": _in_a_file(load_certificate, "c.json", "DEEP"),
    "a language in a store": lambda _, depth: language_from_text(f'{{"of": {_deep(depth)}}}'),
    "distributions": lambda _, depth: read_distributions(_deep(depth)),
    "a run's results": lambda _, depth: Outcome.from_json(_deep(depth)),
}


@pytest.mark.parametrize("depth", DEPTHS)
@pytest.mark.parametrize("reader", READERS)
def test_nesting_is_refused_by_every_reader(reader: str, depth: int, tmp_path: Path) -> None:
    with pytest.raises(AbacistError) as said:
        READERS[reader](tmp_path, depth)
    assert "\n" not in str(said.value)
    assert len(str(said.value)) < 400


def test_the_documented_limits_are_those_in_force() -> None:
    text = (Path(__file__).parent.parent / "docs" / "reliability.md").read_text(encoding="utf-8")
    table = text.partition("<!-- limits -->")[2].partition("<!-- end of limits -->")[0]
    documented = sorted(line.split("|")[2].strip() for line in table.strip().splitlines()[2:])
    numbers = [limit.most for limit in vars(limits).values() if isinstance(limit, Limit)]
    numbers += [limits.EXPRESSION_STEPS, limits.MACHINE_STEPS, 64]  # and the bits of a whole number
    assert documented == sorted(f"{number:,}" for number in numbers)


def test_a_sentence_leaves_out_the_middle_of_a_long_input() -> None:
    said = str(BadInput(f"a window must be LOW:HIGH, got {'x' * 10_000}, which is none"))
    assert said.startswith("a window must be LOW:HIGH, got xxx")
    assert said.endswith("xxx, which is none")
    assert len(said) < 2_100
