"""The figures of horizons: every network is drawn, where its bracket is."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from abacist.analysis import Horizon, Refutation, Search
from abacist.experiments import HorizonAim, KnownHorizon, Run, experiment_named
from abacist.report.figures import new_figure, pictures
from abacist.report.figures.horizon_pictures import draw_brackets, draw_saturation
from tests.experiments.cases import made_up, made_up_horizons, view
from tests.report.report_cases import possible


def wrong_at(length: int) -> Refutation:
    return Refutation((0, 1) * (length // 2), 1, (), (0,))


KNOWN = [
    (100.0, Horizon(41, wrong_at(46), Search(200), 64)),
    (100.0, Horizon(0, wrong_at(2), Search(200), 64)),
    (55.5, Horizon(120, None, Search(200), 64, looked=200)),
    (0.0, Horizon(200, None, Search(200), 64, looked=200)),
]


def labelled(axes: Any, label: str) -> list[Any]:
    return [line for line in axes.lines if line.get_label() == label]


def test_each_bar_goes_from_proved_to_wrong() -> None:
    axes = draw_brackets(new_figure().add_subplot(), {("lstm", 1): KNOWN})
    bars = sorted(tuple(bar.get_xdata()) for bar in labelled(axes, "_bracket"))
    assert bars == [(1, 2), (41, 46), (120, 200), (200, 200)]
    ends = {float(mark.get_xdata()[0]): mark.get_marker() for mark in labelled(axes, "_wrong")}
    assert set(ends) == {2, 46, 200}
    assert ends[2] == ends[46] != ends[200]  # no wrong word is known of that
    heights = [float(bar.get_ydata()[0]) for bar in labelled(axes, "_bracket")]
    assert len(set(heights)) == len(heights)  # none hides another
    assert sorted(heights) == pytest.approx(sorted([100, 100, 55.5, 0]), abs=2.5)


def test_one_network_stands_at_its_own_accuracy() -> None:
    axes = draw_brackets(new_figure().add_subplot(), {("gru", 3): KNOWN[2:3]})
    (bar,) = labelled(axes, "_bracket")
    assert list(bar.get_ydata()) == [55.5, 55.5]


@pytest.mark.parametrize("to", [200, 5_000])
def test_no_bar_leaves_the_axes(to: int) -> None:
    """Whoever looks further than the experiment sees it in the figure."""
    known = [
        *KNOWN,
        (50.0, Horizon(150, wrong_at(to - 10), Search(to), 64)),
        (1.0, Horizon(7, None, Search(to), 1, looked=to)),
    ]
    axes = draw_brackets(new_figure().add_subplot(), {("rnn", 2): known})
    low, high = axes.get_xlim()
    across = np.concatenate([np.asarray(line.get_xdata()) for line in axes.lines])
    assert (low <= across).all()
    assert (across <= high).all()
    assert high == 1.25 * to  # room for the last arrow
    assert max(axes.get_xticks()) == to
    if to == 200:
        assert (low, high, axes.get_xticks().tolist()) == (1, 250, [1, 2, 5, 10, 20, 50, 100, 200])


def test_marks_are_full_where_no_wrong_word_is_known() -> None:
    networks = [
        [KnownHorizon(1.0, KNOWN[0][1], False), KnownHorizon(4.0, KNOWN[3][1], True)],
        [KnownHorizon(1.0, KNOWN[1][1]), KnownHorizon(4.0, KNOWN[2][1], False)],
    ]
    axes = draw_saturation(new_figure().add_subplot(), networks)
    marks = labelled(axes, "_proved")
    assert [float(mark.get_ydata()[0]) for mark in marks] == [41, 400, 1, 120]  # 400 is above all lengths
    assert [mark.get_markerfacecolor() == "white" for mark in marks] == [True, False, True, False]
    assert axes.get_yticklabels()[-1].get_text() == "every word"
    assert axes.get_xticks().tolist() == [1, 4]


def made() -> list[Run]:
    rng, runs = np.random.default_rng(0), []
    for task in experiment_named("counting").tasks:
        for seed in range(2):
            known = made_up_horizons(task.horizons, rng)
            accuracy = {"long": {str(task.spec.epochs): float(rng.random())}}
            runs.append(made_up(task.spec, seed, accuracy, horizons=known))
    return runs


def test_every_network_of_the_experiment_is_drawn() -> None:
    runs = made()
    drawn = possible(pictures(view(runs)))
    assert drawn["horizons"].caption.endswith(f" {len(runs)} networks.")
    panels = drawn["horizons"].make().axes
    languages = dict.fromkeys(run.spec.language.name for run in runs)
    shown = [axes for axes in panels if axes.get_visible()]
    assert len(shown) == len(languages)
    for axes, name in zip(shown, languages, strict=True):
        expected = sum(run.spec.language.name == name for run in runs)
        assert len(labelled(axes, "_bracket")) == expected
    sharpened = [run for run in runs if len(run.outcome.horizons) > 1]
    lines = [line for axes in drawn["saturation"].make().axes for line in labelled(axes, "_network")]
    assert len(lines) == len(sharpened)
    for line, run in zip(lines, sharpened, strict=True):
        proved = [400 if own.every_word else max(own.horizon.proved, 1) for own in run.outcome.horizons]
        assert list(line.get_ydata()) == proved


def test_runs_without_horizons_are_not_drawn() -> None:
    runs = [made_up(run.spec, run.seed, {"long": {"20": 0.5}}) for run in made()]
    assert not {"horizons", "saturation"} & set(possible(pictures(view(runs))))
    aim = HorizonAim(Search(200))
    one = made_up(runs[0].spec, 9, {"long": {"20": 0.5}}, horizons=made_up_horizons([aim]))
    assert "horizons" in possible(pictures(view([*runs, one])))
