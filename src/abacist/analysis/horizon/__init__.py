"""The counting horizon: how far a network is proved to count, and the word on which it stops."""

from abacist.analysis.horizon.bracket import Horizon, Search, horizon
from abacist.analysis.horizon.configurations import Configurations
from abacist.analysis.horizon.prover import prove
from abacist.analysis.horizon.refuter import Refutation, refutation, refute

__all__ = ["Configurations", "Horizon", "Refutation", "Search", "horizon", "prove", "refutation", "refute"]
