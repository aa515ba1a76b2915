"""Corpora in the layout of a Hugging Face dataset."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from abacist.bridge import save_dataset
from abacist.errors import BadFile
from abacist.languages import language_named
from tests.bridge.cases import corpora


@pytest.mark.parametrize("language", ["shuffle-2", "dyck-1 || anbn"])
def test_every_line_of_every_split_is_a_labelled_word(tmp_path: Path, language: str) -> None:
    drawn = corpora(language)
    save_dataset(drawn, tmp_path / "words")
    readme = (tmp_path / "words" / "README.md").read_text()
    front = re.match(r"---\n(.*?)---\n", readme, re.DOTALL)
    assert front is not None
    listed = dict(re.findall(r"- split: (\w+)\n +path: (\S+)", front[1]))
    assert listed == {name: f"data/{name}.jsonl" for name in ("train", "short", "long")}
    for corpus, path in zip(drawn, listed.values(), strict=True):
        rows = [json.loads(line) for line in (tmp_path / "words" / path).read_text().splitlines()]
        alphabet = language_named(language).alphabet
        assert [alphabet.parse(row["word"]) for row in rows] == list(corpus)
        for row in rows:
            steps = corpus.language.read(row["word"]).steps
            assert row["codes"] == [step.code for step in steps]
            assert row["targets"] == [alphabet.render_set(step.next_symbols) for step in steps]


def test_a_folder_with_something_in_it_is_refused(tmp_path: Path) -> None:
    (tmp_path / "mine").write_text("")
    with pytest.raises(BadFile, match="already exists and is not empty"):
        save_dataset(corpora(), tmp_path)
