"""`abacist counters`, `machine` and `stress`: what units count, a network as a machine, and long words."""

from __future__ import annotations

from itertools import chain
from pathlib import Path
from typing import Annotated, Any

from abacist.analysis import (
    ALL_FAMILIES,
    COUNTS,
    FOLLOWS,
    LENGTHS,
    Comparison,
    StateUnits,
    certify,
    compare,
    counting_units,
    counting_words,
    load_certificate,
    machine_of,
)
from abacist.analysis import stress as try_networks
from abacist.cli.networks import (
    Network,
    NetworksOnWords,
    OneNetwork,
    SomeNetworks,
    joined,
    keep_those,
    settings_of_runs,
)
from abacist.cli.options import (
    SHORT,
    FigureOption,
    FormOption,
    JsonOption,
    LengthsOption,
    draw,
    picked,
    separated,
)
from abacist.cli.screen import say, show_json, working
from abacist.cli.tables import show_rows, show_table
from abacist.corpora import Window
from abacist.errors import BadInput
from abacist.fields import Range
from abacist.languages import CounterAutomaton, Language
from abacist.report.network_tables import (
    LookedAt,
    StressedNetworks,
    every_network_table,
    networks_table,
    stress_table,
    tasks_table,
    units_table,
)
from abacist.report.tables import known_number
from abacist.wording import plural

#: Symbols at most, were all words as long as they may be, whatever the size of the network.
_MOST_SYMBOLS = 5_000_000


def counters(
    *,
    choice: SomeNetworks,
    lengths: LengthsOption = SHORT,
    words: Annotated[int, "How many words to look at.", Range(1)] = 1_000,
    seed: Annotated[int, "The seed of the words."] = 0,
    threshold: Annotated[
        float, "The least absolute correlation of a unit that counts.", Range(0, 1)
    ] = COUNTS,
    state: Annotated[str | None, "Only this state, such as c.", "all"] = None,
    by_task: Annotated[bool, "Gather the runs of every task."] = False,
    json: JsonOption = False,
) -> None:
    """Say for every unit whether it counts, and what; whether it follows the length; or neither.

    For one network it shows all units, for several how many units do what. Words are drawn uniformly from
    the language; in those of a shuffle, brackets cross.

    Example: abacist counters --where language=shuffle-6 --where cell=lstm --state c
    """
    window = Window.parse(lengths)
    if words > (most := _MOST_SYMBOLS // window.high):
        raise BadInput(
            f"--words must be at most {most:,} where they have up to {plural(window.high, 'symbol')}, "
            f"got {words:,}"
        )
    networks = choice.networks()
    if state is not None:
        states_of = {one: one.networks.layout.cell.state_names for one in networks}
        picked([state], dict.fromkeys(chain.from_iterable(states_of.values())), "state")
        networks = keep_those(networks, lambda one: state in states_of[one], f"without a state {state}")
    settings, languages = settings_of_runs(networks), {n: n.language_or(choice.language) for n in networks}
    counting = {one for one, language in languages.items() if language.depths(language.start)}
    if counting:
        networks = keep_those(networks, lambda one: one in counting, "of languages without counters")
    with working("drawing words"):
        different = dict.fromkeys(languages[one] for one in networks)
        drawn = {language: counting_words(language, window, words, seed=seed) for language in different}
    looked: list[LookedAt] = []
    with working("looking at units") as progress:
        for network in networks:
            part, states = progress.part(1 / len(networks)), None if state is None else (state,)
            language, run = languages[network], network.run
            units = counting_units(network.networks, 0, drawn[language], states=states, progress=part)
            setting = settings.get(network) or network.settings(language)
            looked.append(LookedAt(network.name, setting, None if run is None else run.seed, units))
    if json:
        show_json([_plain_units(one, threshold) for one in looked])
    elif by_task:
        show_table(tasks_table(looked, threshold))
    elif len(looked) == 1:
        show_table(units_table(looked[0].units, networks[0].title, threshold))
    else:
        show_table(networks_table(looked, threshold))


def _plain_units(looked: LookedAt, threshold: float) -> dict[str, Any]:
    """All that is known of a network's units, in plain values; units are counted from 1."""
    units, corpus = looked.units, looked.units.corpus
    return {"run": looked.run, "seed": looked.seed, **looked.settings} | {
        "words": {
            "count": corpus.split.count,
            "lengths": str(corpus.split.window),
            "seed": corpus.recipe.seed,
        },
        "counts_from": threshold,
        "follows_from": FOLLOWS,
        "counters": list(corpus.language.counter_names),
        "saturation": {gate: _numbers(values) for gate, values in units.saturation.items()},
        "states": [_plain_state(corpus.language, state, threshold) for state in units.states],
    }


def _plain_state(language: Language[Any], state: StateUnits, threshold: float) -> dict[str, Any]:
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
    *,
    choice: OneNetwork,
    certificate: Annotated[Path | None, "Its certificate, if there is one.", "a new one"] = None,
    out: FigureOption = None,
    json: JsonOption = False,
) -> None:
    """Show the counter machine that a proved network is, and whether it is the language's own.

    It is read off the network: what it predicts, and what every symbol adds to its accumulators. Only a
    network that is proved right on words of any length is such a machine, up to the depth that is proved.

    Example: abacist machine dyck-1-lstm --run 0 --out machine.svg
    """
    network, language = choice.load()
    if certificate is not None:
        proof = load_certificate(certificate)
    else:
        with working(network.name) as progress:
            answer = certify(network.networks, 0, language, steps=network.steps, progress=progress)
        if answer.certificate is None or answer.certificate.statement.length is not None:
            raise BadInput(
                f"only a network that is proved for words of any length is a machine; {answer.sentences[0]}"
            )
        proof = answer.certificate
    extracted = machine_of(proof, network.networks, 0)
    automaton = language.automaton()
    assert isinstance(automaton, CounterAutomaton)
    compared = compare(extracted, automaton)
    if json:
        show_json(_plain_machine(extracted, compared, str(proof.statement)))
    else:
        _show_machine(extracted, language, network.title)
        say(f"{verdict(compared, language)}: {compared.reason}", output=True)
        say(f"it rests on this: {proof.statement}")
    if out is not None:
        from abacist.report.figures import machine_figure

        draw(machine_figure(extracted, language), out)


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
    size = f"{plural(machine.states, 'control state')}, {plural(machine.counters, 'counter')}"
    headings = ["state", "symbol", "if", "goes to", "adds"]
    show_rows(headings, rows, title=f"{title}: {size}", left=("symbol", "if", "adds"))


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


def stress(
    *,
    choice: NetworksOnWords,
    lengths: Annotated[str, "The lengths of the words, separated by commas."] = ",".join(map(str, LENGTHS)),
    only: Annotated[
        list[str] | None, "Only these families of words, with commas between them.", "all"
    ] = None,
    seed: Annotated[int, "The seed of the families that are drawn at random."] = 0,
    every: Annotated[bool, "Every single network, with its first wrong step at each length."] = False,
    form: FormOption = "text",
    figure: FigureOption = None,
) -> None:
    """Try networks on structured words of up to a million symbols, and say where they go wrong.

    The words come in families, such as `nest`, (ⁿ)ⁿ, or `pairs`, ()ⁿ. Without --every, a row is a task,
    and its figures are the longest words up to which at least half of its networks are right.
    Steps are counted from 1. A figure shows the share of networks that are still right.

    Example: abacist stress --results results --where language=dyck-1 --figure stress.png
    """
    try:
        numbers = sorted({int(part) for part in lengths.replace("_", "").split(",")})
    except ValueError:
        raise BadInput(f"lengths must be whole numbers, such as 100,1000,10000, got {lengths!r}") from None
    families = [ALL_FAMILIES[name] for name in picked(separated(only), ALL_FAMILIES, "family")]
    networks, tried = choice.networks(), list[StressedNetworks]()
    # by language and steps, then by shape and precision: those are judged side by side
    together: dict[Any, dict[Any, list[Network]]] = {}
    for one in networks:
        shapes = together.setdefault((choice.language_of(one), one.steps), {})
        shapes.setdefault((one.networks.layout, str(one.networks.parameters.dtype)), []).append(one)
    with working("stressing") as progress:
        for (language, steps), shapes in together.items():
            part = progress.part(sum(map(len, shapes.values())) / len(networks))
            part()
            groups = [joined(alike) for alike in shapes.values()]
            outcome = try_networks(
                groups, language, numbers, families=families, seed=seed, steps=steps, progress=part
            )
            for group, alike, result in zip(groups, shapes.values(), outcome, strict=True):
                names = tuple(one.name for one in alike)
                cell, hidden = group.layout.cell.name, group.layout.hidden
                tried.append(StressedNetworks(language.name, cell, hidden, steps, names, result))
    show_table(every_network_table(tried) if every else stress_table(tried), form)
    if figure is not None:
        from abacist.report.figures import stress_figure

        draw(stress_figure(tried), figure, f"{plural(len(tried), 'task')} ")
