"""Benchmarks: ratios measured side by side in one run."""

from collections.abc import Callable, Iterable

from abacist.bench import (
    clusters,
    cuda,
    engine,
    horizons,
    reproduce,
    startup,
    stores,
    zoo,
)
from abacist.bench.measure import Missing, Row, machine, markdown, side_by_side

#: What `abacist bench` can measure.
PARTS: dict[str, Callable[[], Iterable[Row]]] = {
    "engine": engine.rows,
    "horizons": horizons.rows,
    "startup": startup.rows,
    "reproduce": reproduce.rows,
    "stores": stores.rows,
    "clusters": clusters.rows,
}

#: What it measures only when it is asked to.
FURTHER_PARTS: dict[str, Callable[[], Iterable[Row]]] = {"zoo": zoo.rows}

#: What it can measure of a CUDA device.
DEVICE_PARTS: dict[str, Callable[[], Iterable[Row]]] = {
    "training": cuda.training_rows,
    "pytorch": cuda.torch_rows,
    "judging": cuda.judging_rows,
    "boxes": cuda.box_rows,
}

__all__ = ["DEVICE_PARTS", "FURTHER_PARTS", "PARTS", "Missing", "Row", "machine", "markdown", "side_by_side"]
