"""The tables and the figure of docs/training-dynamics.md, made of the results of two experiments.

`python -m tests.dynamics_page FOLDER…` summarises the stores of some folders in docs/training-dynamics/ and
draws the figure; then, as without a folder, it writes the tables anew.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterable, Sequence
from io import BytesIO
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
from matplotlib.figure import Figure

from abacist.experiments import Results, Run, Store, percents
from abacist.report.figures.house_style import TEXT_WIDTH, style
from abacist.report.horizon_tables import horizons_of, quantile, wrong_at

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs" / "training-dynamics.md"
FOLDER = ROOT / "docs" / "training-dynamics"
FIGURE = ROOT / "docs" / "figures" / "minima.svg"

#: What distinguishes the starts of words, and what the page calls them.
_BEGINNINGS = {False: "zero", True: "carried"}


def summaries(results: Results) -> dict[str, list[dict[str, Any]]]:
    """A row for every spec of a store, in the file of its experiment."""
    rows: dict[str, list[dict[str, Any]]] = {"minima": [], "initial-states": []}
    starts = {_begun_as(run): run for run in results if not run.spec.epochs}
    for spec, runs in results.by_spec.items():
        known = horizons_of(runs)
        if len(known) < len(runs) and not (spec.long.low > 100 and not known):
            continue  # not finished yet; of the longest words nothing is proved
        row: dict[str, Any] = {"runs": len(runs)}
        if spec.pretrain is not None and spec.pretrain.sharpen != 1:
            row |= {
                "precision": spec.precision,
                "sharpen": spec.pretrain.sharpen,
                "objective": spec.objective,
                "rate": spec.rate,
            }
            row |= {"decay": spec.decay, "epochs": spec.epochs, "proved": _proved(runs, 300)}
            row |= {"certified": sum(_certified(run) for run in runs)}
            changes = {run.key: _moved(starts[_begun_as(run)], run) for run in runs}
            moved = sorted(filter(None, changes.values()))
            row["certified unmoved"] = sum(_certified(run) and not changes[run.key] for run in runs)
            row |= {"unmoved": len(runs) - len(moved), "moved": quantile(moved, 0.5) if moved else None}
            rows["minima"].append(row | {"wrong": _median(wrong_at(known))})
            continue
        row |= {"language": spec.language.name, "cell": spec.cell.name, "hidden": spec.hidden}
        row["epochs"] = f"{'' if spec.pretrain is None else f'{spec.pretrain.epochs} + '}{spec.epochs}"
        row |= {"carry_states": spec.carry_states, "state_noise": spec.state_noise, "long": str(spec.long)}
        sets = (name for name in ("long", "crossing long") if len(percents(runs, name)))
        row |= {f"{name} set": float(np.median(percents(runs, name))) for name in sets}
        if known:
            row |= {"wrong": _median(wrong_at(known)), "looked": min(one.looked for one in known)}
            row |= {"proved": _median(sorted(float(one.proved_in(spec.language)) for one in known))}
        rows["initial-states"].append(row)
    return rows


def _begun_as(run: Run) -> tuple[Any, ...]:
    return run.spec.pretrain, run.spec.precision, run.seed


def _moved(start: Run, run: Run) -> float:
    """How far the weights of the gates have gone, as a share of their norm; 0: not by a bit."""
    spans = run.spec.layout.gate_spans
    before, after = (np.concatenate([own.weights[a:b] for a, b in spans]) for own in (start, run))
    return float(np.linalg.norm(after - before) / np.linalg.norm(before))


def _certified(run: Run) -> bool:
    return any(one.every_word for one in run.outcome.latest_horizons)


def _proved(runs: Sequence[Run], length: int) -> int:
    return sum(one.proved >= length for one in horizons_of(runs))


def _median(ordered: Sequence[float]) -> float | None:
    """The median length, always that of some network; None where it is infinite."""
    median = quantile(ordered, 0.5)
    return None if np.isinf(median) else median


def _read(name: str) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = json.loads((FOLDER / f"{name}.json").read_text())
    return rows


def _values(rows: Iterable[dict[str, Any]], name: str) -> list[Any]:
    return sorted({row[name] for row in rows})


def parts() -> dict[str, str]:
    """What stands between `<!-- name -->` and `<!-- end of name -->`."""
    both = _read("minima")
    rows = [row for row in both if row["precision"] == "float32"]
    starts, later = ([row for row in rows if (row["epochs"] == 0) == first] for first in (True, False))
    last = max(row["epochs"] for row in later)
    return {
        "starts": _table(
            ("gates", "runs", "proved to 300", "proved on every word"),
            [
                [f"× {row['sharpen']:g}", row["runs"], row["proved"], row["certified"]]
                for row in sorted(starts, key=lambda row: row["sharpen"])
            ],
        ),
        "phases": _pivot([row for row in later if row["epochs"] == last], "rate"),
        "steps": _pivot([row for row in rows if row["rate"] == 0.001], "epochs", starts),
        "moved": _moves([row for row in both if row["epochs"] == last]),
        "states": _states(_read("initial-states")),
    }


def _table(head: Sequence[str], rows: Iterable[Sequence[Any]]) -> str:
    lines = [head, ["---", *["---:"] * (len(head) - 1)], *rows]
    return "\n".join(f"| {' | '.join(map(str, line))} |" for line in lines)


def _pivot(rows: list[dict[str, Any]], across: str, starts: Sequence[dict[str, Any]] = ()) -> str:
    """How many networks are proved to 300, and how many on every word, by loss, decay and sharpness."""
    columns, lines = _values(rows, across), []
    settings = product(_values(rows, "objective")[::-1], _values(rows, "decay"), _values(rows, "sharpen"))
    first = {row["sharpen"]: row for row in starts}
    for objective, decay, sharpen in settings:
        of = {"objective": objective, "decay": decay, "sharpen": sharpen}
        match = {row[across]: row for row in rows if all(row[name] == value for name, value in of.items())}
        if starts:
            match[0] = first[sharpen]
        cells = [f"{match[c]['proved']} / {match[c]['certified']}" if c in match else "—" for c in columns]
        lines.append([f"{objective}, decay {decay:g}", f"× {sharpen:g}", *cells])
    return _table(("loss", "gates", *(f"{value:g}" for value in columns)), lines)


def _moves(rows: list[dict[str, Any]]) -> str:
    """How many gates have not changed by a bit without decay, and how much the others, in percent."""
    sharp, lines = _values(rows, "sharpen"), []
    settings = {(row["precision"], row["objective"], row["rate"]) for row in rows}
    for precision, objective, rate in sorted(settings):
        of = {"precision": precision, "objective": objective, "rate": rate, "decay": 0.0}
        match = {row["sharpen"]: row for row in rows if all(row[name] == value for name, value in of.items())}
        cells = [
            f"{row['unmoved']} / {row['certified unmoved']} of {row['certified']} / {_change(row['moved'])}"
            for row in map(match.__getitem__, sharp)
        ]
        lines.append([f"{precision}, {objective}", f"{rate:g}", *cells])
    return _table(("loss", "rate", *(f"× {factor:g}" for factor in sharp)), lines)


def _change(moved: float | None) -> str:
    return "—" if moved is None else f"{100 * moved:.2g}"


def _states(rows: list[dict[str, Any]]) -> str:
    """A row for every network and beginning; the accuracies on longer words are those of other rows."""
    lines = []
    names = ("language", "cell", "hidden", "epochs", "carry_states", "state_noise")
    longer = {tuple(row[n] for n in names): row for row in rows if row["long"] != "52:100"}
    for row in sorted(
        (row for row in rows if row["long"] == "52:100"), key=lambda row: tuple(row[n] for n in names)
    ):
        beside = longer.get(tuple(row[n] for n in names), {})
        noise = f", noise {row['state_noise']:g}" if row["state_noise"] else ""
        beginning = _BEGINNINGS[row["carry_states"]] + noise
        network = f"{row['language']}, {row['cell'].upper()} with {row['hidden']}"
        accuracies = [
            _percent(own, name) for own in (row, beside) for name in ("long set", "crossing long set")
        ]
        wrong = f"> {row['looked']}" if row["wrong"] is None else f"{row['wrong']:.0f}"
        lines.append(
            [network, row["epochs"], beginning, row["runs"], *accuracies, wrong, f"{row['proved']:.0f}"]
        )
    lengths = ("52–100", "crossing", "200–400", "crossing")
    head = ("network", "epochs", "states", "runs", *lengths, "wrong at", "proved to")
    return _table(head, lines)


def _percent(row: dict[str, Any], name: str) -> str:
    return f"{row[name]:.1f}" if name in row else "—"


def figure(rows: list[dict[str, Any]]) -> bytes:
    """The share of networks that are proved on every word after the most epochs."""
    last = max(row["epochs"] for row in rows)
    kept = [row for row in rows if (row["epochs"], row["precision"]) == (last, "float32")]
    rates, sharp = _values(kept, "rate"), _values(kept, "sharpen")
    with style():
        drawn = Figure((TEXT_WIDTH, 2.1), layout="constrained")
        panels = drawn.subplots(1, 4, sharey=True)
        settings = product(_values(kept, "objective")[::-1], _values(kept, "decay"))
        for axes, (objective, decay) in zip(panels, settings, strict=True):
            shares = np.full((len(sharp), len(rates)), np.nan)
            for row in kept:
                if (row["objective"], row["decay"]) == (objective, decay):
                    place = sharp.index(row["sharpen"]), rates.index(row["rate"])
                    shares[place] = 100 * row["certified"] / row["runs"]
            image = axes.imshow(shares, vmin=0, vmax=100, cmap="cividis", origin="lower", aspect="auto")
            for (up, across), share in np.ndenumerate(shares):
                axes.text(
                    across, up, f"{share:.0f}", ha="center", va="center", color="w" if share < 60 else "k"
                )
            axes.grid(visible=False)
            axes.set_title(f"{objective}, decay {decay:g}")
            axes.set_xticks(range(len(rates)), [f"{rate:g}" for rate in rates], rotation=45)
            axes.set_yticks(range(len(sharp)), [f"× {factor:g}" for factor in sharp])
            axes.set_xlabel("learning rate")
        panels[0].set_ylabel("gates at the start")
        drawn.colorbar(image, ax=panels, label="proved on every word, %")
        out = BytesIO()
        drawn.savefig(out, format="svg", metadata={"Date": None})
    return out.getvalue()


def place(name: str) -> re.Pattern[str]:
    """Where a part stands in the page."""
    return re.compile(rf"<!-- {name} -->\n(.*?)\n<!-- end of {name} -->", re.DOTALL)


def write(folders: Sequence[Path]) -> None:
    """Summarise stores, if any are given, then write the page."""
    FOLDER.mkdir(exist_ok=True)
    for folder in folders:
        for name, rows in summaries(Results.of(Store(folder))).items():
            if rows:
                lines = ",\n".join(map(json.dumps, rows))
                (FOLDER / f"{name}.json").write_text(f"[\n{lines}\n]\n")
    if folders:
        FIGURE.write_bytes(figure(_read("minima")))
    text = PAGE.read_text()
    for name, part in parts().items():
        before, after = f"<!-- {name} -->\n", f"\n<!-- end of {name} -->"
        head, _, rest = text.partition(before)
        text = f"{head}{before}{part}{after}{rest.partition(after)[2]}"
    PAGE.write_text(text)


if __name__ == "__main__":
    write([Path(name) for name in sys.argv[1:]])
