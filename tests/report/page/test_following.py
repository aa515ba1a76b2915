"""What the page shows of a network on a string is what Python says of both, in the language or not."""

from __future__ import annotations

import re

import numpy as np
import pytest

from abacist.analysis import TraceReading, follow
from abacist.report.page import PageNetwork
from tests.report.page.visits import Visit, in_single
from tests.requirements import need

pytestmark = [pytest.mark.thorough, need("browser")]

#: Words, beginnings of words, and strings that leave the language at once, in the middle and at the end.
STRINGS = {
    "dyck-1": ("(()(()))()", "((((((", ")(", "(()))()", "()" * 8),
    "shuffle-2": ("([)]()[]", "[[((", "]()", "([)]])("),
    "dyck-2": ("()[[]()]", "[[((", "([)]", "[])()"),
    "anbn": ("aabb", "aaaab", "ba", "aabba"),
}


def test_every_network_is_shown_on_every_string_as_python_follows_it(
    visit: Visit, networks: list[PageNetwork]
) -> None:
    wrong = outside = 0
    for own in networks:
        for text in STRINGS[own.language.name]:
            visit.go(network=own.key, word=text)
            reading = follow(in_single(own.networks), 0, own.language, text)
            _check_curves(visit, reading)
            _check_steps(visit, reading)
            wrong += int(reading.wrong.sum())
            outside += len(text) - reading.inside
    assert wrong > 20
    assert outside > 20


def _check_curves(visit: Visit, reading: TraceReading) -> None:
    inside = reading.inside
    depths, values = visit.values(reading.language)
    assert depths[:inside].tolist() == reading.depths[:inside].tolist()
    assert set(values) == set(reading.trace.values)
    for name, drawn in values.items():
        np.testing.assert_allclose(drawn, reading.values(name), rtol=1e-6, atol=1e-6)


def _check_steps(visit: Visit, reading: TraceReading) -> None:
    inside = reading.inside
    for time, shown in enumerate(visit.steps()):
        assert shown.predicted == reading.predicted[time].tolist()
        np.testing.assert_allclose(shown.scores, reading.values("y")[time], rtol=0, atol=5.1e-4)
        if time < inside:
            assert shown.allowed == reading.targets[time].tolist()
            assert shown.verdict == ("fails" if reading.wrong[time] else "")
            assert shown.wrong == (reading.predicted[time] != reading.targets[time]).tolist()
        else:
            assert (shown.allowed, shown.verdict) == (None, "open")
            assert not any(shown.wrong)
    assert visit.verdict == ("fails" if reading.wrong.any() else "holds" if inside else "open")
    if reading.wrong.any():
        first = reading.wrong.argmax() + 1
        said = f"✗ Wrong at {reading.wrong.sum()} of {inside} steps?, first after {first} symbols?"
        assert re.match(said, visit.text("verdict"))
    assert [glyph for glyph, _ in visit.tiles] == reading.glyphs
    assert ["wrong" in look for _, look in visit.tiles] == reading.wrong.tolist()
    outside = [time >= inside for time in range(len(reading))]
    assert ["outside" in look for _, look in visit.tiles] == outside


@pytest.mark.parametrize("text", ["(()())", "())("])
def test_values_are_read_by_pointing_at_the_curves(
    visit: Visit, networks: list[PageNetwork], text: str
) -> None:
    own = networks[0]
    visit.go(network=own.key, word=text)
    reading = follow(in_single(own.networks), 0, own.language, text)
    area = visit.page.locator("#states .u-over")
    box = area.bounding_box()
    assert box is not None
    area.hover(position={"x": box["width"] * 3 / len(text), "y": box["height"] / 2})
    name = visit.value("values")
    expected = [f"{value:.3f}" for value in reading.values(name)[2]]
    legend = visit.page.locator("#states .u-legend .u-value").all_inner_texts()
    assert legend[0] == "3"
    assert legend[-len(expected) :] == expected
