"""How many states of the refuter's budget to keep for decisions that are nearly wrong: a comparison.

`python -m tests.analysis.horizons.refuter_shares BUDGET [RUNS]` trains RUNS networks, 40, of each of six
kinds, and says for several second searches how many wrong words are shorter than those of the first.
"""

from __future__ import annotations

import sys
import time
from typing import Any

import abacist as ab
from abacist.analysis.horizons.configurations import Configurations
from abacist.analysis.horizons.exploration import influences
from abacist.analysis.horizons.refuter import find_wrong

KINDS = [
    ("dyck-1", "lstm", 1),
    ("dyck-1", "lstm", 3),
    *(("shuffle-2", cell, hidden) for cell in ("lstm", "gru") for hidden in (2, 4)),
]

#: Budgets, as multiples of the first search's, and the share for states near a wrong decision.
SEARCHES = {
    "first": (1, 0.0),
    "1/4": (1, 0.25),
    "1/2": (1, 0.5),
    "3/4": (1, 0.75),
    "twice the budget": (2, 0.0),
}

LIMIT = 201


def main(budget: int, count: int) -> None:
    lengths: dict[str, list[int]] = {name: [] for name in SEARCHES}
    seconds = dict.fromkeys(SEARCHES, 0.0)
    for language, cell, hidden in KINDS:
        runs = ab.train(language, cell, hidden=hidden, epochs=10, runs=count, progress=False)
        configurations = Configurations(ab.language(language))
        for run in runs:
            effort: dict[str, Any] = {"influence": influences(run.networks, 0, configurations)}
            limit = LIMIT
            for name, (factor, share) in SEARCHES.items():
                effort |= {"budget": factor * budget, "nearest": share, "max_boxes": 50_000, "limit": limit}
                begun = time.process_time()
                found, _ = find_wrong(run.networks, 0, configurations, **effort)
                seconds[name] += time.process_time() - begun
                lengths[name].append(len(found[0]) if found else limit)
                if name == "first":
                    limit = lengths[name][-1]
        best = [min(of_run) for of_run in zip(*lengths.values(), strict=True)]
        print(f"{len(best)} networks, the last of them {cell} {hidden} on {language}, budget {budget}:")
        for name, of_search in lengths.items():
            shorter = sum(a < b for a, b in zip(of_search, lengths["first"], strict=True))
            missed = sum(a > b for a, b in zip(of_search, best, strict=True))
            print(
                f"  {name}: {shorter} shorter, {missed} not the shortest, {seconds[name]:.1f} s", flush=True
            )


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 40)
