"""What a page shows: its networks, and all that it knows of them and their languages, in plain values."""

from __future__ import annotations

import base64
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any

from abacist import __version__
from abacist.analysis import Search, constructed
from abacist.analysis.certificates.prover import certify_every_word
from abacist.analysis.horizons.configurations import Configurations
from abacist.cells import Cell, Layout
from abacist.corpora import paper_recipe
from abacist.errors import BadInput
from abacist.experiments import HorizonAim, KnownHorizon, Run
from abacist.experiments.paper_table import STATISTICS, TABLE_3, UNITS
from abacist.experiments.plan import PAPER_SETS, on_stored_words
from abacist.experiments.run_values import settings_of
from abacist.experiments.work import bracket, sharpened
from abacist.fields import check_fields, records
from abacist.languages import Language, on_words_of, words_in
from abacist.report.figures.house_style import title_of
from abacist.specs import Networks, Spec
from abacist.targets.webassembly import drawing_tables, language_tables, program_name, refusal
from abacist.wording import escape_controls, plural

#: Units of the networks that can be trained on a page.
UNITS_TO_TRAIN = (1, 2, 3, 4, 6, 8)

#: Numbers of a state, however few units there are, that make it a memory.
_LARGE = 32

#: Symbols that a word on a page may have, as `endings.js` says.
LONGEST = 1_000

#: The sharpness of gates that every network with gates is searched at, where the store has no answer.
FACTORS = (1.0, 4.0, 16.0)

#: A search that takes a few hundredths of a second; and how many networks of a page are searched at most.
SEARCH = Search(60, 64, 2_000)
_MOST_SEARCHED = 200


@dataclass(frozen=True)
class PageNetwork:
    """One network for a page: `group` heads those of its kind, `label` tells it from them.

    `networks` holds it alone; `run` is what a store knows of it, where it came from one.
    """

    key: str
    group: str
    label: str
    language: Language[Any]
    networks: Networks
    run: Run | None = None

    def __post_init__(self) -> None:
        check_fields(self)
        if len(self.networks) != 1:
            raise BadInput(f"PageNetwork: holds one network, got {len(self.networks)}")
        self.networks.check_language(self.language)
        if self.run is not None:
            check_steps(self.run.spec.steps)
        if reason := refusal(self.networks.layout):
            raise BadInput(reason)
        language_tables(self.language)  # refuses a language that a page cannot follow


def check_steps(steps: str) -> None:
    """Refuse networks that are not judged at every step, as those on a page are."""
    if steps == "last":
        raise BadInput("a page judges every step, not only last ones")


def network_of_run(run: Run, key: str) -> PageNetwork:
    """The network of a run, among others of its kind."""
    label = f"seed {run.seed}{_ending(run.networks)}"
    return PageNetwork(key, group_title(run.spec), label, run.spec.language, run.networks, run)


def network_of_user(
    key: str, label: str, language: Language[Any], networks: Networks, run: Run | None = None
) -> PageNetwork:
    """A network that the user has named. What is known of the run counts for the language it is of."""
    if run is not None and run.spec.language != language:
        run = None
    kind = _kind(language, networks.layout.cell, networks.layout.hidden)
    group = f"Yours · {kind if run is None else group_title(run.spec)}"
    return PageNetwork(key, group, escape_controls(label) + _ending(networks), language, networks, run)


def network_built(language: Language[Any]) -> PageNetwork:
    """A network whose weights were set by hand, as a control."""
    networks = constructed(language, "float64")
    group = f"{_kind(language, networks.layout.cell, networks.layout.hidden)} · built by hand"
    return PageNetwork(f"built-{language.name}", group, "counts exactly", language, networks)


def group_title(spec: Spec) -> str:
    """A kind of networks: what the paper names, and every setting that differs from the usual one.

    >>> from abacist.cells import cell_named
    >>> from abacist.languages import language_named
    >>> group_title(Spec(language_named("dyck-1"), cell_named("lstm"), 3, epochs=50))
    'Dyck-1 · LSTM · 3 units · epochs 50'
    """
    if spec.outside:
        return f"{title_of(spec.language.name)} · {title_of(spec.cell.name)}"
    usual = Spec(spec.language, spec.cell, spec.hidden)
    values = settings_of(spec)
    fields = (f for f in records(Spec).values() if getattr(spec, f.name) != getattr(usual, f.name))
    changed = [f"{field.column.replace('_', ' ')} {values[field.column]}" for field in fields]
    return " · ".join((_kind(spec.language, spec.cell, spec.hidden), *changed))


def _ending(networks: Networks) -> str:
    return ", diverged" if networks.diverged.any() else ""


def _kind(language: Language[Any], cell: Cell, hidden: int) -> str:
    return " · ".join((title_of(language.name), title_of(cell.name), plural(hidden, "unit")))


def layouts_to_train(
    networks: Sequence[PageNetwork],
    trained: Sequence[Language[Any]],
    cells: Sequence[Cell],
    beside: Sequence[Cell],
) -> list[Layout]:
    """The layouts that a page can train: of some cells, and of those that only its networks have, `beside`.

    The programs of a cell with a memory are long: beside the others, it can be trained as it is shown.
    """
    large = [cell for cell in beside if max(state.fixed for state in cell.states) > _LARGE]
    shapes = {(len(language.alphabet.glyphs), language.outputs) for language in trained}
    to_train = [
        Layout(cell, inputs, hidden, outputs)
        for cell in (*cells, *(cell for cell in beside if cell not in large))
        for inputs, outputs in sorted(shapes)
        for hidden in UNITS_TO_TRAIN
    ]
    shown = [one.networks.layout for one in networks if one.language in trained]
    return list(dict.fromkeys([*to_train, *(layout for layout in shown if layout.cell in large)]))


def content_of(
    networks: Sequence[PageNetwork],
    languages: Sequence[Language[Any]],
    trained: Sequence[Language[Any]],
    layouts: Sequence[Layout],
    horizons: Sequence[Sequence[KnownHorizon]],
) -> dict[str, Any]:
    """What a page knows beside the programs.

    Words of the languages in `trained` can be drawn, and networks of some layouts trained; `horizons` are
    those of each network, by the sharpness of its gates.
    """
    cells = dict.fromkeys(layout.cell for layout in layouts)
    shown = dict.fromkeys([*(network.networks.layout for network in networks), *layouts])
    groups: dict[str, PageNetwork] = {}
    for network in networks:
        groups.setdefault(network.group, network)
    numbers = {group: number for number, group in enumerate(groups)}
    return {
        "version": __version__,
        "languages": {
            language.name: {
                "title": title_of(language.name),
                "tables": language_tables(language),
                "words": drawing_tables(paper_recipe(language)) if language in trained else None,
                "nested": _nested(language),
            }
            for language in languages
        },
        "cells": [{"name": cell.name, "title": title_of(cell.name)} for cell in cells],
        "gated": list(dict.fromkeys(layout.cell.name for layout in shown if layout.cell.gated)),
        "factors": list(FACTORS),
        "units": sorted({layout.hidden for layout in layouts}),
        "trained": [program_name(layout) for layout in layouts],
        "groups": [_group(first) for first in groups.values()],
        "networks": [_network(n, numbers[n.group], h) for n, h in zip(networks, horizons, strict=True)],
    }


def _nested(language: Language[Any]) -> dict[str, Any] | None:
    """The language of the usual training words where these are not all: nested ones, of a shuffle."""
    with suppress(BadInput):  # not every language has such words, and not every one can be followed
        words = words_in(on_words_of(language, paper_recipe(language).support), language)
        return None if words is None else {"title": title_of(words.name), "tables": language_tables(words)}
    return None


def can_be_drawn(language: Language[Any]) -> bool:
    """Whether a page can draw the words that networks of a language are trained on."""
    try:
        drawing_tables(paper_recipe(language))
    except BadInput:
        return False
    return True


def _group(first: PageNetwork) -> dict[str, Any]:
    """A kind of networks, with the paper's figures beside it where the paper has them."""
    layout, name = first.networks.layout, first.language.name
    as_in_the_paper = Spec(first.language, layout.cell, UNITS.get(name, 1))
    is_the_papers = first.run is not None and first.run.spec == as_in_the_paper
    figures = TABLE_3.get((name, layout.cell.name), {}) if is_the_papers else {}
    paper = {of: [one.of(which) for which in STATISTICS] for of, one in figures.items()}
    return {
        "title": first.group,
        "language": name,
        "cell": layout.cell.name,
        "hidden": layout.hidden,
        "paper": paper or None,
    }


def _network(network: PageNetwork, group: int, horizons: Sequence[KnownHorizon]) -> dict[str, Any]:
    weights, run = network.networks.parameters[0], network.run
    shares = {} if run is None else {name: run.accuracy(name) for name in PAPER_SETS}
    accuracy = {name: None if share is None else 100 * share for name, share in shares.items()}
    return {
        "key": network.key,
        "group": group,
        "label": network.label,
        "language": network.language.name,
        "program": program_name(network.networks.layout),
        "precision": weights.dtype.name,
        "weights": base64.b64encode(weights.astype(weights.dtype.newbyteorder("<")).tobytes()).decode(),
        "accuracy": accuracy if {*accuracy.values()} - {None} else None,
        "horizons": [_horizon(horizon, network.language, weights.dtype.name) for horizon in horizons],
    }


def _horizon(known: KnownHorizon, language: Language[Any], precision: str) -> dict[str, Any]:
    """What is known at one sharpness of some words, and the failing one, where a page has room for it."""
    wrong, searched = known.horizon.wrong, on_stored_words(language, known.words)
    return {
        "factor": known.factor,
        "words": searched.word_language.name if known.words else "",
        "text": sentence(known, language, precision),
        "proved": known.horizon.proved_in(searched),
        "wrong": list(wrong.word) if wrong is not None and len(wrong) <= LONGEST else None,
        "holds": wrong is None,
        "everyWord": known.every_word is True,
    }


def horizons_on_page(networks: Sequence[PageNetwork]) -> list[tuple[KnownHorizon, ...]]:
    """For each network what is known of it, by the sharpness of its gates; of some words alone after that."""
    configurations = {network.language: Configurations(network.language) for network in networks}
    horizons, searched = [], 0
    for network in networks:
        stored = stored_horizons(network)
        by_factor = {one.factor: one for one in stored if not one.words}
        factors = FACTORS if network.networks.layout.cell.gated else FACTORS[:1]
        missing = [factor for factor in factors if factor not in by_factor]
        if missing and searched < _MOST_SEARCHED:
            searched += 1
            for factor in missing:
                with suppress(BadInput):  # some cells, languages and weights have no horizon
                    by_factor[factor] = _search(network, factor, configurations[network.language])
        of_all = tuple(by_factor[factor] for factor in sorted(by_factor))
        horizons.append((*of_all, *(one for one in stored if one.words)))
    return horizons


def stored_horizons(network: PageNetwork) -> tuple[KnownHorizon, ...]:
    """What the store knows of a network; without gates, only of the network as it was trained."""
    stored = () if network.run is None else network.run.outcome.every_horizon
    gated = network.networks.layout.cell.gated
    return tuple(
        one for one in stored if (one.factor == 1 or gated) and _can_be_read(network.language, one.words)
    )


def _can_be_read(language: Language[Any], words: str) -> bool:
    """Whether words of a stored horizon are known here: their language may be from a file of the user's."""
    with suppress(BadInput):
        return bool(on_stored_words(language, words))
    return False


def _search(network: PageNetwork, factor: float, configurations: Configurations) -> KnownHorizon:
    networks, every_word = sharpened(network.networks, factor), None
    horizon = bracket(networks, configurations, HorizonAim(SEARCH, factor))
    if horizon.proved >= SEARCH.to:
        with suppress(BadInput):  # not every language has certificates
            every_word = certify_every_word(networks, 0, network.language) is not None
    return KnownHorizon(factor, horizon, every_word)


def sentence(known: KnownHorizon, language: Language[Any], precision: str) -> str:
    """What is known, for people.

    >>> from abacist.analysis import Horizon, Refutation
    >>> from abacist.languages import Dyck
    >>> wrong = Refutation((0, 1, 0, 1), 4, (0, 1), (0,))
    >>> sentence(KnownHorizon(1.0, Horizon(3, wrong, SEARCH, 64)), Dyck(1), "float32")
    'wrong on a word of 4 symbols; every shorter word is proved right'
    """
    if known.words:
        searched = on_stored_words(language, known.words)
        among = sentence(replace(known, words=""), searched, precision)
        return f"among words of {title_of(searched.word_language.name)}, {among}"
    wrong, proved = known.horizon.wrong, known.horizon.proved_in(language)
    if known.every_word:
        depth = {"float32": "2²⁴", "float64": "2⁵³"}[precision]
        return f"every word is proved right, up to depth {depth} ({precision})"
    if wrong is None:
        proof = f"every word of up to {plural(proved, 'symbol')} is proved right"
        return f"{proof if proved else 'nothing is proved'}; no failing word is known"
    proof = "shorter word" if known.horizon.closed else f"word of up to {plural(proved, 'symbol')}"
    mistake = f"wrong on a word of {plural(len(wrong), 'symbol')}"
    return f"{mistake}; every {proof} is proved right" if proved else mistake
