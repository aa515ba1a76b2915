"""The parts of the README that are made of files: what was found, the table, the claims, the speed.

`python -m tests.readme_page` writes them anew.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

from abacist.bench import Row, markdown

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "README.md"
DOCS = ROOT / "docs"


def parts() -> dict[str, str]:
    """What stands between `<!-- name -->` and `<!-- end of name -->`."""
    table = (DOCS / "results" / "table-3.md").read_text().split("\n\n")[1].strip()
    claims = _rows("results/claims.json")
    speed = json.loads((DOCS / "bench.json").read_text())
    rows = markdown(Row.from_dict(row) for row in speed["rows"]).strip()
    return {
        "counting": _counting(),
        "table 3": table,
        "claims": "\n".join(
            f"- **{c['verdict']}**: {c['claim']} ({c['place']}: {c['rule']})" for c in claims
        ),
        "speed": f"Measured on: {speed['machine']}.\n\n{rows}",
    }


def _counting() -> str:
    """What was found out about counting, in a sentence or two."""
    rows = _rows("results/counting.json")
    one = [row for row in rows if (row["language"], row["cell"], row["hidden"]) == ("dyck-1", "lstm", 1)]
    plain = next(row for row in one if row["gates"] == 1)
    exact = next(row for row in one if row["every word"] == plain["closed"])
    six = next(row for row in rows if (row["language"], row["cell"]) == ("shuffle-6", "lstm"))
    recipes = {row["lesson"]: row for row in _rows("recipes/recipes.json")}
    finished, taught = recipes["nothing, rounds 1, finish 64"], recipes["counterexamples, sharpen 1.4"]
    spans = [f"{row['wrong min']:.0f} to {row['wrong max']:.0f} symbols" for row in (plain, six)]
    return (
        f"**Do they count?** We trained {plain['runs there']} LSTMs with one unit on Dyck-1, as the paper "
        f"does. All of them accept {plain['long']:.0f} % of every test set, and every one is wrong on some "
        f"word of {spans[0]}, most of them on `()` said some twenty-five times; on every shorter word each "
        f"is *proved* right. LSTMs that accept {six['long']:.1f} % of the long words of Shuffle-6 are wrong "
        f"on words of {spans[1]}. But with gates {exact['gates']:.0f} times as sharp all "
        f"{exact['every word']} one-unit networks are proved right on *every* word. Sharpened "
        "at the end of plain training, so are "
        f"{finished['every word']} of {finished['runs']}; taught by their own mistakes, with gates sharpened "
        f"from round to round, {taught['proved runs']} of {taught['runs']} are proved right on every word "
        f"of up to {taught['proved to']:,} symbols (`docs/horizon.md`, `docs/teaching.md`)."
    )


def _rows(path: str) -> list[dict[str, Any]]:
    """The rows of a table under docs/."""
    found: list[dict[str, Any]] = json.loads((DOCS / path).read_text())["rows"]
    return found


def place(name: str) -> re.Pattern[str]:
    return re.compile(rf"(?<=<!-- {name} -->\n).*?(?=\n<!-- end of {name} -->)", re.DOTALL)


if __name__ == "__main__":
    text = PAGE.read_text()
    for name, part in parts().items():
        text = place(name).sub(part.replace("\\", "\\\\"), text)
    PAGE.write_text(text)
