"""Tests that take long: `make test` leaves them out, `make thorough` runs them, and CI runs both."""

#: Beginnings of their names.
THOROUGH = (
    "tests/analysis/certificates/test_certify.py::test_a_leaking_counter_is_proved_only_to_where_it_is_right",
    "tests/bridge/test_examples.py",
    "tests/engine/test_recognition.py::test_a_word_that_is_accepted_is_taken",
    "tests/experiments/test_cluster.py",
    "tests/experiments/test_cluster_disturbed.py",
    "tests/experiments/test_own_cells.py::test_workers_of_any_kind_compute_the_same",
    "tests/experiments/test_power_loss.py",
    "tests/report/page/test_access.py",
    "tests/report/page/test_dots.py",
    "tests/report/page/test_following.py",
    "tests/report/page/test_links.py",
    "tests/report/page/test_live_training.py",
    "tests/report/page/test_searching.py",
    "tests/report/page/test_stepping.py",
    "tests/report/page/test_writing.py::test_a_page_is_smaller_than_a_megabyte_or_not_written",
    "tests/report/test_report_browser.py",
    "tests/targets/cuda/test_toys.py",
    "tests/targets/numba/test_other_processors.py",
    "tests/targets/numba/test_rounding.py::test_every_float32_keeps_the_promise",
    "tests/test_notebook.py",
)
