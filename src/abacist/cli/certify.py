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

from abacist.analysis import Answer, Refutation, Search
from abacist.analysis import certify as prove
from abacist.cli.networks import CellOption, LanguageOption, NetworkArgument, RunOption, networks_named
from abacist.cli.options import StoreOption
from abacist.cli.saying import say
from abacist.cli.screen import show_json
from abacist.errors import BadInput
from abacist.languages import Language
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
    cell: CellOption = None,
    results: StoreOption = Path("results"),
    json: Annotated[bool, typer.Option("--json", help="Print JSON instead of sentences.")] = False,
) -> None:
    """Prove that a network is right on every word, of any length: proved, refuted or open.

    Where it is not proved without a bound, the largest depth or length for which it is proved is found, and
    a wrong word that is as shallow as possible. What each answer rests on is said in `docs/certificates.md`;
    `abacist check` checks a certificate again. The exit code is 0 whatever the answer.

    Example: abacist certify dyck-1-lstm --run 0 --depth 100 --out certificate.json
    """
    if out is not None and not out.absolute().parent.is_dir():
        raise BadInput(f"--out {out}: there is no folder {out.parent}")
    found = networks_named(network, results, run, cell=cell)[0]
    chosen = found.language_or(language)
    with telling() as tell:
        answer = prove(found.networks, 0, chosen, length=length, depth=depth, steps=found.steps, going=tell)
    if json:
        show_json({"network": found.name} | _plain(answer, chosen))
    else:
        for line in sentences(answer, chosen):
            print(visible(line))
    if length is not None and length <= Search.to and answer.verdict == "open":
        say(f"`abacist horizon {network} --to {length}` follows all words of that length, and may prove it")
    if out is not None:
        certificate = answer.cover or answer.certificate  # words of any length first
        if certificate is None:
            say("nothing is proved, so there is no certificate to write")
        else:
            certificate.save(out)
            say(f"certificate written to {out}")


@contextmanager
def telling() -> Iterator[Callable[[str], None]]:
    """Yield a function that shows what is being tried, where there is a terminal."""
    if not sys.stderr.isatty():
        yield lambda what: None
        return
    with Console(stderr=True).status("") as status:
        yield lambda what: status.update(Text(f"trying: {what}"))


#: How the statement that was asked for is introduced.
_VERDICTS = {
    "proved": "proved:",
    "refuted": "refuted: it is not true that",
    "open": "open: it is neither proved nor refuted that",
}


def sentences(answer: Answer, language: Language[Any]) -> list[str]:
    """What came out, a sentence a line."""
    lines = [f"{_VERDICTS[answer.verdict]} {answer.asked}"]
    words = [word for word in (answer.refutation, answer.shallowest) if word is not None]
    lines += dict.fromkeys(_wrong(word, language) for word in words)
    if answer.certificate is not None and not answer.proved:
        lines.append(f"proved: {answer.certificate.statement}")
    if answer.cover is not None:
        lines.append(f"proved: {answer.cover.statement}")
    return lines


def _wrong(word: Refutation, language: Language[Any]) -> str:
    show = language.alphabet.render_set
    return (
        f"wrong: step {word.step} of a word of {len(word)} symbols with depths up to "
        f"{_depth(word, language):,}, predicted {show(word.predicted)}, right {show(word.right)}: "
        f"{_short(language.alphabet.render(word.word))}"
    )


def _depth(word: Refutation, language: Language[Any]) -> int:
    return int(language.depth_path(word.word).max(initial=0))


def _plain(answer: Answer, language: Language[Any]) -> dict[str, Any]:
    certificate = answer.certificate
    return {
        "verdict": answer.verdict,
        "asked": vars(answer.asked),
        "sentence": str(answer.asked),
        "proved": None if certificate is None else vars(certificate.statement),
        "covered": None if answer.cover is None else vars(answer.cover.statement),
        "wrong": _plain_word(answer.refutation, language),
        "shallowest": _plain_word(answer.shallowest, language),
    }


def _plain_word(word: Refutation | None, language: Language[Any]) -> dict[str, Any] | None:
    if word is None:
        return None
    return {
        "word": language.alphabet.render(word.word),
        "length": len(word),
        "depth": _depth(word, language),
        "step": word.step,
        "predicted": language.alphabet.render_set(word.predicted).split(),
        "right": language.alphabet.render_set(word.right).split(),
    }


def _short(text: str, limit: int = 200) -> str:
    return text if len(text) <= limit else f"{text[:limit]}…"
