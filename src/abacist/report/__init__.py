"""Reports: what people look at.

`tables` has what a table is, and its forms; the files named after tables make them of results; `own_runs`
groups runs of one's own by what varies. `figures`, the report in `html` and the `page` are folders.
"""

from abacist.report.experiment_tables import claims_table, table_of
from abacist.report.network_tables import StressedNetworks, every_network_table, stress_table
from abacist.report.run_table import run_columns, runs_table, with_short_keys, without_shared_settings
from abacist.report.tables import (
    TABLE_FORMS,
    Column,
    PValue,
    Table,
    as_json,
    comma_separated,
    latex,
    markdown,
)

__all__ = [
    "TABLE_FORMS",
    "Column",
    "PValue",
    "StressedNetworks",
    "Table",
    "as_json",
    "claims_table",
    "comma_separated",
    "every_network_table",
    "latex",
    "markdown",
    "run_columns",
    "runs_table",
    "stress_table",
    "table_of",
    "with_short_keys",
    "without_shared_settings",
]
