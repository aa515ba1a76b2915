"""The page: one HTML file to try networks, make them fail, train and compare them.

`choosing` picks its networks, `content` has what it knows of them, `writing` packs the file. Its HTML, style
and JavaScript are in `sources`, a file for each section; programs run in `targets/webassembly/runtime`.
"""

from abacist.report.page.choosing import networks_for_page
from abacist.report.page.content import PageNetwork, check_steps, network_of_user
from abacist.report.page.writing import Written, write_page

__all__ = ["PageNetwork", "Written", "check_steps", "network_of_user", "networks_for_page", "write_page"]
