"""`abacist machine`: the counter machine that a network is."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from abacist.analysis import Comparison, certify, compare, load_certificate, machine_of
from abacist.cli.certify import sentences
from abacist.cli.check import check_is_file
from abacist.cli.networks import CellOption, LanguageOption, NetworkArgument, RunOption, networks_named
from abacist.cli.options import StoreOption
from abacist.cli.saying import say
from abacist.cli.screen import show_json
from abacist.cli.status import working
from abacist.cli.tables import show_table
from abacist.errors import BadInput
from abacist.languages import CounterAutomaton, Language
from abacist.report.figures import FIGURE_FORMS, machine_figure, write_figure
from abacist.wording import plural


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
        show_json(_plain(own, compared, str(proof.statement)))
    else:
        _show(own, chosen, found.title)
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


def _show(machine: CounterAutomaton, language: Language[Any], title: str) -> None:
    names = language.counter_names
    rows = []
    for move in machine.moves:
        tests = [
            f"{n} {'= 0' if t == '0' else '> 0'}" for n, t in zip(names, move.tests, strict=True) if t != "*"
        ]
        added = [f"{n} {u:+d}" for n, u in zip(names, move.updates, strict=True) if u]
        glyph = language.alphabet.glyphs[move.symbol]
        rows.append([move.source, glyph, ", ".join(tests), move.target, ", ".join(added) or "nothing"])
    kept = f"{plural(machine.states, 'control state')}, {plural(machine.counters, 'counter')}"
    show_table(
        ["state", "symbol", "if", "goes to", "adds"],
        rows,
        title=f"{title}: {kept}",
        left=("symbol", "if", "adds"),
    )


def _plain(machine: CounterAutomaton, compared: Comparison, statement: str) -> dict[str, Any]:
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
