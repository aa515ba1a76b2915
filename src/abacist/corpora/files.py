"""Corpora as files: `.npz` for NumPy, packed and exact; `.jsonl`, one word per line, for everything else.

With targets, a file also says what may come next after every symbol.
"""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

from abacist.corpora.corpus import Corpora, Corpus
from abacist.corpora.packed import check_packed
from abacist.corpora.recipe import Recipe, Split
from abacist.errors import AbacistError, BadFile, BadInput
from abacist.files import refusal, write_whole
from abacist.untrusted import read_json

FORMATS = (".npz", ".jsonl")

#: Bytes that the arrays of a file may always take, and beyond that how many for each byte of the file.
_FREE, _RATIO = 2**28, 100

#: Bytes of a recipe, of the widest whole number, and of what stands before an array's values.
_RECIPE, _WIDEST, _HEADER = 2**20, 8, 128


def save(corpora: Corpora, path: Path, *, targets: bool = False) -> None:
    """Write corpora whole or not at all; the suffix says how."""
    if path.suffix == ".npz":
        write_whole(path, _npz(corpora, targets))
    elif path.suffix == ".jsonl":
        write_whole(path, lines(row for c in corpora for row in rows(c, targets=targets, split=True)))
    else:
        raise BadInput(f"{path}: a corpus is written as {' or '.join(FORMATS)}")


def lines(values: Iterable[dict[str, Any]]) -> bytes:
    """Plain values as JSON lines."""
    return ("\n".join(json.dumps(value, ensure_ascii=False) for value in values) + "\n").encode()


def load(path: Path) -> Corpora:
    """Read corpora back from `.npz`; the file is checked against its own recipe's sizes."""
    try:
        data = path.read_bytes()
    except OSError as error:
        raise refusal(path, "cannot be read", error) from None
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            arrays = _Arrays(archive, max(_FREE, _RATIO * len(data)))
            recipe = Recipe.from_dict(read_json(str(arrays.read("recipe", _RECIPE))))
            return Corpora(recipe, tuple(_corpus(recipe, split, arrays) for split in recipe.splits))
    except AbacistError as error:
        raise BadFile(f"{path}: {error}") from None
    except Exception:  # a damaged archive fails in a dozen ways, and all mean the same
        raise BadFile(f"{path}: is not a corpus file, or is damaged") from None


class _Arrays:
    """The arrays of an archive, none of which is unpacked before its size is known to be allowed.

    A few megabytes unpack to gigabytes; `capacity` is how many bytes all arrays together may take.
    """

    def __init__(self, archive: zipfile.ZipFile, capacity: int) -> None:
        self._archive, self._capacity = archive, capacity

    def read(self, name: str, most: int) -> Any:
        """An array of at most so many bytes."""
        size = self._archive.getinfo(f"{name}.npy").file_size - _HEADER
        if size > (most := min(most, self._capacity)):
            raise BadFile(f"{name} must have at most {most:,} bytes, got {size:,}")
        self._capacity -= size
        data = io.BytesIO(self._archive.read(f"{name}.npy"))
        return np.lib.format.read_array(data, allow_pickle=False)


def _corpus(recipe: Recipe, split: Split, arrays: _Arrays) -> Corpus:
    symbols = arrays.read(f"{split.name}_symbols", _WIDEST * split.count * split.window.high)
    offsets = arrays.read(f"{split.name}_offsets", _WIDEST * (split.count + 1))
    try:
        check_packed(recipe.language, symbols, offsets)
    except BadInput as error:
        raise BadFile(f"{split.name}: {error}") from None
    if len(offsets) != split.count + 1:
        raise BadFile(f"{split.name}: {split.count:,} words are expected, got {len(offsets) - 1:,}")
    return Corpus(recipe, split, symbols, offsets)


def rows(corpus: Corpus, *, targets: bool = False, split: bool = False) -> Iterator[dict[str, Any]]:
    """A plain dictionary for every word, for JSON lines."""
    language = corpus.language
    sets, which = np.unique(corpus.targets() if targets else np.zeros((0, 1)), axis=0, return_inverse=True)
    hot = [np.flatnonzero(row).tolist() for row in sets]
    codes = [language.code(symbols) for symbols in hot]
    texts = [language.render_set(symbols) for symbols in hot]
    for word, begin in zip(corpus, corpus.offsets.tolist(), strict=False):
        row: dict[str, Any] = {"split": corpus.split.name} if split else {}
        row |= {"word": language.alphabet.render(word), "length": len(word)}
        if targets:
            numbers = which[begin : begin + len(word)].tolist()
            row["codes"] = [codes[number] for number in numbers]
            row["targets"] = [texts[number] for number in numbers]
        yield row


def _npz(corpora: Corpora, targets: bool) -> bytes:
    arrays: dict[str, Any] = {"recipe": np.array(json.dumps(corpora.recipe.as_dict()))}
    for corpus in corpora:
        arrays[f"{corpus.split.name}_symbols"] = corpus.symbols
        arrays[f"{corpus.split.name}_offsets"] = corpus.offsets
        if targets:
            arrays[f"{corpus.split.name}_targets"] = corpus.targets()
    buffer = io.BytesIO()
    np.savez_compressed(buffer, **arrays)
    return buffer.getvalue()
