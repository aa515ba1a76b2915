"""The counting horizon: how far a network is proved to count, and the word on which it stops."""

from abacist.analysis.horizons.bracket import Horizon, Search, horizon
from abacist.analysis.horizons.configurations import Configurations
from abacist.analysis.horizons.prover import is_provable, prove
from abacist.analysis.horizons.refuter import Refutation, refutation, refute

__all__ = [
    "Configurations",
    "Horizon",
    "Refutation",
    "Search",
    "horizon",
    "is_provable",
    "prove",
    "refutation",
    "refute",
]
