"""Limits of what an input may ask for, in one place: a small file must not cost minutes or gigabytes.

Each is checked before anything is built, and refused in one sentence. `docs/reliability.md` lists them.
"""

from __future__ import annotations

from dataclasses import dataclass

from abacist.errors import BadInput


@dataclass(frozen=True)
class Limit:
    """The most of something that an input may have.

    >>> COUNTERS.check("language more", 17)
    Traceback (most recent call last):
    ...
    abacist.errors.BadInput: language more: may have at most 16 counters, got 17
    """

    most: int
    what: str

    def check(self, owner: str, value: int) -> None:
        """Refuse more; `owner` is what the message names."""
        if value > self.most:
            raise BadInput(f"{owner}: may have at most {self.most:,} {self.what}, got {value:,}")


#: Texts of JSON and TOML.
TOML_BYTES = Limit(1 << 22, "bytes of TOML")
JSON_BYTES = Limit(1 << 28, "bytes of JSON")
NESTING = Limit(64, "levels of nesting")
KEY_PARTS = Limit(64, "parts in a dotted key")
