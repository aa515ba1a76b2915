"""Covers: what they prove of words of any length up to a depth, held to brute force, and their forgeries."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from abacist.analysis import Statement, certify, check, constructed, load_certificate, machine_of
from abacist.analysis.certificates.certificate import Certificate, Cover
from abacist.analysis.certificates.cover_search import CoverSearch
from abacist.cells import cell_named
from abacist.corpora import pack_texts
from abacist.engine import first_mistakes, train
from abacist.errors import BadInput
from abacist.languages import Language, language_named, written_name
from abacist.specs import Networks, Spec
from tests.analysis.certificates.test_certify import DYCK
from tests.analysis.horizons.badly_trained import badly_trained

#: What is trained for Dyck-1, not well: a cell, its units, the rate and the epochs.
TRAINED = [("lstm", 1, 0.02, 8), ("gru", 2, 0.02, 8), ("rnn", 4, 0.01, 4)]

#: What is trained badly: a cell, its units, a language, the longest words of which all are tried.
BADLY_TRAINED = [("lstm", 2, "shuffle-2", 8), ("lstm", 2, "dyck-2", 8), ("rnn", 2, "anbn", 16)]


@cache
def trained(cell: str, hidden: int, rate: float, epochs: int) -> Networks:
    """Forty networks, some right up to a depth of 1."""
    spec = Spec(DYCK, cell_named(cell), hidden, epochs=epochs, rate=rate, training=500, test=2)
    return train(spec, range(40)).networks


def statement(networks: Networks, language: Language[Any], depth: int, steps: str = "all") -> Statement:
    precision, cell = str(networks.parameters.dtype), networks.layout.cell.name
    return Statement(written_name(language), cell, precision, steps, None, depth)


def covered(networks: Networks) -> Cover:
    """The cover of a network for Dyck-1 with depths up to 1."""
    cover = CoverSearch(networks, 0, DYCK).find(statement(networks, DYCK, 1))
    assert cover is not None
    return cover


@cache
def words_by_depth(name: str, longest: int) -> dict[int, list[tuple[int, ...]]]:
    """All words up to a length, by the largest value of a counter."""
    language = language_named(name)
    found: dict[int, list[tuple[int, ...]]] = {}
    for length in range(1, longest + 1):
        for word in language.words(length):
            found.setdefault(int(language.depth_path(word).max()), []).append(word)
    return found


def least_wrong_depth(networks: Networks, run: int, name: str, longest: int, steps: str) -> float:
    """The least depth of a short word that a network gets wrong, by trying all."""
    language = language_named(name)
    for depth, words in sorted(words_by_depth(name, longest).items()):
        if (first_mistakes(networks, run, pack_texts(language, words, steps)) >= 0).any():
            return depth
    return np.inf


def depths_proved(networks: Networks, name: str, longest: int, steps: str = "all") -> list[int]:
    """The depth up to which each network is covered, once no short word has refuted it."""
    language, found = language_named(name), []
    for run in range(len(networks.parameters)):
        search, depth = CoverSearch(networks, run, language), 0
        while depth < 4 and (cover := search.find(statement(networks, language, depth + 1, steps))):
            assert check(cover, networks, run).sentence == f"yes: {cover.statement}"
            depth += 1
        assert depth == 0 or depth < least_wrong_depth(networks, run, name, longest, steps)
        found.append(depth)
    return found


@pytest.mark.thorough
@pytest.mark.parametrize(("subject", "steps"), [(one, "all") for one in TRAINED] + [(TRAINED[2], "last")])
def test_nothing_proved_is_refuted_by_any_short_word(
    subject: tuple[str, int, float, int], steps: str
) -> None:
    assert max(depths_proved(trained(*subject), "dyck-1", 16, steps)) >= 1


@pytest.mark.parametrize(
    ("cell", "hidden", "name", "longest"),
    [*(pytest.param(*own, marks=pytest.mark.thorough) for own in BADLY_TRAINED[:2]), BADLY_TRAINED[2]],
)
def test_whatever_the_language(cell: str, hidden: int, name: str, longest: int) -> None:
    depths_proved(badly_trained(cell, hidden, name), name, longest)


def test_covers_are_as_sharp_as_can_be() -> None:
    """The only words of depth 1 are () again and again: those that stay right on them are covered."""
    networks = trained(*TRAINED[2])
    words = pack_texts(DYCK, [(0, 1) * 1000])
    for run, depth in enumerate(depths_proved(networks, "dyck-1", 8)):
        assert (depth > 0) == (first_mistakes(networks, run, words)[0] < 0)


def switch(precision: str = "float32") -> Networks:
    """An Elman network that remembers the last symbol: right up to depth 1, and no deeper."""
    tensors = {
        "weight_ih": np.array([[2, -2]], precision),
        "weight_hh": np.array([[0.25]], precision),
        "output.weight": np.array([[0], [4]], precision),
        "output.bias": np.array([1, 0], precision),
    }
    return Networks.from_tensors(cell_named("rnn"), tensors)


@pytest.mark.thorough
def test_the_bracket_of_depths_closes() -> None:
    """Among trained networks are some that only a cover proves, and all are proved up to a wrong word."""
    networks, depths = trained(*TRAINED[1]), set()
    for run in range(4, 7):
        answer = certify(networks, run, DYCK)
        assert answer.shallowest is not None
        depth = 0 if answer.cover is None else answer.cover.statement.depth
        assert depth + 1 == DYCK.depth_path(answer.shallowest.word).max()
        depths.add(depth)
    assert depths == {0, 1}


@pytest.mark.parametrize("precision", ["float32", "float64"])
def test_a_cover_is_a_file(precision: str, tmp_path: Path) -> None:
    cover = covered(switch(precision))
    cover.save(tmp_path / "cover.json")
    again = load_certificate(tmp_path / "cover.json")
    assert again.plain() == cover.plain()
    assert check(again, switch(precision), 0).holds
    with pytest.raises(ValueError, match="it is of another kind"):
        Certificate.of_plain(cover.plain())
    with pytest.raises(BadInput, match="whose gates are saturated; this one leaks"):
        machine_of(again, switch(precision), 0)


def test_a_depth_can_be_asked_for() -> None:
    networks = switch()
    assert certify(networks, 0, DYCK, depth=1).proved
    assert certify(networks, 0, DYCK, depth=1, length=10**9).proved
    assert certify(networks, 0, DYCK, depth=2).verdict == "refuted"


def test_a_stack_needs_a_depth() -> None:
    """What counts every pair of brackets for itself is wrong where these must not cross."""
    networks, language = constructed(language_named("shuffle-2")), language_named("dyck-2")
    answer = certify(networks, 0, language, depth=1)
    assert answer.refutation is not None
    assert answer.refutation.word in language
    assert least_wrong_depth(networks, 0, "dyck-2", 6, "all") == 1
    assert least_wrong_depth(networks, 0, "shuffle-2", 6, "all") == np.inf
    assert certify(networks, 0, language_named("shuffle-2"), depth=1).proved
    with pytest.raises(BadInput, match="dyck-2 is not one; of others, only for words up to a depth"):
        certify(networks, 0, language)
