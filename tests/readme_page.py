"""The parts of the README, of docs/findings.md and of docs/speed.md that are made of files.

`python -m tests.readme_page` writes them anew.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from abacist.bench import Row
from abacist.experiments import PAPER_SETS
from abacist.experiments.paper_table import STATISTICS

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"

#: The rows of the speed table in the README, by words in them.
_SPEED = (
    "in padded batches",
    "a whole word per call",
    "training (dyck-1, 3 units), share",
    "all 120 networks",
)

#: The networks of the paper's table by language, in the paper's order.
_LANGUAGES = ("dyck-1", "shuffle-2", "shuffle-6", "dyck-2")

#: How deep a network in float32 is proved on words of any length, and why no deeper.
_TO_DEPTH = "to depth 2²⁴ = 16,777,216 and no deeper (at 2²⁴ + 1 float32 stops counting)"


def parts() -> dict[Path, dict[str, str]]:
    """For each page what stands between `<!-- name -->` and `<!-- end of name -->`."""
    claims = _rows("results/claims.json")
    speed = json.loads((DOCS / "bench.json").read_text())
    machine = f"Measured on: {speed['machine']}."
    headline = [row for name in _SPEED for row in speed["rows"] if name in row["what"]]
    return {
        ROOT / "README.md": {
            "findings": _findings(),
            "table 3": _medians(),
            "speed": f"{machine}\n\n{_speed(headline)}",
        },
        DOCS / "findings.md": {
            "counting": _counting(),
            "claims": "\n".join(map(_claim, claims)) + "\n\n" + _with_more_runs(claims),
            "reference": _reference(),
            "support": _support(),
        },
        DOCS / "speed.md": {"speed": f"{machine}\n\n{_speed(speed['rows'])}\n\n{_missed(speed['rows'])}"},
    }


def _speed(rows: list[dict[str, Any]]) -> str:
    return speed_table(Row(**row) for row in rows)


def speed_table(rows: Iterable[Row]) -> str:
    """What `abacist bench` measured, as a table in Markdown."""
    lines = ["| what | ours | baseline | ratio | at least |", "|---|---|---|---|---|"]
    lines += [
        f"| {r.what} | {r.ours} | {r.baseline} | {r.shown_ratio or r.verdict} | {r.shown_limit} |"
        for r in rows
    ]
    return "\n".join(lines)


def _findings() -> str:
    """Three findings, a number each, and a caveat."""
    rows = _rows("results/counting.json")
    kinds = (("dyck-1", 1), ("dyck-1", 3), ("shuffle-2", 2), ("shuffle-6", 8))
    one, three, two, six = (_by_gates(rows, *kind) for kind in kinds)
    plain, sharpest = one[1], two[max(two)]
    exact = min(gates for gates, row in one.items() if row["every word"] == plain["runs there"])
    few = ((row["language"], row["hidden"], row) for row in _rows("results/few-units.json"))
    perfect = next(row for *kind, row in few if kind == ["dyck-1", 1])
    assert perfect["short min"] == perfect["long min"] == 100
    assert plain["none wrong"] == "0"
    assert plain["closed"] == plain["runs there"]
    nested = _nested()["shuffle-6", "lstm", 8]
    spans = [f"{row['wrong min']:.0f} to {row['wrong max']:.0f}" for row in (plain, six[1], nested)]
    return (
        f"- **A perfect score is not counting.** All {plain['runs there']} one-unit LSTMs score 100 % on "
        f"Dyck-1, and each is wrong on a word of {spans[0]} symbols. LSTMs with a median of "
        f"{six[1]['long']:.1f} % on Shuffle-6 are wrong on words of {spans[1]} symbols; among nested words, "
        f"as in training, on words of {spans[2]}.\n"
        "- **How far a network counts can be bracketed**: proved right on every word up to one length, wrong "
        f"on a longer word. For all {plain['closed']} of these networks the shortest wrong "
        "word is known exactly; with three units the medians of the two lengths are "
        f"{three[1]['proved median']:.0f} and {three[1]['wrong median']:.0f} symbols.\n"
        f"- **One-unit LSTMs can be made exact.** With gate inputs multiplied by {exact:.0f}, "
        f"{one[exact]['every word']} of {plain['runs there']} are proved right on every "
        f"word of any length, {_TO_DEPTH}. With two units and two counters (Shuffle-2), × "
        f"{sharpest['gates']:.0f} does this for {sharpest['every word']} of {sharpest['runs there']}."
    )


def _nested() -> dict[tuple[str, str, int], dict[str, Any]]:
    """What is known of the paper's Shuffle networks on nested words, by language, cell and units."""
    rows = (row for row in _rows("reference/support.json") if row["words"] != "all")
    return {(row["language"], row["cell"], row["hidden"]): row for row in rows}


def _support() -> str:
    """Where the Shuffle networks are wrong among the words that training may draw."""
    networks = _nested()
    assert all(row["none wrong runs"] == 0 and row["wrong max"] <= 50 for row in networks.values())
    proved = min(row["proved min"] for row in networks.values())
    each = "; ".join(
        f"{cell.upper()}, {language.capitalize()}, {hidden} units: {row['wrong min']:.0f} to "
        f"{row['wrong max']:.0f} (median {row['wrong median']:.0f})"
        for (language, cell, hidden), row in networks.items()
    )
    return (
        f"**All {sum(row['runs there'] for row in networks.values())} networks fail on words that training "
        "may draw**: nested, of at most 50 symbols. Shortest nested words found that a network gets wrong, "
        f"in symbols: {each}. These are upper bounds; {proved:.0f} "
        "symbols or more are proved (`make support`, `docs/reference/support.md`; "
        "[horizon.md](horizon.md) says how)."
    )


def _medians() -> str:
    """Table 3 as medians, with the median length of the shortest wrong word."""
    table = _rows("results/table-3.json")
    wrong = {
        (row["language"], row["cell"], row["hidden"]): row["wrong median"]
        for row in _rows("results/counting.json")
        if row["gates"] == 1
    }
    whose = ("paper", "ours, 10 runs")
    rows = {(row["language"], row["cell"], row["figures"]): row for row in table}
    sets = "training paper | ours | short paper | ours | long paper | ours"
    headings = f"| language | cell | hidden | {sets} | wrong at |"
    lines = [headings, "|---|---|" + "---:|" * 8]
    for language in _LANGUAGES:
        for cell in ("rnn", "gru", "lstm"):
            both = [rows[language, cell, one] for one in whose]
            hidden = both[0]["hidden"]
            figures = (f"{row[f'{name} median']:.2f}" for name in PAPER_SETS for row in both)
            shortest = f"{wrong[language, cell, hidden]:g}"
            cells = (language.capitalize(), cell.upper(), str(hidden), *figures, shortest)
            lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines)


def _missed(rows: list[dict[str, Any]]) -> str:
    """Which rows are below their targets."""
    missed = [row["what"] for row in rows if row["verdict"] == "MISSED"]
    if not missed:
        return "All targets met."
    return f"Below target, {len(missed)} of {len(rows)}: {'; '.join(missed)}."


def _counting() -> str:
    """What was found out about counting, in a few sentences."""
    rows = _rows("results/counting.json")
    one, three, two = (_by_gates(rows, *kind) for kind in (("dyck-1", 1), ("dyck-1", 3), ("shuffle-2", 2)))
    plain, sharpest = one[1], max(one)
    exact = min(gates for gates, row in one.items() if row["every word"] == plain["runs there"])
    six = _by_gates(rows, "shuffle-6", 8)[1]
    recipes = {row["lesson"]: row for row in _rows("recipes/recipes.json")}
    dyck, shuffle = (_sharpened_at_the_end(language) for language in ("dyck-1", "shuffle-2"))
    finished, taught = recipes["nothing, rounds 1, finish 64"], recipes["counterexamples, sharpen 1.4"]
    nested = _nested()["shuffle-6", "lstm", 8]
    spans = [f"{row['wrong min']:.0f} to {row['wrong max']:.0f} symbols" for row in (plain, six, nested)]
    few = [kind[sharpest]["every word"] for kind in (three, two)]
    medians = [two[gates]["wrong median"] for gates in (1, sharpest)]
    assert max(few) < plain["runs there"] / 2
    assert medians[1] < medians[0]
    return (
        f"**Do they count?** We trained {plain['runs there']} LSTMs with one unit on Dyck-1, as the paper "
        f"does. All of them have an accuracy of {plain['long']:.0f} % on every test set, yet each is wrong "
        f"on a word of {spans[0]}, most of them on `()` repeated about 25 times; every shorter word is "
        f"*proved* right. LSTMs with a median accuracy of {six['long']:.1f} % on the long words of Shuffle-6 "
        f"are wrong on words of {spans[1]}, and among nested words, as in training, on words of {spans[2]}: "
        f"all {nested['runs there']} fail on words that training may draw. {_of_the_loss()}\n\n"
        "**Can they be made exact?** Sharper gates make one-unit LSTMs on Dyck-1 exact: with the inputs of "
        f"their gates multiplied by {exact:.0f}, all {one[exact]['every word']} are proved "
        f"right on every word of any length, {_TO_DEPTH}, and so are {finished['every word']} of "
        f"{finished['runs']} sharpened at the end of plain training. Of those trained on counterexamples, "
        f"with gates sharpened from round to round, {taught['proved runs']} of {taught['runs']} are proved "
        f"right on every word of up to {taught['proved to']:,} symbols. With more units, few are proved on "
        f"every word at one fixed factor: × {sharpest:.0f}, {few[0]} of {three[1]['runs there']} LSTMs with "
        f"three units on Dyck-1 and {few[1]} of {two[1]['runs there']} with two units on Shuffle-2, where "
        f"the shortest failing word goes from {medians[0]:.0f} symbols to {medians[1]:.0f} in the median. "
        f"With the best factor for each network, up to × 64, {dyck} LSTMs with two, three and four units are "
        f"proved up to 1,000 symbols on Dyck-1, and {shuffle} up to 80 on Shuffle-2 "
        "([horizon.md](horizon.md), [teaching.md](teaching.md))."
    )


def _of_the_loss() -> str:
    """How much farther one-unit LSTMs count with another loss at another rate."""
    rows = [row for row in _rows("recipes/training-grid.json") if row["hidden"] == 1]
    plain, other = (
        next(row for row in rows if {"init": "usual", "epochs": 20, **setting}.items() <= row.items())
        for setting in (
            {"objective": "squared", "rate": 0.001},
            {"objective": "cross-entropy", "rate": 0.01, "schedule": "constant"},
        )
    )
    return (
        f"How long the shortest failing word is depends on loss and rate: of 200 networks trained as in the "
        f"paper, with the squared error at 0.001, the median is {plain['wrong median']} symbols; with "
        f"cross-entropy at 0.01 it is {other['wrong median']} ([teaching.md](teaching.md))."
    )


def _sharpened_at_the_end(language: str) -> str:
    """How many LSTMs with two, three and four units are proved, each sharpened by its best factor."""
    rows = [
        row
        for row in _rows("recipes/beyond.json")
        if (row["language"], row["cell"]) == (language, "lstm") and "finish 64" in row["lesson"]
    ]
    assert [row["hidden"] for row in rows] == [2, 3, 4]
    assert {row["proved to"] for row in rows} == {{"dyck-1": 1000, "shuffle-2": 80}[language]}
    (runs,) = {row["runs"] for row in rows}
    two, three, four = (row["proved runs"] for row in rows)
    return f"{two}, {three} and {four} of {runs}"


def _by_gates(rows: list[dict[str, Any]], language: str, hidden: int) -> dict[float, dict[str, Any]]:
    """The rows of LSTMs, by the sharpness of their gates."""
    kind = (language, "lstm", hidden)
    return {row["gates"]: row for row in rows if (row["language"], row["cell"], row["hidden"]) == kind}


def _claim(row: dict[str, Any]) -> str:
    """A claim with estimates first, the first two where there are many, and then what became of it."""
    parts = re.findall(r".*?\(paper: .*?\)(?=; |$)", row["figures"])
    shown = parts if len(row["figures"]) < 450 else [*parts[:2], f"; and {len(parts) - 2} more"]
    which = f" ({row['which']})" if row["which"] and len(row["which"]) < 120 else ""
    return f"- {row['claim']} ({row['place']}). {''.join(shown)}. **{row['verdict'].capitalize()}**{which}."


def _with_more_runs(few: list[dict[str, Any]]) -> str:
    """The verdicts that are others with 200 runs."""
    many = json.loads((DOCS / "reference" / "claims.json").read_text())["rows"]
    changed = [
        _claim(row)
        for own, row in zip(few, many, strict=True)
        if row["verdict"] not in (own["verdict"], "inconclusive")
    ]
    sentence = "There are also 200 runs of each network of table 3 (`docs/reference/claims.md`); they change"
    return "\n".join([f"{sentence} {len(changed)} verdicts:\n", *changed])


def _reference() -> str:
    """What 200 runs of each network say about the paper's figures, and what other numbers of epochs would."""
    table = json.loads((DOCS / "reference" / "table-3.json").read_text())
    rows = {(row["language"], row["cell"], row["figures"].partition(",")[0]): row for row in table["rows"]}
    tested = {
        (row["language"], row["cell"]): row for row in table["rows"] if row["figures"] == "p-value, paper"
    }
    figures = [row[key] for row in tested.values() for key in row if key.split()[-1] in STATISTICS]
    medians = [row[f"{name} median"] for row in tested.values() for name in PAPER_SETS]
    low = [_named(*key) for key, row in tested.items() if row["joint p"] < 0.05]
    after_holm = [_named(*key) for key, row in tested.items() if row["joint Holm"] < 0.05]
    at_ends = re.search(r"Of the medians (\d+) are 100 in both and (\d+) at most", table["note"])
    assert at_ends is not None
    paper, ours = (rows["shuffle-2", "rnn", whose] for whose in ("paper", "ours"))
    best = [" / ".join(f"{row[f'{name} max']:.1f}" for name in PAPER_SETS) for row in (paper, ours)]
    assert all(paper[f"{name} max"] > ours[f"{name} max"] for name in PAPER_SETS)
    ends = sum(map(int, at_ends.groups()))
    reached = max(tested["shuffle-2", "rnn"][f"{name} max"] for name in PAPER_SETS)
    return (
        f"- {sum(p < 0.05 for p in figures)} of its {len(figures)} figures have a p-value below 0.05, among "
        f"them {sum(p < 0.05 for p in medians)} of {len(medians)} medians; {ends} of the medians are at "
        "ceiling or floor in both, so they cannot differ.\n"
        f"- Of the twelve networks, all nine figures of each taken together, {len(low)} differ with p < 0.05 "
        f"({', '.join(low)}); corrected for their number (Holm), {len(after_holm) or 'none'} of them.\n"
        "- On Shuffle-2 the paper's best RNN is better than the best of our 200 on all three sets "
        f"({best[0]} % against {best[1]} %; p ≤ {reached:.3f} beside our best of ten); on "
        "Shuffle-6 its worst RNN and LSTM are worse than the worst of our 200, and its medians are lower.\n"
        "- We chose 20 epochs by looking at these medians, since the paper gives no number; that they are "
        f"near is therefore no evidence. {_other_epochs()}"
    )


def _other_epochs() -> str:
    rows = json.loads((DOCS / "reference" / "epochs.json").read_text())["rows"]
    runs = next(row["runs"] for row in rows).partition(" ")[0]
    said = []
    for epoch in (10, 20, 50):
        key = f"epoch {epoch}"
        medians = [row[key] for row in rows if row["figures"] == "p-value"]
        holms = [row[key] for row in rows if row["figures"] == "joint test, Holm"]
        said.append(
            f"at {epoch}, {sum(p < 0.05 for p in medians)} of 36 medians and, after Holm, "
            f"{sum(p < 0.05 for p in holms)} of twelve networks have p < 0.05"
        )
    return f"With {runs} runs of each (`docs/reference/epochs.md`): {'; '.join(said)}."


def _named(language: str, cell: str) -> str:
    return f"{language.capitalize()}'s {cell.upper()}"


def _rows(path: str) -> list[dict[str, Any]]:
    """The rows of a table under docs/."""
    found: list[dict[str, Any]] = json.loads((DOCS / path).read_text())["rows"]
    return found


def place(name: str) -> re.Pattern[str]:
    return re.compile(rf"(?<=<!-- {name} -->\n).*?(?=\n<!-- end of {name} -->)", re.DOTALL)


if __name__ == "__main__":
    for page, made in parts().items():
        text = page.read_text()
        for name, part in made.items():
            text = place(name).sub(part.replace("\\", "\\\\"), text)
        page.write_text(text)
