"""Networks as recognisers: accuracies are those of the plain reference, and only judging is done."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from abacist.corpora import EDITS, draw, draw_non_members
from abacist.experiments import RECOGNITION_SETS, Store, Task, jobs_for, run, run_key, set_recipe
from abacist.experiments.word_sets import non_members
from abacist.languages import language_named
from tests.engine.reference import first_rejection
from tests.experiments.cases import runs_of, small, view

SPEC = small(test=20)


@pytest.mark.parametrize("language", ["dyck-1", "shuffle-2"])
def test_accuracy_is_the_share_that_the_reference_judges_rightly(language: str, store: Store) -> None:
    spec = replace(SPEC, language=language_named(language))
    run([Task("own", spec, (3, 4), RECOGNITION_SETS)], store)
    for own in runs_of(store):
        for name in RECOGNITION_SETS:
            kind, _, test = name.rpartition(" ")
            recipe, split = set_recipe(spec, own.seed, name)
            assert split == test
            if kind in EDITS:
                words = next(list(found) for found in draw_non_members(recipe, 4) if found.name == name)
                assert len(words) == 4  # a fifth of the test set
            else:
                words = list(draw(spec.recipe(own.seed))[test])
            taken = [first_rejection(own.networks, 0, spec.language, word) < 0 for word in words]
            assert own.accuracy(name) == np.mean([t == (kind not in EDITS) for t in taken])


def test_networks_that_are_there_are_judged_and_not_trained_again(store: Store) -> None:
    run([Task("first", SPEC, (0, 1))], store)
    before = runs_of(store)
    task = Task("second", SPEC, (0, 1), ("short", *RECOGNITION_SETS))
    assert [job.what for job in jobs_for([task], view(before))] == ["judge"]
    run([task], store)
    after = runs_of(store)
    assert {run_key(SPEC, seed) for seed in (0, 1)} == {own.key for own in after}
    for old, new in zip(before, after, strict=True):
        assert np.array_equal(old.weights, new.weights)
        assert all(new.outcome.accuracy[name] == shares for name, shares in old.outcome.accuracy.items())
        assert new.outcome.known() == old.outcome.known() | task.wanted()


def test_strings_near_all_sets_are_distinct_and_the_same_for_every_cell() -> None:
    recipe, _ = set_recipe(SPEC, 7, "swapped long")
    assert [split.name for split in recipe.splits] == ["short", "long"]
    found = non_members(recipe)
    strings = [string for own in found for string in own]
    assert len(set(strings)) == len(strings) == 4 * len(found) == 4 * 12
    assert not any(string in SPEC.language for string in strings)
    assert set_recipe(replace(SPEC, hidden=3), 7, "inserted short")[0] == recipe
