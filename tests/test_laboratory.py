"""`import abacist as ab`: texts where other modules take objects, and mistakes answered in one sentence."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import abacist as ab
from abacist.bridge import network_of, usual_length
from abacist.cells import cell_named
from abacist.corpora import Window
from abacist.errors import AbacistError
from abacist.experiments import Results, frame
from abacist.specs import Networks
from abacist.specs.files import save_network

TINY: dict[str, Any] = {"hidden": 2, "epochs": 2, "train_words": 60, "test_words": 20, "progress": False}


@pytest.fixture(scope="module")
def trained() -> Results:
    return ab.train("dyck-1", "rnn", runs=3, train_lengths="2:12", long_lengths="14:20", **TINY)


def test_its_names_are_those_it_promises_and_cost_nothing_until_used() -> None:
    code = (
        "import sys, abacist; print('numpy' in sys.modules, abacist.train.__name__, 'numpy' in sys.modules)"
    )
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert said == "False train True\n"
    assert {"train", "compare", "Spec"} <= set(dir(ab))
    with pytest.raises(AttributeError, match="no attribute 'tran', did you mean train\\?"):
        ab.tran  # noqa: B018


def test_the_same_runs_come_from_a_store(trained: Results, tmp_path: Path) -> None:
    kept = ab.train("dyck-1", cell_named("rnn"), runs=3, results=tmp_path, short="2:12", long="14:20", **TINY)
    assert [run.key for run in kept.runs] == [run.key for run in trained.runs]
    assert ab.open(tmp_path).weights_checksum == trained.weights_checksum
    with pytest.raises(AbacistError, match="holds no results"):
        ab.open(tmp_path / "none")


def test_judging_tells_what_a_run_was_judged_on_and_what_words_are_right(trained: Results) -> None:
    assert set(ab.judge(trained)) == {"training", "short", "long"}
    assert ab.judge(trained)["long"].shape == (3,)
    right = ab.judge(trained.runs[0], ["()", "(())"])
    assert right.tolist() == [ab.judge(trained.runs[0], word) for word in ("()", "(())")]


def test_a_network_is_judged_on_sets_of_words(trained: Results) -> None:
    run = trained[1]
    assert ab.judge(run, sets="long") == {"long": run.accuracy("long")}
    settings: dict[str, Any] = {
        "train_lengths": "2:12",
        "long_lengths": "14:20",
        "train_words": 60,
        "test_words": 20,
    }
    networks = Networks(run.spec.layout, run.networks.parameters, run.spec.language)
    both = ab.judge(networks, sets=["short", "long"], seed=1, **settings)
    assert both == {"short": run.accuracy("short"), "long": run.accuracy("long")}
    for mistake in ({"hidden": 3}, {"set": "long"}, {"sets": "lng"}, {"words": "()", "sets": "long"}):
        with pytest.raises(AbacistError, match=r"no keyword|did you mean long|one of them"):
            ab.judge(networks, **mistake)


def test_failing_words_are_of_networks_and_of_functions_alike(trained: Results) -> None:
    run = trained.runs[0]
    of_run, of_networks = ab.failing_words(run, count=2), ab.failing_words(run.networks, "dyck-1", count=2)
    assert of_run.words == of_networks.words
    assert not any(ab.judge(run, of_run.words))
    always = ab.failing_words(lambda word: np.ones((len(word), 2)), "dyck-1", count=2)
    assert always.others[0].word == (0, 1, 0, 1)  # () is the shortest pair
    with pytest.raises(AbacistError, match="a function comes without a language"):
        ab.failing_words(lambda word: word)


def test_a_network_is_a_run_a_file_or_networks_with_a_language(trained: Results, tmp_path: Path) -> None:
    run, file = trained.runs[0], tmp_path / "one.safetensors"
    save_network(run.networks, 0, file, about={"language": "dyck-1"})
    traces = [
        ab.trace(run, "(())"),
        ab.trace(file, "(())"),
        ab.trace(run.networks, "(())", language="dyck-1"),
    ]
    for one in traces[1:]:
        np.testing.assert_array_equal(one.trace["h"], traces[0].trace["h"])
    assert len(ab.figure(traces[0]).axes) >= 2
    found = ab.horizon(run, max_length=12, boxes=64)
    assert found.proved <= 12
    assert ab.certify(run, length=4).verdict in ("proved", "refuted", "unknown")


def test_horizons_are_found_where_they_are_asked_for() -> None:
    tiny = {"long_lengths": "52:56", "horizon": {"max_length": 12, "boxes": 64}, "certify": True, **TINY}
    certified, other = (ab.train("dyck-1", cell, **tiny) for cell in ("rnn", "gru"))
    known = certified[0].outcome.known_horizon()
    assert known is not None
    assert (known.horizon.search.to, known.every_word) == (12, False)
    compared = ab.compare(certified, other, measures=["horizon"])
    assert compared.frame()["measure"] == ["horizon"]
    assert len(frame(certified)["proved"]) == 1


def test_callbacks_are_one_or_several_and_progress_is_a_line(
    capsys: pytest.CaptureFixture[str],
) -> None:
    first, second = list[int](), list[int]()
    both = [lambda epoch: first.append(epoch.epoch), lambda epoch: second.append(epoch.epoch)]
    ab.train("dyck-1", "rnn", callback=both, **TINY | {"progress": True})
    assert first == second == [1, 2]
    assert capsys.readouterr().err == "training 1 run of rnn\n"


def test_failing_words_are_as_long_as_those_of_the_test(trained: Results) -> None:
    spec = replace(trained[0].spec, long=Window(120, 130))
    assert (usual_length(trained[0].spec), usual_length(spec)) == (100, 130)
    found = ab.failing_words(lambda word: trained[0].spec.language.targets(word), "dyck-1", max_length=8)
    assert str(found).startswith("no failing word of at most 8 symbols found, raise max_length to search")


def test_an_imported_network_knows_its_language(trained: Results, tmp_path: Path) -> None:
    network = network_of(trained[0].networks.tensors(0), ab.language("dyck-1"), cell=cell_named("rnn"))
    assert ab.judge(network, "()") == ab.judge(trained[0], "()")
    assert ab.failing_words(network, count=1).words == ab.failing_words(trained[0], count=1).words
    (tmp_path / "model.pt").write_bytes(b"PK\3\4 and more")
    with pytest.raises(AbacistError, match="is a PyTorch file: import it with `abacist import`"):
        ab.horizon(tmp_path / "model.pt")


def test_a_comparison_is_printed_and_drawn(trained: Results) -> None:
    other = ab.train("dyck-1", "gru", runs=3, train_lengths="2:12", long_lengths="14:20", **TINY)
    compared = ab.compare(trained, other, measures=["long"])
    assert str(compared).startswith("RNN − GRU, 2 units, Dyck-1, long set: ")
    assert "<table>" in compared._repr_html_()
    assert compared.frame()["first"] == ["rnn"]
    assert compared.frame()["difference"] == [compared.comparison.differences[0].test.difference[0]]
    assert compared.latex().startswith("\\begin{table}")
    against = ab.compare(trained, other, against="rnn")
    assert against.frame()["first"] == ["gru"] * 2
    one = against.where(measure="long", first="GRU")
    assert one.frame()["difference"] == [-number for number in compared.frame()["difference"]]
    assert str(one).count("GRU − RNN") == one.latex().count("GRU & RNN") == 1
    assert ab.figure(compared).axes
    assert ab.figure(trained).axes


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda: ab.train("dyck-1", lr=0.1), "no keyword 'lr', did you mean rate?"),
        (lambda: ab.train("dyck-1", epoch=3), "no keyword 'epoch', did you mean epochs?"),
        (lambda: ab.train("dyck-1", hidden="two"), "hidden must be a whole number"),
        (lambda: ab.train("dick-1"), "dyck-1"),
        (lambda: ab.train("dyck-1", "lstmm"), "unknown cell 'lstmm'"),
        (lambda: ab.cell("lstmm"), "unknown cell 'lstmm'"),
        (lambda: ab.compare(), "give the results of train or open"),
        (lambda: ab.compare("results"), "give the results of train or open"),  # type: ignore[arg-type]
        (lambda: ab.judge("nothing.safetensors"), "judge: give words, or sets"),
        (lambda: ab.trace("nothing.safetensors", "()"), "nothing.safetensors"),
    ],
)
def test_mistakes_are_answered(call: Any, said: str) -> None:
    with pytest.raises(AbacistError, match=said):
        call()


def test_one_network_is_wanted(trained: Results) -> None:
    with pytest.raises(AbacistError, match=r"give one network, such as results\[0\], got 3"):
        ab.horizon(trained)
    with pytest.raises(AbacistError, match="comes without a language"):
        ab.trace(trained.runs[0].networks, "()")
