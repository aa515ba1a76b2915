"""Corpora as files: `.npz` for NumPy, packed and exact; `.jsonl`, one word per line, for everything else."""

from __future__ import annotations

import io
import json
import zipfile
from pathlib import Path
from typing import Any

import numpy as np

from abacist.corpora.corpus import Corpora, Corpus
from abacist.corpora.packed import check_offsets, check_symbols
from abacist.corpora.recipe import Recipe, Split
from abacist.errors import AbacistError, BadFile, BadInput
from abacist.files import reason, write_whole

FORMATS = (".npz", ".jsonl")


def save(corpora: Corpora, path: Path) -> None:
    """Write corpora whole or not at all; the suffix says how."""
    if path.suffix == ".npz":
        write_whole(path, _npz(corpora))
    elif path.suffix == ".jsonl":
        lines = (json.dumps(row, ensure_ascii=False) for c in corpora for row in rows(c, split=True))
        write_whole(path, ("\n".join(lines) + "\n").encode())
    else:
        raise BadInput(f"{path}: a corpus is written as {' or '.join(FORMATS)}")


def load(path: Path) -> Corpora:
    """Read corpora back from `.npz`; the file is checked against its own recipe's sizes."""
    try:
        data = path.read_bytes()
    except OSError as error:
        raise BadFile(f"{path}: cannot be read, {reason(error)}") from None
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            arrays = {name.removesuffix(".npy"): _array(archive.read(name)) for name in archive.namelist()}
        recipe = Recipe.from_dict(json.loads(str(arrays["recipe"])))
        return Corpora(recipe, tuple(_corpus(recipe, split, arrays) for split in recipe.splits))
    except AbacistError as error:
        raise BadFile(f"{path}: {error}") from None
    except Exception:  # a damaged archive fails in a dozen ways, and all mean the same
        raise BadFile(f"{path}: is not a corpus file, or is damaged") from None


def _array(data: bytes) -> Any:
    return np.lib.format.read_array(io.BytesIO(data), allow_pickle=False)


def _corpus(recipe: Recipe, split: Split, arrays: dict[str, Any]) -> Corpus:
    symbols, offsets = arrays[f"{split.name}_symbols"], arrays[f"{split.name}_offsets"]
    try:
        check_symbols(recipe.language, symbols)
        check_offsets(symbols, offsets)
    except BadInput as error:
        raise BadFile(f"{split.name}: {error}") from None
    if len(offsets) != split.count + 1:
        raise BadFile(f"{split.name}: {split.count:,} words are expected, got {len(offsets) - 1:,}")
    return Corpus(recipe, split, symbols, offsets)


def rows(corpus: Corpus, *, targets: bool = False, split: bool = False) -> Any:
    """A plain dictionary for every word, for JSON lines."""
    language = corpus.language
    for word in corpus:
        row: dict[str, Any] = {"split": corpus.split.name} if split else {}
        row |= {"word": language.alphabet.render(word), "length": len(word)}
        if targets:
            steps = language.read(word).steps
            row["codes"] = [step.code for step in steps]
            row["targets"] = [language.alphabet.render_set(step.next_symbols) for step in steps]
        yield row


def _npz(corpora: Corpora) -> bytes:
    arrays: dict[str, Any] = {"recipe": np.array(json.dumps(corpora.recipe.as_dict()))}
    for corpus in corpora:
        arrays[f"{corpus.split.name}_symbols"] = corpus.symbols
        arrays[f"{corpus.split.name}_offsets"] = corpus.offsets
    buffer = io.BytesIO()
    np.savez_compressed(buffer, **arrays)
    return buffer.getvalue()
