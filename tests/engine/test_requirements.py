"""What is missing is skipped with a way to get it, or fails where it must not be missing."""

from __future__ import annotations

import pytest

from tests.requirements import need


def test_inside_a_test_it_skips(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("ABACIST_REQUIRE", raising=False)
    with pytest.raises(pytest.skip.Exception, match="no_such_thing is not installed; pip install"):
        need("no_such_thing")


def test_for_a_module_it_marks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("PYTEST_CURRENT_TEST")
    monkeypatch.setenv("ABACIST_REQUIRE", "numpy,other_thing")
    mark = need("no_such_thing")
    assert mark.name == "skip"
    assert "not installed" in mark.kwargs["reason"]
    assert need("numpy").args == (False,)


def test_where_it_is_required_it_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ABACIST_REQUIRE", "torch, no_such_thing")
    with pytest.raises(pytest.fail.Exception, match="ABACIST_REQUIRE asks for it"):
        need("no_such_thing")
