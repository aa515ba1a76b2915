"""Figures of runs of one's own, chosen by what varies among them."""

from abacist.report.figures.own.choosing import MOST_BY_DEFAULT, OWN, Pictures, own_pictures, store_pictures

__all__ = ["MOST_BY_DEFAULT", "OWN", "Pictures", "own_pictures", "store_pictures"]
