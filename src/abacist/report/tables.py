"""Tables as declared columns, in every form that people use."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Callable
from dataclasses import dataclass
from itertools import accumulate, groupby
from math import isfinite
from typing import Any
from unicodedata import normalize

from abacist.fields import checked
from abacist.wording import escape_controls, html_table, json_text, listed


class PValue(float):
    """A p-value: a number that is shown to as many digits as it takes, and never as zero."""

    def __str__(self) -> str:
        return "< 0.001" if self < 0.001 else f"{float(self):.{2 if self >= 0.1 else 3}f}"


def known_number(value: Any) -> float | None:
    """A number, None where it is not finite."""
    return float(value) if isfinite(value) else None


@dataclass(frozen=True)
class Column:
    """A column: the key of its values, its heading, the group of columns it stands in, its digits.

    Of a `significant` one, numbers too small for three of these digits are shown with a power of ten.
    """

    key: str
    heading: str
    group: str = ""
    digits: int | None = None
    significant: bool = False

    @property
    def name(self) -> str:
        """What it is called by itself: `long median`."""
        return f"{self.group.removesuffix(' set')} {self.heading}".strip()

    def text(self, value: Any) -> str:
        """A value as people read it; what is missing is shown as missing."""
        if value is None:
            return "—"
        if isinstance(value, PValue):
            return str(value)
        if self.digits is not None and isinstance(value, int | float):
            if self.significant and 0 < abs(value) < 10.0 ** (2 - self.digits):
                return f"{value:.2e}"
            return f"{value:.{self.digits}f}"
        return str(value)


def headed(*headings: str, of: str = "", group: str = "", digits: int | None = None) -> tuple[Column, ...]:
    """Columns whose keys are their headings, after what they are `of`, if anything: `long median`."""
    return tuple(Column(f"{of} {heading}".strip(), heading, group, digits) for heading in headings)


@dataclass(frozen=True)
class Table:
    """A title, columns, and rows of values by key.

    `further` are the keys of values that only programs read, in CSV and JSON: numbers that a column has in
    words. Where `data` has keys, programs read these and no columns. `about` says which runs it is about, for
    the caption of a paper.
    """

    name: str
    title: str
    columns: tuple[Column, ...]
    rows: tuple[dict[str, Any], ...]
    note: str = ""
    further: tuple[str, ...] = ()
    about: str = ""
    data: tuple[str, ...] = ()

    @property
    def all_keys(self) -> tuple[str, ...]:
        """The keys of all that programs read."""
        return self.data or (*(column.key for column in self.columns), *self.further)

    @property
    def groups(self) -> list[tuple[str, list[Column]]]:
        """The groups that neighbouring columns stand in: the upper line of headings."""
        return [(group, list(block)) for group, block in groupby(self.columns, lambda column: column.group)]

    @property
    def caption(self) -> str:
        """A sentence on what it shows, and of which runs; title and note of what is not about runs."""
        if not self.about:
            return f"{self.title}. {self.note}".strip()
        groups = dict.fromkeys(column.group for column in self.columns)
        sets = [group.removesuffix(" set") for group in groups if group.endswith(" set")]
        horizons = any("wrong at" in (column.group, column.heading) for column in self.columns)
        shown = [f"accuracy in percent on the {listed(sets)} set{'s' * (len(sets) > 1)}"] if sets else []
        what = listed([*shown, *(["counting horizons in symbols"] if horizons else [])]) or self.title.rstrip(
            ".?"
        )
        return f"{what[:1].upper()}{what[1:]}: {self.about}."

    def cells(self) -> list[list[str]]:
        return [[column.text(row.get(column.key)) for column in self.columns] for row in self.rows]

    def headings(self) -> list[str]:
        return [f"{column.group} {column.heading}".strip() for column in self.columns]

    def _repr_html_(self) -> str:
        """How a notebook shows a table."""
        return html_table(self.cells(), self.headings(), self.title)


@checked
def markdown(table: Table) -> str:
    """A Markdown table under its title."""
    head = "| " + " | ".join(map(_barless, table.headings())) + " |"
    rule = "|" + "|".join("---:" if c.digits is not None else "---" for c in table.columns) + "|"
    body = ["| " + " | ".join(map(_barless, row)) + " |" for row in table.cells()]
    note = ["", _plain(table.note)] if table.note else []
    return "\n".join([f"### {_plain(table.title)}", "", head, rule, *body, *note]) + "\n"


def _plain(text: str) -> str:
    """A text on one line that is no HTML."""
    return escape_controls(" ".join(text.splitlines())).replace("<", "&lt;")


def _barless(text: str) -> str:
    return _plain(text).replace("|", r"\|")


@checked
def latex(table: Table) -> str:
    """A LaTeX table for the package booktabs, its columns called as on the screen.

    Title and note of a table about runs are a comment above it.
    """
    shape = "".join("r" if c.digits is not None else "l" for c in table.columns)
    comment = escape_controls(" ".join(f"{table.title}. {table.note}".split()))
    lines = [f"% {comment}"] if table.about else []
    lines += [r"\begin{table}", r"\centering", rf"\begin{{tabular}}{{{shape}}}", r"\toprule"]
    if any(column.group for column in table.columns):
        spans = [(group.removesuffix(" set"), len(columns)) for group, columns in table.groups]
        heads = (rf"\multicolumn{{{n}}}{{c}}{{{_escape(g)}}}" if g else " & " * (n - 1) for g, n in spans)
        lines.append(" & ".join(heads) + r" \\")
        ends = accumulate(n for _, n in spans)
        rules = (
            rf"\cmidrule(lr){{{end - n + 1}-{end}}}" for (g, n), end in zip(spans, ends, strict=True) if g
        )
        lines.append(" ".join(rules))
    lines += [" & ".join(_escape(c.heading) for c in table.columns) + r" \\", r"\midrule"]
    lines += [" & ".join(_in_latex(c, row.get(c.key)) for c in table.columns) + r" \\" for row in table.rows]
    label = re.sub("[^a-z0-9]+", "-", table.name.lower()).strip("-")
    lines += [
        r"\bottomrule",
        r"\end{tabular}",
        rf"\caption{{{_escape(table.caption)}}}",
        rf"\label{{tab:{label}}}",
    ]
    return "\n".join([*lines, r"\end{table}"]) + "\n"


def _in_latex(column: Column, value: Any) -> str:
    """A cell: negative numbers with a minus, small ones to three digits, with a power of ten."""
    if column.digits is None or not isinstance(value, int | float) or isinstance(value, PValue):
        return _escape(column.text(value))
    text = f"{value:#.3g}" if column.significant else column.text(value)
    mantissa, _, power = text.removeprefix("-").partition("e")
    number = rf"{mantissa} \times 10^{{{int(power)}}}" if power else mantissa
    return f"${'-' * text.startswith('-')}{number}$" if power or text.startswith("-") else number


@checked
def comma_separated(table: Table) -> str:
    """CSV with a line of keys; what is missing is empty."""
    buffer = io.StringIO()
    writer = csv.writer(buffer, lineterminator="\n")
    writer.writerow(table.all_keys)
    for row in table.rows:
        values = (row.get(key) for key in table.all_keys)
        writer.writerow(["" if v is None else float(v) if isinstance(v, PValue) else v for v in values])
    return buffer.getvalue()


@checked
def as_json(table: Table) -> str:
    """JSON: the title, the note, and a list of rows."""
    rows = [{key: row.get(key) for key in table.all_keys} for row in table.rows]
    value = {"name": table.name, "title": table.title, "note": table.note, "rows": rows}
    return json_text(value, indent=1) + "\n"


_ESCAPES = str.maketrans(
    {sign: "\\" + sign for sign in "%_&#${}"}
    | {
        "\\": r"\textbackslash{}",
        "~": r"\textasciitilde{}",
        "^": r"\textasciicircum{}",
        "—": "---",
        "–": "--",
        "−": "$-$",
        "×": r"$\times$",
        "∞": r"$\infty$",
        "≥": r"$\ge$",
        "→": r"$\to$",
        "⟨": r"$\langle$",
        "⟩": r"$\rangle$",
        "<": r"\textless{}",
        ">": r"\textgreater{}",
    }
)


#: Letters and digits above the line, and below it.
_SCRIPTS = re.compile("([⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁽⁾ⁱⁿ]+)|[₀-₉]+")


def _escape(text: str) -> str:
    escaped = escape_controls(" ".join(text.split())).translate(_ESCAPES)
    return _SCRIPTS.sub(_script, escaped)


def _script(match: re.Match[str]) -> str:
    """Neighbouring superscripts as one: b²ⁿ is b$^{2n}$."""
    plain = normalize("NFKC", match[0]).replace("−", "-")
    return f"${'^' if match[1] else '_'}{plain if len(plain) == 1 else f'{{{plain}}}'}$"


#: The forms of a table by the endings of their files.
TABLE_FORMS: dict[str, Callable[[Table], str]] = {
    "md": markdown,
    "tex": latex,
    "csv": comma_separated,
    "json": as_json,
}
