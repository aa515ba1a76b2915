"""`abacist check`: a certificate checked again."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from abacist.analysis import check as verdict_on
from abacist.analysis import load_certificate
from abacist.analysis.certificates import weights_hash
from abacist.cli.networks import CellOption, NetworkArgument
from abacist.cli.options import StoreOption
from abacist.cli.several_networks import chosen_networks
from abacist.errors import BadFile, BadInput, MissingFile
from abacist.wording import escape_controls


def check(
    certificate: Annotated[Path, typer.Argument(help="A file that `abacist certify --out` has written.")],
    network: NetworkArgument,
    cell: CellOption = None,
    run: Annotated[
        int | None,
        typer.Option(
            help="Which network of a folder, counted from 0.", show_default="the one that it is about"
        ),
    ] = None,
    results: StoreOption = Path("results"),
) -> None:
    """Check a certificate: does it show what it states, for this network? Answers yes or no.

    The checker shares only the arithmetic of intervals with the search that made the certificate. The exit
    code is 0 for yes, 1 for no, and 2 where there is no such file or network.

    Example: abacist check certificate.json dyck-1-lstm --run 0
    """
    check_is_file(certificate)
    try:
        found = chosen_networks([network], results, None, run, cell=cell)
    except BadFile as error:  # no network, so no answer: 1 would be no
        raise BadInput(str(error)) from None
    try:
        proof = load_certificate(certificate)
        own = [one.networks for one in found if weights_hash(one.networks, 0) == proof.weights]
        verdict = verdict_on(proof, (own or [found[0].networks])[0], 0)
    except BadFile as error:
        print(escape_controls(f"no: {error}"))
        raise typer.Exit(1) from None
    print(escape_controls(verdict.sentence))
    raise typer.Exit(0 if verdict.holds else 1)


def check_is_file(certificate: Path) -> None:
    """Refuse a certificate that is not there."""
    if not certificate.is_file():
        if certificate.is_dir():
            raise BadInput(f"{certificate}: is a folder, not a certificate")
        raise MissingFile(f"{certificate}: there is no such file")
