"""Recognition: compiled = the plain reference = its definition, on every string up to a length."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from abacist.analysis import constructed
from abacist.cells import Cell
from abacist.corpora import Words, leaving, pack_texts
from abacist.corpora.packed import pack
from abacist.engine import first_mistakes, first_rejections
from abacist.engine.reference import array_parts
from abacist.errors import BadInput
from abacist.languages import language_named
from abacist.specs import Networks
from tests.engine.cases import begin, cells, layout_of, random_networks, small, train_on
from tests.engine.reference import first_rejection
from tests.languages.subjects import ORACLES

#: Languages, and the longest strings that are tried: without a marked end, and with one.
LANGUAGES = {"dyck-1": 8, "shuffle-2": 5, "dyck-2": 5, "anbn": 8, "anbncn": 5, "anbn || dyck-1": 5}


def every_string(symbols: int, longest: int) -> list[tuple[int, ...]]:
    return [word for length in range(longest + 1) for word in product(range(symbols), repeat=length)]


def by_definition(networks: Networks, name: str, longest: int) -> dict[tuple[int, ...], int]:
    """Where a network rejects every string, prefix by prefix; the language's rules from brute force."""
    oracle = next(oracle for oracle in ORACLES if oracle.name == name)
    layout, part = networks.layout, array_parts(networks, 0)
    weights, symbols = layout.weights(part), len(oracle.glyphs)
    closing = {oracle.glyphs.index(pair[1]) for pair in oracle.counters}
    begins = {word[0] for n in range(1, 9) for word in oracle.words(n)}
    verdicts: dict[tuple[int, ...], int] = {(): -1 if oracle.contains("") else 0}

    def grow(prefix: tuple[int, ...], states: tuple[np.ndarray, ...], rejected: int) -> Iterator[None]:
        """`rejected` says where the prefix was rejected, -1 if it has not been."""
        allowed = (
            set(np.flatnonzero(layout.predicted(layout.scores(layout.sums(part, states[0])))))
            if prefix
            else None
        )
        if allowed is not None:
            may_end = symbols in allowed if oracle.marks_end else not allowed & closing
            verdicts[prefix] = rejected if rejected >= 0 or may_end else len(prefix)
        for symbol in range(symbols if len(prefix) < longest else 0):
            fits = oracle.glyphs[symbol] in begins if allowed is None else symbol in allowed
            after = layout.cell.advance(weights, np.eye(symbols)[symbol], states)
            yield from grow((*prefix, symbol), after, rejected if rejected >= 0 or fits else len(prefix))

    list(grow((), tuple(np.zeros(size) for size in layout.state_sizes), -1))
    return verdicts


@pytest.mark.parametrize(
    ("cell", "name"),
    [
        pytest.param(
            cell, name, marks=() if cell.name == "lstm" or name == "dyck-1" else pytest.mark.thorough
        )
        for cell in cells[:4]
        for name in LANGUAGES
    ],
    ids=lambda value: getattr(value, "name", value),
)
def test_verdicts_are_those_of_the_definition_on_every_string(cell: Cell, name: str) -> None:
    language = language_named(name)
    networks = random_networks(layout_of(cell, 3, name), 1, seed=3, scale=6.0)
    strings = every_string(len(language.alphabet), LANGUAGES[name])
    expected = by_definition(networks, name, LANGUAGES[name])
    found = first_rejections(networks, 0, language, *pack(language, strings)).tolist()
    assert found == [expected[string] for string in strings]
    some = strings[:: max(1, len(strings) // 150)]
    assert [first_rejection(networks, 0, language, s) for s in some] == [expected[s] for s in some]


def test_those_verdicts_are_of_all_kinds() -> None:
    """So that the law above is not about one verdict only."""
    for name in ("dyck-1", "anbn"):
        seen: set[int] = set()
        for seed in range(30):
            networks = random_networks(layout_of(cells[seed % 3], 3, name), 1, seed=seed, scale=6.0)
            strings = every_string(2, 6)
            found = first_rejections(networks, 0, language_named(name), *pack(language_named(name), strings))
            seen |= {v if v < len(s) else 99 for v, s in zip(found.tolist(), strings, strict=True)}
        assert seen >= {-1, 0, 1, 2, 3, 99}


@pytest.mark.parametrize("precision", ["float32", "float64"])
@pytest.mark.parametrize("name", ["dyck-1", "shuffle-2"])
def test_a_network_that_counts_rejects_where_the_language_is_left(name: str, precision: str) -> None:
    language = language_named(name)
    networks = constructed(language, precision)
    packed = pack(language, every_string(len(language.alphabet), 6))
    assert first_rejections(networks, 0, language, *packed).tolist() == leaving(language, *packed).tolist()


@pytest.mark.thorough
@settings(max_examples=30)
@given(st.integers(0, 10**6), st.sampled_from(["dyck-1", "shuffle-2", "anbn"]), st.sampled_from(cells[:4]))
def test_a_word_that_is_accepted_is_taken(seed: int, name: str, cell: Cell) -> None:
    """All predictions right implies that no symbol is missed; the converse is false."""
    language = language_named(name)
    networks = random_networks(layout_of(cell, 2, name), 1, seed=seed, scale=8.0)
    words = [word for length in range(1, 9) for word in language.words(length)]
    accepted = first_mistakes(networks, 0, pack_texts(language, words)) < 0
    taken = first_rejections(networks, 0, language, *pack(language, words)) < 0
    assert (taken | ~accepted).all()


def test_a_network_that_predicts_everything_takes_every_marked_word_and_accepts_none() -> None:
    language = language_named("anbn")
    layout = layout_of(cells[0], 1, "anbn")
    generous = Networks(layout, np.array([[0.0] * (layout.size - 3) + [1.0] * 3]))
    packed = pack(language, ["ab", "aabb", "aba", "ba"])
    assert first_rejections(generous, 0, language, *packed).tolist() == [-1, -1, -1, 0]
    assert (first_mistakes(generous, 0, pack_texts(language, ["ab", "aabb"])) >= 0).all()
    silent = Networks(layout, -generous.parameters)
    assert first_rejections(silent, 0, language, *packed).tolist() == [1, 1, 1, 0]


def test_a_target_either_way_is_right_whatever_is_predicted() -> None:
    language = language_named("dyck-1")
    words = Words.to_recognise(language, *pack(language, ["())", "("]))
    assert words.targets.tolist() == [[2, 1], [2, 1], [2, 0], [2, 0]]
    marked = language_named("anbn")
    assert Words.to_recognise(marked, *pack(marked, ["ab", ""])).targets.tolist() == [[2, 1, 2], [2, 2, 1]]
    spec = small(cells[0])
    networks = random_networks(spec.layout, 1, seed=0)
    with pytest.raises(BadInput, match="say too little to be trained on"):
        train_on(spec, networks, [Words.joined([words, words])])
    assert begin(spec, networks).epochs == 0


def test_other_languages_and_symbols_are_refused() -> None:
    networks = random_networks(layout_of(cells[0], 2), 1, seed=0)
    with pytest.raises(BadInput, match="has 4 symbols and 4 outputs, the network 2 and 2"):
        first_rejections(networks, 0, language_named("dyck-2"), *pack(language_named("dyck-2"), ["([)]"]))
    with pytest.raises(BadInput, match="whole numbers from 0 to 1, got 7"):
        first_rejections(networks, 0, language_named("dyck-1"), np.array([7]), np.array([0, 1]))
