"""Corpora as files: what is saved is loaded, whole or not at all, and damage is noticed."""

from __future__ import annotations

import json
import os
import tracemalloc
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from abacist.corpora import Corpora, Grammar, Recipe, Source, Split, Uniform, Window, draw, files
from abacist.corpora.files import load, rows, save
from abacist.errors import BadFile, BadInput
from abacist.languages import Dyck, language_named

CASES: list[tuple[str, Source]] = [
    ("dyck-1", Grammar()),
    ("shuffle-6", Uniform(Grammar())),
    ("dyck-2 || anbn", Uniform()),
    ("dyck-200", Uniform()),
]

every_case = pytest.mark.parametrize(("name", "source"), CASES, ids=str)


def corpora_of(name: str, source: Source, seed: int = 0) -> Corpora:
    splits = (Split("training", Window(2, 12), 30), Split("test", Window(6, 20), 10))
    return draw(Recipe(language_named(name), source, splits, seed))


@pytest.fixture
def saved(tmp_path: Path) -> tuple[Path, Corpora]:
    path, corpora = tmp_path / "corpora.npz", corpora_of("dyck-1", Grammar())
    save(corpora, path)
    return path, corpora


@every_case
def test_what_is_saved_is_loaded(name: str, source: Source, tmp_path: Path) -> None:
    corpora = corpora_of(name, source)
    save(corpora, tmp_path / "a.npz")
    again = load(tmp_path / "a.npz")
    assert again == corpora
    assert again.recipe == corpora.recipe
    for corpus, original in zip(again, corpora, strict=True):
        assert corpus.symbols.dtype == original.symbols.dtype
        assert not corpus.symbols.flags.writeable
        assert not corpus.offsets.flags.writeable
    assert os.listdir(tmp_path) == ["a.npz"]


@every_case
def test_a_jsonl_file_is_a_word_a_line(name: str, source: Source, tmp_path: Path) -> None:
    corpora = corpora_of(name, source)
    save(corpora, tmp_path / "a.jsonl")
    text = (tmp_path / "a.jsonl").read_text("utf-8")
    assert text.endswith("}\n")
    lines = [json.loads(line) for line in text.splitlines()]
    parse = corpora.recipe.language.alphabet.parse
    assert [(line["split"], parse(line["word"]), line["length"]) for line in lines] == [
        (corpus.split.name, word, len(word)) for corpus in corpora for word in corpus
    ]
    assert {tuple(line) for line in lines} == {("split", "word", "length")}


def test_a_row_may_have_targets() -> None:
    corpora = draw(Recipe(language_named("shuffle-2"), Uniform(), (Split("all", Window(2, 6), 30),)))
    (corpus,) = corpora
    language = corpus.language
    for row, word in zip(rows(corpus, targets=True), corpus, strict=True):
        steps = language.read(word).steps
        assert row["word"] == language.alphabet.render(word)
        assert row["codes"] == [step.code for step in steps]
        assert row["targets"] == [language.alphabet.render_set(step.next_symbols) for step in steps]
        assert "split" not in row


@pytest.mark.parametrize("name", ["a.txt", "a", "a.npz.gz", "a.NPZ"])
def test_another_suffix_is_refused(name: str, tmp_path: Path) -> None:
    with pytest.raises(BadInput) as refusal:
        save(corpora_of("dyck-1", Grammar()), tmp_path / name)
    assert str(refusal.value) == f"{tmp_path / name}: a corpus is written as .npz or .jsonl"
    assert os.listdir(tmp_path) == []


def loads_or_names(path: Path) -> Corpora | None:
    """What a file holds, or None where it is refused by its name; anything else is a fault."""
    try:
        return load(path)
    except BadFile as refusal:
        message = str(refusal)
    assert message.startswith(f"{path}: ")
    assert "\n" not in message
    return None


def test_a_truncated_file_is_refused(saved: tuple[Path, Corpora]) -> None:
    path, _ = saved
    data = path.read_bytes()
    for size in [*range(0, len(data), 37), len(data) - 1]:
        path.write_bytes(data[:size])
        assert loads_or_names(path) is None, size


@pytest.mark.parametrize("bit", [0, 3, 6])
def test_a_flipped_bit_is_noticed_or_changes_nothing(saved: tuple[Path, Corpora], bit: int) -> None:
    """A zip file has bytes that nobody reads, such as times; all others are guarded."""
    path, corpora = saved
    data = path.read_bytes()
    refused = 0
    for place in range(bit, len(data), 3):
        path.write_bytes(data[:place] + bytes([data[place] ^ 1 << bit]) + data[place + 1 :])
        found = loads_or_names(path)
        assert found is None or found == corpora, place
        refused += found is None
    assert refused > len(data) / 6


def without(arrays: dict[str, Any], name: str) -> dict[str, Any]:
    return {key: value for key, value in arrays.items() if key != name}


@pytest.mark.parametrize(
    "change",
    [
        lambda a: without(a, "recipe"),
        lambda a: without(a, "test_symbols"),
        lambda a: without(a, "training_offsets"),
        lambda a: a | {"recipe": np.array("{")},
        lambda a: a | {"recipe": np.array("[]")},
        lambda a: a | {"recipe": np.array(str(a["recipe"]).replace('"drawing": 1', '"drawing": 0'))},
        lambda a: a | {"test_offsets": a["test_offsets"][:-1]},
        lambda a: a | {"test_offsets": a["test_offsets"][::-1]},
        lambda a: a | {"test_symbols": a["test_symbols"][:-1]},
        lambda a: a | {"test_offsets": np.sort(a["test_offsets"])[[0, 2, 1, *range(3, 11)]]},
        lambda a: a | {"test_offsets": a["test_offsets"] + np.arange(10, -1, -1)},
        lambda a: a | {"test_symbols": a["test_symbols"] + 2},
    ],
    ids=["no recipe", "no symbols", "no offsets", "half a recipe", "a list", "another drawing",
         "too few offsets", "backwards", "too few symbols", "not in order", "not from zero",
         "not in the alphabet"],
)  # fmt: skip
def test_a_whole_file_with_wrong_contents_is_refused(
    saved: tuple[Path, Corpora], change: Callable[[dict[str, Any]], dict[str, Any]]
) -> None:
    path, _ = saved
    with np.load(path) as arrays:
        changed = change(dict(arrays))
    np.savez_compressed(path, **changed)
    assert loads_or_names(path) is None


def test_what_is_no_corpus_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "text.npz").write_text("()()\n")
    np.save(tmp_path / "array.npy", np.arange(3))
    (tmp_path / "array.npy").rename(tmp_path / "array.npz")
    (tmp_path / "folder.npz").mkdir()
    for name in ("text.npz", "array.npz", "folder.npz", "none.npz"):
        assert loads_or_names(tmp_path / name) is None
    with pytest.raises(BadFile, match=r"none\.npz: cannot be read, no such file or directory$"):
        load(tmp_path / "none.npz")


def test_saving_over_a_file_replaces_it(saved: tuple[Path, Corpora]) -> None:
    path, _ = saved
    other = draw(Recipe(Dyck(2), Grammar(), (Split("only", Window(2, 8), 5),), 3))
    save(other, path)
    assert load(path) == other


@pytest.mark.parametrize("name", ["recipe", "training_symbols", "test_offsets"])
def test_an_array_that_is_too_large_is_not_unpacked(name: str, saved: tuple[Path, Corpora]) -> None:
    """A few kilobytes of an archive unpack to megabytes; their size is known before."""
    path, _ = saved
    with np.load(path) as file:
        arrays = dict(file)
    np.savez_compressed(path, **arrays | {name: np.zeros(300_000)})
    tracemalloc.start()
    try:
        with pytest.raises(BadFile, match=rf"{name} must have at most [0-9,]+ bytes, got 2,400,000$"):
            load(path)
        assert tracemalloc.get_traced_memory()[1] < 1_000_000
    finally:
        tracemalloc.stop()
    np.savez_compressed(path, **arrays | {"other": np.zeros(300_000)})
    assert load(path) == saved[1]  # what is not asked for is not unpacked


def test_arrays_that_a_small_file_cannot_have_are_refused(
    saved: tuple[Path, Corpora], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever its recipe allows."""
    monkeypatch.setattr(files, "_FREE", 600)
    monkeypatch.setattr(files, "_RATIO", 0)
    with pytest.raises(BadFile, match=r"must have at most [0-9]+ bytes, got"):
        load(saved[0])
