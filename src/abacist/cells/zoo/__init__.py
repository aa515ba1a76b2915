"""The zoo: cells of the literature beside those of the paper, each a formula in its paper's notation."""

from abacist.cells.zoo.registry import ZOO

__all__ = ["ZOO"]
