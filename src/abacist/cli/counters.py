"""`abacist counters`: which unit of a network counts what."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any

import typer

from abacist.analysis import COUNTS, FOLLOWS, CountingUnits, StateUnits, counting_units, counting_words
from abacist.cli.conditions import WhereOption
from abacist.cli.networks import CellOption, LanguageOption, Network
from abacist.cli.options import StoreOption, check_counts
from abacist.cli.saying import say
from abacist.cli.screen import busy, show_json
from abacist.cli.settings import settings_of
from abacist.cli.several_networks import NetworksArgument, chosen_networks
from abacist.cli.source import SHORT
from abacist.cli.status import working
from abacist.cli.tables import show
from abacist.corpora import Window
from abacist.errors import BadInput, UnknownName
from abacist.languages import Language
from abacist.report.network_tables import LookedAt, networks_table, tasks_table, units_table
from abacist.report.tables import known_number
from abacist.specs import Spec
from abacist.wording import plural

#: Symbols at most, were all words as long as they may be, whatever the size of the network.
_MOST_SYMBOLS = 5_000_000


def counters(
    networks: NetworksArgument = None,
    results: StoreOption = Path("results"),
    where: WhereOption = None,
    language: LanguageOption = None,
    cell: CellOption = None,
    lengths: Annotated[
        str, typer.Option("--lengths", metavar="LOW:HIGH", help="The lengths of the words.")
    ] = SHORT,
    words: Annotated[int, typer.Option(help="How many words to look at.")] = 1_000,
    seed: Annotated[int, typer.Option(help="The seed of the words.")] = 0,
    threshold: Annotated[
        float, typer.Option(help="The least absolute correlation of a unit that counts.")
    ] = COUNTS,
    state: Annotated[str | None, typer.Option(help="Only this state, such as c.", show_default="all")] = None,
    by_task: Annotated[bool, typer.Option("--by-task", help="Gather the runs of every task.")] = False,
    json: Annotated[bool, typer.Option("--json", help="Print JSON instead of a table.")] = False,
) -> None:
    """Say for every unit whether it counts, and what; whether it follows the length; or neither.

    Of one network all units are shown, of several how many of their units do what. Words are drawn
    uniformly from the language; in those of a shuffle brackets cross.

    Example: abacist counters --where language=shuffle-6 --where cell=lstm --state c
    """
    check_counts(words=words)
    if not 0 < threshold <= 1:
        raise BadInput(f"threshold must be above 0 and at most 1, got {threshold}")
    window = Window.parse(lengths)
    if words > (most := _MOST_SYMBOLS // window.high):
        raise BadInput(
            f"--words must be at most {most:,} where they have up to {plural(window.high, 'symbol')}, "
            f"got {words:,}"
        )
    found = _with_state(state, chosen_networks(networks, results, where, cell=cell))
    settings = settings_of(dict.fromkeys(one.run.spec for one in found if one.run is not None))
    states = None if state is None else (state,)
    found, languages = _with_counters(found, language)
    with busy("drawing words"):
        drawn = {own: counting_words(own, window, words, seed=seed) for own in dict.fromkeys(languages)}
    looked: list[LookedAt] = []
    with working("looking at units") as progress:
        for network, own in zip(found, languages, strict=True):
            part = progress.part(1 / len(found))
            units = counting_units(network.networks, 0, drawn[own], states=states, progress=part)
            looked.append(_looked_at(network, settings, units))
    if json:
        show_json([_plain(one, threshold) for one in looked])
    elif by_task:
        show(tasks_table(looked, threshold))
    elif len(looked) == 1:
        show(units_table(looked[0].found, found[0].title, threshold))
    else:
        show(networks_table(looked, threshold))


def _with_state(state: str | None, networks: list[Network]) -> list[Network]:
    """The networks that have a state, if one is asked for; says how many do not."""
    cells = dict.fromkeys(network.networks.layout.cell for network in networks)
    known = dict.fromkeys(name for cell in cells for name in cell.state_names)
    if state is None or not networks:
        return networks
    if state not in known:
        raise UnknownName(f"no state is called {state!r}; there are {', '.join(known)}")
    having = [one for one in networks if state in one.networks.layout.cell.state_names]
    if len(having) < len(networks):
        say(f"left out {plural(len(networks) - len(having), 'network')} without a state {state}")
    return having


def _with_counters(networks: list[Network], name: str | None) -> tuple[list[Network], list[Language[Any]]]:
    """The networks whose language counts something, and those languages; says how many do not."""
    pairs = [(network, network.language_or(name)) for network in networks]
    having = [(network, own) for network, own in pairs if own.depths(own.start)]
    if having and len(having) < len(pairs):
        left = plural(len(pairs) - len(having), "network")
        say(f"left out {left} of languages without counters")
        pairs = having
    return [network for network, _ in pairs], [own for _, own in pairs]


def _looked_at(
    network: Network, settings: Mapping[Spec, Mapping[str, Any]], units: CountingUnits
) -> LookedAt:
    """The network with what is known about it; one that was imported has no run."""
    run, layout = network.run, network.networks.layout
    if run is not None:
        return LookedAt(run.key[:8], settings[run.spec], run.seed, units)
    own = {"language": units.corpus.language.name, "cell": layout.cell.name, "hidden": layout.hidden}
    return LookedAt(f"{network.place}, {network.number}", own, None, units)


def _plain(looked: LookedAt, threshold: float) -> dict[str, Any]:
    """All that is known of a network's units, in plain values; units are counted from 1."""
    found, split = looked.found, looked.found.corpus.split
    return {"run": looked.run, "seed": looked.seed, **looked.settings} | {
        "words": {"count": split.count, "lengths": str(split.window), "seed": found.corpus.recipe.seed},
        "counts_from": threshold,
        "follows_from": FOLLOWS,
        "counters": list(found.corpus.language.counter_names),
        "saturation": {gate: _numbers(values) for gate, values in found.saturation.items()},
        "states": [_plain_state(found, state, threshold) for state in found.states],
    }


def _plain_state(found: CountingUnits, state: StateUnits, threshold: float) -> dict[str, Any]:
    language = found.corpus.language
    units = [
        {
            "unit": unit + 1,
            "verdict": verdict.in_words(language),
            "counter": None if verdict.counter is None else language.counter_names[verdict.counter],
            "correlations": _numbers(state.matching.correlations[unit]),
            "length": known_number(state.with_length[unit]),
        }
        | {
            name: {"mean": _numbers(moves.mean[unit]), "spread": _numbers(moves.spread[unit])}
            for name, moves in vars(state.moves).items()
        }
        for unit, verdict in enumerate(state.verdicts(threshold))
    ]
    matched = [None if unit is None else unit + 1 for unit in state.matching.units]
    return {"state": state.name, "matched": matched, "units": units}


def _numbers(values: Any) -> list[float | None]:
    return [known_number(value) for value in values]
