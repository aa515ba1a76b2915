"""The report: one self-contained HTML file with all that a store has to say.

`report` gathers it, `markup` has its tables and drawings, `templates` its HTML and style.
"""

from abacist.report.html.report import Written, write_report

__all__ = ["Written", "write_report"]
