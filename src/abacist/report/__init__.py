"""Reports: what people look at.

`tables` has what a table is, and its forms; files named after tables, `comparison` and `distributions` make
them of results; `own_runs` groups runs of one's own by what varies.

`figures`: all figures. `html`: the report of `abacist report`, its HTML in `html/templates`. `page`: the
interactive page of `abacist page`, its HTML, style and JavaScript in `page/sources`.
"""

from abacist.report.experiment_tables import claims_table, table_of
from abacist.report.run_table import runs_table
from abacist.report.tables import TABLE_FORMS, Column, PValue, Table, as_json, comma_separated, markdown

__all__ = [
    "TABLE_FORMS", "Column", "PValue", "Table", "as_json", "claims_table", "comma_separated", "markdown",
    "runs_table", "table_of",
]  # fmt: skip
