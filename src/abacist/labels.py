"""Labels: what tables, figures and reports call cells and languages, such as RAN for a cell `ran`.

They change neither keys nor contents. A cell's `label`, a language's table or the table `[labels]` of an
experiment gives them, and `labels.json` keeps them beside the runs of a store.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from abacist.errors import BadFile, BadInput
from abacist.files import make_folder, write_whole
from abacist.untrusted import load_json
from abacist.wording import short_repr

FILE_NAME = "labels.json"

#: A label is at most this long, so that legends and columns have space for it.
_LONGEST = 40

#: Labels by name: those that this program gave, and those of the stores that it has read.
_given: dict[str, str] = {}
_read: dict[str, str] = {}


def give_label(name: str, label: str) -> None:
    """Call a cell or a language by a label from now on."""
    _given[name] = _checked(name, label)


def give_labels(labels: Any) -> None:
    """Give the labels of a file's table, by name."""
    if not isinstance(labels, Mapping):
        raise BadInput('labels must be a table, such as [labels] with ran = "RAN"')
    for name, label in labels.items():
        give_label(name, label)


def _checked(name: Any, label: Any) -> str:
    if not isinstance(label, str) or not 0 < len(label.strip()) <= _LONGEST or not label.isprintable():
        rule = f"a label must be a text of at most {_LONGEST} characters in one line"
        raise BadInput(f"{name}: {rule}, got {short_repr(label)}")
    return label.strip()


def label_of(name: str) -> str:
    """The label of a cell or language, by its name or as specs have it; without one, the name itself.

    >>> give_label("doctest_cell", "My cell")
    >>> label_of("doctest_cell"), label_of("doctest_cell#0123456789ab"), label_of("lstm")
    ('My cell', 'My cell', 'lstm')
    """
    bare = name.partition("#")[0]
    return _given.get(bare) or _read.get(bare) or name


def is_label(text: str) -> bool:
    """Whether a text is a label, which is written as it is."""
    return text in _given.values() or text in _read.values()


def read_labels(folder: Path) -> dict[str, str]:
    """The labels that are kept in the folder of a store; `label_of` knows them from now on."""
    path = folder / FILE_NAME
    if not path.exists():
        return {}
    try:
        labels = {name: _checked(name, label) for name, label in load_json(path).items()}
    except (AttributeError, BadInput) as error:
        raise BadFile(f"{path}: must have labels by name, delete or correct it ({error})") from None
    _read.update(labels)
    return labels


def keep_labels(folder: Path, names: Iterable[str]) -> None:
    """Keep the labels of some names beside the runs of a store."""
    kept, labels = read_labels(folder), {name: label_of(name) for name in names}
    more = {name: label for name, label in labels.items() if label != name}
    if more.items() <= kept.items():
        return
    make_folder(folder)
    text = json.dumps(dict(sorted((kept | more).items())), ensure_ascii=False, indent=2)
    write_whole(folder / FILE_NAME, f"{text}\n".encode())
