"""Mistakes in Python, each answered by one exact sentence of an error of Abacist's."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import abacist as ab
from abacist.algebra import linear, tanh
from abacist.analysis import Search
from abacist.cells import cell, tensors
from abacist.engine import trace
from abacist.errors import AbacistError
from abacist.experiments import Results, frame, parse_experiment

anything: Any = ab  # what type checkers would refuse, too


@pytest.fixture(scope="module")
def results() -> Results:
    return ab.train(
        "dyck-1", "rnn", runs=2, hidden=1, epochs=1, train_words=50, test_words=10, progress=False
    )


CHOOSE = "use a gate, as in g * a + (1 - g) * b, or maximum(a, b), minimum(a, b) or relu(x)"
Calls = dict[str, tuple[Callable[[Any], Any], str]]
KEYWORDS: Calls = {
    "no language": (lambda r: anything.train(), "train: language is missing"),
    "a setting of PyTorch's": (
        lambda r: ab.train("dyck-1", lr=0.1),
        "train: there is no keyword 'lr', did you mean rate?",
    ),
    "a misspelt setting": (
        lambda r: ab.train("dyck-1", epoch=3),
        "train: there is no keyword 'epoch', did you mean epochs?",
    ),
    "units by place": (
        lambda r: anything.train("dyck-1", "lstm", 3),
        "train: 3 needs its keyword, one of runs, seed, results, jobs, device and 5 more",
    ),
    "a setting twice": (
        lambda r: ab.train("dyck-1", short="2:8", train_lengths="2:8"),
        "Spec: train_lengths must be given once, got it as short, too",
    ),
    "a spec's setting": (
        lambda r: anything.Spec("dyck-1", "lstm", lr=0.1),
        "Spec: there is no keyword 'lr', did you mean rate?",
    ),
    "a spec without a cell": (lambda r: anything.Spec("dyck-1"), "Spec: cell is missing"),
    "a search in other words": (
        lambda r: anything.horizon(r[0], to=50),
        "horizon: there is no keyword 'to', did you mean max_length?",
    ),
    "a misspelt search": (
        lambda r: anything.horizon(r[0], max_lenth=50),
        "horizon: there is no keyword 'max_lenth', did you mean max_length?",
    ),
    "a length by place": (
        lambda r: anything.horizon(r[0], 50),
        "horizon: 50 needs its keyword, one of max_length, boxes, max_boxes, language, words",
    ),
    "words in other words": (
        lambda r: anything.judge(r[0], wrds="()"),
        "judge: there is no keyword 'wrds', did you mean words?",
    ),
    "words twice": (lambda r: anything.judge(r[0], "()", words="()"), "judge: words is given twice"),
    "a comparison in other words": (
        lambda r: anything.compare(r, confidence=0.9),
        "compare: there is no keyword 'confidence', did you mean level?",
    ),
    "a proof in other words": (
        lambda r: anything.certify(r[0], max_length=4),
        "certify: there is no keyword 'max_length', did you mean length?",
    ),
    "a trace in other words": (
        lambda r: anything.trace(r[0], "()", lang="dyck-1"),
        "trace: there is no keyword 'lang', did you mean language?",
    ),
    "a figure's size": (
        lambda r: anything.figure(r, size=3),
        "figure: there is no keyword 'size'; keywords are of",
    ),
    "a cell without its gates": (
        lambda r: ab.cell(_assign),
        'cell: write @cell(gates="f n"), with the names of the gates, in place of @cell',
    ),
    "gates with commas": (
        lambda r: ab.cell(gates="f,n"),
        "Gates: a gate has a name of Python, got 'f,n'; several are gates=\"f n\"",
    ),
    "gates in other words": (
        lambda r: ab.cell(gate="f n"),
        "cell: there is no keyword 'gate', did you mean gates?",
    ),
}

VALUES: Calls = {
    "runs as text": (
        lambda r: anything.train("dyck-1", runs="3"),
        "train: runs must be a whole number, got '3'",
    ),
    "no runs": (lambda r: ab.train("dyck-1", runs=0), "train: runs must be at least 1, got 0"),
    "a seed below zero": (
        lambda r: ab.train("dyck-1", seed=-1),
        "train: seed must be at least 0, got -1",
    ),
    "several units": (
        lambda r: ab.train("dyck-1", hidden=[1, 2]),
        "train: hidden must be a whole number, got [1, 2]; give one value: loop, or write an experiment file",
    ),
    "several cells": (
        lambda r: anything.train("dyck-1", ["lstm", "gru"]),
        "train: cell must be text or a cell, got ['lstm', 'gru']; give one value: loop, or write an "
        "experiment file",
    ),
    "a cell in the language's place": (
        lambda r: ab.train("lstm", "dyck-1"),
        'train: lstm is a cell, and the language comes first: train("dyck-1", "lstm")',
    ),
    "a schedule as a tuple": (
        lambda r: ab.train("dyck-1", schedule=("cosine", 6)),
        "train: schedule must be a schedule, such as 'cosine', 'cosine:20' or 'step:10:0.5', got "
        "('cosine', 6)",
    ),
    "an epoch after the last": (
        lambda r: ab.train("dyck-1", epochs=3, at_epochs=[7]),
        "train: at_epochs must lie within the 3 epochs, got 7",
    ),
    "an unknown device": (
        lambda r: ab.train("dyck-1", device="gpu"),
        "unknown device 'gpu', did you mean cpu?",
    ),
    "a proof without a horizon": (
        lambda r: ab.train("dyck-1", certify=True),
        "train: certify goes with horizon, such as horizon=200",
    ),
    "a horizon of no length": (
        lambda r: ab.train("dyck-1", horizon=0),
        "train: horizon: max_length must be from 1 to 10,000,000, got 0",
    ),
    "a set that there is not": (lambda r: r[0].accuracy("lng"), "unknown set 'lng', did you mean long?"),
    "a run that there is not": (
        lambda r: r[5],
        "results: there are 2 runs, the last is results[1], got 5",
    ),
    "a column that there is not": (
        lambda r: frame(r)["lng"],
        "frame: unknown column 'lng', did you mean long?",
    ),
    "a horizon in a frame": (
        lambda r: frame(r)["proved"],
        "frame: no run has a value of 'proved': ab.train(…, horizon=200) and `abacist horizon` find it",
    ),
    "a measure that no run has": (
        lambda r: ab.compare(r, measures=["horizon"]),
        "compare: no run has the measure horizon: ab.train(…, horizon=200) and `abacist horizon` find it",
    ),
    "a setting under its option's name": (
        lambda r: ab.train("dyck-1", train_words=0),
        "train: train_words must be from 1 to 100,000,000, got 0",
    ),
    "lengths with a dash": (
        lambda r: ab.train("dyck-1", train_lengths="2-12"),
        "lengths must be LOW:HIGH, such as 2:50, got '2-12'",
    ),
    "a source by its name": (
        lambda r: ab.train("dyck-1", source="grammar"),
        "train: source must be a source of words, such as Grammar() or Uniform(), got 'grammar'",
    ),
    "more words than there are": (
        lambda r: ab.train("dyck-1", train_lengths="2:8"),
        "15,000 distinct words of dyck-1 with lengths 2 to 8 do not exist: there are 22, "
        "asked for 10,000 for training and 5,000 for short; ask for fewer, or let words repeat: --repeats, "
        "in TOML repeats = true, in Python distinct=False",
    ),
    "an array in a spec": (
        lambda r: anything.Spec("dyck-1", "lstm", hidden=np.array([1, 2])),
        "Spec: hidden must be a whole number, got array([1, 2])",
    ),
    "a length below zero": (
        lambda r: ab.horizon(r[0], max_length=-1),
        "horizon: max_length must be from 1 to 10,000,000, got -1",
    ),
    "half a symbol": (
        lambda r: anything.horizon(r[0], max_length=8.5),
        "horizon: max_length must be a whole number, got 8.5",
    ),
    "no network": (
        lambda r: anything.horizon(3),
        "horizon: network must be Results, a run, Networks (PyTorch: network_of), text or a path, got 3",
    ),
    "several networks": (lambda r: ab.horizon(r), "give one network, such as results[0], got 2"),
    "a network without its language": (
        lambda r: ab.trace(r[0].networks, "()"),
        'this network comes without a language: say language="dyck-1" or the like',
    ),
    "a text without its language": (
        lambda r: trace(r[0].networks, 0, "(())"),
        "trace: '(())' needs its language, such as language=\"dyck-1\"",
    ),
    "a cell of one's own": (
        lambda r: ab.cell("ran"),
        "unknown cell 'ran', did you mean rnn? Your own needs --plugin FILE "
        '(TOML: plugins = ["FILE"]; Python: the cell itself)',
    ),
    "a foreign bracket": (
        lambda r: ab.judge(r[0], "(()]"),
        "']' at character 4 is not in the alphabet: '(' ')'",
    ),
    "a number as a word": (
        lambda r: anything.judge(r[0], 3),
        "judge: words must be text, a list or tuple or an array, got 3",
    ),
    "no word": (lambda r: ab.trace(r[0], ""), "the empty word of dyck-1 has no step to follow"),
    "results in a list": (
        lambda r: anything.compare([r, r]),
        "compare: give the results of train or open, such as compare(one, other)",
    ),
    "a figure of a number": (
        lambda r: anything.figure(3),
        "figure: of must be a comparison, Results or a trace, got 3",
    ),
    "a folder that is a number": (lambda r: anything.open(3), "open: folder must be text or a path, got 3"),
    "words to score without their language": (
        lambda r: ab.score([[[1, 1], [1, 0]]], ["()"]),
        'score: words given one by one need a language, such as language="dyck-1"',
    ),
    "too few predictions": (
        lambda r: ab.score([], ["()"], language="dyck-1"),
        "score: 1 word, but 0 predictions",
    ),
    "predictions of another shape": (
        lambda r: ab.failing_words(lambda word: [[1]], "dyck-1"),
        f"the model on '{39 * '('}…': scores must be (time, output), (49, 2), got (1, 1)",
    ),
    "scores of another shape": (
        lambda r: ab.score([[1]], ["()"], language="dyck-1"),
        "score: word 1: scores must be (time, output), (2, 2), got (1,)",
    ),
}


@pytest.mark.parametrize("kind", [*KEYWORDS, *VALUES])
def test_a_call_is_answered_in_one_sentence(kind: str, results: Results) -> None:
    call, sentence = (KEYWORDS | VALUES)[kind]
    with pytest.raises(AbacistError) as refusal:
        call(results)
    assert str(refusal.value) == sentence


def _assign(w: Any, x: Any, h: Any) -> Any:
    h[0] = 1
    return h


class _Torch:
    """PyTorch's way to call a function of something that is no tensor."""

    @staticmethod
    def tanh(x: Any) -> Any:
        return x.__torch_function__(_Torch.tanh, (type(x),), (x,), {})


Formula = Callable[..., Any]
DECIDE = "decide by a value, as if, ==, and, or and not do; "
FORMULAS: dict[str, tuple[Formula, str]] = {
    "if": (lambda w, x, h: h if h > 0 else -h, f"compare values, as <, max and sorted do; {CHOOSE}"),
    "max": (lambda w, x, h: max(h, w.n(x, h)), f"compare values, as <, max and sorted do; {CHOOSE}"),
    "==": (lambda w, x, h: -h if h == 0 else h, DECIDE + CHOOSE),
    "and": (lambda w, x, h: h and -h, DECIDE + CHOOSE),
    "or": (lambda w, x, h: h or -h, DECIDE + CHOOSE),
    "not": (lambda w, x, h: not h, DECIDE + CHOOSE),
    "np.tanh": (lambda w, x, h: np.tanh(h), "use NumPy's tanh; use tanh of abacist.algebra"),
    "np.abs": (lambda w, x, h: np.abs(h), "use NumPy's absolute; use absolute of abacist.algebra"),
    "np.where": (lambda w, x, h: np.where(h, h, -h), "use NumPy's where; use g * a + (1 - g) * b"),
    "torch.tanh": (lambda w, x, h: _Torch.tanh(h), "use PyTorch's tanh; use tanh of abacist.algebra"),
    "math.tanh": (
        lambda w, x, h: math.tanh(h),
        "make a number of a vector, as float, range and the functions of math do; use those of "
        "abacist.algebra, such as tanh(x)",
    ),
    "**": (lambda w, x, h: h**2, "use **; write x * x, sqrt(x) or exp(p * log(x))"),
    "abs": (lambda w, x, h: abs(h), "use abs; write absolute(x)"),
    "@": (lambda w, x, h: h @ h, "use @; write linear(w.W, x), where W is a tensor of the cell"),
    "h.mean()": (lambda w, x, h: h.mean(), "use a vector's mean; use segment_sum(x, 1, 1) / x.shape[-1]"),
    "h.sum()": (lambda w, x, h: h.sum(), "use a vector's sum; use segment_sum(x, 1, 1)"),
    "h.tanh()": (lambda w, x, h: h.tanh(), "use a vector's tanh; use tanh of abacist.algebra"),
    "h[0]": (lambda w, x, h: h[0], "take items; write unit(x, place) or part(x, size, first)"),
    "h[0] = 1": (
        _assign,
        "change items; make a new vector, such as joined(a, b), pushed(memory, row) or g * a + (1 - g) * b",
    ),
    "for": (
        lambda w, x, h: sum(h),
        "loop over units; operations are on all of them, and segment_sum(x, 1, 1) is their sum",
    ),
}


def _refusal(formula: Formula, **parameters: Any) -> str:
    """What is said of a formula, without the line that it ends with."""
    formula.__name__ = "mine"
    with pytest.raises(AbacistError) as refusal:
        cell(**parameters)(formula)
    sentence, place = str(refusal.value).rsplit(" (", 1)
    assert place.startswith(f"{Path(__file__).name}, line ")
    return sentence


@pytest.mark.parametrize("kind", FORMULAS)
def test_what_python_has_and_a_formula_has_not_is_answered_with_what_to_write(kind: str) -> None:
    formula, sentence = FORMULAS[kind]
    assert _refusal(formula, gates="f n") == f"Cell mine: its formula cannot {sentence}"


def test_gates_and_sizes_are_said_with_what_to_write() -> None:
    remedy = "w.n(x, h); w.n.input(x) is its part of x alone, w.n.recurrent(h) that of h"
    said = _refusal(lambda w, x, h: tanh(w.f(x)), gates=["f", "n"])
    assert said == f"Cell mine: its formula must call a gate with x and h, as {remedy}"
    remedy = "w.n.input(x), of a gate n, or linear(w.W, x) brings an input to the size of the units"
    said = _refusal(lambda w, x, h: tanh(w.f(x, h)) * h + x, gates="f n")
    assert f"add needs vectors of the same size, got 5 and 3; {remedy}" in said


def test_a_misspelt_weight_is_named_with_those_there_are() -> None:
    said = _refusal(lambda w, x, h: tanh(w.nn(x, h)), gates="f n")
    assert said == "Cell mine: it has no gate 'nn', did you mean n?; its gates are f, n"
    shapes = tensors(W_z="hidden inputs", b_z="hidden")
    said = _refusal(lambda w, x, h: linear(w.W_x, x) + w.b_z, parameters=shapes)
    assert said == "Cell mine: it has no tensor 'W_x', did you mean W_z?; its tensors are W_z, b_z"


def test_lengths_that_overlap_are_said_in_a_warning() -> None:
    tiny: dict[str, Any] = {"hidden": 1, "epochs": 0, "train_words": 10, "test_words": 10, "progress": False}
    with pytest.warns(UserWarning, match="^lengths overlap: with 2:40 in training and 40:60 in the long set"):
        ab.train("dyck-1", "rnn", train_lengths="2:40", long_lengths="40:60", **tiny)


def test_a_run_that_diverged_says_so(results: Results) -> None:
    run = replace(results[0], outcome=replace(results[0].outcome, diverged=2))
    assert repr(run).endswith(" %; diverged in epoch 2>")
    assert repr(Results(results.path, (run, results[1]))) == "<Results: 2 runs of rnn on dyck-1, 1 diverged>"


def test_scalars_of_numpy_are_numbers(results: Results) -> None:
    spec = ab.Spec("dyck-1", "lstm", hidden=np.int64(2), rate=np.float32(0.5))  # type: ignore[arg-type]
    assert repr(spec) == "Spec('dyck-1', 'lstm', hidden=2, rate=0.5)"
    assert spec == ab.Spec(ab.language("dyck-1"), ab.cell("lstm"), hidden=2, rate=0.5)
    found = ab.horizon(results[0], max_length=np.int64(8), boxes=np.int32(64))  # type: ignore[arg-type]
    assert type(found.search.to) is int
    assert ab.certify(results[0], length=np.int64(4)).asked.length == 4  # type: ignore[arg-type]


def test_records_take_the_names_of_options() -> None:
    spec = anything.Spec("dyck-1", "lstm", train_words=9, train_lengths="2:8", repeats=True)
    assert (spec.training, str(spec.short), spec.distinct) == (9, "2:8", False)
    search: Any = Search
    assert search(max_length=50) == Search(to=50)
    with pytest.raises(AbacistError, match="there is no keyword 'foo'; keywords are batch, beta1, "):
        anything.Spec("dyck-1", "lstm", foo=1)


def test_repeats_are_words_that_are_not_distinct() -> None:
    tiny: dict[str, Any] = {"hidden": 1, "epochs": 0, "train_words": 100, "test_words": 10, "progress": False}
    assert not ab.train("dyck-1", train_lengths="2:8", repeats=True, **tiny)[0].spec.distinct
    text = 'language = "dyck-1"\ncell = "rnn"\nepochs = 0\ntrain_words = 100\nrepeats = true'
    assert not parse_experiment(text, "own.toml").tasks[0].spec.distinct


def test_what_shares_were_called_once_is_said_with_their_names_now() -> None:
    found = ab.score([[[1, 1], [1, 0]]], ["()"], language="dyck-1")
    with pytest.warns(DeprecationWarning, match=r"^Score.words is now called accuracy$"):
        assert found.words == found.accuracy == 1
    with pytest.warns(DeprecationWarning, match=r"^Score.steps is now called step_accuracy$"):
        assert found.steps == found.step_accuracy == 1
