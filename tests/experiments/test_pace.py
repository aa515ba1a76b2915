"""How long the rest takes: by what was measured in this very run, each kind of work by itself."""

from __future__ import annotations

from abacist.analysis import Search
from abacist.experiments import AnyJob, HorizonAim, Measurement, Task, jobs_for
from abacist.experiments.run_progress import Pace, RunProgress
from tests.experiments.cases import made_up, small, tasks_by_rate

AIMS = (HorizonAim(Search(9)),)


class Clock:
    """A clock that is set by hand."""

    now = 0.0

    def __call__(self) -> float:
        return self.now


def left(pace: Pace) -> tuple[float | None, bool]:
    """The time that is left, in whole seconds, and whether searches come on top."""
    seconds, unforeseen = pace.left()
    return None if seconds is None else round(seconds), unforeseen


def trainings(count: int) -> list[AnyJob]:
    return jobs_for(tasks_by_rate(count), None)


def searches(count: int) -> list[AnyJob]:
    return [Measurement(made_up(small(), seed, {}), AIMS) for seed in range(count)]


def test_the_rest_takes_as_long_as_its_kind_did() -> None:
    """A search may take a thousand times as long as its size says, and training does not."""
    clock, jobs, later = Clock(), trainings(4), searches(4)
    pace = Pace(clock)
    pace.begin([*jobs, *later], 0.0)
    assert left(pace) == (None, True)
    pace.reached(jobs[0], 0.0)
    clock.now = 10
    pace.finish(jobs[0])
    assert left(pace) == (30, True)
    pace.reached(later[0], 0.0)
    clock.now = 1010
    pace.finish(later[0])
    assert left(pace) == (3 * 10 + 3 * 1000, False)


def test_blocks_in_flight_count_as_far_as_they_have_come() -> None:
    clock, jobs = Clock(), trainings(2)
    pace = Pace(clock)
    pace.begin(jobs, 0.0)
    for job in jobs:
        pace.reached(job, 0.0)
    clock.now = 30
    for job in jobs:
        pace.reached(job, job.size / 4)
    assert left(pace) == (90, False)  # two at once
    clock.now = 120
    pace.finish(jobs[0])
    pace.reached(jobs[1], jobs[1].size / 2)
    assert left(pace)[0] == 80  # one alone, at 240 s for a block and a half


def test_searches_that_have_not_ended_make_the_rest_longer() -> None:
    """Else only the quick ones would count."""
    clock, jobs = Clock(), searches(3)
    pace = Pace(clock)
    pace.begin(jobs, 0.0)
    pace.reached(jobs[0], 0.0)
    pace.reached(jobs[1], 0.0)
    clock.now = 1
    pace.finish(jobs[0])
    clock.now = 99
    assert left(pace) == ((1 + 99) * 2 / 2, False)


def test_horizons_that_come_after_training_are_named_until_one_is_measured() -> None:
    clock = Clock()
    tasks = [Task("sweep", task.spec, task.seeds, horizons=AIMS) for task in tasks_by_rate(2)]
    watch = RunProgress(clock=clock)
    jobs = jobs_for(tasks, None)
    watch.begin(jobs, tasks)
    assert watch.time_left == "the horizons of 4 runs"
    watch.of_job(jobs[0])()
    clock.now = 60
    watch.finish(jobs[0], ())
    assert watch.time_left == "about 1 min 0 s and the horizons of 4 runs"
    watch.finish(jobs[1], ())
    watch.begin(measured := searches(4), tasks)
    watch.of_job(measured[0])()
    clock.now = 360
    watch.finish(measured[0], ())
    assert watch.time_left == "about 15 min 0 s"


def test_a_time_that_nobody_knows_is_said_to_be_unknown() -> None:
    progress = RunProgress()
    assert progress.time_left == "about 0 s"
    progress.begin(trainings(1), tasks_by_rate(1))
    assert progress.time_left == "an unknown time"
