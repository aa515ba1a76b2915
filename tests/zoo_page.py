"""The tables of docs/zoo.md, made of the results of `make zoo` and `make reproduce`.

`python -m tests.zoo_page` writes them anew.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

from abacist.bench.zoo import what

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


def parts() -> dict[str, str]:
    """What stands between `<!-- name -->` and `<!-- end of name -->`."""
    return {"zoo": _zoo(), "memories": _memories()}


def _read(*path: str) -> Any:
    return json.loads((ROOT / "docs").joinpath(*path).read_text())


def _zoo() -> str:
    """A row for every cell: long set, wrong word and share proved for each language, and its speed."""
    speeds = {row["what"]: row["ratio"] for row in _read("zoo", "speed.json")["rows"]}
    lines = [
        f"| cell | {' | '.join(_LANGUAGES.values())} | speed |",
        "|---" * (2 + len(_LANGUAGES)) + "|",
    ]
    for row in _read("zoo", "zoo.json")["rows"]:
        told = [_told(row, language) for language in _LANGUAGES]
        lines.append(f"| `{row['cell']}` | {' | '.join(told)} | {speeds[what(row['cell'])]:.2g} |")
    return "\n".join(lines)


def _told(row: dict[str, Any], language: str) -> str:
    """`99.4 · 46 · 12`: the median on the long set, the median wrong word, the share that is proved."""
    long, wrong, proved = (row[f"{language} {name}"] for name in ("long", "wrong at", "proved"))
    shown = ("—" if long is None else f"{long:.1f}", wrong or "—", "—" if proved is None else f"{proved:.0f}")
    return " · ".join(shown)


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
