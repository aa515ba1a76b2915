"""The table of an experiment, whatever its networks are judged on."""

from __future__ import annotations

from dataclasses import replace

import abacist.report.result_tables as result_tables
from abacist.experiments import Experiment, Results
from abacist.fields import checked
from abacist.report.own_runs import short_names
from abacist.report.recognition_table import asks_for_recognition, recognition_table
from abacist.report.tables import Table


@checked
def table_of(experiment: Experiment, results: Results) -> Table:
    """Networks as recognisers where an experiment asks for that, else what `result_tables` makes of it.

    Cells and languages of one's own go by their names where that is enough.
    """
    if asks_for_recognition(experiment):
        return _named_shortly(recognition_table(experiment, results))
    return _named_shortly(result_tables.table_of(experiment, results))


def _named_shortly(table: Table) -> Table:
    rows = [dict(row) for row in table.rows]
    for field in ("cell", "language"):
        names = short_names({row[field] for row in rows if isinstance(row.get(field), str)})
        for row in rows:
            if row.get(field) in names:
                row[field] = names[row[field]]
    return replace(table, rows=tuple(rows))
