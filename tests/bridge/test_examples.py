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
    for name in ("lstm", r"outside:transformer \(epochs 20, layers 1, width 16\)"):
        row = re.search(rf"\| {name} \| 1 \| (\S+) \| (\S+) \| (\S+) \|", printed)
        assert row is not None
        assert all(float(accuracy) > 90 for accuracy in row.groups())  # it learns, small as it is
    with Store(tmp_path, reading=True) as store:
        results = Results.of(store)
    sets = {one.spec.outside: set(one.outcome.accuracy) - {"stress to 20"} for one in results.runs}
    assert sets[True] == sets[False]


@pytest.mark.parametrize("name", ["coupled.py", "sums.py"])
def test_a_plugin_as_a_script_says_what_it_does_and_how_to_use_it(name: str) -> None:
    *outcome, command = ran(str(EXAMPLES / name)).splitlines()
    assert any(re.search(r"\d", line) for line in outcome)
    assert command.startswith("abacist ")
