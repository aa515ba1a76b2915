"""Benchmarks: ratios measured side by side in one run."""

from collections.abc import Callable, Iterable

from abacist.bench.corpora import corpora
from abacist.bench.measure import Row, machine, side_by_side

#: What `abacist bench` can measure.
PARTS: dict[str, Callable[[], Iterable[Row]]] = {"corpora": corpora}

__all__ = ["PARTS", "Row", "machine", "side_by_side"]
