"""Experiments: what to run, a store that survives anything, statistics against the paper.

`files` reads what to run into the tasks of a `plan`. `running` computes what is `missing`: it gives jobs
(`job`) to `workers` or to a `cluster`, where `work` trains and judges on `word_sets`, and finds horizons;
`run_progress` tells how far that is. The `outcome` of a run stands in a `store`, whose file is a `database`
of `rows` and of claims by `owners`; `housekeeping` merges stores. `results` reads them for
tables and figures, `run_values` has their fields, which `conditions` choose by. `comparison` compares
settings by `paired` tests. `statistics`, `p_values` and `distributions` compare runs with those of the
`paper_table`, and `claims` judges the paper's statements.
"""

from abacist.experiments.claims import FAILS, HOLDS, OPEN, PARTLY, Part, Verdict, check_claims
from abacist.experiments.cluster import Cluster, check_cluster, open_cluster
from abacist.experiments.comparison import Comparison, Difference, compare
from abacist.experiments.conditions import Condition, Conditions, fitting, frame
from abacist.experiments.files import (
    ALIASES,
    Experiment,
    catalogue,
    experiment_named,
    load_experiment,
    parse_experiment,
)
from abacist.experiments.housekeeping import delete, merge, vacuum
from abacist.experiments.job import AnyJob, Job, Measurement
from abacist.experiments.known_horizons import HorizonAim, KnownHorizon
from abacist.experiments.missing import jobs_for
from abacist.experiments.outcome import Epoch, Outcome, Run, percents
from abacist.experiments.p_values import exact_p_value, fisher, holm, joint_p_value, p_value
from abacist.experiments.paired import PairedTest, binomial_interval, further_pairs, paired_test
from abacist.experiments.paper_table import TABLE_3, Figures
from abacist.experiments.plan import (
    MEMBERS,
    MOST_RUNS,
    PAPER_SETS,
    RECOGNITION_SETS,
    SETS,
    Shard,
    Task,
    run_key,
    set_recipe,
)
from abacist.experiments.results import Results
from abacist.experiments.run_files import run_as_toml
from abacist.experiments.run_progress import RunProgress
from abacist.experiments.running import BlocksFailed, Failure, run
from abacist.experiments.statistics import exact_median_interval, median_interval, summarise
from abacist.experiments.store import FILE_NAME, Store
from abacist.experiments.work import compute, measure
from abacist.experiments.workers import Workers, WorkersLost

__all__ = [
    "ALIASES",
    "FAILS",
    "FILE_NAME",
    "HOLDS",
    "MEMBERS",
    "MOST_RUNS",
    "OPEN",
    "PAPER_SETS",
    "PARTLY",
    "RECOGNITION_SETS",
    "SETS",
    "TABLE_3",
    "AnyJob",
    "BlocksFailed",
    "Cluster",
    "Comparison",
    "Condition",
    "Conditions",
    "Difference",
    "Epoch",
    "Experiment",
    "Failure",
    "Figures",
    "HorizonAim",
    "Job",
    "KnownHorizon",
    "Measurement",
    "Outcome",
    "PairedTest",
    "Part",
    "Results",
    "Run",
    "RunProgress",
    "Shard",
    "Store",
    "Task",
    "Verdict",
    "Workers",
    "WorkersLost",
    "binomial_interval",
    "catalogue",
    "check_claims",
    "check_cluster",
    "compare",
    "compute",
    "delete",
    "exact_median_interval",
    "exact_p_value",
    "experiment_named",
    "fisher",
    "fitting",
    "frame",
    "further_pairs",
    "holm",
    "jobs_for",
    "joint_p_value",
    "load_experiment",
    "measure",
    "median_interval",
    "merge",
    "open_cluster",
    "p_value",
    "paired_test",
    "parse_experiment",
    "percents",
    "run",
    "run_as_toml",
    "run_key",
    "set_recipe",
    "summarise",
    "vacuum",
]
