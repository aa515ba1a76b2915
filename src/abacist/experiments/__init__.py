"""Experiments: what to run, a store that survives anything, statistics against the paper."""

from abacist.experiments.claims import FAILS, HOLDS, OPEN, Verdict, check_claims
from abacist.experiments.files import (
    Experiment,
    catalogue,
    experiment_named,
    load_experiment,
    parse_experiment,
)
from abacist.experiments.paper import TABLE_1, Figures
from abacist.experiments.plan import SETS, Task, run_key, set_recipe
from abacist.experiments.running import State, jobs_for, run
from abacist.experiments.statistics import median_interval, probability, resampled, summarise
from abacist.experiments.store import FILE_NAME, Run, Store
from abacist.experiments.work import Job, do

__all__ = [
    "FAILS",
    "FILE_NAME",
    "HOLDS",
    "OPEN",
    "SETS",
    "TABLE_1",
    "Experiment",
    "Figures",
    "Job",
    "Run",
    "State",
    "Store",
    "Task",
    "Verdict",
    "catalogue",
    "check_claims",
    "do",
    "experiment_named",
    "jobs_for",
    "load_experiment",
    "median_interval",
    "parse_experiment",
    "probability",
    "resampled",
    "run",
    "run_key",
    "set_recipe",
    "summarise",
]
