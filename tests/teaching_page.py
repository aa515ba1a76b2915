"""The tables of docs/teaching.md, made of the results of `make recipes`, `make recipes-beyond`, `make
teaching-controls` and `make training-grid`.

`python -m tests.teaching_page` writes them anew.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
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
    "random": "random words of the lengths of counterexamples",
    "random, sharpen 1.4": "random words of the lengths of counterexamples, gates × 1.4 a round",
}

#: The arms whose gates are sharpened at the end: without counterexamples and with them.
_FINISHED = {
    "nothing, rounds 1, finish 64": "plain",
    "nothing, sharpen 1.4, finish 64": "gates × 1.4 a round",
    "counterexamples, finish 64": "counterexamples",
    "counterexamples, sharpen 1.4, finish 64": "counterexamples, gates × 1.4 a round",
}

#: The arms that random words stand beside.
_FED = {
    "counterexamples": "counterexamples",
    "random": "random words",
    "counterexamples, sharpen 1.4": "counterexamples, gates × 1.4 a round",
    "random, sharpen 1.4": "random words, gates × 1.4 a round",
}

#: What a training has where a table does not say it.
_USUAL = {"rate": 0.001, "objective": "squared", "schedule": "constant", "init": "usual"}
_PLAIN = {"epochs": 20, "precision": "float32", "short": "2:50", "decay": 0.0}


def parts() -> dict[str, str]:
    """What stands between `<!-- name -->` and `<!-- end of name -->`."""
    known, controls, grid = (
        [*_rows("recipes"), *_rows("beyond")],
        _rows("teaching-controls"),
        _rows("training-grid"),
    )
    one_unit = [row for row in known + controls if row["language"] == "dyck-1" and row["hidden"] == 1]
    made = {
        "one unit": _one_unit(one_unit),
        "other networks": _networks([r for r in known if r["language"] == "dyck-1" and r["hidden"] > 1]),
        "two counters": _networks([row for row in known if row["language"] == "shuffle-2"]),
    }
    if controls:
        several = [row for row in known + controls if row["cell"] == "lstm" and row["hidden"] > 1]
        made["sharpened at the end"] = _by_lesson(several, _FINISHED, _proved)
        made["random words"] = _by_lesson(
            [
                row
                for row in known + controls
                if _network(row) in ("Dyck-1, 1 unit", "Shuffle-2, 2 units") and _PLAIN.items() <= row.items()
            ],
            _FED,
            lambda row: f"{_wrong(row)}; {_proved(row)}",
        )
    if grid:
        one = [row for row in grid if row["hidden"] == 1]
        plain = [row for row in one if row["epochs"] == 20 and row["schedule"] == "constant"]
        made["loss and rate"] = _by_init(plain)
        made["longer, or a falling rate"] = _by_loss([row for row in one if row["init"] == "usual"])
        made["sizes of the paper"] = _by_init([row for row in grid if row["hidden"] > 1])
    return made


def _rows(name: str) -> list[dict[str, Any]]:
    """The rows of a table's file, each with what it has in common with all others of it; none before it is
    made."""
    path = ROOT / "docs" / "recipes" / f"{name}.json"
    rows = json.loads(path.read_text())["rows"] if path.exists() else []
    return [_USUAL | _PLAIN | row for row in rows]


def _network(row: dict[str, Any]) -> str:
    """A network of LSTMs, and its training where it is not that of the paper."""
    units = f"{row['hidden']} unit{'s' * (row['hidden'] > 1)}"
    return f"{row['language'].capitalize()}, {units}{_training(row)}"


def _training(row: dict[str, Any]) -> str:
    """Loss and rate, where they are not the paper's."""
    loss = f", {row['objective']}" if row["objective"] != "squared" else ""
    return loss + (f", rate {row['rate']:g}" if row["rate"] != 0.001 else "")


def _by_lesson(
    rows: list[dict[str, Any]], lessons: dict[str, str], told: Callable[[dict[str, Any]], str]
) -> str:
    """A row for every network, a column for every lesson; networks of one lesson are left out."""
    lines = [f"| network | {' | '.join(lessons.values())} |", "|---" * (1 + len(lessons)) + "|"]
    for network in dict.fromkeys(map(_network, rows)):
        own = {_lesson(row): told(row) for row in rows if _network(row) == network}
        if len(own.keys() & lessons.keys()) > 1:
            lines.append(f"| {network} | {' | '.join(own.get(name, 'not run') for name in lessons)} |")
    return "\n".join(lines)


def _by_init(rows: list[dict[str, Any]]) -> str:
    """A row for every network, loss and rate, a column for every initialisation."""
    inits = dict.fromkeys(row["init"] for row in rows)
    lines = [f"| network | loss | rate | {' | '.join(inits)} |", "|---|---|---:" + "|---" * len(inits) + "|"]
    settings = {(r["language"], r["hidden"], r["objective"], r["rate"]): r for r in rows}
    for setting, one in settings.items():
        own = {
            r["init"]: _reached(r)
            for r in rows
            if (r["language"], r["hidden"], r["objective"], r["rate"]) == setting
        }
        units = f"{one['language'].capitalize()}, {one['hidden']} unit{'s' * (one['hidden'] > 1)}"
        told = " | ".join(own[init] for init in inits)
        lines.append(f"| {units} | {one['objective']} | {one['rate']:g} | {told} |")
    return "\n".join(lines)


def _by_loss(rows: list[dict[str, Any]]) -> str:
    """A row for every rate, number of epochs and schedule, a column for each loss."""
    losses = dict.fromkeys(row["objective"] for row in rows)
    lines = [
        f"| rate | epochs | schedule | {' | '.join(losses)} |",
        "|---:|---:|---" + "|---" * len(losses) + "|",
    ]
    for rate, epochs, schedule in dict.fromkeys((r["rate"], r["epochs"], r["schedule"]) for r in rows):
        own = {
            r["objective"]: _reached(r)
            for r in rows
            if (r["rate"], r["epochs"], r["schedule"]) == (rate, epochs, schedule)
        }
        lines.append(f"| {rate:g} | {epochs} | {schedule} | {' | '.join(own[loss] for loss in losses)} |")
    return "\n".join(lines)


def _reached(row: dict[str, Any]) -> str:
    """Quartiles of the shortest failing words, and the shares without one as long as those of training."""
    at = ", ".join(str(row[f"wrong {at}"]) for at in ("quarter", "median", "three quarters"))
    return f"{at}; {row['none wrong']:.0f} %"


def _one_unit(rows: list[dict[str, Any]]) -> str:
    lines = ["| recipe | epochs | wrong at | proved | % |", "|---|---:|---|---:|---|"]
    for row in rows:
        name = _RECIPES[row["lesson"]] + _training(row)
        if row["precision"] != "float32":
            name += f", {row['precision']}"
        if row["short"] != "2:50":
            name += f", training words of up to {row['short'].partition(':')[2]} symbols"
        if row["decay"]:
            name += f", weights decay by {row['decay']:g}"
        asked = row["epochs"]
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
