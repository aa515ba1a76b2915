"""The tables of docs/distributions.md: those that `abacist distributions` shows.

`python -m tests.distribution_page` writes them anew.
"""

from __future__ import annotations

import re
from pathlib import Path

from abacist.experiments.distributions import distributions
from abacist.report import Table, markdown
from abacist.report.distributions import distribution_table, horizon_distribution_table

PAGE = Path(__file__).parents[1] / "docs" / "distributions.md"


def place(name: str) -> re.Pattern[str]:
    return re.compile(rf"(?<=<!-- {name} -->\n).*?(?=<!-- end of {name} -->)", re.DOTALL)


def parts() -> dict[str, str]:
    known = distributions()
    return {
        "accuracies": _without_title(distribution_table(known)),
        "horizons": _without_title(horizon_distribution_table(known)),
    }


def _without_title(table: Table) -> str:
    return markdown(table).partition("\n")[2]


if __name__ == "__main__":
    text = PAGE.read_text()
    for name, part in parts().items():
        text = place(name).sub(lambda _, part=part: part, text)  # type: ignore[misc]
    PAGE.write_text(text)
