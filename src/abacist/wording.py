"""Words for numbers and choices in messages; texts of others that are safe to show, also as HTML and JSON."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterable, Sequence
from difflib import get_close_matches
from html import escape
from itertools import groupby
from typing import Any

from abacist.errors import AbacistError, BadInput


def plural(count: int, noun: str) -> str:
    """A number of things: `1 run`, `10 runs`, `10,000 words`."""
    return f"{count:,} {noun}" + ("" if count == 1 else "s")


def duration(seconds: float) -> str:
    """A time as people say it.

    >>> duration(4.2), duration(185), duration(8400), duration(200_000)
    ('4 s', '3 min 5 s', '2 h 20 min', '2 d 7 h')
    """
    whole = round(seconds)
    for large, small, names in ((86400, 3600, "d h"), (3600, 60, "h min"), (60, 1, "min s")):
        if whole >= large:
            first, second = names.split()
            return f"{whole // large} {first} {whole % large // small} {second}"
    return f"{whole} s"


#: What other libraries and earlier versions call a setting, by what it is called here.
_ALIASES = {
    "rate": "lr learning_rate step_size alpha",
    "hidden": "units hidden_size hidden_units n_units width",
    "layers": "num_layers n_layers depth",
    "batch": "batch_size",
    "epochs": "num_epochs n_epochs",
    "optimiser": "optim optimizer",
    "precision": "dtype",
    "objective": "loss",
    "runs": "seeds n_runs num_runs",
    "results": "out folder",
    "progress": "verbose",
    "language": "lang task",
    "cell": "model",
    "max_length": "to length",
    "to": "max_length",
    "boxes": "budget",
    "max_boxes": "most",
    "length": "max_length",
    "depth": "max_depth",
    "level": "confidence",
}


def did_you_mean(name: str, names: Iterable[str]) -> str:
    """A question about an unknown name, to stand behind it; nothing, if it is like none of the names.

    >>> did_you_mean("hiden", ["epochs", "hidden"]), did_you_mean("lr", ["epochs", "rate"])
    (', did you mean hidden?', ', did you mean rate?')
    """
    close = closest(name, names)
    return "" if close is None else f", did you mean {close}?"


def closest(name: str, names: Iterable[str]) -> str | None:
    """What is probably meant: the name but for case and hyphens, what goes by it elsewhere, or one like it.

    >>> closest("Table3", ["table-3", "epochs"]), closest("palindrome", ["dyck-1"])
    ('table-3', None)
    """
    listed, plain = list(names), name.strip().lower().replace("-", "_")
    same = [here for here in listed if _letters(here) == _letters(name)]
    same += [here for here in listed if plain in _ALIASES.get(here.replace("-", "_"), "").split()]
    by_lower = {here.lower(): here for here in reversed(listed)}
    like = get_close_matches(name.strip().lower(), list(by_lower), n=1)
    return next(iter([*same, *(by_lower[one] for one in like)]), None)


def _letters(name: str) -> str:
    return re.sub("[-_ ]", "", name.lower())


def short_repr(value: object) -> str:
    """A value in a message: one line, cut off where it is long."""
    text = " ".join(repr(value).split())
    return text if len(text) <= 100 else f"{text[:99]}…"


def one_of(names: Iterable[str]) -> str:
    """A choice: `rnn, gru or lstm`."""
    return listed(names, "or")


def listed(names: Iterable[str], word: str = "and") -> str:
    """Names as people list them: `rnn, gru and lstm`; nothing for none."""
    *first, last = names or [""]
    return f"{', '.join(first)} {word} {last}" if first else last


def a_few(names: Iterable[str], most: int = 5) -> str:
    """Some of those there are, and how many more.

    >>> a_few("abcd"), a_few("abcd", 2)
    ('a, b, c, d', 'a, b and 2 more')
    """
    listed = list(names)
    more = f" and {len(listed) - most:,} more" if len(listed) > most else ""
    return ", ".join(listed[:most]) + more


def unknown(what: str, name: str, names: Iterable[str], more: str = "") -> str:
    """A sentence about an unknown name: what was meant, or else a few of those there are, and `more`.

    >>> unknown("cell", "Gruu", ["gru", "lstm"])
    "unknown cell 'Gruu', did you mean gru?"
    """
    listed = list(names)
    meant = did_you_mean(name, listed)
    few = f"; there are {a_few(listed)}" + (f"; {more}" if more else "")
    return f"unknown {what} {name!r}{meant or few}"


def spans(seeds: Iterable[int]) -> str:
    """Whole numbers as people write them.

    >>> spans([3, 0, 1, 2, 7])
    '0–3, 7'
    """
    numbered = groupby(enumerate(sorted(set(seeds))), lambda item: item[1] - item[0])
    blocks = [[seed for _, seed in block] for _, block in numbered]
    return ", ".join(f"{b[0]}–{b[-1]}" if len(b) > 1 else str(b[0]) for b in blocks)


#: What moves the cursor, changes colours, turns the direction of writing or is no character at all;
#: a tab and the end of a line are none of that.
UNSEEN = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ud800-\udfff]")


def escape_controls(text: str) -> str:
    r"""A text of someone else's, such as a title or a file's name, as a terminal may show it.

    >>> print(escape_controls("a \x1b[31mred\x07 title"))
    a \x1b[31mred\x07 title
    """
    return UNSEEN.sub(lambda sign: sign[0].encode("unicode_escape").decode(), text)


def json_text(value: Any, *, indent: int | None = None) -> str:
    """A value as JSON that every reader takes: it has neither NaN nor infinity, so these are texts in it.

    >>> json_text({"losses": [0.5, float("nan")]})
    '{"losses": [0.5, "nan"]}'
    """
    try:
        text = json.dumps(_finite(value), ensure_ascii=False, indent=indent, allow_nan=False)
    except TypeError as error:
        raise BadInput(f"only plain values can be written as JSON ({error})") from None
    return UNSEEN.sub(lambda sign: f"\\u{ord(sign[0]):04x}", text)


def _finite(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _finite(item) for name, item in value.items()}
    if isinstance(value, list | tuple):
        return [_finite(item) for item in value]
    return str(value) if isinstance(value, float) and not math.isfinite(value) else value


def in_a_sentence(error: BaseException) -> str:
    """An error as a sentence: those of Abacist are one, others begin with what kind they are."""
    try:
        text = " ".join(str(error).split())
    except KeyboardInterrupt:
        raise
    except BaseException:  # of a class of the user's own
        text = ""
    if isinstance(error, AbacistError):
        return text
    return f"{type(error).__name__}: {text}" if text else type(error).__name__


def html_table(
    rows: Iterable[Sequence[object]], heads: Sequence[str] = (), caption: str = "", *, row_heads: int = 0
) -> str:
    """A table as a notebook shows it; the first cells of a row, as many as `row_heads`, head it."""

    def line(cells: Sequence[object], heading: int) -> str:
        tags = ("th" if place < heading else "td" for place in range(len(cells)))
        texts = (f"<{tag}>{escape(str(cell), False)}</{tag}>" for tag, cell in zip(tags, cells, strict=True))
        return f"<tr>{''.join(texts)}</tr>"

    above = f"<caption>{escape(caption, False)}</caption>" if caption else ""
    above += line(heads, len(heads)) if heads else ""
    return f"<table>{above}{''.join(line(row, row_heads) for row in rows)}</table>"
