"""Benchmarks: ratios measured side by side in one run."""

from collections.abc import Callable, Iterable

from abacist.bench.corpora import corpora
from abacist.bench.engine import engine
from abacist.bench.measure import Missing, Row, machine, markdown, side_by_side
from abacist.bench.reproduce import reproduce
from abacist.bench.startup import startup

#: What `abacist bench` can measure.
PARTS: dict[str, Callable[[], Iterable[Row]]] = {
    "corpora": corpora,
    "engine": engine,
    "startup": startup,
    "reproduce": reproduce,
}

__all__ = ["PARTS", "Missing", "Row", "machine", "markdown", "side_by_side"]
