"""`abacist stress`: structured words far past training, and where networks go wrong on them."""

from __future__ import annotations

from typing import Annotated, Any

from abacist.analysis import ALL_FAMILIES, LENGTHS
from abacist.analysis import stress as try_networks
from abacist.cli.networks import Network, SomeNetworks, joined
from abacist.cli.options import FigureOption, FormOption, picked, separated
from abacist.cli.screen import say, working
from abacist.cli.tables import show_table
from abacist.errors import BadInput
from abacist.report.figures import stress_figure, write_figure
from abacist.report.network_tables import StressedNetworks, every_network_table, stress_table
from abacist.wording import plural


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
        shapes = together.setdefault((one.language_or(choice.language), one.steps), {})
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
        write_figure(stress_figure(tried), figure)
        say(f"{plural(len(tried), 'task')} drawn in {figure}")
