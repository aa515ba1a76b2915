"""What a page says of a network at each sharpness of its gates: from the store, or from a short search."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from typing import Any

from abacist.analysis import Search
from abacist.analysis.certificates import certify_every_word
from abacist.analysis.horizons import Configurations
from abacist.errors import BadInput
from abacist.experiments import HorizonAim, KnownHorizon
from abacist.experiments.measuring import bracket, sharpened
from abacist.languages import Language
from abacist.report.page.network import PageNetwork
from abacist.wording import plural

#: The sharpness of gates that every network with gates is searched at, where the store has no answer.
FACTORS = (1.0, 4.0, 16.0)

#: A search that takes a few hundredths of a second; and how many networks of a page are searched at most.
SEARCH = Search(60, 64, 2_000)
_MOST_SEARCHED = 200


def horizons_on_page(networks: Sequence[PageNetwork]) -> list[tuple[KnownHorizon, ...]]:
    """For each network what is known of it, by the sharpness of its gates."""
    configurations = {own.language: Configurations(own.language) for own in networks}
    found, searched = [], 0
    for own in networks:
        known = {one.factor: one for one in stored_horizons(own)}
        factors = FACTORS if own.networks.layout.cell.gated else FACTORS[:1]
        missing = [factor for factor in factors if factor not in known]
        if missing and searched < _MOST_SEARCHED:
            searched += 1
            for factor in missing:
                with suppress(BadInput):  # some cells, languages and weights have no horizon
                    known[factor] = _search(own, factor, configurations[own.language])
        found.append(tuple(known[factor] for factor in sorted(known)))
    return found


def stored_horizons(own: PageNetwork) -> tuple[KnownHorizon, ...]:
    """What the store knows of a network; without gates, only of the network as it was trained."""
    known = () if own.run is None else own.run.outcome.latest_horizons
    return tuple(one for one in known if one.factor == 1 or own.networks.layout.cell.gated)


def _search(own: PageNetwork, factor: float, configurations: Configurations) -> KnownHorizon:
    networks, every_word = sharpened(own.networks, factor), None
    found = bracket(networks, configurations, HorizonAim(SEARCH, factor))
    if found.proved >= SEARCH.to:
        with suppress(BadInput):  # not every language has certificates
            every_word = certify_every_word(networks, 0, own.language) is not None
    return KnownHorizon(factor, found, every_word)


def sentence(known: KnownHorizon, language: Language[Any], precision: str) -> str:
    """What is known, for people.

    >>> from abacist.analysis import Horizon, Refutation
    >>> from abacist.languages import Dyck
    >>> wrong = Refutation((0, 1, 0, 1), 4, (0, 1), (0,))
    >>> sentence(KnownHorizon(1.0, Horizon(3, wrong, SEARCH, 64)), Dyck(1), "float32")
    'wrong on a word of 4 symbols; every shorter word is proved right'
    """
    own, proved = known.horizon, known.horizon.proved_in(language)
    if known.every_word:
        depth = {"float32": "2²⁴", "float64": "2⁵³"}[precision]
        return f"every word is proved right, up to depth {depth} ({precision})"
    if own.wrong is None:
        proof = f"every word of up to {plural(proved, 'symbol')} is proved right"
        return f"{proof if proved else 'nothing is proved'}; no failing word is known"
    proof = "shorter word" if own.closed else f"word of up to {plural(proved, 'symbol')}"
    said = f"wrong on a word of {plural(len(own.wrong), 'symbol')}"
    return f"{said}; every {proof} is proved right" if proved else said
