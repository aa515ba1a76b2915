"""A language as a command names it: by its name, by a regular expression, or by a file."""

from __future__ import annotations

from functools import reduce
from pathlib import Path
from typing import Any

from abacist.errors import BadFile, BadInput
from abacist.fields import checked, expect
from abacist.languages.language import Language
from abacist.languages.names import language_named
from abacist.languages.regular_languages import regular
from abacist.languages.shuffles import shuffle
from abacist.languages.writing import own_language_from_values, with_name
from abacist.untrusted import load_toml

#: What a regular expression begins with where a language is named.
_REGEX = "regex:"


def language_asked_for(text: str) -> Language[Any]:
    """The language that a text asks for: a name, `regex:` and an expression, a TOML file, or `X || Y`.

    >>> language_asked_for("regex:(ab)*").counts(4)
    [1, 0, 1, 0, 1]
    """
    expect("a language", text, str)
    if "||" in text:
        return reduce(shuffle, (language_asked_for(part.strip()) for part in text.split("||")))
    if text.startswith(_REGEX):
        return regular(text.removeprefix(_REGEX))
    return load_language(Path(text)) if text.endswith(".toml") else language_named(text)


@checked
def load_language(path: Path) -> Language[Any]:
    """The language of the table `[language]` in a file; a table without a name goes by the file's."""
    table = load_toml(path).get("language")
    if not isinstance(table, dict):
        raise BadFile(f"{path}: has no table [language]")
    try:
        return own_language_from_values(with_name(path.stem, table))
    except BadInput as error:
        raise BadFile(f"{path}: {error}") from None
