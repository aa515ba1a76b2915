"""The parts of the README that are made of files: the table, the claims, the speed.

`python -m tests.readme_page` writes them anew.
"""

from __future__ import annotations

import json
import re
from pathlib import Path

from abacist.bench import Row, markdown

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "README.md"
DOCS = ROOT / "docs"


def parts() -> dict[str, str]:
    """What stands between `<!-- name -->` and `<!-- end of name -->`."""
    table = (DOCS / "results" / "table-3.md").read_text().split("\n\n")[1].strip()
    claims = json.loads((DOCS / "results" / "claims.json").read_text())["rows"]
    speed = json.loads((DOCS / "bench.json").read_text())
    rows = markdown(Row.from_dict(row) for row in speed["rows"]).strip()
    return {
        "table 3": table,
        "claims": "\n".join(
            f"- **{c['verdict']}**: {c['claim']} ({c['place']}: {c['rule']})" for c in claims
        ),
        "speed": f"Measured on: {speed['machine']}.\n\n{rows}",
    }


def place(name: str) -> re.Pattern[str]:
    return re.compile(rf"(?<=<!-- {name} -->\n).*?(?=\n<!-- end of {name} -->)", re.DOTALL)


if __name__ == "__main__":
    text = PAGE.read_text()
    for name, part in parts().items():
        text = place(name).sub(part.replace("\\", "\\\\"), text)
    PAGE.write_text(text)
