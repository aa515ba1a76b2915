"""Languages of one's own: by name, shuffled, and written with their content."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

import pytest

from abacist.languages import (
    OWN_LANGUAGES,
    Dyck,
    Shuffle,
    add_language,
    language_named,
    own_languages,
    written_name,
)
from abacist.specs import Spec
from tests.wrong_input import is_refused


@dataclass(frozen=True)
class Nested(Dyck):
    """Brackets no deeper than `most`."""

    most: int = 3
    called: str = "nested"

    @property
    def name(self) -> str:
        return self.called

    def step(self, state, symbol):  # type: ignore[no-untyped-def]
        after = super().step(state, symbol)
        return None if after is None or sum(self.depths(after)) > self.most else after


@pytest.fixture(autouse=True)
def _withdrawn() -> Iterator[None]:
    yield
    OWN_LANGUAGES.withdraw()


def test_a_language_goes_by_its_name_once_it_is_added() -> None:
    own = Nested()
    assert is_refused(lambda: language_named("nested")).startswith("unknown language 'nested'")
    assert is_refused(lambda: written_name(own)) == (
        "nested: a language of one's own is stored after add_language(language)"
    )
    add_language(own)
    assert language_named(" Nested ") is own
    assert [(one.thing, one.origin) for one in own_languages()] == [(own, "this program")]
    assert isinstance(language_named("nested || anbn"), Shuffle)


def test_what_is_written_has_the_content_in_it() -> None:
    written = set()
    for most in (2, 3, 4):
        OWN_LANGUAGES.withdraw()
        own = Nested(most=most)
        add_language(own)
        name = written_name(own)
        assert re.fullmatch("nested#[0-9a-f]{12}", name)
        assert language_named(name) is own
        spec = Spec.from_dict({"language": name, "cell": "lstm"})
        assert spec.as_dict()["language"] == name
        written.add(name)
    assert len(written) == 3
    assert "nested#50cae236dfb7" in written  # as in stores of today
    for name in written - {written_name(Nested(most=4))}:
        assert is_refused(lambda name=name: language_named(name)) == (  # type: ignore[misc]
            f"language {name}: it is not at hand, and the nested in this program is another one; give the "
            "file that defines it: --plugin FILE, in Python load_plugins([FILE])"
        )


def test_shuffles_are_written_part_by_part() -> None:
    add_language(Nested())
    mixed = language_named("anbn || nested")
    written = written_name(mixed)
    assert written == f"anbn || {written_name(Nested())}"
    assert language_named(written) == mixed
    OWN_LANGUAGES.withdraw()
    add_language(Nested(most=2))
    assert "it is not at hand" in is_refused(lambda: language_named(written))
    assert "add_language" in is_refused(lambda: written_name(mixed))


def test_names_are_each_only_one_s() -> None:
    add_language(Nested(most=2), "here")
    add_language(Nested(most=3), "here")
    assert is_refused(lambda: add_language(Nested(most=4), "there")) == (
        "there: a language named nested is in here, too; give one another name"
    )
    for name in ("dyck-1", "Shuffle-6", "anbn"):
        said = is_refused(lambda name=name: add_language(Nested(called=name)))  # type: ignore[misc]
        assert said == f"this program: a language named {name} comes with Abacist; give yours another name"
    for name in ("", "a || b", "a#b"):
        assert "neither || nor #" in is_refused(
            lambda name=name: add_language(Nested(called=name))  # type: ignore[misc]
        )
