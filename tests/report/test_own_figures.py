"""Figures of one's own runs: plain quantiles of the runs, and which of them appear when."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from matplotlib.axes import Axes
from matplotlib.collections import QuadMesh

from abacist.experiments import Results, Run, experiment_named
from abacist.report.figures import PICTURES, Picture, draw_picture, new_figure, store_pictures
from abacist.report.figures.catalogue import MOST_BY_DEFAULT
from abacist.report.figures.house_style import CELL_LOOKS
from abacist.report.figures.own import own_pictures
from abacist.report.figures.own.arrangement import MOST_LINES, MOST_ROWS, Arrangement, looks_of, set_scale
from abacist.report.own_runs import own_runs
from tests.experiments.cases import made_up, view, with_shares
from tests.report.own_cases import SETS, runs_for, spec_of, sweep, swept
from tests.report.report_cases import impossible, possible

RATES, UNITS, CELLS = [0.001, 0.01, 0.1], [1, 2, 4, 8], ["gru", "lstm"]


def made(results: Results) -> dict[str, Picture]:
    return possible(own_pictures(results))


def lines_of(axes: Axes, label: str) -> list[tuple[Any, Any]]:
    return [(line.get_xdata(), line.get_ydata()) for line in axes.lines if line.get_label() == label]


def shares(results: Results, judged_on: str, epoch: int | None = None, **where: Any) -> np.ndarray[Any, Any]:
    """The accuracies in percent of the runs whose specs have some values."""

    def has(run: Run, name: str, value: Any) -> bool:
        own = getattr(run.spec, name)
        return bool((own.name if name == "cell" else own) == value)

    found = [
        run.accuracy(judged_on, epoch)
        for run in results.runs
        if all(has(run, name, value) for name, value in where.items())
    ]
    return 100 * np.array([share for share in found if share is not None])


WHEN: list[tuple[dict[str, Sequence[Any]], dict[str, Any], list[str]]] = [
    ({"rate": RATES}, {}, ["own-glance", "own-curve-rate"]),
    ({"cell": CELLS}, {}, ["own-glance"]),
    ({"rate": [0.1]}, {}, ["own-glance"]),
    (
        {"rate": RATES, "hidden": UNITS},
        {},
        ["own-glance", "own-curve-rate", "own-map-rate-hidden", "own-curve-hidden"],
    ),
]


@pytest.mark.parametrize(("lists", "known", "expected"), WHEN, ids=lambda value: str(value)[:40])
def test_which_figures_appear_when(
    lists: dict[str, Sequence[Any]], known: dict[str, Any], expected: list[str]
) -> None:
    assert list(made(view(runs_for(swept(**lists), **known)))) == expected


def test_two_swept_numbers_have_a_map_and_a_curve_each_and_no_more_than_six_are_drawn() -> None:
    pictures = store_pictures(view(runs_for(swept(rate=RATES, hidden=UNITS, batch=[1, 2]), horizons=True)))
    assert len(pictures.shown) == MOST_BY_DEFAULT
    every = {picture.name for picture in (*pictures.shown, *pictures.further)}
    assert {"own-curve-rate", "own-curve-hidden", "own-curve-batch"} <= every
    assert sum(name.startswith("own-map-") for name in every) == 3
    assert pictures.shown[0].name == "own-glance"


def test_every_picture_says_what_to_see_and_how_to_make_it_again() -> None:
    for picture in made(view(runs_for(swept(rate=RATES, hidden=UNITS), horizons=True))).values():
        assert picture.caption.endswith(".")
        assert picture.command == f"abacist figures --results nowhere --only {picture.name}"


def test_a_curve_has_the_quantiles_of_the_runs_and_every_run_as_a_dot() -> None:
    results = sweep(runs=5, rate=RATES, cell=CELLS)
    axes = made(results)["own-curve-rate"].make().axes
    assert [own.get_title("left") for own in axes] == [f"{name} set" for name in SETS]
    for own, judged_on in zip(axes, SETS, strict=True):
        assert own.get_xscale() == "log"
        for cell, (x, y), (_, dots) in zip(
            CELLS, lines_of(own, "_median"), lines_of(own, "_runs"), strict=True
        ):
            found = [shares(results, judged_on, rate=rate, cell=cell) for rate in RATES]
            np.testing.assert_array_equal(x, RATES)
            np.testing.assert_allclose(y, [np.median(one) for one in found])
            np.testing.assert_allclose(dots, np.concatenate(found))
        for cell, band in zip(CELLS, own.collections, strict=True):
            edges = np.asarray(band.get_paths()[0].vertices)
            for rate in RATES:
                low, high = np.quantile(shares(results, judged_on, rate=rate, cell=cell), [0.25, 0.75])
                heights = edges[np.isclose(edges[:, 0], rate), 1]
                assert (heights.min(), heights.max()) == pytest.approx((low, high))


def test_further_settings_are_rows_or_are_taken_together_which_is_said() -> None:
    results = sweep(runs=2, rate=RATES, cell=CELLS, hidden=UNITS, batch=[1, 2, 3, 4, 5])
    picture = made(results)["own-curve-rate"]
    assert "Runs that differ only in batch are taken together." in picture.caption
    axes = picture.make().axes
    assert len(axes) == len(UNITS) * len(SETS)
    (_, middle), _ = lines_of(axes[0], "_median")
    expected = [np.median(shares(results, "training", rate=rate, cell="gru", hidden=1)) for rate in RATES]
    np.testing.assert_allclose(middle, expected)


def test_a_map_has_the_medians_and_grey_where_there_are_no_runs() -> None:
    specs = [spec for spec in swept(rate=RATES, hidden=UNITS) if (spec.rate, spec.hidden) != (0.1, 8)]
    results = view(runs_for(specs, 5))
    (name,) = [name for name in made(results) if name.startswith("own-map")]
    axes = made(results)[name].make().axes[0]
    across, up = (RATES, UNITS) if name == "own-map-rate-hidden" else (UNITS, RATES)
    (mesh,) = [one for one in axes.collections if isinstance(one, QuadMesh)]
    values: Any = np.ma.asarray(mesh.get_array()).reshape(len(up), len(across))
    for row, y in enumerate(up):
        for column, x in enumerate(across):
            rate, hidden = (x, y) if across == RATES else (y, x)
            found = shares(results, "long", rate=rate, hidden=hidden)
            if len(found):
                assert values[row, column] == pytest.approx(np.median(found))
            else:
                assert np.ma.getmaskarray(values)[row, column]


def test_at_a_glance_every_group_has_its_runs_and_its_median() -> None:
    results = sweep(runs=5, rate=RATES, cell=CELLS)
    above, below = made(results)["own-glance"].make().axes
    labels = [label.get_text() for label in above.get_yticklabels()]
    assert labels == [f"{cell.upper()}, rate {rate:g}" for cell in CELLS for rate in RATES]
    medians = [np.median(shares(results, "long", cell=cell, rate=rate)) for cell in CELLS for rate in RATES]
    np.testing.assert_allclose([float(x[0]) for x, _ in lines_of(above, "_median")], medians)
    weights = own_runs(results).weights
    assert [bar.get_width() for bar in below.patches] == pytest.approx(  # type: ignore[attr-defined]
        sorted((100 * weight for weight in weights.values()), reverse=True)
    )


def test_what_is_too_much_for_a_glance_is_taken_together_and_what_is_left_out_is_said() -> None:
    many = sweep(runs=1, rate=[0.001 * n for n in range(1, 30)], hidden=UNITS)
    picture = made(many)["own-glance"]
    assert "share a row" in picture.caption
    languages = [f"dyck-{n}" for n in range(1, 13)]
    results = sweep(runs=1, language=languages, rate=RATES)
    caption = made(results)["own-curve-rate"].caption
    left_out = f"{', '.join(languages[MOST_LINES:-1])} and {languages[-1]}"
    assert f"Left out for want of room: language {left_out}." in caption
    assert "own-glance" in made(results)


def test_no_arrangement_has_more_lines_and_rows_than_there_is_room_for() -> None:
    results = sweep(runs=1, cell=CELLS, language=[f"dyck-{n}" for n in range(1, 8)], hidden=UNITS, rate=RATES)
    arranged = Arrangement.of(own_runs(results), ["rate"])
    assert (arranged.line, arranged.row) == ("cell", "language")
    assert len(arranged.rows) == MOST_ROWS
    assert arranged.note == (
        " Runs that differ only in hidden are taken together. "
        "Left out for want of room: language dyck-5, dyck-6 and dyck-7."
    )


def test_lines_are_told_apart_by_colour_and_marker_and_cells_look_as_everywhere() -> None:
    looks = looks_of("cell", ("rnn", "gru", "lstm", "mine", "yours"))
    assert all(looks[cell] == look for cell, look in CELL_LOOKS.items() if cell in looks)
    assert len({look[:2] for look in looks.values()}) == 5
    others = looks_of("batch", tuple(range(MOST_LINES)))
    assert (
        len({look[0] for look in others.values()}) == len({look[1] for look in others.values()}) == MOST_LINES
    )


@pytest.mark.parametrize(
    ("values", "kind"),
    [
        ([1], "linear"),
        ([1, 2, 3, 4], "linear"),
        ([1, 2, 4, 8], "log"),
        ([0.0003, 0.001, 0.003, 0.01], "log"),
        ([1, 3], "linear"),
        ([0.001, 0.01], "log"),
        ([0, 1, 2], "linear"),
        ([0, 1e-4, 1e-3, 1e-2], "symlog"),
        ([10, 20, 40], "log"),
    ],
)
def test_values_stand_by_size_or_by_logarithm(values: list[float], kind: str) -> None:
    axes = set_scale(new_figure().subplots(), reversed(values))
    assert axes.get_xscale() == kind
    assert axes.get_xticks().tolist() == values


def test_of_numbers_drawn_at_random_neighbours_are_gathered() -> None:
    rng = np.random.default_rng(0)
    rates = np.sort(10 ** rng.uniform(-4, -1, 80))
    results = view(runs_for([spec_of(rate=float(rate)) for rate in rates], 1))
    picture = made(results)["own-curve-rate"]
    assert "Neighbouring values are gathered" in picture.caption
    axes = picture.make().axes[2]
    ((x, y),) = lines_of(axes, "_median")
    np.testing.assert_allclose(x, np.median(rates.reshape(8, 10), axis=1))
    percents = np.concatenate([shares(results, "long", rate=rate) for rate in rates])
    np.testing.assert_allclose(y, np.median(percents.reshape(8, 10), axis=1))
    ((_, dots),) = lines_of(axes, "_runs")
    assert len(dots) == 80
    assert "own-glance" not in made(results)


def test_a_number_that_goes_with_the_language_has_no_curve() -> None:
    specs = [spec_of(language=f"dyck-{n}", hidden=n) for n in (1, 2, 3)]
    why = impossible(own_pictures(view(runs_for(specs))))
    assert "own-curve-hidden: hidden does not vary among runs that could be compared" in why


def test_why_a_figure_is_missing_is_one_sentence() -> None:
    runs = [made_up(spec_of(rate=rate), 0, {}, losses=()) for rate in (0.1, 0.2)]
    why = impossible(own_pictures(view(runs)))
    assert [line.partition(":")[0] for line in why] == ["own-glance", "own-curve-rate"]
    assert all("\n" not in line for line in why)
    pictures = store_pictures(view(runs))
    assert (pictures.shown, pictures.impossible) == ((), tuple(why))
    assert own_pictures(view([])) == {}


def test_the_paper_s_figures_are_where_its_experiments_are() -> None:
    own, table_3 = runs_for(swept(rate=RATES)), experiment_named("table-3").tasks
    alone = store_pictures(view(own))
    assert all(picture.name.startswith("own-") for picture in alone.shown)
    assert alone.impossible == ()
    theirs = [run for task in table_3 for run in with_shares(task.spec, [0.5] * 2, SETS)]
    both = store_pictures(view([*own, *theirs]))
    assert [picture.name for picture in both.shown][:2] == ["own-glance", "own-curve-rate"]
    assert "table-3-runs" in {picture.name for picture in both.shown}
    assert both.impossible == ()  # nobody asked for the other experiments
    empty = store_pictures(view([]))
    missed = {line.partition(":")[0] for line in empty.impossible}
    assert missed == set(PICTURES) - {"shuffle-6-corpora", "zoo"}


def test_the_same_runs_give_the_same_bytes_in_whatever_order() -> None:
    runs = runs_for(swept(rate=RATES[:2], hidden=UNITS[:2]), 2, horizons=True)
    drawn = [draw_picture(made(view(order))["own-curve-rate"], ("svg",)) for order in (runs, runs[::-1])]
    assert drawn[0] == drawn[1]
    assert isinstance(drawn[0], list)
