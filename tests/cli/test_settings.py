"""What tells the specs of some tasks apart, in lines of progress."""

from __future__ import annotations

from dataclasses import replace

from abacist.cells import cell_named
from abacist.cli.stores import settings_of
from abacist.languages import language_named
from abacist.specs import Spec


def test_layers_are_shown_where_there_are_several() -> None:
    one = Spec(language_named("dyck-1"), cell_named("lstm"), hidden=2)
    two = replace(one, layers=2)
    assert "layers" not in settings_of([one])[one]
    assert settings_of([two])[two]["layers"] == 2
    assert [own["layers"] for own in settings_of([one, two]).values()] == [1, 2]
