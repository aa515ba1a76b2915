"""`abacist certify` and `check`: statements about words of any length, proved, and checked again."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import typer

from abacist.analysis import Answer, Refutation, Search, load_certificate
from abacist.analysis import certify as prove
from abacist.analysis import check as verdict_on
from abacist.analysis.certificates.certificate import weights_hash
from abacist.bridge.pytorch_promise import said_of_pytorch
from abacist.cli.networks import (
    CellOption,
    Network,
    NetworkArgument,
    NetworksOnWords,
    OnlyRunOption,
    SomeNetworks,
)
from abacist.cli.options import StoreOption, open_results
from abacist.cli.screen import say, show_json, warn, working
from abacist.errors import AbacistError, BadFile, BadInput
from abacist.experiments import Results
from abacist.files import check_parent, make_folder
from abacist.languages import Language
from abacist.wording import escape_controls, plural


def certify(
    *,
    choice: NetworksOnWords,
    run: OnlyRunOption = None,
    length: Annotated[int | None, "Only words of at most so many symbols.", "any"] = None,
    depth: Annotated[
        int | None, "Only words whose depths stay at most this.", "where the precision stops counting"
    ] = None,
    out: Annotated[
        Path | None, "Write the certificate, a JSON file, here; those of several networks into this folder."
    ] = None,
    json: Annotated[bool, "Print JSON instead of sentences."] = False,
) -> None:
    """Prove that networks are right on every word, of any length: proved, refuted or open.

    Where there is no proof without a bound, it finds the largest depth or length with one, and a wrong word
    that is as shallow as possible. `docs/certificates.md` says what each answer rests on; `abacist check`
    checks a certificate again. Each of several networks has a line, and none stops the others. The exit code
    is 0 whatever the answers, and 1 if a network has none because it is damaged or of a language without
    counters.

    Example: abacist certify dyck-1-lstm --run 0 --depth 100 --out certificate.json
    """
    damaged, failed = list[str](), list[AbacistError]()

    def read(folder: Path) -> Results:
        results = open_results(folder)
        damaged.extend(results.left_out)  # each is named there
        return results

    networks = choice.networks(run, read=read, failed=failed)
    alone = len(networks) + len(failed) == 1
    files = [None] * len(networks) if out is None else _files(networks, out)
    answers: list[_Certified] = []
    try:
        for number, (network, file) in enumerate(zip(networks, files, strict=True), 1):
            place = network.name if alone else f"{number:,} of {len(networks):,}, {network.name}"
            try:
                language = choice.language_of(network)
                with working(place) as progress:
                    bounds, steps = {"length": length, "depth": depth}, network.steps
                    answer = prove(network.networks, 0, language, **bounds, steps=steps, progress=progress)
            except AbacistError as error:
                failed.append(error if alone else BadInput(f"{network.name}: {error}"))
                continue
            certificate = answer.cover or answer.certificate  # of words of any length first
            written = None if certificate is None else file
            if certificate is not None and written is not None:
                make_folder(written.parent)
                certificate.save(written)
            answers.append(_Certified(network, answer, written))
            if not json:
                answers[-1].show(alone=alone)
    except KeyboardInterrupt:
        say(f"{plural(len(answers), 'network')} of {len(networks):,} done")
        raise
    finally:
        if json and answers:
            show_json([answer.as_dict() for answer in answers])
    if not answers:
        raise failed[0]
    for failure in failed:
        warn(str(failure))
    verdicts = Counter(answer.answer.verdict for answer in answers)
    if not alone:
        others = [f"{verdicts[name]:,} {name}" for name in ("refuted", "open") if verdicts[name]]
        say(", ".join([f"{verdicts['proved']:,} of {len(answers):,} proved", *others]))
    if length is not None and length <= Search.to and verdicts["open"]:
        command = " ".join(["abacist horizon", *(choice.names or ()), f"--max-length {length}"])
        say(f"`{command}` follows all words of that length, and may prove it")
    if out is not None:
        certificates = [answer.file for answer in answers if answer.file is not None]
        if not certificates:
            say("nothing is proved, so there is no certificate to write")
        else:
            count = "certificate" if alone else plural(len(certificates), "certificate")
            say(f"{count} written to {certificates[0] if alone else out}")
    if failed or damaged:
        raise typer.Exit(1)


@dataclass(frozen=True)
class _Certified:
    """A network, what came out, and the file of its certificate, if there is one."""

    network: Network
    answer: Answer
    file: Path | None

    def show(self, *, alone: bool) -> None:
        """Print what came out: in sentences, or of several networks in a line."""
        for line in self.answer.sentences if alone else [f"{self.network.name}: {_line(self.answer)}"]:
            say(line, output=True)
        proofs = [proof for proof in (self.answer.certificate, self.answer.cover) if proof is not None]
        network = self.network
        if alone and proofs and (said := said_of_pytorch(network.networks, network.metadata, *proofs)):
            say(said)

    def as_dict(self) -> dict[str, Any]:
        """The same in plain values."""
        answer, language = self.answer, self.answer.language
        wrong, shallowest = (
            None if word is None else plain_word(word, language) | {"depth": answer.depth(word)}
            for word in (answer.refutation, answer.shallowest)
        )
        return {
            "network": self.network.name,
            "run": None if self.network.run is None else self.network.run.key,
            "file": None if self.file is None else str(self.file),
            "verdict": answer.verdict,
            "asked": vars(answer.asked),
            "sentence": str(answer.asked),
            "proved": None if answer.certificate is None else vars(answer.certificate.statement),
            "covered": None if answer.cover is None else vars(answer.cover.statement),
            "wrong": wrong,
            "shallowest": shallowest,
        }


def _files(networks: Sequence[Network], out: Path) -> Sequence[Path | None]:
    """The file of each network's certificate: of several, one a network in a folder."""
    check_parent(out)
    if len(networks) == 1 and not out.is_dir():
        return [out]
    if out.suffix == ".json" or (out.exists() and not out.is_dir()):
        raise BadInput(
            f"--out {out}: {plural(len(networks), 'network')} have a certificate each, "
            "so name a folder, or one network with --run"
        )
    files = [out / f"{network.file_name}.json" for network in networks]
    file, times = Counter(files).most_common(1)[0]
    if times > 1:
        raise BadInput(f"--out {out}: several networks would be written to {file}; name fewer at a time")
    return files


def _line(answer: Answer) -> str:
    """What came out, in a line."""
    if answer.proved:
        return f"proved on {answer.shown(answer.asked).words}"
    verdict, word = answer.verdict, answer.refutation
    if word is not None:
        verdict += f" by a word of {len(word):,} symbols with depths up to {answer.depth(word):,}"
    proofs = [proof for proof in (answer.certificate, answer.cover) if proof is not None]
    return "; ".join([verdict, *(f"proved on {answer.shown(proof.statement).words}" for proof in proofs)])


def plain_word(word: Refutation, language: Language[Any]) -> dict[str, Any]:
    """A word that a network gets wrong, in plain values; symbols are written as they are."""
    return {
        "word": language.alphabet.render(word.word),
        "length": len(word),
        "step": word.step,
        "predicted": language.render_set(word.predicted).split(),
        "right": language.render_set(word.right).split(),
    }


def check(
    certificate: Annotated[Path, typer.Argument(help="A file that `abacist certify --out` has written.")],
    network: NetworkArgument,
    cell: CellOption = None,
    run: Annotated[
        int | None, "Which network of a folder, counted from 0.", "the one that it is about"
    ] = None,
    results: StoreOption = Path("results"),
) -> None:
    """Check a certificate: does it show what it states, for this network? Answers yes or no.

    The checker shares only the arithmetic of intervals with the search that made the certificate. The exit
    code is 0 for yes, 1 for no, and 2 where there is no such file or network.

    Example: abacist check certificate.json dyck-1-lstm --run 0
    """
    try:
        networks = [one.networks for one in SomeNetworks([network], results, cell=cell).networks(run)]
    except BadFile as error:  # no network, so no answer: 1 would be no
        raise BadInput(str(error)) from None
    try:
        proof = load_certificate(certificate)
        subject = next((one for one in networks if weights_hash(one, 0) == proof.weights), networks[0])
        verdict = verdict_on(proof, subject, 0)
    except BadFile as error:
        if not certificate.is_file():
            raise BadInput(str(error)) from None
        print(escape_controls(f"no: {error}"))
        raise typer.Exit(1) from None
    print(escape_controls(verdict.sentence))
    raise typer.Exit(0 if verdict.holds else 1)
