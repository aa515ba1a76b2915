"""`abacist judge`: does a network predict a word and recognise it, and how many words of a set?"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Annotated, Any

import numpy as np

from abacist.bridge import FailingWords, failing_words, usual_length
from abacist.cli.certificates import plain_word
from abacist.cli.networks import Network, NetworksOfAName, WordsOption
from abacist.cli.options import JsonOption, input_lines, separated
from abacist.cli.parameters import Argument
from abacist.cli.screen import say, show_json, working
from abacist.cli.tables import show_rows
from abacist.corpora import pack_texts
from abacist.corpora.packed import pack
from abacist.engine import cross_entropy, first_mistakes, first_rejections
from abacist.errors import BadInput, BadWord
from abacist.experiments import Task
from abacist.experiments.statistics import statistic
from abacist.experiments.word_sets import WordSets
from abacist.fields import Field, Range
from abacist.languages import Language, Reading, Recogniser, Within, Word
from abacist.report.horizon_tables import named
from abacist.specs import Spec

#: What is said of several networks.
_STATISTICS = ("min", "q25", "median", "q75", "max", "mean", "std")

#: Words of a set at which a network is compared with its source.
_COMPARED = 1_000


def judge(
    choice: NetworksOfAName,
    texts: Annotated[
        list[str] | None,
        Argument(
            "Words; if none are given, they are read from standard input, one per line.", metavar="[WORDS]..."
        ),
    ] = None,
    words: WordsOption = None,
    sets: Annotated[
        list[str] | None,
        Field(
            "Judge on these sets of words in place of single words, such as short,long.",
            option="set",
            metavar="SET",
            usual="none",
        ),
    ] = None,
    seed: Annotated[int | None, "With --set: the seed that words are drawn from.", "the run's, or 0"] = None,
    cross_entropy: Annotated[
        bool,
        "With --set: compare how likely the network finds what comes next with how likely it is; "
        "for networks trained with the objective next-symbol.",
    ] = False,
    failing: Annotated[
        int | None,
        Field(
            "Show the words that each network gets wrong: the shortest of each structured family, and the N "
            "shortest others.",
            Range(0),
            metavar="N",
            usual="none",
        ),
    ] = None,
    max_length: Annotated[
        int | None,
        "With --failing: words of at most so many symbols.",
        "100, or the longest that the run is tested on",
        Range(2),
    ] = None,
    json: JsonOption = False,
) -> None:
    """Say for each network whether it predicts every step of a word, and whether it recognises it.

    A word may be any string over the alphabet. A network takes it unless it rejects it: where a symbol comes
    that it did not predict, or where the word ends and it had not allowed that; the first symbol is judged by
    the language itself. Steps are counted from 1. A recogniser (`recognise:dyck-1`) says it at the end alone.

    With --set, say which share of a set of words each network gets right, and of a set of strings outside the
    language, which share it rejects. The sets are those of its run, or else the paper's for its language.
    With --cross-entropy, the network's cross-entropy stands beside the entropy of the source of the words.
    With --failing, show the shortest words found that a network gets wrong, and how many were searched.

    Example: abacist judge dyck-1-lstm "(())" "()()()()" "())"   or   abacist judge dyck-1-lstm --failing 5
    """
    networks = choice.networks()
    language = networks[0].language_or(choice.language, words)
    if bool(texts) + bool(sets) + (failing is not None) > 1:
        raise BadInput("give words, --set or --failing, and only one of them")
    if failing is not None:
        _show_failing(networks, language, failing, max_length, json=json)
        return
    if sets:
        show = _show_cross_entropies if cross_entropy else _show_sets
        show(networks, language, separated(sets), seed, json=json)
        return
    if cross_entropy or seed is not None:
        option = "--cross-entropy" if cross_entropy else "--seed"
        raise BadInput(f"{option} is about sets of words, so it goes with --set, such as --set short")
    parsed = [language.alphabet.parse(text) for text in texts or input_lines()]
    if not parsed:
        raise BadInput("no words: give them as arguments, or one per line on standard input")
    asked = language.word_language
    readings = [_reading(language, word, networks[0].steps) for word in parsed]
    verdicts = [one for network in networks for one in _verdicts(network, language, parsed, readings)]
    if json:
        show_json(verdicts)
        return
    lengths = [len(word) for word in parsed] * len(networks)
    headings = ["run", "word", f"in {asked.name}", "predictions", "recognition"]
    rows, seen = [*map(_cells, lengths, verdicts)], "accepted"
    if isinstance(language, Recogniser):  # which has no predictions on the way
        headings, rows, seen = [*headings[:3], headings[4]], [[*row[:3], row[4]] for row in rows], "taken"
    show_rows(headings, rows, left=headings[1:])
    accepted = [verdict[seen] for verdict in verdicts if verdict["member"]]
    taken = [verdict["taken"] for verdict in verdicts if not verdict["member"]]
    if accepted or not taken:
        say(f"{sum(accepted):,} of {len(accepted):,} accepted")
    if taken:
        say(f"{len(taken) - sum(taken):,} of {len(taken):,} outside {asked.name} rejected")


def _show_failing(
    networks: Sequence[Network], language: Language[Any], count: int, max_length: int | None, *, json: bool
) -> None:
    """Print the shortest words found that each network gets wrong."""
    results = list[FailingWords]()
    for network in networks:
        with working(f"searching failing words of {network.name}") as progress:
            options: dict[str, Any] = {"steps": network.steps, "progress": progress}
            if (longest := max_length) is None and network.run is not None:
                longest = usual_length(network.run.spec)
            if longest is not None:
                options["max_length"] = longest
            results.append(failing_words(network.networks, language, count=count, **options))
    each = [*zip((network.number for network in networks), results, strict=True)]
    if json:
        show_json([
            {
                "run": run,
                "words": [{"found": found} | plain_word(word, language) for found, word in result.rows],
                "searched": result.searched,
                "every": result.every,
                "looked": result.looked,
            }
            for run, result in each
        ])  # fmt: skip
        return
    cells = []
    for run, result in each:
        for found, one in result.rows:
            text = language.alphabet.shortened(one.word)
            sets = [named(language, outputs) for outputs in (one.predicted, one.right)]
            cells.append([run, found, text, len(one), one.step, *sets])
    headings = ["run", "found", "word", "symbols", "wrong at", "predicted", "right"]
    if cells:
        show_rows(headings, cells, left=("found", "word", "predicted", "right"))
    for network, result in zip(networks, results, strict=True):
        none = "" if result.rows else f"{result.none('--max-length')}; "
        say(f"{network.name}: {none}{result.effort}")


def _reading(language: Language[Any], word: Word, steps: str) -> Reading:
    """How far a word stays in the language; refuses what networks of these steps cannot judge.

    Where only some words of a language are judged, others are refused.
    """
    reading, text = language.word_language.read(word), language.alphabet.render(word)
    reason = None if word else "it has no step to judge"
    if isinstance(language, Within):
        reason = reason or language.read(word).reason
    elif word and not reading.member and steps != "all":
        reason = f"{reading.reason}; networks of the last steps alone cannot recognise others"
    if reason is not None:
        raise BadWord(f"{text!r} cannot be judged as a word of {language.word_language.name}: {reason}")
    return reading


def _verdicts(
    network: Network, language: Language[Any], words: Sequence[Word], readings: Sequence[Reading]
) -> Iterator[dict[str, Any]]:
    """What one network makes of every word: places from 1, None for none.

    `accepted` and `wrong_at` are about predictions before the word leaves the language, and None for a
    recogniser. `taken`, `rejected_at` and `right` are about recognition, and None where only the last steps
    count.
    """
    predicts = not isinstance(language, Recogniser)
    prefixes = [word[: reading.left_at] for word, reading in zip(words, readings, strict=True)]
    mistakes = [-1] * len(words)
    if predicts:
        packed = pack_texts(language, prefixes, network.steps)
        mistakes = first_mistakes(network.networks, 0, packed).tolist()
    rejections: list[int | None] = [None] * len(words)
    if network.steps == "all":
        rejections = first_rejections(network.networks, 0, language, *pack(language, words)).tolist()
    for word, reading, mistake, rejection in zip(words, readings, mistakes, rejections, strict=True):
        taken = None if rejection is None else rejection < 0
        yield {
            "run": network.number,
            "word": language.alphabet.render(word),
            "member": reading.member,
            "left_at": None if reading.left_at is None else reading.left_at + 1,
            "accepted": mistake < 0 if reading.member and predicts else None,
            "wrong_at": None if mistake < 0 else mistake + 1,
            "taken": taken,
            "rejected_at": None if rejection is None or rejection < 0 else rejection + 1,
            "right": None if taken is None else taken == reading.member,
        }


def _cells(length: int, verdict: dict[str, Any]) -> list[object]:
    """A verdict on a word of a length, in words."""
    text, left_at, rejected_at = verdict["word"], verdict["left_at"], verdict["rejected_at"]
    left, predictions = "yes", "all right"
    if left_at is not None:
        left = "ends too early" if left_at > length else f"left at {left_at}"
        predictions = f"right to {left_at - 1}" if left_at > 1 else "—"
    if verdict["wrong_at"] is not None:
        predictions = f"wrong at {verdict['wrong_at']}"
    judged = verdict["taken"] is not None
    recognised = recognition(rejected_at, length, member=verdict["member"]) if judged else "—"
    word = text if len(text) <= 60 else f"{text[:60]}… ({len(text)} symbols)"
    return [verdict["run"], word, left, predictions, recognised]


def recognition(rejected_at: int | None, length: int, *, member: bool) -> str:
    """Whether a network takes a word or rejects it, at which step from 1, and whether that is right."""
    place = "its end" if rejected_at == length + 1 else rejected_at
    verdict = "takes it" if rejected_at is None else f"rejects at {place}"
    return f"{verdict}: {'right' if (rejected_at is None) == member else 'wrong'}"


def _drawn_sets(
    networks: Sequence[Network], language: Language[Any], sets: Sequence[str], seed: int | None, title: str
) -> Iterator[tuple[Network, Spec, int, WordSets]]:
    """Each network with the sets of words of its run, or else the paper's, and the seed of these."""
    with working(title) as progress:
        for done, network in enumerate(networks, 1):
            run, layout = network.run, network.networks.layout
            if run is not None and run.spec.language == language:
                spec = run.spec
            else:
                spec = Spec(language, layout.cell, layout.hidden, steps=network.steps)
            drawn_from = seed if seed is not None else 0 if run is None else run.seed
            Task("judge", spec, (drawn_from,), tuple(sets))  # refuses sets that this language does not have
            yield network, spec, drawn_from, WordSets(spec, (drawn_from,))
            progress(done / len(networks))


def _show_sets(
    networks: Sequence[Network], language: Language[Any], sets: Sequence[str], seed: int | None, *, json: bool
) -> None:
    """Judge networks on sets of words, and print the shares that each gets right."""
    rows: list[dict[str, Any]] = []
    for network, spec, own_seed, drawn in _drawn_sets(networks, language, sets, seed, "judging"):
        accuracy: list[dict[str, dict[int, float]]] = [{}]
        drawn.judge(network.networks, spec.epochs, [{(name, spec.epochs) for name in sets}], accuracy)
        shares = {name: accuracy[0][name][spec.epochs] for name in sets}
        rows.append({"run": network.number, "seed": own_seed, "sets": shares})
    together = {name: np.array([row["sets"][name] for row in rows]) for name in sets}
    if json:
        summary = {name: {s: statistic(s, v) for s in _STATISTICS} for name, v in together.items()}
        show_json({"language": language.name, "networks": rows, "summary": summary})
        return
    cells = [[row["run"], row["seed"], *(f"{100 * row['sets'][name]:.2f}" for name in sets)] for row in rows]
    if len(rows) > 1:
        for name in _STATISTICS:
            values = [statistic(name, 100 * together[one]) for one in sets]
            cells.append([name, "", *("—" if value is None else f"{value:.2f}" for value in values)])
    show_rows(["run", "seed", *sets], cells, title=f"Accuracy in percent on sets of {language.name}")


def _show_cross_entropies(
    networks: Sequence[Network], language: Language[Any], sets: Sequence[str], seed: int | None, *, json: bool
) -> None:
    """Print the cross-entropy of networks on sets of words, beside the entropy of their source."""
    rows: list[dict[str, Any]] = []
    for network, _, own_seed, drawn in _drawn_sets(networks, language, sets, seed, "comparing"):
        for name in sets:
            measured = cross_entropy(network.networks, 0, drawn.corpus(0, name), words=_COMPARED)
            about = {"run": network.number, "seed": own_seed, "set": name, "steps": measured.steps}
            rows.append(about | dict(zip(("network", "source", "excess"), measured.bits, strict=True)))
    if json:
        show_json({"language": language.name, "unit": "bits per step", "networks": rows})
        return
    cells = [[f"{v:.4f}" if isinstance(v, float) else v for v in row.values()] for row in rows]
    title = f"Cross-entropy in bits per step on sets of {language.name}, at most {_COMPARED:,} words of each"
    show_rows(list(rows[0]), cells, title=title, left=("set",))
