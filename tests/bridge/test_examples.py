"""The examples of the bridge run, at their small size."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from abacist.experiments import Results, Store
from tests.requirements import need

pytestmark = pytest.mark.thorough

EXAMPLES = Path(__file__).parents[2] / "examples"


def ran(*arguments: str) -> str:
    done = subprocess.run([sys.executable, *arguments], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_the_transformer_stands_beside_the_lstm(tmp_path: Path) -> None:
    need("torch")
    printed = ran(str(EXAMPLES / "transformer.py"), "--small", "--results", str(tmp_path))
    assert re.search(r"\| lstm \| 1 \|", printed)
    assert re.search(r"\| outside:transformer \(epochs 2, layers 1, width 8\) \| 1 \|", printed)
    with Store(tmp_path, reading=True) as store:
        results = Results.of(store)
    sets = {one.spec.outside: set(one.outcome.accuracy) - {"stress to 20"} for one in results.runs}
    assert sets[True] == sets[False]


def test_an_automaton_is_extracted() -> None:
    need("aalpy")
    printed = ran(str(EXAMPLES / "extraction.py"))
    states = [int(count) for count in re.findall(r"symbols: (\d+) states", printed)]
    assert states == sorted(states)
    assert len(re.findall(r"^s\d+: ", printed, re.MULTILINE)) == states[-1]
