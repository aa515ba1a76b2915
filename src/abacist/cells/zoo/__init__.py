"""The zoo: cells of the literature beside those of the paper, each a formula in its paper's notation."""

from abacist.cells.zoo.finding import ZOO

__all__ = ["ZOO"]
