"""Registries: the cells and languages that users add by programs, plugins and installed packages."""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from types import ModuleType
from typing import Any, Generic, Protocol, TypeVar

from abacist.errors import BadInput
from abacist.on_demand import on_demand
from abacist.wording import in_a_sentence

_metadata = on_demand("importlib.metadata")

#: What looks like the name of a file.
_FILE = re.compile(r"[/\\]|\.[a-zA-Z]\w*$")

#: How many digits of a content tell a thing from others of its name.
DIGITS = 12


class Named(Protocol):
    """What a registry holds."""

    @property
    def name(self) -> str: ...

    @property
    def content(self) -> str:
        """A checksum over all that it is, in hexadecimal digits."""


T = TypeVar("T", bound=Named)


@dataclass(frozen=True)
class Offered(Generic[T]):
    """A thing that goes by its name, and where it comes from: a file, a package, a program."""

    thing: T
    origin: str


def plain(name: str) -> str:
    """A name in the form in which names are compared."""
    return name.strip().lower().replace("-", "_")


def written(thing: Named) -> str:
    """How a thing of the user's is written in specs and run keys: `name#digits`, those of its content."""
    return f"{thing.name}#{thing.content[:DIGITS]}"


class Registry(Generic[T]):
    """Things of one class that users add to those of Abacist, which `builtin` gives by name.

    `kept` may give another thing in place of an equal one. Packages offer theirs as entry points in the group
    `abacist.cells`, or what the class is called. Looking for them takes a while, so it is done only when a
    name is not known, or when all are listed.
    """

    def __init__(
        self, kind: type, builtin: Callable[[str], T | None], kept: Callable[[T], T] = lambda thing: thing
    ) -> None:
        self._kind, self._builtin, self._kept = kind, builtin, kept
        self.noun = kind.__name__.lower()
        #: By their names in plain form, those that programs and plugins added.
        self.added: dict[str, Offered[T]] = {}
        #: How often names were given or taken away: what was read by name before may be another thing by now.
        self.changes = 0

    def add(self, thing: T, origin: str) -> None:
        """Let a thing go by its name from now on; another one from elsewhere must not have that name."""
        self.check_name(thing, origin)
        other = self.added.get(plain(thing.name))
        if other is not None and other.origin != origin and other.thing.content != thing.content:
            raise BadInput(
                f"{origin}: a {self.noun} named {thing.name} is in {other.origin}, too; give one another name"
            )
        self.added[plain(thing.name)] = Offered(self._kept(thing), origin)
        self.changes += 1

    def withdraw(self) -> None:
        """Forget the names of all that was added."""
        self.added.clear()
        self.changes += 1

    def check_name(self, thing: T, origin: str) -> None:
        """Refuse a name that is taken, or that could not be asked for."""
        name = thing.name
        if not name.strip() or "||" in name or "#" in name:
            raise BadInput(
                f"{origin}: a {self.noun}'s name must have some text and neither || nor #, got {name!r}"
            )
        if self._builtin(name) is not None:
            raise BadInput(
                f"{origin}: a {self.noun} named {name} comes with Abacist; give yours another name"
            )

    def find(self, name: str) -> T | None:
        """What goes by a name; `name#digits` is that of its name only where its content begins with these."""
        bare, mark, _ = name.strip().rpartition("#")
        things = (one.thing for one in self._named(bare if mark else name))
        return next((one for one in things if not mark or written(one) == name.strip()), None)

    def _named(self, name: str) -> Iterator[Offered[T]]:
        """What was added under a name, and then what a package offers."""
        if plain(name) in self.added:  # else packages are looked for
            yield self.added[plain(name)]
        if plain(name) in self._packaged:
            yield self._packaged[plain(name)]

    def is_builtin(self, thing: T) -> bool:
        """Whether a thing is the one that goes by its name wherever Abacist is installed."""
        return self._builtin(thing.name) == thing

    def absence(self, name: str, what: str = "it") -> str:
        """The sentence for a `name#digits` that is not at hand."""
        bare = name.rpartition("#")[0]
        other = next((one for one in self._named(bare) if written(one.thing) != name), None)
        hint = f", and the {bare} in {other.origin} is another one" if other else ""
        return (
            f"{self.noun} {' '.join(name.split())}: {what} is not at hand{hint}; give the file that defines "
            "it: --plugin FILE, in Python load_plugins([FILE])"
        )

    def unknown(self, name: str, hint: str, *, file: str = "", table: str = "") -> str:
        """The sentence for a name that nothing has: a hint, and how one's own is given, perhaps by a `file`
        or a `table` of TOML, too."""
        own = f'{file}--plugin FILE (TOML: {table}plugins = ["FILE"]; Python: the {self.noun} itself)'
        if _FILE.search(name):
            return f"{name!r} is no {self.noun}'s name; give {own}"
        return f"unknown {self.noun} {name!r}{hint}{' Y' if hint.endswith('?') else '; y'}our own needs {own}"

    def all(self) -> list[Offered[T]]:
        """All, those of installed packages among them, of two with the same name the one that was added."""
        for name, one in self._packaged.items():
            self._warn_of_name(one, self.added.get(name, one))
        return list((self._packaged | self.added).values())

    @cached_property
    def _packaged(self) -> dict[str, Offered[T]]:
        """What installed packages offer."""
        offered: dict[str, Offered[T]] = {}
        for thing, origin in self._loaded():
            try:
                self.check_name(thing, origin)
                one = Offered(self._kept(thing), origin)
            except BadInput as error:
                warnings.warn(str(error), stacklevel=2)
                continue
            self._warn_of_name(one, offered.setdefault(plain(thing.name), one))
        return offered

    def _loaded(self) -> Iterator[tuple[T, str]]:
        """The things of all entry points, each a thing or a module with some, and where they come from.

        What cannot be loaded is named in a warning, and the rest is still there.
        """
        group = f"abacist.{self.noun}s"
        points = [
            (str(point.dist.name) if point.dist else "without a name", point.name, point)
            for point in _metadata.entry_points(group=group)
        ]
        for package, name, point in sorted(points, key=lambda one: one[:2]):
            origin = f"the package {package}"
            entry = f"{origin}: its entry point {name} in {group}"
            try:
                loaded = point.load()
            except KeyboardInterrupt:
                raise
            except BaseException as error:
                warnings.warn(f"{entry} cannot be loaded, {in_a_sentence(error)}", stacklevel=2)
                continue
            things = self.among(vars(loaded) if isinstance(loaded, ModuleType) else {"loaded": loaded})
            if not things:
                warnings.warn(f"{entry} is no {self.noun}", stacklevel=2)
            yield from ((thing, origin) for thing in things)

    def among(self, names: dict[str, Any]) -> list[T]:
        """The things of the user's among what a module calls everything in it, each once."""
        public: Any = {id(thing): thing for name, thing in names.items() if not name.startswith("_")}
        things: Any = (thing for thing in public.values() if isinstance(thing, self._kind))
        return [thing for thing in things if not self.is_builtin(thing)]

    def _warn_of_name(self, one: Offered[T], other: Offered[T]) -> None:
        """Say so where another thing has taken the name of one."""
        if other.thing.content != one.thing.content:
            named = f"{one.origin}: its {self.noun} {one.thing.name}"
            why = f"is not used, since one in {other.origin} has that name, too"
            warnings.warn(f"{named} {why}", stacklevel=2)
