"""`abacist certify`: statements about words of any length, proved, refuted or open."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.text import Text

from abacist.analysis import Answer, Search
from abacist.analysis import certify as prove
from abacist.cli.networks import LanguageOption, NetworkArgument, RunOption, networks_named
from abacist.cli.options import StoreOption
from abacist.cli.saying import say
from abacist.cli.screen import show_json
from abacist.languages import Alphabet
from abacist.wording import visible


def certify(
    network: NetworkArgument,
    length: Annotated[
        int | None, typer.Option(help="Only words of at most so many symbols.", show_default="any")
    ] = None,
    depth: Annotated[
        int | None,
        typer.Option(
            help="Only words whose depths stay at most this.",
            show_default="where the precision stops counting",
        ),
    ] = None,
    out: Annotated[Path | None, typer.Option(help="Write the certificate, a JSON file, here.")] = None,
    run: RunOption = None,
    language: LanguageOption = None,
    results: StoreOption = Path("results"),
    json: Annotated[bool, typer.Option("--json", help="Print JSON instead of sentences.")] = False,
) -> None:
    """Prove that a network is right on every word, of any length: proved, refuted or open.

    Where it is not proved without a bound, the largest length or depth for which it is proved is found. What
    each answer rests on is said in `docs/certificates.md`; `abacist check` checks a certificate again.

    Example: abacist certify dyck-1-lstm --run 0 --depth 100 --out certificate.json
    """
    found = networks_named(network, results, run)[0]
    chosen = found.language_or(language)
    with telling() as tell:
        answer = prove(found.networks, 0, chosen, length=length, depth=depth, steps=found.steps, going=tell)
    if json:
        show_json(_plain(answer, chosen.alphabet))
    else:
        for line in sentences(answer, chosen.alphabet):
            print(visible(line))
    if length is not None and length <= Search.to and answer.verdict == "open":
        say(f"`abacist horizon {network} --to {length}` follows all words of that length, and may prove it")
    if out is not None:
        if answer.certificate is None:
            say("nothing is proved, so there is no certificate to write")
        else:
            answer.certificate.save(out)
            say(f"certificate written to {out}")


@contextmanager
def telling() -> Iterator[Callable[[str], None]]:
    """Yield a function that shows what is being tried, where there is a terminal."""
    if not sys.stderr.isatty():
        yield lambda what: None
        return
    with Console(stderr=True).status("") as status:
        yield lambda what: status.update(Text(f"trying: {what}"))


def sentences(answer: Answer, alphabet: Alphabet) -> list[str]:
    """What came out, a sentence a line."""
    lines = [f"{answer.verdict}: {answer.asked}"]
    if answer.refutation is not None:
        word = answer.refutation
        lines.append(
            f"wrong: step {word.step} of a word of {len(word)} symbols, "
            f"predicted {alphabet.render_set(word.predicted)}, right {alphabet.render_set(word.right)}: "
            f"{_short(alphabet.render(word.word))}"
        )
    if answer.certificate is not None and not answer.proved:
        lines.append(f"proved: {answer.certificate.statement}")
    return lines


def _plain(answer: Answer, alphabet: Alphabet) -> dict[str, Any]:
    wrong, certificate = answer.refutation, answer.certificate
    return {
        "verdict": answer.verdict,
        "asked": vars(answer.asked),
        "sentence": str(answer.asked),
        "proved": None if certificate is None else vars(certificate.statement),
        "wrong": None
        if wrong is None
        else {
            "word": alphabet.render(wrong.word),
            "length": len(wrong),
            "step": wrong.step,
            "predicted": [*wrong.predicted],
            "right": [*wrong.right],
        },
    }


def _short(text: str, limit: int = 200) -> str:
    return text if len(text) <= limit else f"{text[:limit]}…"
