"""Experiments: what to run, a store that survives anything, statistics against the paper.

What to run       `files` reads and checks TOML (`own_languages`: tables of languages), `run_files` writes it;
                  `plan` has tasks, sets of words, keys of runs and shards, `missing` the jobs of a plan
Running           `running` gives each `job` to `workers` or a `cluster`, where `work` trains, judges on
                  `word_sets` and finds horizons; `run_progress` foretells the end
Results           `outcome` is what a run gave; a `store` has `rows` of them in a `database`, with claims by
                  `owners`; `housekeeping` merges stores; `results` reads one for all that follows
Fields of runs    `run_values` has names, kinds and values, `conditions` choose runs by them
Statistics        `statistics` of samples, `paired` tests, which `comparison` makes of runs; `p_values` beside
                  the paper's printed results (`paper_table`) or the `distributions` of thousands of runs;
                  `claims` of the paper
"""

from abacist.experiments.claims import FAILS, HOLDS, OPEN, PARTLY, Part, Verdict, check_claims
from abacist.experiments.cluster import Cluster, check_cluster, open_cluster
from abacist.experiments.comparison import compare
from abacist.experiments.conditions import Conditions, fitting, frame
from abacist.experiments.files import (
    Experiment,
    catalogue,
    experiment_named,
    load_experiment,
    parse_experiment,
)
from abacist.experiments.housekeeping import delete, merge, vacuum
from abacist.experiments.job import AnyJob, Job, Measurement
from abacist.experiments.missing import jobs_for
from abacist.experiments.outcome import Epoch, KnownHorizon, Outcome, Run, percents
from abacist.experiments.p_values import exact_p_value, holm, joint_p_value, p_value, share_p_value
from abacist.experiments.paired import binomial_interval, further_pairs, paired_test, rank_correlation
from abacist.experiments.paper_table import TABLE_3, Figures
from abacist.experiments.plan import (
    MEMBERS,
    MOST_RUNS,
    PAPER_SETS,
    RECOGNITION_SETS,
    SETS,
    HorizonAim,
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
from abacist.experiments.workers import WorkersLost

__all__ = [
    "FAILS", "FILE_NAME", "HOLDS", "MEMBERS", "MOST_RUNS", "OPEN", "PAPER_SETS", "PARTLY",
    "RECOGNITION_SETS", "SETS", "TABLE_3", "AnyJob", "BlocksFailed", "Cluster", "Conditions", "Epoch",
    "Experiment", "Failure", "Figures", "HorizonAim", "Job", "KnownHorizon", "Measurement", "Outcome",
    "Part", "Results", "Run", "RunProgress", "Shard", "Store", "Task", "Verdict", "WorkersLost",
    "binomial_interval", "catalogue", "check_claims", "check_cluster", "compare", "compute", "delete",
    "exact_median_interval", "exact_p_value", "experiment_named", "fitting", "frame",
    "further_pairs", "holm", "jobs_for", "joint_p_value", "load_experiment", "measure", "median_interval",
    "merge", "open_cluster", "p_value", "paired_test", "parse_experiment", "percents", "rank_correlation",
    "run", "run_as_toml", "run_key", "set_recipe", "share_p_value", "summarise", "vacuum",
]  # fmt: skip
