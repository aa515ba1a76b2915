"""Reports: what people look at."""

from abacist.report.experiment_tables import table_of
from abacist.report.result_tables import claims_table
from abacist.report.run_table import (
    rows_on_demand,
    run_columns,
    run_rows,
    runs_table,
    without_shared_settings,
)
from abacist.report.stress_tables import StressedNetworks, every_network_table, stress_table
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
    "rows_on_demand",
    "run_columns",
    "run_rows",
    "runs_table",
    "stress_table",
    "table_of",
    "without_shared_settings",
]
