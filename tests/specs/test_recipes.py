"""Ways of training by name."""

from __future__ import annotations

from pathlib import Path

import pytest

from abacist.cells import cell_named
from abacist.corpora import CutOff
from abacist.errors import BadInput, UnknownName
from abacist.experiments import parse_experiment
from abacist.experiments.results import Results
from abacist.experiments.store import Store
from abacist.languages import language_named
from abacist.specs import Spec, recipe_values
from tests.cli.command import inside, refused

FILE = 'language = "dyck-2"\ncell = "gru"\n'
PUBLISHED = Spec(
    language_named("dyck-2"), cell_named("gru"), source=CutOff(), order="fixed", precision="float64"
)


def spec_of(text: str) -> Spec:
    (task,) = parse_experiment(FILE + text, "a.toml").tasks
    return task.spec


def test_a_file_can_name_a_recipe() -> None:
    assert spec_of('recipe = "published"') == PUBLISHED
    assert spec_of('recipe = "paper"') == spec_of("") == Spec(language_named("dyck-2"), cell_named("gru"))
    assert spec_of('recipe = "published"\nprecision = "float32"').precision == "float32"
    both = parse_experiment(f'{FILE}recipe = ["paper", "published"]', "a.toml")
    assert [task.spec.order for task in both.tasks] == ["shared", "fixed"]


def test_train_takes_a_recipe(tmp_path: Path) -> None:
    small = "--train-words 20 --test-words 4 --train-lengths 2:12 --long-lengths 14:16 --epochs 1 --runs 1"
    asked = ("train", "dyck-2", "gru", "--recipe", "published", *small.split(), "--out", str(tmp_path))
    code, _, _ = inside(*asked)
    assert code == 0
    with Store(tmp_path, reading=True) as store:
        (spec,) = Results.of(store).by_spec
    assert (spec.source, spec.order, spec.precision) == (CutOff(), "fixed", "float64")


def test_an_unknown_recipe_is_refused_with_a_sentence() -> None:
    with pytest.raises(UnknownName, match=r"^unknown recipe 'theirs'; there are paper, published$"):
        recipe_values("theirs")
    with pytest.raises(BadInput, match=r"^a.toml: unknown recipe 'theirs'; there are paper, published$"):
        spec_of('recipe = "theirs"')
    assert "unknown recipe 'theirs'" in refused("train", "dyck-1", "lstm", "--recipe", "theirs")
