"""Entry points: what installed packages offer, as the packaging convention has it.

Looking for them takes a while, so it is done only when something is asked for that is not known.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from types import ModuleType
from typing import Any

from abacist.on_demand import on_demand
from abacist.wording import in_a_sentence

_metadata = on_demand("importlib.metadata")


def from_packages(group: str, kind: type) -> Iterator[tuple[str, Any]]:
    """What packages offer in a group: where it comes from, and the thing.

    An entry point is a thing of the kind, or a module with such things at its top level. What cannot be
    loaded is named in a warning, and the rest is still there.
    """
    points = _metadata.entry_points(group=group)
    for point in sorted(points, key=lambda point: (_package(point), point.name)):
        origin = f"the package {_package(point)}"
        try:
            loaded = point.load()
        except KeyboardInterrupt:
            raise
        except BaseException as error:
            why = in_a_sentence(error)
            warn(f"{origin}: its entry point {point.name} in {group} cannot be loaded, {why}")
            continue
        things = list(public_things(vars(loaded), kind)) if isinstance(loaded, ModuleType) else [loaded]
        fitting = [thing for thing in things if isinstance(thing, kind)]
        if not fitting:
            warn(f"{origin}: its entry point {point.name} in {group} is no {kind.__name__.lower()}")
        yield from ((origin, thing) for thing in fitting)


def public_things(names: dict[str, Any], kind: type) -> list[Any]:
    """The things of a kind among what a module calls everything in it, each once, private names left out."""
    found: list[Any] = []
    for name, value in names.items():
        if not name.startswith("_") and isinstance(value, kind) and not any(value is one for one in found):
            found.append(value)
    return found


def warn(sentence: str) -> None:
    """Warn of something that is left out."""
    warnings.warn(sentence, stacklevel=2)


def _package(point: Any) -> str:
    return str(point.dist.name) if point.dist else "without a name"
