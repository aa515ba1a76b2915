"""`abacist stress`: structured words far past training, and where networks go wrong on them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

import typer

from abacist.analysis import ALL_FAMILIES, LENGTHS, Family
from abacist.analysis import stress as try_networks
from abacist.cli.networks import Network, SomeNetworks, joined
from abacist.cli.options import FormOption, figure_file, separated
from abacist.cli.screen import say, working
from abacist.cli.tables import show_table
from abacist.errors import BadInput, UnknownName
from abacist.languages import Language
from abacist.report import StressedNetworks, every_network_table, stress_table
from abacist.report.figures import stress_figure, write_figure
from abacist.wording import several

#: What is stressed together: networks of one language, judged by the same steps.
_Together = dict[tuple[Language[Any], str], dict[tuple[Any, str], list[Network]]]


def stress(
    *,
    choice: SomeNetworks,
    lengths: Annotated[str, "The lengths of the words, separated by commas."] = ",".join(map(str, LENGTHS)),
    only: Annotated[
        list[str] | None, "Only these families of words, with commas between them.", "all"
    ] = None,
    seed: Annotated[int, "The seed of the families that are drawn at random."] = 0,
    every: Annotated[bool, "Every single network, with its first wrong step at each length."] = False,
    form: FormOption = "text",
    figure: Annotated[
        Path | None,
        typer.Option(
            help="Also draw the share of networks still right, as .svg, .pdf or .png.", callback=figure_file
        ),
    ] = None,
) -> None:
    """Try networks on structured words of up to a million symbols, and say where they go wrong.

    The words come in families, such as `nest`, (ⁿ)ⁿ, or `pairs`, ()ⁿ. Without --every, a row is a task,
    and its figures are the longest words up to which at least half of its networks are right.
    Steps are counted from 1.

    Example: abacist stress --results results --where language=dyck-1 --figure stress.png
    """
    asked, families = _lengths(lengths), _families(separated(only))
    together = _together(choice.networks(), choice.language)
    tried: list[StressedNetworks] = []
    with working("stressing") as progress:
        total = sum(len(listed) for shapes in together.values() for listed in shapes.values())
        for (own, steps), shapes in together.items():
            part = progress.part(sum(map(len, shapes.values())) / total)
            part()
            groups = [joined(listed) for listed in shapes.values()]
            outcome = try_networks(
                groups, own, asked, families=families, seed=seed, steps=steps, progress=part
            )
            for group, listed, result in zip(groups, shapes.values(), outcome, strict=True):
                names = tuple(one.name for one in listed)
                called, hidden = group.layout.cell.name, group.layout.hidden
                tried.append(StressedNetworks(own.name, called, hidden, steps, names, result))
    show_table(every_network_table(tried) if every else stress_table(tried), form)
    if figure is not None:
        write_figure(stress_figure(tried), figure)
        say(f"{several(len(tried), 'task')} drawn in {figure}")


def _together(found: Sequence[Network], language: str | None) -> _Together:
    """Networks by language and steps, then by shape and precision: those are judged side by side."""
    together: _Together = {}
    for one in found:
        shapes = together.setdefault((one.language_or(language), one.steps), {})
        shape = (one.networks.layout, str(one.networks.parameters.dtype))
        shapes.setdefault(shape, []).append(one)
    return together


def _lengths(text: str) -> list[int]:
    try:
        return sorted({int(part) for part in text.replace("_", "").split(",")})
    except ValueError:
        raise BadInput(f"lengths must be whole numbers, such as 100,1000,10000, got {text!r}") from None


def _families(names: Sequence[str]) -> list[Family]:
    for name in names:
        if name not in ALL_FAMILIES:
            raise UnknownName(f"unknown family {name!r}; there are {', '.join(ALL_FAMILIES)}")
    return [family for name, family in ALL_FAMILIES.items() if not names or name in names]
