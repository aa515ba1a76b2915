"""Updates against PyTorch's optimisers, read as arrays and compiled, and how they are printed."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from abacist.cells import CELLS
from abacist.corpora import Window
from abacist.engine import train, training_words
from abacist.engine.reference import update
from abacist.errors import BadInput
from abacist.languages import language_named
from abacist.optimisers import OPTIMISERS, Optimiser, Rule, TermPrinter, named
from abacist.specs import Networks, Spec
from abacist.targets import target_named
from tests.engine import pytorch
from tests.engine.cases import small
from tests.requirements import need

Array = NDArray[Any]

SETTINGS: dict[str, dict[str, Any]] = {
    "adam": {"rate": 0.01, "beta1": 0.8, "epsilon": 1e-3},
    "adam, all": {"decay": 0.1, "clip_norm": 0.5, "clip_value": 0.2},
    "sgd": {"optimiser": "sgd", "rate": 0.1},
    "sgd, momentum": {"optimiser": "sgd", "momentum": 0.9, "clip_norm": 0.7},
    "sgd, all": {"optimiser": "sgd", "rate": 0.05, "momentum": 0.5, "decay": 0.1, "clip_value": 0.3},
    "rmsprop": {"optimiser": "rmsprop", "rate": 0.01},
    "cross-entropy": {"objective": "cross-entropy", "rate": 0.01},
    "next-symbol": {"objective": "next-symbol", "rate": 0.01},
    "rmsprop, all": {
        "optimiser": "rmsprop", "smoothing": 0.9, "momentum": 0.7, "epsilon": 1e-6, "decay": 0.2,
        "clip_norm": 2.0, "clip_value": 0.5,
    },
}  # fmt: skip

every = pytest.mark.parametrize("settings", SETTINGS.values(), ids=SETTINGS)


def spec_of(**settings: Any) -> Spec:
    return Spec(language_named("dyck-1"), CELLS["rnn"], precision="float64", **settings)


@need("torch")
@every
def test_three_hundred_updates_are_pytorch_s(settings: dict[str, Any]) -> None:
    import torch

    spec, rng = spec_of(**settings), np.random.default_rng(1)
    own = rng.normal(size=7)
    theirs = torch.nn.Parameter(torch.from_numpy(own.copy()))
    optimiser = pytorch.optimiser_of(spec, [theirs])
    moments = (np.zeros(7), np.zeros(7))
    for number in range(1, 301):
        gradient = rng.normal(size=7) * rng.choice([1e-6, 0.1, 1.0])
        theirs.grad = torch.from_numpy(gradient.copy())
        pytorch.step(spec, optimiser)
        own, *after = update(spec, number, own, gradient, moments)
        moments = (after[0], after[1])
        np.testing.assert_allclose(own, theirs.detach().numpy(), rtol=0, atol=1e-12)


def ends_at_pytorch_s_weights(settings: dict[str, Any]) -> None:
    """So does the kernel, in both precisions."""
    spec = small(CELLS["rnn"], precision="float64", training=100, short=Window(2, 16), long=Window(18, 20))
    spec = replace(spec, **settings)
    start = Networks.initial(spec.layout, [3, 4, 5], "float64")
    trained = train(spec, [3, 4, 5], start=start)
    assert trained.updates == 300
    expected = pytorch.train(spec, start, 2, training_words(spec, 5), seed=5)
    assert np.abs(expected - start.parameters[2]).max() > 0.01
    np.testing.assert_allclose(trained.networks.parameters[2], expected, rtol=0, atol=1e-9)
    single = train(replace(spec, precision="float32"), [3, 4, 5])
    np.testing.assert_allclose(single.networks.parameters[2], expected, rtol=0, atol=1e-4)


@need("torch")
@pytest.mark.parametrize("name", ["rmsprop, all", "next-symbol"])
def test_training_ends_at_pytorch_s_weights(name: str) -> None:
    ends_at_pytorch_s_weights(SETTINGS[name])


@pytest.mark.thorough
@need("torch")
@every
def test_training_with_each_ends_at_pytorch_s_weights(settings: dict[str, Any]) -> None:
    ends_at_pytorch_s_weights(settings)


def test_training_goes_on_where_it_stopped() -> None:
    spec = replace(small(CELLS["rnn"]), **SETTINGS["sgd, momentum"] | {"clip_norm": 0.05})
    half = train(replace(spec, epochs=1), [0, 1])
    whole = train(spec, [0, 1])
    assert train(spec, [0, 1], start=half).networks == whole.networks
    assert whole.networks != train(replace(spec, clip_norm=0), [0, 1]).networks


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"optimiser": "lion"}, "optimiser must be adam, sgd or rmsprop, got 'lion'"),
        ({"momentum": 0.5}, "momentum is not read by adam, so it must be 0.0, got 0.5"),
        ({"optimiser": "sgd", "beta1": 0.5}, "beta1 is not read by sgd, so it must be 0.9, got 0.5"),
        ({"optimiser": "rmsprop", "smoothing": 1.0}, "smoothing must be at least 0 and below 1, got 1.0"),
        ({"clip_norm": -1}, "clip_norm must be at least 0 and finite, got -1"),
        ({"clip_value": float("inf")}, "clip_value must be at least 0 and finite, got inf"),
    ],
)
def test_what_makes_no_sense_is_refused(values: dict[str, Any], message: str) -> None:
    with pytest.raises(BadInput, match=f"Spec: {message}"):
        spec_of(**values)


def test_a_spec_s_key_has_only_what_is_not_as_usual() -> None:
    usual = spec_of().key_values()
    assert not {"optimiser", "momentum", "smoothing", "clip_norm", "clip_value"} & set(usual)
    own = spec_of(optimiser="sgd", momentum=0.5, clip_norm=1)
    assert own.key_values() == usual | {"optimiser": "sgd", "momentum": 0.5, "clip_norm": 1.0}
    assert Spec.from_dict(own.as_dict()) == own
    assert own.key_text == spec_of(optimiser="sgd", momentum=0.5, clip_norm=1.0).key_text


@pytest.mark.parametrize("name", ["clip_norm", "clip_value"])
def test_cuda_refuses_to_clip_in_one_sentence(name: str) -> None:
    with pytest.raises(BadInput, match=rf"the target cuda clips no gradients, got {name} 1; use the CPU"):
        target_named("cuda").block(spec_of(**{name: 1.0}))


def test_cuda_refuses_more_units_than_it_has_room_for() -> None:
    assert target_named("cuda").refusal(spec_of(hidden=64).layout) is None
    refusal = target_named("cuda").refusal(spec_of(hidden=65).layout)
    assert refusal == "the target cuda has room for 64 units, got 65; use the CPU"


def test_terms_are_printed_as_python_reads_them() -> None:
    a, b, c = named("a"), named("b"), named("c")
    values = {"a": 2.0, "b": 5.0, "c": 0.5}
    plain = TermPrinter({})
    for term, wanted in (
        (a - (b - c), 2.0 - (5.0 - 0.5)),
        (a / (b / c), 2.0 / (5.0 / 0.5)),
        ((a + b) * c, 3.5),
        (-(a**b) / (1.0 - c), -(2.0**5.0) / 0.5),
        ((-a) ** 2, 4.0),
        (a * b / c - -c, 20.5),
    ):
        assert eval(plain.text(term), {}, values) == wanted
    assert plain.text(a - b - c) == "a - b - c"
    assert plain.text((a + b) * (a + b), {b: "seen"}) == "(a + seen) * (a + seen)"


def test_an_optimiser_has_two_moments_at_most() -> None:
    with pytest.raises(BadInput, match="Optimiser own: there is room for 2 moments, got k, l, m"):
        Optimiser("own", "", (), lambda s: (), lambda n, w, g, k, l, m: w)  # noqa: E741
    with pytest.raises(BadInput, match="Rule: optimiser must be one of adam, sgd, rmsprop, got 'lion'"):
        Rule("lion")
    for own in OPTIMISERS.values():
        settings = SimpleNamespace(**dict.fromkeys(own.settings, 0.5), updates=1)
        moments = tuple(np.zeros(1) for _ in own.moments)
        assert len(own.advance(own.shared(settings), np.ones(1), np.ones(1), moments)) == 1 + len(moments)
