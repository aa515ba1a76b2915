"""Pictures for the commands: those that were kept are taken, the others drawn by several processes."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any

from abacist.cli.workers import each_done, processes_for
from abacist.errors import AbacistError
from abacist.experiments import Results
from abacist.report.figures import (
    NETWORK_PICTURES,
    Drawing,
    Drawn,
    OwnNetwork,
    Picture,
    draw_picture,
    pictures,
)
from abacist.report.figures.kept_drawings import keep_drawn, kept_drawn
from abacist.report.figures.own import own_pictures


def known_pictures(results: Results) -> tuple[dict[str, Picture], list[str]]:
    """All pictures that can be made of results, by name, and a sentence for each that cannot be."""
    own, (papers, missing) = own_pictures(results), pictures(results)
    known = {picture.name: picture for picture in (*own.shown, *own.further, *papers)}
    return known, [*own.impossible, *missing]


class _Drawings(list[Callable[[], Drawn]]):
    """Pictures of results to be drawn; another process is sent the results, and makes the pictures again."""

    def __init__(self, results: Results, chosen: Sequence[Picture], forms: Sequence[str]) -> None:
        super().__init__(partial(draw_picture, picture, forms) for picture in chosen)
        self._sent = results, [picture.name for picture in chosen], forms

    def __reduce__(self) -> tuple[Any, ...]:
        return _drawings_again, self._sent


def _drawings_again(results: Results, names: Sequence[str], forms: Sequence[str]) -> _Drawings:
    known, _ = known_pictures(results)
    return _Drawings(results, [known[name] for name in names], forms)


def _draw_network(network: OwnNetwork, kind: str, forms: Sequence[str]) -> Drawn:
    return draw_picture(NETWORK_PICTURES[kind](network), forms)


def draw_networks(wanted: Sequence[tuple[OwnNetwork, str]], forms: Sequence[str]) -> Iterator[Drawn]:
    """Pictures of networks, each of a kind."""
    works = [partial(_draw_network, network, kind, forms) for network, kind in wanted]
    return each_done(works, processes_for(len(works)))


def quick_drawing(results: Results) -> Drawing:
    """What draws the pictures of results, to the same bytes as the library does."""

    def draw(wanted: Sequence[Picture], forms: Sequence[str]) -> Iterator[Drawn]:
        kept = [kept_drawn(results, picture, forms) for picture in wanted]
        missing = [picture for picture, known in zip(wanted, kept, strict=True) if known is None]
        fresh = each_done(_Drawings(results, missing, forms), processes_for(len(missing)))
        for picture, known in zip(wanted, kept, strict=True):
            drawn = known or next(fresh)
            if known is None and not isinstance(drawn, AbacistError):
                keep_drawn(results, picture, forms, drawn)
            yield drawn

    return draw
