"""Torture: hostile trials of all kinds for a bounded time.

    python -m tests.torture --seconds 60 --seed 0

prints how many trials of every kind there were and how many broke a law, and ends with 1 if any did. A trial
depends on the seed, its kind and its number alone, so that the command printed with a failure repeats it.
"""

from __future__ import annotations

import argparse
import os
import random
import shutil
import sys
import tempfile
import time
import traceback
import warnings
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path

from tests.requirements import is_there
from tests.torture.damage import damaged_corpora, damaged_networks, damaged_store, interrupted_store
from tests.torture.faults import strace, system_call_faults
from tests.torture.ground import copy, prepare
from tests.torture.kills import damaged_cache, kills
from tests.torture.liars import deep_nesting, lying_workers
from tests.torture.nonsense import mutated_toml, random_command_line
from tests.torture.pages import pages_of_languages
from tests.torture.patience import impatience
from tests.torture.texts import mutated_texts
from tests.torture.trial import Trial

#: Every kind of trial by its name; `--kind` takes these.
KINDS: dict[str, Trial] = {
    "kills": kills,
    "caches": damaged_cache,
    "stores": damaged_store,
    "journals": interrupted_store,
    "networks": damaged_networks,
    "corpora": damaged_corpora,
    "toml": mutated_toml,
    "texts": mutated_texts,
    "commands": random_command_line,
    "nesting": deep_nesting,
    "liars": lying_workers,
    "patience": impatience,
}
if is_there("node"):
    KINDS["pages"] = pages_of_languages
if strace() is not None:
    KINDS["faults"] = system_call_faults


@dataclass
class Tally:
    """What came of the trials of a kind: how many there were, and what each failure says by its number."""

    trials: int = 0
    failures: dict[int, str] = field(default_factory=dict)


def attempt(kind: str, number: int, seed: int, ground: Path) -> str | None:
    """One trial on a copy of the ground; what went wrong, or None."""
    own = ground.parent / f"{kind}-{number}"
    try:
        KINDS[kind](copy(ground, own), random.Random(f"{seed} {kind} {number}"))
    except Exception as error:  # a law is broken, or something that nobody has thought of
        return "".join(traceback.format_exception(error)).strip()
    finally:
        shutil.rmtree(own, ignore_errors=True)
    return None


def torture(kinds: list[str], *, seconds: float, seed: int, first: int = 0) -> dict[str, Tally]:
    """Trials of some kinds, an equal time for each, at least one of each."""
    tallies = {kind: Tally() for kind in kinds}
    with tempfile.TemporaryDirectory(prefix="abacist-torture-") as folder:
        ground = prepare(Path(folder) / "ground")
        for kind, tally in tallies.items():
            end = time.monotonic() + seconds / len(kinds)
            for number in count(first):
                failure = attempt(kind, number, seed, ground)
                tally.trials += 1
                if failure is not None:
                    tally.failures[number] = failure
                    again = f"--seed {seed} --kind {kind} --first {number} --seconds 0"
                    print(
                        f"\n{kind} {number}: {failure}\nrepeat it with: python -m tests.torture {again}\n",
                        flush=True,
                    )
                if time.monotonic() >= end:
                    break
    return tallies


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.torture", description="Hostile trials.")
    parser.add_argument("--seconds", type=float, default=60, help="how long, in all")
    parser.add_argument("--seed", type=int, default=None, help="left out, it is a matter of chance")
    parser.add_argument(
        "--kind", action="append", choices=list(KINDS), help="only this kind; may be repeated"
    )
    parser.add_argument("--first", type=int, default=0, help="the number of the first trial of every kind")
    given = parser.parse_args()
    seed = random.SystemRandom().randrange(10**6) if given.seed is None else given.seed
    warnings.simplefilter("ignore")
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)  # nobody is asked for words
    begun = time.monotonic()
    print(f"seed {seed}", flush=True)
    tallies = torture(given.kind or list(KINDS), seconds=given.seconds, seed=seed, first=given.first)
    print(f"{'kind':<10}{'trials':>8}{'failures':>10}")
    for kind, tally in tallies.items():
        print(f"{kind:<10}{tally.trials:>8,}{len(tally.failures):>10,}")
    failures = sum(len(tally.failures) for tally in tallies.values())
    trials = sum(tally.trials for tally in tallies.values())
    print(f"{'all':<10}{trials:>8,}{failures:>10,}   seed {seed}, {time.monotonic() - begun:.0f} s")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
