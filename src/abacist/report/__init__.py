"""Reports: what people look at."""

from abacist.report.results import claims_table, found_runs, runs_table, table_of
from abacist.report.tables import FORMS, Column, Table, as_json, comma_separated, latex, markdown

__all__ = [
    "FORMS",
    "Column",
    "Table",
    "as_json",
    "claims_table",
    "comma_separated",
    "found_runs",
    "latex",
    "markdown",
    "runs_table",
    "table_of",
]
