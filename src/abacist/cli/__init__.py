"""The command line: one verb per job.

`app` lists the verbs and runs the command, `parameters` makes options of what a verb's function takes,
`mistakes` answers what is typed wrong. What verbs share: `options` and `networks` (what the user names;
`--where` is read by `experiments/conditions.py`), `screen` and `tables` (what is shown), `work` (computing
what is missing), `estimates` (how long that takes), `progress_lines` (how far it has come), `interrupt`
(Ctrl-C).

The verbs, by theme: `training`, `results`, `show`, `housekeeping` (stores); `judge`, `trace`, `counters`,
`horizon`, `certificates`, `exchange` (networks); `catalogue`, `corpora` (words); `figures` (also pages).
"""
