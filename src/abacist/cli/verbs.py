"""The verbs of the command, each loaded only when it is asked for.

`abacist --help` lists this registry and imports none of them, so that nobody waits for NumPy or
Numba to read a list. A further verb is one further line.
"""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module
from typing import Any

import typer
from typer.core import TyperGroup

from abacist.cli.parameters import with_options


@dataclass(frozen=True)
class Verb:
    """A verb: its module and function under `abacist.cli`, and the first line of its help.

    `plugins` says whether it is about cells, languages, stores or networks, of which some may be one's own.
    """

    name: str
    module: str
    function: str
    summary: str
    plugins: bool = True


# fmt: off
VERBS = {verb.name: verb for verb in (
    Verb("reproduce", "training", "reproduce",
         "Run the paper's experiments and ours, show the tables beside the paper's, and judge its claims."),
    Verb("run", "training", "run", "Run an experiment: what the store has is not computed again."),
    Verb("table", "results", "table", "Show the table of an experiment, or of what a store has."),
    Verb("distributions", "results", "distributions",
         "Show how accuracies are distributed over ten thousand runs of each of the paper's networks."),
    Verb("runs", "results", "runs", "List every single run in the store."),
    Verb("show", "show", "show",
         "Show everything about a run, also as a file that runs it again, or train it again and compare."),
    Verb("report", "pages", "report",
         "Write one HTML file: what was run, the tables beside the paper's, its claims, and the figures."),
    Verb("page", "pages", "page",
         "Write one HTML file to try networks, make them fail, train and compare them."),
    Verb("figures", "figures", "figures",
         "Draw all figures that a store has the runs for, and say what is missing for the others."),
    Verb("repair", "housekeeping", "repair",
         "Remove the damaged runs from a store.", plugins=False),
    Verb("merge", "housekeeping", "merge",
         "Bring the runs of other stores into one; the same run must be the same, bit for bit."),
    Verb("delete", "housekeeping", "delete", "Delete the runs of a store that fit some conditions."),
    Verb("vacuum", "housekeeping", "vacuum", "Give back the room that deleted runs leave in a store's file.",
         plugins=False),
    Verb("trace", "trace", "trace",
         "Follow a word through a network: states, gates, outputs, what is predicted and what is correct."),
    Verb("play", "play", "play",
         "Type brackets, and see after each what a network predicts, what is allowed, and its states."),
    Verb("counters", "counters", "counters",
         "Say for every unit whether it counts, and what; whether it follows the length; or neither."),
    Verb("horizon", "horizon", "horizon",
         "Bracket the length of the shortest word that a network gets wrong: proved to n, wrong at m."),
    Verb("train", "training", "train",
         "Train networks and judge them on their training, short and long sets."),
    Verb("teach", "training", "teach",
         "Teach networks to count: train, look for words they get wrong, train on these, and so on."),
    Verb("judge", "judge", "judge",
         "Say for each network whether it predicts every step of a word, and whether it recognises it."),
    Verb("score", "corpora", "score",
         "Score the predictions of any program on the words of a corpus file, by word and by step."),
    Verb("import", "exchange", "import_",
         "Import a network trained in PyTorch: one recurrent layer and one linear layer, under any names."),
    Verb("export", "exchange", "export",
         "Write one network for PyTorch, named as in a module with the parts `rnn` and `output`."),
    Verb("construct", "exchange", "construct",
         "Make an LSTM with hand-set weights that counts, for Dyck-1 and shuffles of it.", plugins=False),
    Verb("saturate", "exchange", "saturate",
         "Make networks with sharper gates: the inputs of all gates multiplied by a number."),
    Verb("stress", "stress", "stress",
         "Try networks on structured words of up to a million symbols, and say where they go wrong."),
    Verb("certify", "certificates", "certify",
         "Prove that networks are right on every word, of any length: proved, refuted or open."),
    Verb("check", "certificates", "check",
         "Check a certificate: does it show what it states, for this network? Answers yes or no."),
    Verb("machine", "counters", "machine",
         "Show the counter machine that a proved network is, and whether it is the language's own."),
    Verb("cells", "catalogue", "cells",
         "List the cells, each with its states and gates, and where it comes from."),
    Verb("languages", "catalogue", "languages",
         "List the languages, each with an example word and its codes."),
    Verb("label", "catalogue", "label",
         "Show what may come next, its code and the depths after every symbol of a word."),
    Verb("sample", "corpora", "sample",
         "Draw distinct words of a language, exactly from the stated distribution."),
    Verb("reduce", "catalogue", "reduce",
         "Write brackets of Dyck-n as brackets of Dyck-2: one is balanced exactly when the other is.",
         plugins=False),
    Verb("corpus", "corpora", "corpus",
         "Draw the training, short test and long test sets of a task, check them and summarise them."),
    Verb("bench", "bench", "bench", "Measure speed against plain baselines in the same run.",
         plugins=False),
)}
# fmt: on

#: How help looks, and how it is asked for, in the command and in every verb.
STYLE: dict[str, Any] = {
    "pretty_exceptions_enable": False,
    "rich_markup_mode": "markdown",
    "context_settings": {"help_option_names": ["-h", "--help"]},
}


class VerbGroup(TyperGroup):
    """Lists verbs by their summaries, and loads the one that is invoked or asked for its own help."""

    def resolve_command(self, ctx: Any, args: list[str]) -> tuple[str | None, Any, list[str]]:
        name, listed, rest = super().resolve_command(ctx, args)
        return name, listed if name is None else command_of(VERBS[name]), rest


def command_of(verb: Verb) -> Any:
    """The command of a verb with all its options; imports its module."""
    function = getattr(import_module(f"abacist.cli.{verb.module}"), verb.function)
    alone = typer.Typer(add_completion=False, **STYLE)
    alone.command(verb.name)(with_options(function, plugins=verb.plugins))
    return typer.main.get_command(alone)


def add_verbs(app: typer.Typer) -> None:
    """Make an app list all verbs."""
    for verb in VERBS.values():
        app.command(verb.name, help=verb.summary)(_not_loaded)


def _not_loaded() -> None:
    """Stands in for a verb until it is invoked."""
