"""What a page says of a network, notch by notch, is the horizon of the network with its gates so sharp."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

from abacist.analysis import Search, constructed, horizon, saturated
from abacist.corpora import pack_texts
from abacist.engine import first_mistakes
from abacist.experiments import HorizonAim
from abacist.languages import Language, language_named
from abacist.report.page import PageNetwork
from abacist.report.page.content import (
    FACTORS,
    SEARCH,
    content_of,
    horizons_on_page,
    network_of_run,
    network_of_user,
)
from abacist.specs import Networks
from tests.experiments.cases import made_up, made_up_horizons
from tests.report.page.unpacking import shown, spec_of, weights_of

#: All words up to this length are looked at by brute force.
LONGEST = 8


def _leaking(name: str, share: float) -> PageNetwork:
    """A network that counts, its gates less sharp than they were."""
    language = language_named(name)
    networks = constructed(language, "float32")
    own = Networks(networks.layout, networks.parameters * np.float32(share))
    return network_of_user(f"{name}-{share}", "leaks", language, own)


@pytest.fixture(scope="module")
def networks() -> list[PageNetwork]:
    """Networks that sharper gates mend, that they break, that they do nothing to, and that have none."""
    leaking = [_leaking("dyck-1", share) for share in (1, 0.05)]
    return [*leaking, shown(spec_of(cell="gru")), shown(spec_of("dyck-2")), shown(spec_of(cell="rnn"))]


@pytest.fixture(scope="module")
def packed(networks: list[PageNetwork]) -> Any:
    return _content(networks)


def _content(networks: Sequence[PageNetwork]) -> Any:
    """What a page that trains nothing comes with."""
    languages = list(dict.fromkeys(own.language for own in networks))
    return content_of(networks, languages, [], [], horizons_on_page(networks))


def _words(language: Language[Any]) -> list[tuple[int, ...]]:
    found: list[tuple[int, ...]] = []
    layer: list[tuple[tuple[int, ...], Any]] = [((), language.start)]
    for _ in range(LONGEST):
        steps = [((*w, s), language.step(at, s)) for w, at in layer for s in range(len(language.alphabet))]
        layer = [(word, at) for word, at in steps if at is not None]
        found += [word for word, at in layer if language.accepts(at)]
    return found


def test_every_notch_has_the_horizon_of_the_sharpened_network(
    networks: list[PageNetwork], packed: Any
) -> None:
    for own, told in zip(networks, packed["networks"], strict=True):
        weights = Networks(own.networks.layout, weights_of(told)[None])
        texts = _words(own.language)
        words, lengths = pack_texts(own.language, texts), np.array([len(text) for text in texts])
        for known in told["horizons"]:
            sharper = weights if known["factor"] == 1 else saturated(weights, known["factor"])
            found = horizon(sharper, 0, own.language, SEARCH)
            wrong = None if found.wrong is None else list(found.wrong.word)
            proved = found.proved_in(own.language)
            assert (known["proved"], known["wrong"]) == (proved, wrong)
            mistaken = lengths[first_mistakes(sharper, 0, words) >= 0]
            if known["everyWord"]:
                assert known["text"].startswith("every word is proved right")
                assert mistaken.size == 0
            elif wrong is None:
                assert f"up to {proved} symbols is proved right" in known["text"]
                assert mistaken.size == 0
            else:
                assert known["text"].startswith(f"wrong on a word of {len(wrong)} symbols")
                assert mistaken.min(initial=LONGEST + 1) >= min(len(wrong), LONGEST + 1)


def test_sharper_gates_help_some_networks_and_not_others(packed: Any) -> None:
    """So no sentence on the page may promise either."""
    ends = [[len(one["wrong"] or range(99)) for one in told["horizons"]] for told in packed["networks"]]
    assert any(end[0] < end[-1] for end in ends)
    assert any(end[0] >= end[-1] < 99 for end in ends if len(end) > 1)


def test_every_network_with_gates_has_an_answer_at_every_notch_and_others_have_none_to_sharpen(
    packed: Any,
) -> None:
    assert packed["factors"] == list(FACTORS)
    assert set(packed["gated"]) == {"lstm", "gru"}
    for told in packed["networks"]:
        gated = told["program"].split()[0] in packed["gated"]
        factors = [known["factor"] for known in told["horizons"]]
        assert factors == (list(FACTORS) if gated else [1])


def test_what_the_store_knows_is_not_searched_again() -> None:
    known = made_up_horizons([HorizonAim(Search(200), factor) for factor in (1.0, 2.0, 4.0)])
    run = made_up(spec_of(), 0, {}, horizons=known)
    (told,) = _content([network_of_run(run, run.key)])["networks"]
    assert [one["factor"] for one in told["horizons"]] == [1, 2, 4, 16]
    assert [one["proved"] for one in told["horizons"][:3]] == [one.horizon.proved for one in known]
