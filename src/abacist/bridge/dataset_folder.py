"""Corpora in the layout of a Hugging Face dataset: a folder of JSON lines with a README that lists them.

`datasets.load_dataset(folder)` reads it; nothing of it is needed to write one.
"""

from __future__ import annotations

import json
from pathlib import Path

from abacist.corpora import Corpora
from abacist.corpora.files import lines, rows
from abacist.fields import checked
from abacist.files import make_folder, new_folder, write_whole
from abacist.languages import Recogniser

#: What others call the set that networks are trained on; test sets keep their names.
_CALLED = {"training": "train"}


@checked
def save_dataset(corpora: Corpora, folder: Path) -> None:
    """Write corpora with their targets into a new folder; its README goes last, so what has one is whole."""
    with new_folder(folder):
        make_folder(folder / "data")
        for corpus in corpora:
            write_whole(folder / _path(corpus.split.name), lines(rows(corpus, targets=True)))
        write_whole(folder / "README.md", _readme(corpora).encode())


def _path(split: str) -> str:
    return f"data/{_CALLED.get(split, split)}.jsonl"


def _readme(corpora: Corpora) -> str:
    recipe, language = corpora.recipe, corpora.recipe.language
    paths = [_path(split.name) for split in recipe.splits]
    files = [f"  - split: {Path(path).stem}\n    path: {path}" for path in paths]
    end = "; ⊣ is the end of the word" if language.marks_end else ""
    targets = "the symbols that may come next, with spaces between them, and `codes`, the paper's numbers"
    targets += " for these sets"
    if isinstance(language, Recogniser):
        targets = (
            f"⊣ where what was read is a word of {language.recognised.name}, and `codes`, 1 there and else 0"
        )
    sizes = [f"- `{_path(s.name)}`: {s.count:,} words, lengths {s.window}" for s in recipe.splits]
    return "\n".join(
        (
            "---",
            f"pretty_name: {json.dumps(f'{language.name}, seed {recipe.seed}')}",
            "configs:",
            "- config_name: default",
            "  data_files:",
            *files,
            "---",
            "",
            f"# Words of {language.name}",
            "",
            f"Words from {recipe.source}, seed {recipe.seed}, drawn by Abacist; all of them differ.",
            "",
            *sizes,
            "",
            f"A line has a word, its length, and for each of its symbols `targets`, {targets}.",
            f"The symbols are {' '.join(language.alphabet.glyphs)}{end}.",
            "",
            f"The recipe: `{json.dumps(recipe.as_dict())}`",
            "",
        )
    )  # fmt: skip
