"""Give each cell of an experiment the learning rate and the loss that did best for it with other seeds:

    abacist run zoo-tuning --results results-zoo
    python examples/tune.py zoo.toml --results results-zoo

The best settings of `zoo-tuning` for a cell, a language and a kind of words are those whose networks have the
longest shortest wrong word in the median; of equal ones, those with the higher mean accuracy on the long set.
The lines before the first task of a file stay; so do settings of cells that were not tuned.
"""

from __future__ import annotations

import argparse
import json
import tomllib
from itertools import groupby
from pathlib import Path
from typing import Any

import numpy as np

from abacist.experiments import Results, Run, Store, experiment_named

#: Cell, language, and whether words are uniform.
Choice = dict[tuple[str, str, bool], tuple[float, str]]


def score(runs: list[Run]) -> tuple[float, float]:
    """The median length of the shortest wrong word, and the mean accuracy on the long set."""
    found = [(run.outcome.diverged, run.outcome.horizon(), run.accuracy("long") or 0.0) for run in runs]
    lengths = [
        0 if diverged is not None or h is None else len(h.wrong) if h.wrong else h.looked + 1
        for diverged, h, _ in found
    ]
    return float(np.median(lengths)), float(np.mean([share for *_, share in found]))


def choices(results: Results) -> Choice:
    """The best settings of every cell on every language."""
    best: dict[tuple[str, str, bool], tuple[Any, tuple[float, str]]] = {}
    for task in experiment_named("zoo-tuning").tasks:
        spec = task.spec
        key = spec.cell.name, spec.language.name, spec.source is not None
        if (runs := results.complete(task)) and (key not in best or score(runs) > best[key][0]):
            best[key] = score(runs), (spec.rate, spec.objective)
    return {key: setting for key, (_, setting) in best.items()}


def written(value: Any) -> str:
    """A value as TOML has it, a list of texts with a line for each."""
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{name} = {written(one)}" for name, one in value.items()) + " }"
    if isinstance(value, list) and isinstance(value[0], str):
        return "[\n" + "".join(f"  {json.dumps(one)},\n" for one in value) + "]"
    return json.dumps(value, ensure_ascii=False)


def tuned(text: str, chosen: Choice) -> str:
    """An experiment's file whose cells have the chosen settings."""
    head, values, tables = text.partition("[[task]]")[0], tomllib.loads(text), []
    for table in values["task"]:
        whole = values | table
        listed = {name: [v] if isinstance(v := whole[name], str) else v for name in ("language", "cell")}
        for language in listed["language"]:
            keys = [(cell, language, whole.get("uniform", False)) for cell in listed["cell"]]
            for setting, alike in groupby(keys, chosen.get):
                more = dict(zip(("rate", "objective"), setting, strict=True)) if setting else {}
                tables.append(table | {"language": language, "cell": [cell for cell, *_ in alike]} | more)
    lines = ("".join(f"{name} = {written(value)}\n" for name, value in table.items()) for table in tables)
    return head.rstrip() + "\n\n" + "\n".join(f"[[task]]\n{line}" for line in lines)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("files", nargs="+", type=Path)
    parser.add_argument("--results", type=Path, default=Path("results"))
    options = parser.parse_args()
    with Store(options.results) as store:
        chosen = choices(Results.of(store))
    for file in options.files:
        file.write_text(tuned(file.read_text(), chosen))
