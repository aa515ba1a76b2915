"""The catalogue: languages that the literature trains networks on, by name, each with its source."""

from abacist.languages.catalogue.entry import Entry, Family, Publication
from abacist.languages.catalogue.finding import CATALOGUE, FAMILIES, entry_named

__all__ = ["CATALOGUE", "FAMILIES", "Entry", "Family", "Publication", "entry_named"]
