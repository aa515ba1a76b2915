"""The texts of an axis differ from each other and say what they stand for, whatever its range."""

from __future__ import annotations

import json
import re
import subprocess
from pathlib import Path

import pytest

import abacist.report.page
from tests.requirements import program

SOURCE = Path(abacist.report.page.__file__).parent / "sources" / "charts.js"

#: The first mark of an axis, and the distance to the next.
AXES = [
    (0.998, 0.0002),
    (-2e-4, 1e-4),
    (0, 0.25),
    (-1, 0.5),
    (-40, 20),
    (0, 1),
    (995, 0.5),
    (-3e7, 1e7),
    (-1e-17, 0.5),
]


@pytest.fixture(scope="module")
def texts() -> list[list[str]]:
    function = re.search(
        r"^export (function tickTexts\(.*?^\})", SOURCE.read_text(), re.DOTALL | re.MULTILINE
    )
    assert function is not None
    ticks = [[first + n * step for n in range(5)] for first, step in AXES]
    asked = f"{json.dumps(ticks)}.map((ticks) => tickTexts(ticks, ticks[1] - ticks[0]))"
    script = f"{function[1]}\nconsole.log(JSON.stringify({asked}))"
    done = subprocess.run([program("node"), "-e", script], capture_output=True, text=True, check=True)
    found: list[list[str]] = json.loads(done.stdout)
    return found


def test_marks_are_told_apart_and_are_numbers_at_their_places(texts: list[list[str]]) -> None:
    for (first, step), marks in zip(AXES, texts, strict=True):
        assert len(set(marks)) == 5, marks
        for n, mark in enumerate(marks):
            assert abs(float(mark) - (first + n * step)) < step / 10
            assert not re.fullmatch(r"-0(\.0*)?", mark)
