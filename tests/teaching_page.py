"""The tables of docs/teaching.md, made of the results of `make recipes` and `make recipes-beyond`.

`python -m tests.teaching_page` writes them anew.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs" / "teaching.md"

#: The columns of networks other than one-unit LSTMs: a lesson without what all of a table have in common.
_LESSONS = {
    "nothing, rounds 1": "plain",
    "nothing, rounds 1, finish 64": "plain, gates sharpened at the end",
    "counterexamples": "counterexamples",
    "counterexamples, sharpen 1.4": "counterexamples, gates × 1.4 a round",
}

#: What a recipe for one-unit LSTMs is called, by its lesson.
_RECIPES = {
    **_LESSONS,
    "nothing, rounds 1, finish 4": "plain, gates sharpened at the end, up to × 4",
    "nothing, rounds 1, finish 64": "plain, gates sharpened at the end, up to × 64",
    "stress, rounds 1": "a stress set of 400 words",
    "nothing, sharpen 1.4": "gates × 1.4 a round, nothing fed",
    "counterexamples, sharpen 1.4, finish 64": "counterexamples, gates × 1.4 a round, sharpened at the end",
}


def parts() -> dict[str, str]:
    """What stands between `<!-- name -->` and `<!-- end of name -->`."""
    known = [*_rows("recipes"), *_rows("beyond")]
    return {
        "one unit": _one_unit([row for row in known if row["language"] == "dyck-1" and row["hidden"] == 1]),
        "other networks": _networks([r for r in known if r["language"] == "dyck-1" and r["hidden"] > 1]),
        "two counters": _networks([row for row in known if row["language"] == "shuffle-2"]),
    }


def _rows(name: str) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = json.loads((ROOT / "docs" / "recipes" / f"{name}.json").read_text())["rows"]
    return rows


def _one_unit(rows: list[dict[str, Any]]) -> str:
    lines = ["| recipe | epochs | wrong at | proved | % |", "|---|---:|---|---:|---|"]
    for row in rows:
        name = _RECIPES[row["lesson"]]
        if row.get("precision", "float32") != "float32":
            name += f", {row['precision']}"
        if row.get("short", "2:50") != "2:50":
            name += f", training words of up to {row['short'].partition(':')[2]} symbols"
        if row.get("decay"):
            name += f", weights decay by {row['decay']:g}"
        asked = row.get("epochs", 20)
        epochs = asked if row["epochs trained"] == asked else f"{row['epochs trained']} of {asked}"
        share = f"{row['share low']:.1f} to {row['share high']:.1f}"
        lines.append(f"| {name} | {epochs} | {_wrong(row)} | {_proved(row)} | {share} |")
    return "\n".join(lines)


def _networks(rows: list[dict[str, Any]]) -> str:
    columns = [name for lesson, name in _LESSONS.items() if any(_lesson(row) == lesson for row in rows)]
    lines = [f"| network | {' | '.join(columns)} |", "|---" * (1 + len(columns)) + "|"]
    networks = dict.fromkeys((row["cell"], row["hidden"]) for row in rows)
    for cell, hidden in networks:
        own = {
            _LESSONS[_lesson(row)]: f"{_wrong(row)}; {_proved(row)}"
            for row in rows
            if (row["cell"], row["hidden"]) == (cell, hidden)
        }
        told = " | ".join(own.get(name, "not run") for name in columns)
        lines.append(f"| {cell.upper()}, {hidden} units | {told} |")
    return "\n".join(lines)


def _lesson(row: dict[str, Any]) -> str:
    """A lesson without how far it asks for a proof."""
    return re.sub(r", to \d+", "", row["lesson"])


def _wrong(row: dict[str, Any]) -> str:
    """The least, quarter, median and three quarters of the shortest failing words."""
    return ", ".join(str(row[f"wrong {at}"]) for at in ("min", "quarter", "median", "three quarters"))


def _proved(row: dict[str, Any]) -> str:
    return f"{row['proved runs']} of {row['runs']}"


def place(name: str) -> re.Pattern[str]:
    """Where a part stands in the page."""
    return re.compile(rf"<!-- {name} -->\n(.*?)\n<!-- end of {name} -->", re.DOTALL)


if __name__ == "__main__":
    text = PAGE.read_text()
    for name, part in parts().items():
        before, after = f"<!-- {name} -->\n", f"<!-- end of {name} -->"
        head, _, rest = text.partition(before)
        text = f"{head}{before}{part}\n{after}{rest.partition(after)[2]}"
    PAGE.write_text(text)
