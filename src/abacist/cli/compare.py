"""`abacist compare`: whether settings differ, by how much, and how sure that is."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from abacist.cli.options import (
    FigureOption,
    FormOption,
    StoreOption,
    WhereOption,
    draw,
    open_results,
    separated,
)
from abacist.cli.screen import working
from abacist.cli.tables import show_table
from abacist.experiments.comparison import compare as compare_runs
from abacist.fields import Choice, Field, Range
from abacist.on_demand import on_demand
from abacist.wording import plural

#: Imported when there is something to show: it draws figures, too.
_report = on_demand("abacist.report.comparison")


def compare(
    results: StoreOption = Path("results"),
    by: Annotated[str, "The setting in which the compared runs differ."] = "cell",
    paired: Annotated[str, Field("What two compared runs have in common.", Choice(("seed",)))] = "seed",
    against: Annotated[str | None, "Only differences other − this value of --by.", "all pairs"] = None,
    where: WhereOption = None,
    measure: Annotated[
        list[str] | None,
        "Only these measures, with commas between them: sets of words, horizon, certified, epochs.",
        "all but the training set",
    ] = None,
    level: Annotated[float, "The level of intervals and verdicts.", Range(above=0, below=1)] = 0.95,
    sentences: Annotated[bool, "Print a sentence for each difference instead of a table."] = False,
    form: FormOption = "text",
    figure: FigureOption = None,
) -> None:
    """Compare settings in pairs, seed by seed: median differences, exact intervals, permutation tests.

    Runs are compared that differ only in --by. Each pair of values gets the median of the paired
    differences with an exact confidence interval, the probability that the first is larger, and a p-value
    that is adjusted for all differences (Holm), which are fewer with --against. The shortest wrong word
    of a network that has none is longer than all that is proved.

    Example: abacist compare --by cell --where language=dyck-1 --where hidden=3 --figure differences.png
    """
    with working("comparing"):
        comparison = compare_runs(
            open_results(results),
            by,
            against=against,
            where=where or [],
            measures=separated(measure),
            level=level,
        )
    if sentences:
        print("\n".join(_report.sentences(comparison)))
    else:
        show_table(_report.comparison_table(comparison), form)
    if figure is not None:
        drawn = plural(len(comparison.differences), "difference")
        draw(_report.comparison_figure(comparison), figure, f"{drawn} ")
