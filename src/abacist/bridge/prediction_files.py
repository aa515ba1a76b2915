"""Predictions and words in files of JSON lines, one word a line."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from abacist.bridge.scoring import Score, scored
from abacist.corpora import pack_texts
from abacist.corpora.files import load
from abacist.errors import BadFile, BadInput
from abacist.fields import checked, short_repr
from abacist.files import refusal
from abacist.languages import Language, Recogniser, Word
from abacist.languages.alphabet import END_GLYPH
from abacist.limits import JSON_BYTES
from abacist.untrusted import naming, read_json
from abacist.wording import plural


@checked
def load_predictions(
    path: Path,
    language: Language[Any],
    words: Sequence[Word],
    *,
    threshold: float = 0.5,
    split: str | None = None,
) -> list[NDArray[np.bool_]]:
    """What is predicted for words, in their order, an array, (time, output), for each.

    A line is a list of steps, or a dictionary with such a list as `predictions` or `targets`, and perhaps
    with its `word`, which must then be the right one. A step is a list of scores, one for each output, or the
    text of the symbols that are predicted, as `abacist corpus --targets` writes them. Where only the words of
    a split are asked for, lines that name another are passed over.
    """
    predictions: list[NDArray[np.bool_]] = []
    for number, value in _values(path):
        if split is not None and isinstance(value, dict) and value.get("split", split) != split:
            continue
        if len(predictions) == len(words):
            raise BadFile(f"{path}, line {number}: there are only {plural(len(words), 'word')} to predict")
        word = words[len(predictions)]
        with naming(f"{path}, line {number}"):
            predictions.append(_steps(value, language, word, threshold))
    if len(predictions) < len(words):
        raise BadFile(f"{path}: {plural(len(words), 'word')} need as many lines, got {len(predictions):,}")
    return predictions


def _values(path: Path) -> Iterator[tuple[int, Any]]:
    """The values of all lines that are not empty, with their numbers from 1."""
    try:
        with path.open("rb") as file:
            lines = iter(lambda: file.readline(JSON_BYTES.most + 1), b"")
            for number, line in enumerate(lines, 1):
                if line.strip():
                    with naming(f"{path}, line {number}"):
                        value = read_json(line, lax=True)
                    yield number, value
    except OSError as error:
        raise refusal(path, "cannot be read", error) from None


def _steps(value: Any, language: Language[Any], word: Word, threshold: float) -> NDArray[np.bool_]:
    if isinstance(value, dict):
        if value.get("word", rendered := language.alphabet.render(word)) != rendered:
            raise BadInput(f"it is about the word {short_repr(value['word'])}, and {rendered!r} is next")
        value = value.get("predictions", value.get("targets"))
    if not isinstance(value, list):
        raise BadInput(f"predictions must be a list of steps, got {short_repr(value)}")
    if len(value) != len(word):
        raise BadInput(f"a word of {plural(len(word), 'symbol')} needs as many steps, got {len(value)}")
    rows = [_step(step, language, place, threshold) for place, step in enumerate(value, 1)]
    return np.array(rows, bool).reshape(len(word), language.outputs)


def _step(step: Any, language: Language[Any], place: int, threshold: float) -> list[bool]:
    outputs = language.outputs
    if isinstance(step, str):
        return _named(step, language, place)
    if not isinstance(step, list) or len(step) != outputs:
        raise BadInput(f"step {place} must be text or a list of {outputs} scores, got {short_repr(step)}")
    for score in step:
        if not isinstance(score, int | float) or score != score:
            raise BadInput(f"a score of step {place} must be a number, got {short_repr(score)}")
    return [score > threshold for score in step]


def _named(step: str, language: Language[Any], place: int) -> list[bool]:
    """The symbols of a text; the end of the word is one where the language marks it."""
    if isinstance(language, Recogniser) and step in ("", END_GLYPH):
        return [step == END_GLYPH]
    try:
        symbols = set(language.alphabet.parse(step.replace(END_GLYPH, "")))
    except BadInput as error:
        raise BadInput(f"step {place}: {error}") from None
    if END_GLYPH in step:
        if not language.marks_end:
            raise BadInput(f"step {place}: {language.name} does not mark the end of a word, got {step!r}")
        symbols.add(len(language.alphabet))
    return [symbol in symbols for symbol in range(language.outputs)]


@checked
def load_words(
    path: Path, language: Language[Any] | None = None
) -> tuple[Language[Any], dict[str, list[Word]]]:
    """The words of a corpus file by split; one of JSON lines does not say what language they are of."""
    if path.suffix == ".npz":
        corpora = load(path)
        of_file = corpora.recipe.language
        if language is not None and language != of_file:
            raise BadInput(f"{path}: its words are of {of_file.name}, not of {language.name}")
        return of_file, {corpus.split.name: list(corpus) for corpus in corpora}
    if language is None:
        raise BadInput(f"{path}: does not say what language its words are of, so name it with --language")
    splits: dict[str, list[Word]] = {}
    for number, value in _values(path):
        with naming(f"{path}, line {number}"):
            row = value if isinstance(value, dict) else {"word": value}
            if "word" not in row:
                raise BadInput("has no word")
            word = language.alphabet.parse(row["word"])
            if word not in language:
                raise BadInput(f"{row['word']!r} is not a word of {language.name}")
            splits.setdefault(str(row.get("split", path.stem)), []).append(word)
    return language, splits


def scored_words(
    predicted: Sequence[NDArray[np.bool_]], words: Sequence[Word], language: Language[Any], steps: str
) -> Score:
    """The score of predictions for words that are given one by one."""
    labelled = pack_texts(language, words, steps)
    depths = np.array([language.maximum_depth(word) for word in words], np.int64)
    return scored(np.concatenate(list(predicted)), labelled, depths)
