"""The tables of docs/zoo.md, made of the results of `make zoo`, `make far-beyond`, `make reproduce` and an
example.

`python -m tests.zoo_page` writes them anew.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

from abacist.bench.engine import zoo_row
from abacist.experiments import experiment_named

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs" / "zoo.md"

#: The languages in the order of the table, as people write them.
_LANGUAGES = {
    "dyck-1": "Dyck-1",
    "shuffle-2": "Shuffle-2",
    "dyck-2": "Dyck-2",
    "anbn": "aⁿbⁿ",
    "anbncn": "aⁿbⁿcⁿ",
    "parity": "parity",
}
#: Languages with one word for every n.
_BLOCKS = {"anbn": "aⁿbⁿ", "anbncn": "aⁿbⁿcⁿ", "anbncndn": "aⁿbⁿcⁿdⁿ"}

#: The paper in whose settings all cells are trained.
_ALL_CELLS = "Gers and Schmidhuber, "


def parts() -> dict[str, str]:
    """What stands between `<!-- name -->` and `<!-- end of name -->`."""
    rows = _read("zoo", "far-beyond.json")["rows"]
    return {
        "zoo": _zoo("zoo.json"),
        "zoo memories": _zoo("zoo-memories.json"),
        **_further(),
        "memories": _memories(),
        "cells far beyond": _by_cell([row for row in rows if row["label"].startswith(_ALL_CELLS)]),
        "leak": _by_units(_read("zoo", "leak.json")["rows"]),
        "far beyond": _by_setting([row for row in rows if not row["label"].startswith(_ALL_CELLS)]),
    }


def _read(*path: str) -> Any:
    return json.loads((ROOT / "docs").joinpath(*path).read_text())


def _further() -> dict[str, str]:
    """The tables of further experiments, those whose results are there; settings once they are chosen."""
    tables = {
        "settings": ("zoo.json", _settings),
        "blind gates": ("blind-gates.json", _blind),
        "uniform": ("zoo-uniform.json", _uniform),
        "sizes": ("zoo-sizes.json", _sizes),
        "anbn settings": ("anbn-settings.json", _anbn_settings),
    }
    needed = {name: file for name, (file, _) in tables.items()} | {"settings": "zoo-tuning.csv"}
    present = [name for name in tables if (ROOT / "docs" / "zoo" / needed[name]).exists()]
    return {
        name: make(_read("zoo", file)["rows"]) for name, (file, make) in tables.items() if name in present
    }


def _settings(rows: list[dict[str, Any]]) -> str:
    """The chosen rate and loss of every cell on every language, q for squared and c for cross-entropy."""
    specs = {(t.spec.cell.name, t.spec.language.name): t.spec for t in experiment_named("zoo").tasks}
    lines = [f"| cell | {' | '.join(_LANGUAGES.values())} |", "|---" * (1 + len(_LANGUAGES)) + "|"]
    for cell in (row["cell"] for row in rows):
        own = (specs[cell, language] for language in _LANGUAGES)
        told = (f"{spec.rate:g} {'q' if spec.objective == 'squared' else 'c'}" for spec in own)
        lines.append(f"| `{cell}` | {' | '.join(told)} |")
    return "\n".join(lines)


def _blind(rows: list[dict[str, Any]]) -> str:
    """A row for every choice of blind gates, a mark for each blind one."""
    names = {"i": "input gate", "f": "forget gate", "g": "candidate", "o": "output gate"}
    lines = [
        f"| cell | {' | '.join(names.values())} | Dyck-1 | Shuffle-2 |",
        "|---|" + ":-:|" * 4 + "---|---|",
    ]
    for row in rows:
        _, _, letters = row["cell"].partition("_blind")
        blind = letters.removeprefix("_") or ("ifgo" if "_blind" in row["cell"] else "")
        marks = ["blind" if gate in blind else "" for gate in names]
        marks = ["blind", "blind", "blind", "—"] if row["cell"] == "diagonal" else marks
        told = (_told(row, language) for language in ("dyck-1", "shuffle-2"))
        lines.append(f"| `{row['cell']}` | {' | '.join((*marks, *told))} |")
    return "\n".join(lines)


def _uniform(rows: list[dict[str, Any]]) -> str:
    """Accuracy and wrong words of every cell after nested and after uniform words."""
    nested = {row["cell"]: row for row in _read("zoo", "zoo.json")["rows"]}
    lines = ["| cell | nested: long | wrong at | uniform: long | wrong at |", "|---|---:|---:|---:|---:|"]
    for row in rows:
        own = nested[row["cell"]]
        told = [f"{own['shuffle-2 long']:.1f}", own["shuffle-2 wrong at"], f"{row['long']:.1f}", _wrong(row)]
        lines.append(f"| `{row['cell']}` | {' | '.join(told)} |")
    return "\n".join(lines)


def _sizes(rows: list[dict[str, Any]]) -> str:
    """The median wrong word of every cell with four units, as many parameters as the LSTM, and many units."""
    four = {row["cell"]: row for row in _read("zoo", "zoo.json")["rows"]}
    kinds = ("4 units", "as many parameters", "16 units", "64 units")
    heads = [f"{name}: {kind}" for name in ("Dyck-1", "Shuffle-2") for kind in kinds]
    lines = [f"| cell | {' | '.join(heads)} |", "|---" * (1 + len(heads)) + "|"]
    for cell in four:
        told = []
        for language in ("dyck-1", "shuffle-2"):
            own = {row["hidden"]: row for row in rows if (row["cell"], row["language"]) == (cell, language)}
            matched = next(units for units in own if units not in (16, 64))
            told += [str(four[cell][f"{language} wrong at"]), f"{_wrong(own[matched])} ({matched})"]
            told += [_wrong(own[units]) if units in own else "—" for units in (16, 64)]
        lines.append(f"| `{cell}` | {' | '.join(told)} |")
    return "\n".join(lines)


def _anbn_settings(rows: list[dict[str, Any]]) -> str:
    """The first wrong n in the settings of two tables."""
    lines = ["| cell | words | first wrong n |", "|---|---|---|"]
    told = ((row, f"{_first_wrong(row, 'median')} ({_between(row)})") for row in rows)
    lines += [f"| `{row['cell']}` | {row['label']} | {wrong} |" for row, wrong in told]
    return "\n".join(lines)


def _wrong(row: dict[str, Any]) -> str:
    """The median length of the shortest wrong word."""
    wrong = row["wrong median"]
    return f"> {row['none wrong to']}" if wrong is None else f"{wrong:.0f}"


def _zoo(file: str) -> str:
    """A row for every cell: long set, wrong word, share right and share proved, and its speed."""
    speeds = {row["what"]: row["ratio"] for row in _read("zoo", "speed.json")["rows"]}
    lines = [
        f"| cell | {' | '.join(_LANGUAGES.values())} | speed |",
        "|---" * (2 + len(_LANGUAGES)) + "|",
    ]
    for row in _read("zoo", file)["rows"]:
        told = [_told(row, language) for language in _LANGUAGES]
        speed = speeds.get(zoo_row(row["cell"]))
        told.append("—" if speed is None else f"{speed:.2g}")
        lines.append(f"| `{row['cell']}` | {' | '.join(told)} |")
    return "\n".join(lines)


def _told(row: dict[str, Any], language: str) -> str:
    """`99.4 · 46 · 20 · 12`: the medians on the long set and of the wrong word, the shares that have no wrong
    word as long as the training words, and that are proved."""
    long, wrong, right, proved = (
        row.get(f"{language} {name}") for name in ("long", "wrong at", "right", "proved")
    )
    shares = ("—" if share is None else f"{share:.0f}" for share in (right, proved))
    return " · ".join(("—" if long is None else f"{long:.1f}", wrong or "—", *shares))


def _by_cell(rows: list[dict[str, Any]]) -> str:
    """A row for every cell, a column for every language and greatest n of the training words."""
    settings = dict.fromkeys((row["language"], row["label"]) for row in rows)
    names = [f"{_BLOCKS[a]}, {b.removeprefix(_ALL_CELLS)}" for a, b in settings]
    lines = [f"| cell | {' | '.join(names)} |", "|---" * (1 + len(names)) + "|"]
    own = {(_network(row), row["language"], row["label"]): row for row in rows}
    for network in dict.fromkeys(_network(row) for row in rows):
        found = (own.get((network, *setting)) for setting in settings)
        told = ("—" if row is None else f"{_first_wrong(row, 'median')} ({_between(row)})" for row in found)
        lines.append(f"| {network} | {' | '.join(told)} |")
    return "\n".join(lines)


def _by_setting(rows: list[dict[str, Any]]) -> str:
    """A row for every setting: five quantiles, and how many are right to the end."""
    quantiles = ("5 %", "25 %", "median", "75 %", "95 %")
    heads = ["setting", "language", "cell", "units", *quantiles, "right to 1,000"]
    lines = [f"| {' | '.join(heads)} |", "|---|---|---|" + "---:|" * (len(heads) - 3)]
    for row in rows:
        told = [row["label"], _BLOCKS[row["language"]], f"`{row['cell']}`", str(row["hidden"])]
        told += [_first_wrong(row, name) for name in quantiles]
        lines.append(f"| {' | '.join(told)} | {row['none wrong runs']} of {row['runs there']} |")
    return "\n".join(lines)


def _by_units(rows: list[dict[str, Any]]) -> str:
    """Medians and spans of the first wrong n, a row for every cell and a column for every number of units."""
    named = {2: "two", 4: "four", 8: "eight"}
    lines = [f"| cell | {' | '.join(f'{units} units' for units in named.values())} |", "|---|---|---|---|"]
    for cell in dict.fromkeys(row["cell"] for row in rows):
        own = {row["hidden"]: row for row in rows if row["cell"] == cell}
        told = (f"{_first_wrong(own[units], 'median')} ({_between(own[units])})" for units in named)
        lines.append(f"| `{cell}` | {' | '.join(told)} |")
    return "\n".join(lines)


def _network(row: dict[str, Any]) -> str:
    """A cell, and that it has as many units as in the paper and not four."""
    return f"`{row['cell']}`" if row["hidden"] == 4 else f"`{row['cell']}`, 1 or 2 units"


def _first_wrong(row: dict[str, Any], name: str) -> str:
    """A quantile of the first n that networks get wrong; its word has n of each letter."""
    letters = len(_BLOCKS[row["language"]]) // 2
    wrong = row[f"wrong {name}"]
    return "> 1,000" if wrong is None else f"{wrong / letters:.1f}".removesuffix(".0")


def _between(row: dict[str, Any]) -> str:
    """Nine in ten of the first wrong n, and how many networks have none."""
    right = row["none wrong runs"]
    end = f"; {right} of {row['runs there']}" if right else ""
    return f"{_first_wrong(row, '5 %')} to {_first_wrong(row, '95 %')}{end}"


def _memories() -> str:
    """Smallest, median and largest accuracy on the long set, by cell and language."""
    rows = _read("results", "memories.json")["rows"]
    languages = list(dict.fromkeys(row["language"] for row in rows))
    lines = [
        f"| cell | {' | '.join(name.capitalize() for name in languages)} |",
        "|---" * (1 + len(languages)) + "|",
    ]
    for cell in dict.fromkeys(row["cell"] for row in rows):
        own = {row["language"]: row for row in rows if row["cell"] == cell}
        told = (
            " / ".join(f"{own[language][f'long {name}']:.1f}" for name in ("min", "median", "max"))
            for language in languages
        )
        lines.append(f"| `{cell}` | {' | '.join(told)} |")
    return "\n".join(lines)


def place(name: str) -> re.Pattern[str]:
    """Where a part stands in the page."""
    return re.compile(rf"<!-- {name} -->\n\n(.*?)\n\n<!-- end of {name} -->", re.DOTALL)


if __name__ == "__main__":
    text = PAGE.read_text()
    for name, part in parts().items():
        begin, end = f"<!-- {name} -->", f"<!-- end of {name} -->"
        head, _, rest = text.partition(begin)
        text = f"{head}{begin}\n\n{part}\n\n{end}{rest.partition(end)[2]}"
    PAGE.write_text(text)
