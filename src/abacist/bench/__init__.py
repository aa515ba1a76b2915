"""Benchmarks: ratios measured side by side in one run."""

from collections.abc import Callable, Iterable

from abacist.bench import cuda, engine
from abacist.bench.measure import Row, machine

#: What `abacist bench` can measure.
PARTS: dict[str, Callable[[], Iterable[Row]]] = {
    "engine": engine.rows,
    "horizons": engine.horizon_rows,
    "reproduce": engine.reproduce_rows,
    "clusters": engine.cluster_rows,
}

#: What it measures only when it is asked to.
FURTHER_PARTS: dict[str, Callable[[], Iterable[Row]]] = {"zoo": engine.zoo_rows}

#: What it can measure of a CUDA device.
DEVICE_PARTS: dict[str, Callable[[], Iterable[Row]]] = {
    "training": cuda.training_rows,
    "pytorch": cuda.torch_rows,
    "judging": cuda.judging_rows,
}

__all__ = ["DEVICE_PARTS", "FURTHER_PARTS", "PARTS", "Row", "machine"]
