"""Runs whose horizons differ, and what `abacist horizon` prints of them."""

from __future__ import annotations

import json
from dataclasses import replace
from functools import cache
from typing import Any

from abacist.analysis import Horizon, Search, horizon
from abacist.cells import cell_named
from abacist.experiments import Run
from abacist.languages import language_named
from abacist.specs import Networks
from tests.analysis.horizons.badly_trained import badly_trained
from tests.cli.command import inside
from tests.experiments.cases import made_up, small

SEARCH = Search(20, 16)
FEW = ("--max-length", "20", "--boxes", "16")


@cache
def runs() -> tuple[Run, ...]:
    """Networks of two shapes that get some words right; trained when a test first asks for them."""
    found: list[Run] = []
    for cell, hidden in (("lstm", 1), ("gru", 2)):
        spec = replace(small(), cell=cell_named(cell), hidden=hidden)
        rows = badly_trained(cell, hidden, "dyck-1").parameters
        found += [
            replace(made_up(spec, seed, {"long": {"3": seed / 4}}), kept=rows[7 * seed]) for seed in (0, 1, 2)
        ]
    return tuple(found)


def printed(*arguments: str) -> Any:
    code, output, errors = inside("horizon", *arguments, *FEW, "--json")
    assert code == 0, errors
    return json.loads(output)


def truth(networks: Networks, search: Search = SEARCH, steps: str = "all") -> Horizon:
    return horizon(networks, 0, language_named("dyck-1"), search, steps=steps)


def agrees(row: dict[str, Any], found: Horizon) -> bool:
    """Whether a printed row is a horizon; its word is written so that it can be read again."""
    assert (row["proved"], row["closed"]) == (found.proved_in(language_named(row["language"])), found.closed)
    if found.wrong is None:
        return row["wrong"] is None
    alphabet, wrong = language_named("dyck-1").alphabet, row["wrong"]
    assert alphabet.parse(wrong["word"]) == found.wrong.word
    assert (wrong["length"], wrong["step"]) == (len(found.wrong), found.wrong.step)
    for name, symbols in (("predicted", found.wrong.predicted), ("right", found.wrong.right)):
        assert wrong[name] == [alphabet.glyphs[symbol] for symbol in symbols]
    return True
