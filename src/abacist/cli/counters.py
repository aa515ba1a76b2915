"""`abacist counters` and `machine`: what each unit counts, and the counter machine that a network is."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any

import typer

from abacist.analysis import (
    COUNTS,
    FOLLOWS,
    Comparison,
    CountingUnits,
    StateUnits,
    certify,
    compare,
    counting_units,
    counting_words,
    load_certificate,
    machine_of,
)
from abacist.cli.certificates import check_is_file, sentences
from abacist.cli.networks import (
    CellOption,
    LanguageOption,
    Network,
    NetworkArgument,
    NetworksArgument,
    RunOption,
    chosen_networks,
    networks_named,
)
from abacist.cli.options import SHORT, StoreOption, check_counts
from abacist.cli.screen import say, show_json, working
from abacist.cli.stores import WhereOption, settings_of
from abacist.cli.tables import show_rows, show_table
from abacist.corpora import Window
from abacist.errors import BadInput, UnknownName
from abacist.languages import CounterAutomaton, Language
from abacist.report.figures import FIGURE_FORMS, machine_figure, write_figure
from abacist.report.unit_tables import LookedAt, known_number, networks_table, tasks_table, units_table
from abacist.specs import Spec
from abacist.wording import several

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
            f"--words must be at most {most:,} where they have up to {several(window.high, 'symbol')}, "
            f"got {words:,}"
        )
    found = _with_state(state, chosen_networks(networks, results, where, cell=cell))
    settings = settings_of(dict.fromkeys(one.run.spec for one in found if one.run is not None))
    states = None if state is None else (state,)
    found, languages = _with_counters(found, language)
    with working("drawing words"):
        drawn = {own: counting_words(own, window, words, seed=seed) for own in dict.fromkeys(languages)}
    looked: list[LookedAt] = []
    with working("looking at units") as progress:
        for network, own in zip(found, languages, strict=True):
            part = progress.part(1 / len(found))
            units = counting_units(network.networks, 0, drawn[own], states=states, progress=part)
            looked.append(_looked_at(network, settings, units))
    if json:
        show_json([_plain_units(one, threshold) for one in looked])
    elif by_task:
        show_table(tasks_table(looked, threshold))
    elif len(looked) == 1:
        show_table(units_table(looked[0].found, found[0].title, threshold))
    else:
        show_table(networks_table(looked, threshold))


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
        say(f"left out {several(len(networks) - len(having), 'network')} without a state {state}")
    return having


def _with_counters(networks: list[Network], name: str | None) -> tuple[list[Network], list[Language[Any]]]:
    """The networks whose language counts something, and those languages; says how many do not."""
    pairs = [(network, network.language_or(name)) for network in networks]
    having = [(network, own) for network, own in pairs if own.depths(own.start)]
    if having and len(having) < len(pairs):
        left = several(len(pairs) - len(having), "network")
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


def _plain_units(looked: LookedAt, threshold: float) -> dict[str, Any]:
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


def machine(
    network: NetworkArgument,
    certificate: Annotated[
        Path | None, typer.Option(help="Its certificate, if there is one.", show_default="a new one")
    ] = None,
    out: Annotated[Path | None, typer.Option(help="Draw it: .svg, .pdf or .png.")] = None,
    run: RunOption = None,
    language: LanguageOption = None,
    cell: CellOption = None,
    results: StoreOption = Path("results"),
    json: Annotated[bool, typer.Option("--json", help="Print JSON instead of a table.")] = False,
) -> None:
    """Show the counter machine that a proved network is, and whether it is the language's own.

    It is read off the network: what it predicts, and what every symbol adds to its accumulators. Only a
    network that is proved right on words of any length is such a machine, up to the depth that is proved.

    Example: abacist machine dyck-1-lstm --run 0 --out machine.svg
    """
    if out is not None and out.suffix.removeprefix(".") not in FIGURE_FORMS:
        raise BadInput(f"{out}: a figure is written as {', '.join(f'.{form}' for form in FIGURE_FORMS)}")
    if certificate is not None:
        check_is_file(certificate)
    found = networks_named(network, results, run, cell=cell)[0]
    chosen = found.language_or(language)
    if certificate is not None:
        proof = load_certificate(certificate)
    else:
        with working(found.name) as progress:
            answer = certify(found.networks, 0, chosen, steps=found.steps, progress=progress)
        if answer.certificate is None or answer.certificate.statement.length is not None:
            raise BadInput(
                "only a network that is proved for words of any length is a machine; "
                f"{sentences(answer, chosen)[0]}"
            )
        proof = answer.certificate
    own = machine_of(proof, found.networks, 0)
    automaton = chosen.automaton()
    assert isinstance(automaton, CounterAutomaton)
    compared = compare(own, automaton)
    if out is not None:
        write_figure(machine_figure(own, chosen), out)
    if json:
        show_json(_plain_machine(own, compared, str(proof.statement)))
    else:
        _show_machine(own, chosen, found.title)
        say(f"{verdict(compared, chosen)}: {compared.reason}", output=True)
        say(f"it rests on this: {proof.statement}")
    if out is not None:
        say(f"drawn in {out}")


def verdict(compared: Comparison, language: Language[Any]) -> str:
    """Whether the machine is the language's own, in a few words."""
    if compared.equal:
        return f"equal to the automaton of {language.name}"
    if compared.word is None:
        return f"not decided whether it is the automaton of {language.name}"
    word = language.alphabet.render(compared.word) or "the empty word"
    return f"not the automaton of {language.name}, see {word}"


def _show_machine(machine: CounterAutomaton, language: Language[Any], title: str) -> None:
    names = language.counter_names
    rows = []
    for move in machine.moves:
        tests = [
            f"{n} {'= 0' if t == '0' else '> 0'}" for n, t in zip(names, move.tests, strict=True) if t != "*"
        ]
        added = [f"{n} {u:+d}" for n, u in zip(names, move.updates, strict=True) if u]
        glyph = language.alphabet.glyphs[move.symbol]
        rows.append([move.source, glyph, ", ".join(tests), move.target, ", ".join(added) or "nothing"])
    kept = f"{several(machine.states, 'control state')}, {several(machine.counters, 'counter')}"
    show_rows(
        ["state", "symbol", "if", "goes to", "adds"],
        rows,
        title=f"{title}: {kept}",
        left=("symbol", "if", "adds"),
    )


def _plain_machine(machine: CounterAutomaton, compared: Comparison, statement: str) -> dict[str, Any]:
    return {
        "symbols": machine.symbols,
        "states": machine.states,
        "counters": machine.counters,
        "moves": [vars(move) for move in machine.moves],
        "accepting": sorted(machine.accepting_states),
        "equal": compared.equal,
        "word": None if compared.word is None else [*compared.word],
        "reason": compared.reason,
        "rests_on": statement,
    }
