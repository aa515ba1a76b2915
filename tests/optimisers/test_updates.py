"""Updates against PyTorch's optimisers: as arrays, as statements and compiled."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from abacist.cells import CELLS
from abacist.compiler import shrink_statements, update_statements
from abacist.corpora import Window
from abacist.engine import train, training_words
from abacist.errors import BadInput
from abacist.languages import language_named
from abacist.optimisers import MOMENTS, OPTIMISERS, Optimiser, Rule
from abacist.optimisers.formulas import power
from abacist.specs import Networks, Spec
from abacist.targets import target_named
from tests.engine import pytorch
from tests.engine.cases import small
from tests.engine.reference import update
from tests.requirements import need
from tests.targets.plain import Machine

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

#: Those whose training is tested often; that of the others is thorough.
_OFTEN = ("rmsprop, all", "next-symbol")

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


@need("torch")
@pytest.mark.parametrize(
    "settings",
    [
        pytest.param(values, id=name, marks=[] if name in _OFTEN else pytest.mark.thorough)
        for name, values in SETTINGS.items()
    ],
)
def test_training_ends_at_pytorch_s_weights(settings: dict[str, Any]) -> None:
    """In both precisions."""
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


def carried_out(spec: Spec, number: int, arrays: dict[str, Array]) -> None:
    """Update `number` by its statements, one by one on plain numbers."""
    rule, size = spec.rule, len(arrays["weights"])
    row = rule.numbers(spec, number, number + 1)[0]
    machine = Machine(arrays, given={n: np.full(size, own) for n, own in zip(rule.names, row, strict=True)})
    if rule.clips_norm:
        machine.given["squares"] = np.full(1, (arrays["gradient"] ** 2).sum())
        machine.do(shrink_statements(rule))
        machine.given["shrink"] = np.full(size, machine.taken["shrink"][0])
    machine.do(update_statements(rule, size))


@every
def test_statements_of_an_update_are_its_reading_as_arrays(settings: dict[str, Any]) -> None:
    """Gradients begin anew, and a moment that the formula lacks stays."""
    spec, rng = spec_of(**settings), np.random.default_rng(2)
    arrays = {name: rng.normal(size=5) for name in ("weights", "gradient", *MOMENTS)}
    arrays["second"] = np.abs(arrays["second"])
    for number in (1, 2, 3, 70_000):
        arrays["gradient"][:] = rng.normal(size=5)
        moments = (arrays["first"].copy(), arrays["second"].copy())
        wanted = update(spec, number, arrays["weights"].copy(), arrays["gradient"].copy(), moments)
        carried_out(spec, number, arrays)
        for name, own in zip(("weights", *MOMENTS), wanted, strict=True):
            np.testing.assert_allclose(arrays[name], own, rtol=1e-13, atol=1e-15)
        assert not arrays["gradient"].any()
        for name, before in list(zip(MOMENTS, moments, strict=True))[len(spec.rule.formula.moments) :]:
            np.testing.assert_array_equal(arrays[name], before)


@every
def test_the_numbers_of_an_update_do_not_depend_on_the_updates_beside_it(settings: dict[str, Any]) -> None:
    spec = spec_of(**settings)
    rule = spec.rule
    for first in (1, 65_530):
        rows = rule.numbers(spec, first, first + 20)
        assert rows.shape == (20, len(rule.names))
        alone = [rule.numbers(spec, number, number + 1) for number in range(first, first + 20)]
        assert np.concatenate(alone).tobytes() == rows.tobytes()
    assert rule.numbers(spec, 1, 1).shape == (0, len(rule.names))


def test_a_rule_names_its_numbers() -> None:
    plain = Rule("sgd")
    assert plain.names == ("step", "kept")
    whole = Rule("sgd", decays=True, clips_norm=True, clips_value=True)
    assert whole.names == ("step", "kept", "left", "clip_norm", "clip_value")
    assert whole.settings == ("rate", "momentum", "decay", "clip_norm", "clip_value")
    values = SimpleNamespace(rate=0.5, momentum=0.9, decay=0.25, clip_norm=2.0, clip_value=3.0)
    assert whole.numbers(values, 1, 3).tolist() == [[-0.5, 0.9, 0.875, 2.0, 3.0]] * 2
    assert plain.numbers(values, 1, 2).tolist() == [[-0.5, 0.9]]


def test_gradients_are_clipped_and_weights_decay_before_a_formula_has_its_turn() -> None:
    weight, gradient = np.array([1.0, 2.0, -3.0]), np.array([0.5, -6.0, 8.0])
    numbers = SimpleNamespace(left=0.5, clip_value=3.0)
    prepared = Rule(decays=True, clips_norm=True, clips_value=True).prepared(numbers, weight, gradient, 0.5)
    np.testing.assert_array_equal(prepared, [weight / 2, [0.25, -3.0, 3.0]])
    np.testing.assert_array_equal(Rule().prepared(numbers, weight, gradient), [weight, gradient])
    rule = Rule(clips_norm=True)
    assert rule.shrink(np.float64(25.0), 6.0) == 1
    assert rule.shrink(np.float64(25.0), 2.5) == 2.5 / (5 + 1e-6)
    assert rule.shrink(np.float64(0.0), 2.5) == 1


@pytest.mark.parametrize("base", [0.5, 1.5, 3.0, 0.75, -0.5])
def test_powers_are_exact_where_the_product_is_a_number(base: float) -> None:
    exponents = np.array([n for n in range(30) if float(Fraction(base) ** n) == Fraction(base) ** n])
    assert len(exponents) > 20
    assert power(base, exponents).tolist() == [float(Fraction(base) ** n) for n in exponents.tolist()]


@pytest.mark.parametrize("base", [0.9, 0.999, 0.8])
def test_powers_are_near_to_exact_ones_and_do_not_depend_on_others(base: float) -> None:
    """Each factor of the power adds a rounding at most; what 1 − power does not show may be 0."""
    exponents = np.array([1, 2, 3, 7, 100, 1_023, 4_000, 65_535, 65_536, 65_537, 100_000])
    together, unit = power(base, exponents), Fraction(1, 2**53)
    for n, value in zip(exponents.tolist(), together.tolist(), strict=True):
        assert power(base, n) == power(base, np.array([n]))[0] == value
        if n <= 4_000:
            exact = Fraction(base) ** n
            assert abs(Fraction(value) - exact) <= n * unit * exact + Fraction(1, 2**64)
        else:
            assert value == pytest.approx(base**n, rel=n * float(unit), abs=2.0**-64)


def test_an_optimiser_has_two_moments_at_most() -> None:
    with pytest.raises(BadInput, match="Optimiser own: there is room for 2 moments, got k, l, m"):
        Optimiser("own", (), lambda s: {}, lambda n, w, g, k, l, m: w)  # noqa: E741
    with pytest.raises(BadInput, match="Rule: optimiser must be one of adam, sgd, rmsprop, got 'lion'"):
        Rule("lion")
    for own in OPTIMISERS.values():
        settings = SimpleNamespace(**dict.fromkeys(own.settings, 0.5), updates=1)
        moments = tuple(np.zeros(1) for _ in own.moments)
        numbers = SimpleNamespace(**own.numbers(settings))
        assert len(own.advance(numbers, np.ones(1), np.ones(1), moments)) == 1 + len(moments)


@pytest.mark.parametrize("optimiser", OPTIMISERS)
def test_a_rate_beyond_the_precision_makes_runs_diverge_without_a_warning(optimiser: str) -> None:
    trained = train(replace(small(CELLS["rnn"]), optimiser=optimiser, rate=1e39), [0, 1])
    assert all(epoch is not None for epoch in trained.diverged)


def test_a_formula_may_need_an_old_moment_after_the_new_one(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is stored is stored last."""

    def step(n: Any, w: Any, g: Any, m: Any) -> Any:
        new = n.step * m + g
        return w + new + 2 * m, new

    own = Optimiser("own", ("rate",), lambda s: {"step": s.rate}, step)
    monkeypatch.setitem(OPTIMISERS, "own", own)
    arrays = {"weights": np.array([1.0]), "gradient": np.array([0.5]), "first": np.array([4.0])}
    machine = Machine(arrays, given={"step": np.array([0.25])})
    machine.do(update_statements(Rule("own"), 1))
    assert (arrays["weights"][0], arrays["first"][0], arrays["gradient"][0]) == (1 + 1.5 + 8, 1.5, 0)
