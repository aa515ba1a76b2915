"""The command line: one verb per job, one file per verb."""
