"""Made-up stores and pictures for the report, and pages taken apart again."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from xml.etree.ElementTree import Element

import html5lib  # type: ignore[import-untyped, unused-ignore]
import numpy as np
import pytest
from matplotlib.figure import Figure

from abacist.experiments import KnownHorizon, Results, Store, catalogue, experiment_named
from abacist.report.figures import Picture, Pictures, new_figure
from abacist.report.figures.picture import MissingRuns
from abacist.report.html import Written, report, write_report
from tests.experiments.cases import made_up, made_up_horizons


def fill(store: Store, *names: str, runs: int = 10) -> None:
    """Make up all runs of some experiments, with accuracies and horizons at random."""
    rng, for_horizons = np.random.default_rng(7), np.random.default_rng(8)
    known: dict[tuple[Any, int], dict[str, dict[str, float]]] = {}
    horizons: dict[tuple[Any, int], tuple[KnownHorizon, ...]] = {}
    for task in (task for name in names for task in experiment_named(name, runs=runs).tasks):
        for seed in task.seeds:
            accuracy = known.setdefault((task.spec, seed), {})
            for name, epoch in sorted(task.wanted()):
                accuracy.setdefault(name, {})[str(epoch)] = round(float(rng.random()), 4)
            if task.horizons:
                horizons[task.spec, seed] = made_up_horizons(task.horizons, for_horizons)
    versions: dict[str, Any] = {
        "versions": {"abacist": "0.0.7", "python": "3.99.1"},
        "begun": 1_700_000_000.0,
    }
    store.put(
        made_up(*run, accuracy, horizons=horizons.get(run, ()), **versions) for run, accuracy in known.items()
    )


@contextmanager
def filled(folder: Path, *names: str, runs: int = 10) -> Iterator[Store]:
    """A store with made-up runs of some experiments, or of all."""
    with Store(folder) as store:
        fill(store, *(names or catalogue()), runs=runs)
        yield store


def possible(pictures: Mapping[str, Picture | MissingRuns]) -> dict[str, Picture]:
    """The pictures that can be made."""
    return {name: one for name, one in pictures.items() if isinstance(one, Picture)}


def impossible(pictures: Mapping[str, Picture | MissingRuns]) -> list[str]:
    """Why the others cannot be."""
    return [str(one) for one in pictures.values() if isinstance(one, MissingRuns)]


def _line(points: int) -> Figure:
    figure = new_figure()
    axes = figure.add_subplot()
    axes.plot(np.sin(np.arange(points) ** 2.0), marker="o", label="f⟨x⟩")
    axes.fill_between([0, 1], 0.5, hatch="/")
    axes.legend()
    return figure


def stand_ins(results: Results) -> Pictures:
    """Two drawings of the same kind, an image that is too large for one, and one that cannot be made."""
    pictures = (
        Picture(
            name,
            f'Title of {name} & "more"',
            f"See in <{name}> what goes up.",
            f"abacist figures --only {name}",
            lambda n=n: _line(n),  # type: ignore[misc]
        )
        for name, n in (("first", 10), ("second", 12), ("large", 9_000))
    )
    sentence = f"third: {results.folder} holds no runs; `abacist run third` makes them"
    return Pictures(tuple(pictures), impossible=(sentence,))


def without_pictures(_: Results) -> Pictures:
    """No figures: they take longest."""
    return Pictures(())


def write_with(pictures: Callable[[Results], Pictures], results: Results, path: Path) -> Written:
    """Write the report of a store with other figures."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(report, "store_pictures", pictures)
        return write_report(results, path)


@dataclass(frozen=True)
class Page:
    """A page taken apart: its text, and its elements after strict parsing."""

    text: str
    root: Element

    @classmethod
    def of(cls, path: Path) -> Page:
        text = path.read_bytes().decode()
        root = html5lib.HTMLParser(strict=True, namespaceHTMLElements=False).parse(text)
        return cls(text, root)

    def all(self, *names: str) -> list[Element]:
        return [element for element in self.root.iter() if element.tag in names]

    def by_id(self, name: str) -> Element:
        (found,) = [element for element in self.root.iter() if element.get("id") == name]
        return found

    def said(self, name: str = "") -> str:
        """All that a reader reads in an element, blanks as one."""
        return said(self.by_id(name) if name else self.root)

    def commands(self) -> list[str]:
        return [said(element) for element in self.all("code")]

    def headings(self, table: str) -> list[str]:
        """The headings of a table's columns, each after the heading of its group."""
        upper, *lower = [list(row) for head in self.by_id(table).iter("thead") for row in head]
        below = iter([said(cell) for row in lower for cell in row])
        found = []
        for cell in upper:
            own = said(cell)
            grouped = cell.get("scope") == "colgroup"
            found += (
                [f"{own} {next(below)}" for _ in range(int(cell.get("colspan", "1")))] if grouped else [own]
            )
        assert next(below, None) is None
        return found

    def cells(self, table: str) -> list[list[str]]:
        """The cells of a table's body as a full grid, those that span rows written out again."""
        grid: list[list[str]] = []
        below: dict[int, tuple[int, str]] = {}
        columns = sum(int(group.get("span", "1")) for group in self.by_id(table).iter("colgroup"))
        for row in (row for body in self.by_id(table).iter("tbody") for row in body):
            cells, line = iter(list(row)), []
            for column in range(columns):
                left, text = below.pop(column, (0, ""))
                if not left:
                    cell = next(cells)
                    left, text = int(cell.get("rowspan", "1")), said(cell)
                if left > 1:
                    below[column] = (left - 1, text)
                line.append(text)
            assert next(cells, None) is None
            grid.append(line)
        assert below == {}
        return grid


def said(element: Element) -> str:
    return " ".join("".join(element.itertext()).split())
