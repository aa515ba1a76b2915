"""The table of an experiment, whatever its networks are judged on."""

from __future__ import annotations

from abacist.experiments import Experiment, Results
from abacist.fields import checked
from abacist.report import result_tables
from abacist.report.recognition_table import asks_for_recognition, recognition_table
from abacist.report.tables import Table


@checked
def table_of(experiment: Experiment, results: Results) -> Table:
    """Networks as recognisers where an experiment asks for that, else what `result_tables` makes of it."""
    if asks_for_recognition(experiment):
        return recognition_table(experiment, results)
    return result_tables.table_of(experiment, results)
