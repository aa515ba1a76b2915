"""The counting horizon: how far a network is proved to count, and the word on which it stops.

`bracket` has both ends and the prover, `refuter` the search for wrong words, both by an `exploration` of
`configurations`, whose layers are made in `next_layers`.
"""

from abacist.analysis.horizons.bracket import Horizon, Search, horizon, is_provable, prove
from abacist.analysis.horizons.configurations import Configurations
from abacist.analysis.horizons.refuter import Refutation, find_wrong, refutation

__all__ = [
    "Configurations",
    "Horizon",
    "Refutation",
    "Search",
    "find_wrong",
    "horizon",
    "is_provable",
    "prove",
    "refutation",
]
