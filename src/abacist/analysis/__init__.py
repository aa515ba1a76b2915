"""Analysis: what a network does."""

from abacist.analysis.construction import constructed
from abacist.analysis.lengths import DEEPENING, Curve, accuracy_by_depth, accuracy_by_length, draw_by_length
from abacist.analysis.matching import Matching, assignment, match_units, unit_correlations
from abacist.analysis.reading import TraceReading, follow
from abacist.analysis.saturation import saturated

__all__ = [
    "DEEPENING",
    "Curve",
    "Matching",
    "TraceReading",
    "accuracy_by_depth",
    "accuracy_by_length",
    "assignment",
    "constructed",
    "draw_by_length",
    "follow",
    "match_units",
    "saturated",
    "unit_correlations",
]
