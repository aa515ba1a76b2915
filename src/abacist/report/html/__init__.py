"""The report: one self-contained HTML file with all that a store has to say."""

from abacist.report.html.page import Written, write_report

__all__ = ["Written", "write_report"]
