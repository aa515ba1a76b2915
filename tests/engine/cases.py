"""Networks, words and short trainings that several tests share."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from abacist.cells import CELLS, KNOWN, ZOO, Cell, Gates, Layout, stacked
from abacist.compiler import plan_boxes
from abacist.corpora import Window, Words, pack_texts
from abacist.engine import Block, Trained, first_mistakes, trace
from abacist.engine.reference import forward
from abacist.errors import BadInput
from abacist.languages import Language, language_named
from abacist.specs import Networks, Spec
from tests.cells.looking import LOOKING
from tests.cells.toys import TOYS

Array = NDArray[Any]

#: With brackets that never cross, that cross, that need a stack, and with an end marker.
LANGUAGES = ("dyck-1", "shuffle-2", "dyck-2", "anbn")

cells = list(CELLS.values())

#: Cells of every kind by name, those of several layers among them.
EVERY: dict[str, Cell] = (
    KNOWN
    | TOYS
    | LOOKING
    | {f"{name}_x{n}": stacked(cell, n) for n in (2, 3) for name, cell in (CELLS | TOYS).items()}
)


def thorough_but(quick: Collection[Any], cases: Iterable[Any]) -> list[Any]:
    """Cases of a law that takes long where programs must be compiled: all but the quick ones are thorough."""
    return [
        pytest.param(
            *(case if isinstance(case, tuple) else (case,)),
            marks=() if case in quick else pytest.mark.thorough,
        )
        for case in cases
    ]


#: The cells of the zoo as parameters of laws that take long where programs must be compiled for each.
zoo = [pytest.param(cell, marks=pytest.mark.thorough, id=name) for name, cell in ZOO.items()]


def has_boxes(cell: Cell) -> bool:
    """Whether intervals know all of a cell's operations."""
    try:
        plan_boxes(Layout(cell, 2, 1, 2), "float64")
    except BadInput:
        return False
    return True


def gates_of(cell: Cell) -> tuple[str, ...]:
    """The names of a cell's gates."""
    assert isinstance(cell.parameters, Gates)
    return cell.parameters.names


def layout_of(cell: Cell, hidden: int, language: str = "dyck-1") -> Layout:
    """The sizes of a network for a language."""
    chosen = language_named(language)
    return Layout(cell, len(chosen.alphabet), hidden, chosen.outputs)


def small(cell: Cell, hidden: int = 3, **values: Any) -> Spec:
    """A spec with tiny corpora of Dyck-1."""
    sizes = Spec(
        language_named("dyck-1"), cell, hidden,
        epochs=3, training=40, test=10, short=Window(2, 12), long=Window(14, 20),
    )  # fmt: skip
    return replace(sizes, **values)


def random_networks(layout: Layout, runs: int, *, seed: int, scale: float = 1.0) -> Networks:
    """Networks with weights as PyTorch draws them times a scale, in float64."""
    usual = replace(layout, cell=replace(layout.cell, initial=None))
    drawn = Networks.initial(usual, range(seed, seed + runs), "float64")
    return Networks(layout, drawn.parameters * scale)


def in_precision(networks: Networks, precision: str) -> Networks:
    return Networks(networks.layout, networks.parameters.astype(precision))


def any_word(language: Language[Any], length: int, rng: np.random.Generator) -> tuple[int, ...]:
    """A random prefix of the language; it may end anywhere. Blocks get as many letters as there is room."""
    word: list[int] = []
    state = language.start
    for _ in range(length):
        open_ways = [s for s in range(len(language.alphabet)) if language.step(state, s) is not None]
        if not open_ways:
            break
        early = language.marks_end and 2 * len(word) < length - 1
        word.append(0 if early else int(rng.choice(open_ways)))
        state = language.step(state, word[-1])
    return tuple(word)


def any_words(language: str, lengths: Sequence[int], *, seed: int, steps: str = "all") -> Words:
    """Random prefixes with their labels; where the language has run out, shorter than asked."""
    rng = np.random.default_rng(seed)
    chosen = language_named(language)
    return pack_texts(chosen, [any_word(chosen, length, rng) for length in lengths], steps)


def each(words: Words) -> list[tuple[tuple[int, ...], Array, Array]]:
    """Every word with its targets, (time, output), and which of its steps count, (time,)."""
    bounds = zip(words.offsets[:-1], words.offsets[1:], strict=True)
    return [
        (tuple(words.symbols[a:b].tolist()), words.targets[a:b].astype(float), words.counted[a:b])
        for a, b in bounds
    ]


def begin(spec: Spec, networks: Networks) -> Trained:
    """Networks that have not been trained yet."""
    runs, zeros = len(networks), np.zeros_like(networks.parameters)
    nothing = np.zeros((runs, 0))
    return Trained(spec, tuple(range(runs)), networks, nothing, (None,) * runs, (zeros, zeros), 0)


def train_on(spec: Spec, networks: Networks, runs: Sequence[Words]) -> Trained:
    """Train each network on words of its own, side by side."""
    return Block(begin(spec, networks), runs).train(spec.epochs)


def kernel_gradient(spec: Spec, networks: Networks, runs: Sequence[Words]) -> Array:
    """The gradient of the mean loss of all words, (run, parameter), from Adam's first moment."""
    one_update = replace(spec, epochs=1, batch=len(runs[0].lengths))
    return np.asarray(train_on(one_update, networks, runs).moments[0] / (1 - spec.beta1))


def is_judged_and_traced(networks: Networks, words: Words, apart: float = 1e-12) -> None:
    """Compiled programs find the reference's first mistakes, its states and its scores."""
    for (word, targets, counted), place in zip(each(words), first_mistakes(networks, 0, words), strict=True):
        states, outputs = forward(networks, 0, word)
        wrong = np.flatnonzero(((outputs > 0.5) != (targets > 0.5)).any(axis=1) & (counted > 0))
        assert place == (wrong[0] if len(wrong) else -1)
        traced = trace(networks, 0, word)
        for name, path in (states | {"y": outputs}).items():
            np.testing.assert_allclose(traced[name], path, rtol=apart, atol=apart / 10, err_msg=name)
