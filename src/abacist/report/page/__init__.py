"""The page: one HTML file in which networks are typed at, trained, broken and compared."""

from abacist.report.page.choosing import PageNetwork, networks_for_page
from abacist.report.page.writing import Written, write_page

__all__ = ["PageNetwork", "Written", "networks_for_page", "write_page"]
