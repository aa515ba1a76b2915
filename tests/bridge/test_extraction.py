"""Automata that AALpy learns of networks: what they say is what the networks do."""

from __future__ import annotations

import os
import subprocess
import sys
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from abacist.analysis import constructed
from abacist.bridge import extracted, model_of
from abacist.engine.reference import first_rejection, forward
from abacist.errors import BadInput, NotInstalled
from abacist.languages import language_named
from tests.bridge.cases import leaky
from tests.requirements import need

DYCK = language_named("dyck-1")


def strings(symbols: int, longest: int) -> list[tuple[int, ...]]:
    return [word for length in range(longest + 1) for word in product(range(symbols), repeat=length)]


def state_after(machine: Any, word: tuple[int, ...], glyphs: tuple[str, ...]) -> Any:
    state = machine.initial_state
    for symbol in word:
        state = state.transitions[glyphs[symbol]]
    return state


@pytest.mark.thorough
def test_a_fresh_installation_has_no_warnings(tmp_path: Path) -> None:
    # AALpy has strings that Python warns of when it compiles them, which it most often has done long before.
    need("aalpy")
    command = [
        sys.executable,
        "-W",
        "error",
        "-c",
        "from abacist.bridge.extraction import imported_aalpy as aalpy; aalpy()",
    ]
    nothing_compiled = os.environ | {"PYTHONPYCACHEPREFIX": str(tmp_path)}
    done = subprocess.run(command, env=nothing_compiled, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize(("language", "longest"), [("dyck-1", 8), ("shuffle-2", 4)])
def test_a_dfa_takes_what_the_network_takes(language: str, longest: int) -> None:
    need("aalpy")
    own, networks = language_named(language), leaky(language, 0.05)
    machine = extracted(networks, own, longest=longest, kind="dfa")
    for word in strings(len(own.alphabet), longest):
        taken = first_rejection(networks, 0, own, word) < 0
        assert state_after(machine, word, own.alphabet.glyphs).is_accepting == taken


def test_a_moore_machine_says_what_is_predicted_next() -> None:
    need("aalpy")
    networks = leaky("dyck-1", 0.05)
    machine = extracted(model_of(networks), DYCK, longest=8)
    for word in strings(2, 8):
        later = [frozenset(np.flatnonzero(y > 0.5).tolist()) for y in forward(networks, 0, word)[1]]
        sets: list[frozenset[int]] = [DYCK.next_symbols(DYCK.start), *later]
        dead = any(symbol not in sets[time] for time, symbol in enumerate(word))
        said = state_after(machine, word, DYCK.alphabet.glyphs).output
        assert said == (None if dead else DYCK.alphabet.render_set(sets[-1]))


def test_longer_strings_need_more_states_of_what_counts() -> None:
    need("aalpy")
    counts = [len(extracted(constructed(DYCK), DYCK, longest=longest).states) for longest in (4, 6, 8)]
    assert counts == [4, 5, 6]  # the depths up to half the length, and one that is dead


def test_without_aalpy_a_sentence_says_how_to_install_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "aalpy", None)
    with pytest.raises(NotInstalled, match=r"needs aalpy; pip install '\.\[aalpy\]'"):
        extracted(constructed(DYCK), DYCK)


def test_what_cannot_be_learned_is_refused() -> None:
    with pytest.raises(BadInput, match="kind must be moore or dfa, got 'mealy'"):
        extracted(constructed(DYCK), DYCK, kind="mealy")
    with pytest.raises(BadInput, match="longest must be at least 1, got 0"):
        extracted(constructed(DYCK), DYCK, longest=0)
