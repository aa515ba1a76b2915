"""`abacist judge`: does a network predict a word and recognise it, and how many words of a set?"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import typer

from abacist.cli.networks import CellOption, LanguageOption, Network, NetworkArgument, networks_named
from abacist.cli.options import StoreOption, input_lines, separated
from abacist.cli.screen import say, show_json, working
from abacist.cli.tables import show_rows
from abacist.corpora import pack_texts
from abacist.corpora.packed import pack
from abacist.engine import cross_entropy, first_mistakes, first_rejections
from abacist.errors import BadInput, BadWord
from abacist.experiments import Task
from abacist.experiments.grouping import statistic
from abacist.experiments.word_sets import WordSets
from abacist.languages import Language, Reading, Word
from abacist.specs import Spec


def judge(
    network: NetworkArgument,
    words: Annotated[
        list[str] | None,
        typer.Argument(help="Words; if none are given, they are read from standard input, one per line."),
    ] = None,
    language: LanguageOption = None,
    cell: CellOption = None,
    run: Annotated[
        int | None, typer.Option(help="Only this network of a folder, counted from 0.", show_default="all")
    ] = None,
    sets: Annotated[
        list[str] | None,
        typer.Option(
            "--set",
            metavar="SET",
            help="Judge on these sets of words in place of single words, such as short,long.",
            show_default="none",
        ),
    ] = None,
    seed: Annotated[
        int | None,
        typer.Option(help="With --set: the seed that words are drawn from.", show_default="the run's, or 0"),
    ] = None,
    cross_entropy: Annotated[
        bool,
        typer.Option(
            "--cross-entropy",
            help="With --set: compare how likely the network finds what comes next with how likely it is; "
            "for networks trained with the objective next-symbol.",
        ),
    ] = False,
    results: StoreOption = Path("results"),
    json: Annotated[bool, typer.Option("--json", help="Print JSON instead of a table.")] = False,
) -> None:
    """Say for each network whether it predicts every step of a word, and whether it recognises it.

    A word may be any string over the alphabet. A network takes it unless it rejects it: where a symbol comes
    that it did not predict, or where the word ends and it had not allowed that. Steps are counted from 1.

    With --set, say which share of a set of words each network gets right, and of a set of strings outside the
    language, which share it rejects. The sets are those of its run, or else the paper's for its language.
    With --cross-entropy, the network's cross-entropy stands beside the entropy of the source of the words.

    Example: abacist judge dyck-1-lstm "(())" "()()()()" "())"
    """
    found = networks_named(network, results, run, cell=cell)
    chosen = found[0].language_or(language)
    if sets:
        if words:
            raise BadInput("give words or --set, and not both")
        show = show_cross_entropies if cross_entropy else show_sets
        show(found, chosen, separated(sets), seed, json=json)
        return
    if cross_entropy:
        raise BadInput("--cross-entropy is that on sets of words, so it goes with --set, such as --set short")
    if seed is not None:
        raise BadInput("--seed says which sets are drawn, so it goes with --set, such as --set long")
    parsed = [chosen.alphabet.parse(text) for text in words or input_lines()]
    if not parsed:
        raise BadInput("no words: give them as arguments, or one per line on standard input")
    readings = [_reading(chosen, word, found[0].steps) for word in parsed]
    verdicts = [one for own in found for one in _verdicts(own, chosen, parsed, readings)]
    if json:
        show_json([verdict.as_dict(chosen) for verdict in verdicts])
        return
    headings = ["run", "word", f"in {chosen.name}", "predictions", "recognition"]
    show_rows(headings, [verdict.cells(chosen) for verdict in verdicts], left=headings[1:])
    members = [verdict for verdict in verdicts if verdict.left_at < 0]
    others = [verdict for verdict in verdicts if verdict.left_at >= 0]
    if members or not others:
        say(f"{sum(verdict.wrong_at < 0 for verdict in members):,} of {len(members):,} accepted")
    if others:
        rejected = sum(verdict.rejected_at != -1 for verdict in others)
        say(f"{rejected:,} of {len(others):,} outside {chosen.name} rejected")
        say(_rule(chosen))


def _reading(language: Language[Any], word: Word, steps: str) -> Reading:
    """How far a word stays in the language; refuses what networks of these steps cannot judge."""
    reading, text = language.read(word), language.alphabet.render(word)
    if not word:
        raise BadWord(f"{text!r} cannot be judged as a word of {language.name}: it has no step to judge")
    if not reading.member and steps != "all":
        raise BadWord(
            f"{text!r} cannot be judged as a word of {language.name}: {reading.reason}; "
            "networks of the last steps alone cannot recognise others"
        )
    return reading


def _verdicts(
    own: Network, language: Language[Any], words: Sequence[Word], readings: Sequence[Reading]
) -> Iterator[Verdict]:
    """What one network makes of every word."""
    prefixes = [word[: reading.left_at] for word, reading in zip(words, readings, strict=True)]
    mistakes = first_mistakes(own.networks, 0, pack_texts(language, prefixes, own.steps)).tolist()
    rejections: list[int | None] = [None] * len(words)
    if own.steps == "all":
        rejections = first_rejections(own.networks, 0, language, *pack(language, words)).tolist()
    for word, reading, mistake, rejection in zip(words, readings, mistakes, rejections, strict=True):
        left_at = -1 if reading.left_at is None else reading.left_at
        yield Verdict(own.number, word, left_at, mistake, rejection)


@dataclass(frozen=True)
class Verdict:
    """A network's verdict on a word: places from 0, −1 for none, the word's length for its end.

    `wrong_at` is the first wrong prediction before the word leaves the language, and `rejected_at` None where
    only the last steps count.
    """

    run: int
    word: Word
    left_at: int
    wrong_at: int
    rejected_at: int | None

    @property
    def right(self) -> bool | None:
        """Whether a member is taken, or another string rejected."""
        return None if self.rejected_at is None else (self.rejected_at < 0) == (self.left_at < 0)

    def as_dict(self, language: Language[Any]) -> dict[str, Any]:
        """The same in plain values, places counted from 1."""
        return {
            "run": self.run,
            "word": language.alphabet.render(self.word),
            "member": self.left_at < 0,
            "left_at": _from_one(self.left_at),
            "accepted": self.wrong_at < 0 if self.left_at < 0 else None,
            "wrong_at": _from_one(self.wrong_at),
            "taken": None if self.rejected_at is None else self.rejected_at < 0,
            "rejected_at": None if self.rejected_at is None else _from_one(self.rejected_at),
            "right": self.right,
        }

    def cells(self, language: Language[Any]) -> list[object]:
        """The same in words."""
        left = "yes" if self.left_at < 0 else f"left at {self.left_at + 1}"
        if self.left_at == len(self.word):
            left = "ends too early"
        predictions = "all right" if self.left_at < 0 else f"right to {self.left_at}"
        if self.left_at == 0:
            predictions = "—"
        elif self.wrong_at >= 0:
            predictions = f"wrong at {self.wrong_at + 1}"
        recognition = "—"
        if self.rejected_at is not None:
            place = "its end" if self.rejected_at == len(self.word) else self.rejected_at + 1
            verdict = "takes it" if self.rejected_at < 0 else f"rejects at {place}"
            recognition = f"{verdict}: {'right' if self.right else 'wrong'}"
        return [self.run, _short(language.alphabet.render(self.word)), left, predictions, recognition]


def _from_one(place: int) -> int | None:
    return None if place < 0 else place + 1


def _rule(language: Language[Any]) -> str:
    """What rejection means for a language, in a sentence."""
    end = "its end was not predicted" if language.marks_end else "a closing bracket was still predicted"
    return (
        f"{language.name}: a network rejects where a symbol comes that it did not predict, or where a word "
        f"ends and {end}; the first symbol is judged by the language itself"
    )


def _short(text: str, limit: int = 60) -> str:
    return text if len(text) <= limit else f"{text[:limit]}… ({len(text)} symbols)"


#: What is said of several networks.
_SHOWN = ("min", "q25", "median", "q75", "max", "mean", "std")

#: Words of a set at which a network is compared with its source.
_COMPARED = 1_000


def show_sets(
    found: Sequence[Network], language: Language[Any], sets: Sequence[str], seed: int | None, *, json: bool
) -> None:
    """Judge networks on sets of words, and print the shares that each gets right."""
    shares: list[dict[str, float]] = []
    seeds = []
    with working("judging") as progress:
        for done, network in enumerate(found):
            spec = _spec(network, language)
            own = _seed(network, seed)
            Task(
                "judge", spec, (own,), tuple(sets)
            )  # refuses sets that there are not, or not of this language
            shares.append(_judged(network, spec, own, sets))
            seeds.append(own)
            progress((done + 1) / len(found))
    together = {name: [one[name] for one in shares] for name in sets}
    if json:
        rows = zip(found, seeds, shares, strict=True)
        networks = [{"run": one.number, "seed": own, "sets": share} for one, own, share in rows]
        summary = {name: {s: statistic(s, np.array(v)) for s in _SHOWN} for name, v in together.items()}
        show_json({"language": language.name, "networks": networks, "summary": summary})
        return
    cells = [
        [one.number, own, *(f"{100 * share[name]:.2f}" for name in sets)]
        for one, own, share in zip(found, seeds, shares, strict=True)
    ]
    if len(found) > 1:
        for name in _SHOWN:
            values = [statistic(name, 100 * np.array(together[one])) for one in sets]
            cells.append([name, "", *("—" if value is None else f"{value:.2f}" for value in values)])
    show_rows(["run", "seed", *sets], cells, title=f"Accuracy in percent on sets of {language.name}")


def show_cross_entropies(
    found: Sequence[Network], language: Language[Any], sets: Sequence[str], seed: int | None, *, json: bool
) -> None:
    """Print the cross-entropy of networks on sets of words, beside the entropy of their source."""
    rows: list[dict[str, Any]] = []
    with working("comparing") as progress:
        for done, network in enumerate(found):
            spec, own = _spec(network, language), _seed(network, seed)
            Task("judge", spec, (own,), tuple(sets))
            drawn = WordSets(spec, (own,))
            for name in sets:
                measured = cross_entropy(network.networks, 0, drawn.corpus(0, name), words=_COMPARED)
                about = {"run": network.number, "seed": own, "set": name, "steps": measured.steps}
                rows.append(about | dict(zip(("network", "source", "excess"), measured.bits, strict=True)))
            progress((done + 1) / len(found))
    if json:
        show_json({"language": language.name, "unit": "bits per step", "networks": rows})
        return
    cells = [[f"{v:.4f}" if isinstance(v, float) else v for v in row.values()] for row in rows]
    title = f"Cross-entropy in bits per step on sets of {language.name}, at most {_COMPARED:,} words of each"
    show_rows(list(rows[0]), cells, title=title, left=("set",))


def _seed(network: Network, seed: int | None) -> int:
    """The seed that the words come from: the one that is asked for, or the run's."""
    return seed if seed is not None else 0 if network.run is None else network.run.seed


def _spec(network: Network, language: Language[Any]) -> Spec:
    """The spec that the sets of a network come from: its run's, or one that leaves them to the paper."""
    if network.run is not None and network.run.spec.language == language:
        return network.run.spec
    layout = network.networks.layout
    return Spec(language, layout.cell, layout.hidden, steps=network.steps)


def _judged(network: Network, spec: Spec, seed: int, sets: Sequence[str]) -> dict[str, float]:
    accuracy: list[dict[str, dict[int, float]]] = [{}]
    wanted = {(name, spec.epochs) for name in sets}
    WordSets(spec, (seed,)).judge(network.networks, spec.epochs, [wanted], accuracy)
    return {name: accuracy[0][name][spec.epochs] for name in sets}
