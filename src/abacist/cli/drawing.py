"""Pictures for the commands: those that were kept are taken, the others drawn by several processes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial

from abacist.cli.workers import each_done, workers_for
from abacist.errors import AbacistError
from abacist.experiments import Results
from abacist.report.figures import Drawing, Drawn, Picture, draw_picture
from abacist.report.figures.kept_drawings import keep_drawn, kept_drawn


def quick_drawing(results: Results) -> Drawing:
    """What draws the pictures of results, to the same bytes as the library does."""

    def draw(pictures: Sequence[Picture], forms: Sequence[str]) -> Iterator[Drawn]:
        kept = [kept_drawn(results, picture, forms) for picture in pictures]
        works = [
            partial(draw_picture, picture, forms)
            for picture, known in zip(pictures, kept, strict=True)
            if known is None
        ]
        fresh = each_done(works, workers_for(len(works)))
        for picture, known in zip(pictures, kept, strict=True):
            drawn = known or next(fresh)
            if known is None and not isinstance(drawn, AbacistError):
                keep_drawn(results, picture, forms, drawn)
            yield drawn

    return draw
